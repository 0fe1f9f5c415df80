/** A PostgreSQL server as the store's database: a pool of connections, and one that listens. */
import pg from "pg";
import { ProblemError } from "../kernel/errors.ts";
import type { Clock } from "../kernel/ports.ts";
import { type Database, parserOf } from "./database.ts";

/** A pool of connections to a PostgreSQL server (15 or newer). */
export function openServer(connectionString: string, clock: Clock, poolSize = 10): Database {
  const types = { getTypeParser: (oid: number) => parserOf(oid) } as pg.CustomTypesConfig;
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    types,
    // A batch is on the wire at once: it costs one round trip.
    pipeline: true,
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
    listen: (channel, onPayload, onGap) =>
      listenWithReconnect(connectionString, clock, channel, onPayload, onGap),
    close: () => pool.end(),
  };
}

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
      if (!stopped) connect().then(onGap, retry);
    });
  };
  await connect().catch(retry);
  return async () => {
    stopped = true;
    await current?.end().catch(() => {});
  };
}
