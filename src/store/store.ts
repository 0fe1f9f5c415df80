/**
 * Scoped transactions: the only way to the tables.
 *
 * Each transaction first takes the application role and its scope with `set_config(…, true)`, in one
 * round trip with BEGIN and its first statement: both end with the transaction, so nothing leaks over a pooled connection.
 * Without a scope, row-level security shows no row.
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { assert, ProblemError } from "../kernel/errors.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Scope } from "../kernel/scope.ts";
import type { Database, QueryAnswer, Session, Statement } from "./database.ts";
import type { Tables } from "./schema.ts";

/** A transaction: typed queries, and hooks that run only once it is durable. */
export interface Tx extends Kysely<Tables> {
  readonly scope: Scope;
  /** Runs after a successful COMMIT, in order; its failure is the caller's to handle. */
  afterCommit(fn: () => void): void;
}

/** One live run or action that may need a worker, as the sweeper sees it. */
export interface DueItem {
  readonly kind: "run" | "action";
  readonly tenantId: TenantId;
  readonly id: string;
}

export interface Store {
  readonly database: Database;
  /**
   * Runs `fn` in one transaction of the scope. Commits when it resolves; rolls back when it throws.
   * A serialisation failure or deadlock is thrown as it is: callers decide whether to repeat.
   * @throws ProblemError `database_unavailable` when no connection is to be had, or its disk is full
   */
  transact<T>(scope: Scope, fn: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs whose lease is over and actions whose next attempt is due, in all tenants. IDs only. */
  due(nowMs: number, limit: number): Promise<readonly DueItem[]>;
  /**
   * Reclaims what updates left behind. PGlite has no autovacuum: without this, throughput fell from 100 to
   * 64 messages/s within a minute of load. A server does it by itself.
   */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

export const APP_ROLE = "recourse_app";

export function createStore(database: Database): Store {
  return {
    database,
    async transact(scope, fn) {
      const session = await database.acquire();
      const hooks: (() => void)[] = [];
      let answer: Awaited<ReturnType<typeof fn>>;
      let broken = false;
      try {
        const tx = Object.assign(bind(opening(session, [BEGIN, enter(scope)])), {
          scope,
          afterCommit: (hook: () => void) => void hooks.push(hook),
        }) as Tx;
        answer = await fn(tx);
        await session.batch([COMMIT]);
      } catch (error) {
        await session.script("rollback").catch(() => {
          broken = true;
        });
        throw isAway(error) ? new ProblemError("database_unavailable", undefined, { cause: error }) : error;
      } finally {
        session.release(broken);
      }
      for (const hook of hooks) hook();
      return answer;
    },
    async due(nowMs, limit) {
      const session = await database.acquire();
      let broken = false;
      try {
        await session.script(
          "begin; select set_config('role', 'recourse_sweeper', true), set_config('search_path', 'recourse', true)",
        );
        const { rows } = await session.query(
          `(select 'run' as kind, tenant_id as "tenantId", id from runs
             where state in ('queued', 'running') and coalesce(lease_until_ms, updated_at_ms) < $1 limit $2)
           union all
           (select 'action', tenant_id, id from actions
             where state in ('scheduled', 'executing', 'unknown', 'pending', 'awaiting_approval')
               and next_attempt_ms <= $1 and coalesce(lease_until_ms, 0) < $1 limit $2)`,
          [nowMs, limit],
        );
        await session.script("commit");
        return rows as unknown as DueItem[];
      } catch (error) {
        await session.script("rollback").catch(() => {
          broken = true;
        });
        throw error;
      } finally {
        session.release(broken);
      }
    },
    async tidy() {
      if (database.kind === "server") return;
      const session = await database.acquire();
      try {
        await session.script("vacuum (analyze)");
      } finally {
        session.release();
      }
    },
    close: () => database.close(),
  };
}

const BEGIN = { sql: "begin" };
const COMMIT = { sql: "commit" };

/** A session whose transaction opens together with its first statement: one round trip less. */
function opening(session: Session, first: readonly Statement[]): Pick<Session, "query"> {
  let open = false;
  return {
    query(sql, parameters) {
      if (open) return session.query(sql, parameters);
      open = true;
      return session.batch([...first, { sql, ...(parameters === undefined ? {} : { parameters }) }]);
    },
  };
}

/** Takes role and scope until the transaction ends (`true`: local). */
function enter(scope: Scope): { sql: string; parameters: readonly string[] } {
  const customer = scope.kind === "customer" ? scope.customerId : "*";
  // A customer whose ID is "*" would see a whole tenant.
  assert(scope.kind === "tenant" || scope.customerId !== ("*" as string), "a customer ID is not '*'");
  return {
    sql: `select set_config('role', '${APP_ROLE}', true), set_config('search_path', 'recourse', true), set_config('recourse.tenant', $1, true), set_config('recourse.customer', $2, true)`,
    parameters: [scope.tenantId, customer],
  };
}

/**
 * The database is not there, or can take nothing: SQLSTATE 08 and 57P0 (connection, shutdown), 53 (disk or
 * memory full, too many connections), 58 (input/output). Not a defect of a statement.
 */
function isAway(error: unknown): boolean {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|57P0|08|53|58)/.test(String(code)) ||
    /Connection terminated|connection is closed/i.test(String(message))
  );
}

/** Kysely over one session and its transaction. */
function bind(session: Pick<Session, "query">): Kysely<Tables> {
  const connection: DatabaseConnection = {
    async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
      const answer: QueryAnswer = await session.query(compiled.sql, compiled.parameters);
      return { rows: answer.rows as R[], numAffectedRows: BigInt(answer.affected) };
    },
    // biome-ignore lint/correctness/useYield: results are small by LIMITS; streaming is refused
    async *streamQuery() {
      throw new Error("streaming is not supported");
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => Promise.reject(new Error("already in a transaction")),
    commitTransaction: () => Promise.reject(new Error("the store commits")),
    rollbackTransaction: () => Promise.reject(new Error("throw to roll back")),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** Runs another library's SQL text inside a transaction. */
export async function executeIn(
  tx: Tx,
  sql: string,
  parameters?: readonly unknown[],
): Promise<{ rows: Record<string, unknown>[] }> {
  const answer = await tx.executeQuery(CompiledQuery.raw(sql, [...(parameters ?? [])]));
  return { rows: answer.rows as Record<string, unknown>[] };
}
