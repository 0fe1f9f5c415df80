/**
 * PGlite as the store's database: PostgreSQL in this process, in a folder or in memory.
 *
 * Statements with parameters are prepared once and kept (PGlite's own `query` parses and plans each
 * time): measured, that halves a simple statement.
 */
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { prepareValue } from "pg/lib/utils.js";
import { serialize } from "pg-protocol";
import { ProblemError } from "../kernel/errors.ts";
import { type Database, parserOf, type QueryAnswer, type Session, type Statement } from "./database.ts";

/** The same values as {@link parserOf} gives, for the types that `script` answers with. */
const PARSERS = { 20: Number, 1700: Number };

/** Prepared statements kept; the oldest goes first. Each costs some 10 kB. */
const PREPARED_MAX = 250;

export interface EmbeddedDatabase extends Database {
  /** All of it as a compressed archive, taken between two transactions; `openEmbedded` starts from it as `template`. */
  dump(): Promise<Blob>;
}

/**
 * An embedded database in a folder, or in memory without one. PGlite has one connection: a fair
 * lock hands it from one session to the next. `template`: what PGlite dumped of another; a new one starts as that.
 */
export async function openEmbedded(dataDir: string | undefined, template?: Blob): Promise<EmbeddedDatabase> {
  const pglite = await PGlite.create({
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(template === undefined ? {} : { loadDataDir: template }),
    extensions: { vector },
    // 16 MB of buffers is plenty for one process and keeps 100 MB of memory free (measured).
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"],
  });
  const statements = new PreparedStatements(pglite);
  const lock = new FairLock();
  const session: Omit<Session, "release"> = {
    query: (sql, parameters = []) => statements.run([{ sql, parameters }]),
    batch: (list) => statements.run(list),
    async script(sql) {
      const answers = await pglite.exec(sql, { parsers: PARSERS });
      return { rows: answers.flatMap((answer) => answer.rows as Record<string, unknown>[]), affected: 0 };
    },
  };
  let closed = false;
  return {
    kind: "embedded",
    async acquire() {
      if (closed) throw new ProblemError("database_unavailable", "The database is closed.");
      await lock.acquire();
      let held = true;
      return {
        ...session,
        release() {
          if (held) lock.release();
          held = false;
        },
      };
    },
    hears: async () => true,
    listen: (channel, onPayload) => pglite.listen(channel, onPayload),
    async dump() {
      if (closed) throw new ProblemError("database_unavailable", "The database is closed.");
      await lock.acquire();
      try {
        // Everything stands in its tables: whoever starts from it has no log to replay.
        await pglite.exec("checkpoint");
        return await pglite.dumpDataDir("gzip");
      } finally {
        lock.release();
      }
    },
    async close() {
      if (closed) return;
      await lock.acquire();
      closed = true;
      lock.release();
      await pglite.close();
    },
  };
}

/** First come, first served. */
class FairLock {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  async acquire(): Promise<void> {
    if (!this.#held) {
      this.#held = true;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#held = false;
    else next();
  }
}

interface Prepared {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[];
}

/** What PGlite's parser makes of the server's messages, as far as it is read here. */
interface Message {
  readonly name: string;
  readonly text?: string;
  readonly fields?: readonly unknown[];
}

class PreparedStatements {
  readonly #pglite: PGlite;
  readonly #kept = new Map<string, Prepared>();
  #count = 0;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** Runs all in one round trip where all are prepared already; the answer is the last one's. */
  async run(list: readonly Statement[]): Promise<QueryAnswer> {
    let from = 0;
    for (const [index, { sql }] of list.entries()) {
      if (this.#kept.has(sql)) continue;
      // What stands before it may decide what its names mean.
      if (index > from) await this.#execute(list.slice(from, index));
      from = index;
      await this.#prepare(sql);
    }
    return this.#execute(list.slice(from));
  }

  async #execute(list: readonly Statement[]): Promise<QueryAnswer> {
    const prepared = list.map(({ sql }) => this.#kept.get(sql));
    const parts = list.flatMap(({ parameters = [] }, index) => [
      serialize.bind({ statement: prepared[index]?.name ?? "", values: parameters.map(prepareValue) }),
      serialize.execute({ portal: "", rows: 0 }),
    ]);
    let messages: readonly Message[];
    try {
      messages = await this.#send(...parts);
    } catch (error) {
      // The schema has changed under it, or it was never there: the next use prepares it again.
      if (["0A000", "26000"].includes((error as { code?: string }).code ?? "")) {
        for (const { sql } of list) this.#kept.delete(sql);
      }
      throw error;
    }
    const columns = prepared.at(-1)?.columns ?? [];
    const rows: Record<string, unknown>[] = [];
    let affected = 0;
    let complete = 0;
    for (const message of messages) {
      if (message.name === "dataRow" && complete === list.length - 1) {
        const row: Record<string, unknown> = {};
        for (const [index, column] of columns.entries()) {
          const text = message.fields?.[index] as string | null;
          row[column.name] = text === null ? null : column.parse(text);
        }
        rows.push(row);
      } else if (message.name === "commandComplete") {
        complete += 1;
        affected = Number(/(\d+)$/.exec(message.text ?? "")?.[1] ?? 0);
      }
    }
    return { rows, affected };
  }

  async #prepare(sql: string): Promise<void> {
    if (this.#kept.size >= PREPARED_MAX) {
      const [oldest, { name }] = this.#kept.entries().next().value as [string, Prepared];
      this.#kept.delete(oldest);
      await this.#send(serialize.close({ type: "S", name }));
    }
    this.#count += 1;
    const name = `s${this.#count}`;
    const messages = await this.#send(
      serialize.parse({ name, text: sql, types: [] }),
      serialize.describe({ type: "S", name }),
    );
    const description = messages.find((message) => message.name === "rowDescription");
    const columns = (description?.fields ?? []) as { name: string; dataTypeID: number }[];
    this.#kept.set(sql, {
      name,
      columns: columns.map((column) => ({ name: column.name, parse: parserOf(column.dataTypeID) })),
    });
  }

  async #send(...parts: Uint8Array[]): Promise<readonly Message[]> {
    const { messages } = await this.#pglite.execProtocol(Buffer.concat([...parts, serialize.sync()]));
    return messages as unknown as Message[];
  }
}
