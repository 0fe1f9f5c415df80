/** One transaction over one session: its role, its scope, and Kysely bound to it. */
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { assert, ProblemError } from "../kernel/errors.ts";
import type { Scope } from "../kernel/scope.ts";
import type { Database, QueryAnswer, Session, Statement } from "./database.ts";

export const APP_ROLE = "recourse_app";
/** May take words away, for an erasure, and do nothing else. */
export const ERASER_ROLE = "recourse_eraser";

export const BEGIN = { sql: "begin" };
export const COMMIT = { sql: "commit" };

/** One transaction that starts by taking a role; rolls back when `fn` throws. */
export async function transaction<T>(
  database: Database,
  first: Statement,
  fn: (session: Pick<Session, "query">) => Promise<T>,
): Promise<T> {
  const session = await database.acquire();
  let broken = false;
  try {
    const answer = await fn(opening(session, [BEGIN, first]));
    await session.batch([COMMIT]);
    return answer;
  } catch (error) {
    await session.script("rollback").catch(() => {
      broken = true;
    });
    throw isAway(error) ? new ProblemError("database_unavailable", undefined, { cause: error }) : error;
  } finally {
    session.release(broken);
  }
}

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
export function enter(
  scope: Scope,
  role: typeof APP_ROLE | typeof ERASER_ROLE = APP_ROLE,
): { sql: string; parameters: readonly string[] } {
  const customer = scope.kind === "customer" ? scope.customerId : "*";
  // A customer whose ID is "*" would see a whole tenant.
  assert(scope.kind === "tenant" || scope.customerId !== ("*" as string), "a customer ID is not '*'");
  return {
    sql: `select set_config('role', '${role}', true), set_config('search_path', 'recourse', true), set_config('recourse.tenant', $1, true), set_config('recourse.customer', $2, true)`,
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
export function bind<T>(session: Pick<Session, "query">): Kysely<T> {
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> =>
      resultOf<R>(await session.query(sql, parameters)),
    streamQuery: refuseStream,
  };
  return over<T>({ provideConnection: (use) => use(connection) });
}

/** Kysely over no session: it builds and compiles, and runs nothing. */
export const builder = <T>(): Kysely<T> =>
  over({ provideConnection: () => Promise.reject(new Error("a statement runs in a transaction")) });

const over = <T>(provider: ConnectionProvider): Kysely<T> =>
  new Kysely<T>({
    config: { dialect: BOUND },
    dialect: BOUND,
    driver: BOUND.createDriver(),
    executor: new DefaultQueryExecutor(COMPILER, ADAPTER, provider),
  });

export const resultOf = <R>({ rows, affected }: QueryAnswer): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: BigInt(affected),
});

// biome-ignore lint/correctness/useYield: results are small by LIMITS; streaming is refused
export async function* refuseStream(): AsyncGenerator<never> {
  throw new Error("streaming is not supported");
}

/** One for all: it is at work only within one synchronous call. */
const COMPILER = new PostgresQueryCompiler();
const ADAPTER = new PostgresAdapter();

export const dialectOf = (driver: Driver): Dialect => ({
  createAdapter: () => ADAPTER,
  createDriver: () => driver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => COMPILER,
});

/** Transactions are the store's: Kysely begins none in them. */
const BOUND = dialectOf({
  init: async () => {},
  acquireConnection: () => Promise.reject(new Error("the store acquires")),
  beginTransaction: () => Promise.reject(new Error("already in a transaction")),
  commitTransaction: () => Promise.reject(new Error("the store commits")),
  rollbackTransaction: () => Promise.reject(new Error("throw to roll back")),
  releaseConnection: async () => {},
  destroy: async () => {},
});
