/**
 * Room `store`: the database, tenancy and the queue. May import `kernel` only.
 * Promises: no statement of the product runs outside a scoped transaction; a connection that comes
 * back to the pool carries no scope; the same code runs embedded (PGlite) and on a PostgreSQL server.
 *
 * This file: one interface over both kinds of database. A `Session` is one connection that is held
 * by one user at a time.
 */
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { ProblemError } from "../kernel/errors.ts";
import type { Clock } from "../kernel/ports.ts";

export interface QueryAnswer {
  readonly rows: Record<string, unknown>[];
  readonly affected: number;
}

export interface Session {
  query(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer>;
  /** Several statements without parameters; answers with the rows of all. */
  script(sql: string): Promise<QueryAnswer>;
  /** Gives the connection back; `broken` ends it instead. */
  release(broken?: boolean): void;
}

export interface Database {
  readonly kind: "embedded" | "server";
  acquire(): Promise<Session>;
  /** Calls back with the payload of each NOTIFY on the channel until the answer is called. */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Amounts and instants are bigint columns within JavaScript's safe integers (a test covers the edges). */
const INT8 = 20;
const NUMERIC = 1700;

/**
 * An embedded database in a folder, or in memory without one. PGlite has one connection: a fair
 * lock hands it from one session to the next.
 */
export async function openEmbedded(dataDir: string | undefined): Promise<Database> {
  const pglite = await PGlite.create({
    ...(dataDir === undefined ? {} : { dataDir }),
    // 16 MB of buffers is plenty for one process and keeps 100 MB of memory free (measured).
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"],
    parsers: { [INT8]: Number, [NUMERIC]: Number },
  });
  const lock = new FairLock();
  const session: Omit<Session, "release"> = {
    async query(sql, parameters = []) {
      const answer = await pglite.query<Record<string, unknown>>(sql, [...parameters]);
      return { rows: answer.rows, affected: answer.affectedRows ?? 0 };
    },
    async script(sql) {
      const answers = await pglite.exec(sql);
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
    listen: (channel, onPayload) => pglite.listen(channel, onPayload),
    async close() {
      if (closed) return;
      await lock.acquire();
      closed = true;
      lock.release();
      await pglite.close();
    },
  };
}

/** A pool of connections to a PostgreSQL server (15 or newer). */
export function openServer(connectionString: string, clock: Clock, poolSize = 10): Database {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
  } as pg.CustomTypesConfig;
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    types,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "recourse",
  });
  // A broken idle connection is dropped by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  return {
    kind: "server",
    async acquire() {
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (cause) {
        throw new ProblemError("database_unavailable", undefined, { cause });
      }
      const run = async (sql: string, parameters?: readonly unknown[]) => {
        const answer = await client.query(sql, parameters as unknown[] | undefined);
        const last = Array.isArray(answer) ? answer.at(-1) : answer;
        const rows = Array.isArray(answer) ? answer.flatMap((part) => part.rows) : answer.rows;
        return { rows, affected: last?.rowCount ?? 0 };
      };
      let held = true;
      return {
        query: run,
        script: (sql) => run(sql),
        release(broken = false) {
          if (held) client.release(broken);
          held = false;
        },
      };
    },
    listen: (channel, onPayload) => listenWithReconnect(connectionString, clock, channel, onPayload),
    close: () => pool.end(),
  };
}

/** LISTEN on a connection of its own; a lost connection is opened again. Readers also poll, so a gap only delays. */
async function listenWithReconnect(
  connectionString: string,
  clock: Clock,
  channel: string,
  onPayload: (payload: string) => void,
): Promise<() => Promise<void>> {
  let stopped = false;
  let current: pg.Client | undefined;
  const connect = async (): Promise<void> => {
    const client = new pg.Client({ connectionString, keepAlive: true, application_name: "recourse-listen" });
    let lost = false;
    const onLost = () => {
      if (lost || stopped) return;
      lost = true;
      client.end().catch(() => {});
      retry();
    };
    client.on("error", onLost);
    client.on("end", onLost);
    client.on("notification", (message) => onPayload(message.payload ?? ""));
    await client.connect();
    await client.query(`listen ${channel}`);
    current = client;
  };
  const retry = () => {
    clock.after(1_000, () => {
      if (!stopped) connect().catch(retry);
    });
  };
  await connect().catch(retry);
  return async () => {
    stopped = true;
    await current?.end().catch(() => {});
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
