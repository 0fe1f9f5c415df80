/** A PostgreSQL server as the store's database: a pool of connections, and some that listen. */
import pg from "pg";
import { ProblemError } from "../kernel/errors.ts";
import type { Clock } from "../kernel/ports.ts";
import { BEGIN } from "./binding.ts";
import { type Database, parserOf } from "./database.ts";
import { askNowAndThen, canListen } from "./hearing.ts";

/** A server that does not answer a connection by then is away. */
const CONNECT_MS = 5_000;
/** How long a statement may run, and a transaction may stand open with nobody in it. */
const STATEMENT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 15_000;

/**
 * A pool of connections to a PostgreSQL server (15 or newer), or to a pooler in front of one that gives each
 * transaction any connection (PgBouncer's transaction mode). A pooler takes no settings for a connection, so that each
 * transaction brings its own; nothing else here outlives a transaction.
 *
 * @param directUrl the same server without the pooler, for LISTEN; null when `connectionString` is that already
 */
export function openServer(
  connectionString: string,
  clock: Clock,
  poolSize = 10,
  directUrl: string | null = null,
): Database {
  let isPooled = directUrl !== null;
  const open = (): pg.Pool => {
    const opened = new pg.Pool({
      connectionString,
      max: poolSize,
      types: { getTypeParser: (oid: number) => parserOf(oid) } as pg.CustomTypesConfig,
      // A batch is on the wire at once: it costs one round trip.
      pipeline: true,
      connectionTimeoutMillis: CONNECT_MS,
      ...(isPooled
        ? {}
        : { statement_timeout: STATEMENT_MS, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
      application_name: "recourse",
    });
    // A broken idle connection is dropped by the pool, one in use fails its statement. Each says so as an event too:
    // without a listener that would end the process.
    opened.on("error", () => {});
    opened.on("connect", (client) => void client.on("error", () => {}));
    return opened;
  };
  let pool = open();
  const connect = async (): Promise<pg.PoolClient> => {
    const tried = pool;
    try {
      return await tried.connect();
    } catch (cause) {
      if (!/unsupported startup parameter/.test((cause as Error).message)) throw cause;
      // Of several that hear so at once, the first changes it.
      if (pool === tried && !isPooled) {
        isPooled = true;
        pool = open();
        tried.end().catch(() => {});
      }
      if (pool === tried) throw cause;
      return pool.connect();
    }
  };
  const listenUrl = directUrl ?? connectionString;
  let heard: Promise<boolean> | undefined;
  const hears = (): Promise<boolean> => {
    heard ??= canListen(listenUrl, connectionString, clock);
    return heard;
  };
  return {
    kind: "server",
    async acquire() {
      let client: pg.PoolClient;
      try {
        client = await connect();
      } catch (cause) {
        throw new ProblemError("database_unavailable", undefined, { cause });
      }
      const run = async (sql: string, parameters?: readonly unknown[]) => {
        const text = isPooled && sql === BEGIN.sql ? BEGIN_POOLED : sql;
        const answer = await client.query(text, parameters as unknown[] | undefined);
        const last = Array.isArray(answer) ? answer.at(-1) : answer;
        const rows = Array.isArray(answer) ? answer.flatMap((part) => part.rows) : answer.rows;
        return { rows, affected: last?.rowCount ?? 0 };
      };
      let held = true;
      return {
        query: run,
        async batch(statements) {
          let last: Awaited<ReturnType<typeof run>> = { rows: [], affected: 0 };
          for (const answer of await Promise.all(
            statements.map(({ sql, parameters }) => run(sql, parameters)),
          ))
            last = answer;
          return last;
        },
        script: (sql) => run(sql),
        release(broken = false) {
          if (held) client.release(broken);
          held = false;
        },
      };
    },
    hears,
    async listen(channel, onPayload, onGap) {
      if (await hears()) return listenWithReconnect(listenUrl, clock, channel, onPayload, onGap);
      return askNowAndThen(clock, onGap);
    },
    close: () => pool.end(),
  };
}

const BEGIN_POOLED = `begin; set local statement_timeout = ${STATEMENT_MS}; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

/** LISTEN on a connection of its own; a lost connection is opened again. Readers also poll, so a gap only delays. */
async function listenWithReconnect(
  connectionString: string,
  clock: Clock,
  channel: string,
  onPayload: (payload: string) => void,
  onGap: () => void = () => {},
): Promise<() => Promise<void>> {
  let stopped = false;
  let current: pg.Client | undefined;
  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: "recourse-listen",
    });
    let isListening = false;
    // One that never listened is tried again by whoever asked for it: two who try would be four the next time.
    const onLost = () => {
      if (!isListening) return;
      isListening = false;
      client.end().catch(() => {});
      retry();
    };
    client.on("error", onLost);
    client.on("end", onLost);
    client.on("notification", (message) => onPayload(message.payload ?? ""));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    if (stopped) return client.end();
    isListening = true;
    current = client;
  };
  const retry = () => {
    clock.after(1_000, () => {
      if (!stopped) connect().then(onGap, retry);
    });
  };
  await connect().catch(retry);
  return async () => {
    stopped = true;
    await current?.end().catch(() => {});
  };
}
