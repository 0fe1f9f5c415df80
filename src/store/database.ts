/**
 * Room `store`: the database, tenancy and the queue. May import `kernel` only.
 * Promises: no statement of the product runs outside a scoped transaction; a connection that comes
 * back to the pool carries no scope; the same code runs embedded (PGlite) and on a PostgreSQL server.
 *
 * This file: one interface over both kinds of database. A `Session` is one connection that is held
 * by one user at a time.
 */
import pg from "pg";

export interface QueryAnswer {
  readonly rows: Record<string, unknown>[];
  readonly affected: number;
}

export interface Statement {
  readonly sql: string;
  readonly parameters?: readonly unknown[];
}

export interface Session {
  query(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer>;
  /** Several statements in one round trip where the database allows it; the answer is the last one's. */
  batch(statements: readonly Statement[]): Promise<QueryAnswer>;
  /** Several statements without parameters; answers with the rows of all. */
  script(sql: string): Promise<QueryAnswer>;
  /** Gives the connection back; `broken` ends it instead. */
  release(broken?: boolean): void;
}

export interface Database {
  readonly kind: "embedded" | "server";
  acquire(): Promise<Session>;
  /** False where notices do not come through (a pooler is in between): `listen` then only says that there may be gaps. */
  hears(): Promise<boolean>;
  /**
   * Calls back with the payload of each NOTIFY on the channel until the answer is called. `onGap`: something was not
   * heard: the connection was lost and is there again, or nothing can be heard at all, and it is time to look.
   */
  listen(
    channel: string,
    onPayload: (payload: string) => void,
    onGap?: () => void,
  ): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Amounts and instants are bigint columns within JavaScript's safe integers (a test covers the edges). */
const INT8 = 20;
const NUMERIC = 1700;

/** How text from the wire becomes a value: node-postgres's own parsers, with whole numbers as numbers. */
export function parserOf(oid: number): (text: string) => unknown {
  return oid === INT8 || oid === NUMERIC
    ? Number
    : (pg.types.getTypeParser(oid, "text") as (text: string) => unknown);
}
