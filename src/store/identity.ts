/**
 * Who signs in: people and their sessions belong to no tenant, so that they have a role of their own in the database.
 * It sees no conversation, order or action, and the application's role sees no password or session.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { Kysely } from "kysely";
import { assert } from "../kernel/errors.ts";
import type { TenantScope } from "../kernel/scope.ts";
import { BEGIN, bind, COMMIT, dialectOf, enter, refuseStream, resultOf, transaction } from "./binding.ts";
import type { Database, Session, Statement } from "./database.ts";
import type { IdentityTables } from "./operator-tables.ts";
import type { Tables } from "./schema.ts";
import type { Tx } from "./store.ts";

/** Knows who signs in, of all tenants, and nothing of what tenants do. */
export const IDENTITY_ROLE = "recourse_identity";

/** A transaction that sees people, their sessions and where they work, and nothing else. */
export interface IdentityTx extends Kysely<IdentityTables> {
  /** Goes into a tenant's scope for `fn`, in the same transaction, and comes back. */
  within<T>(scope: TenantScope, fn: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Runs `fn` in one transaction of the role of identity. */
export async function identify<T>(database: Database, fn: (tx: IdentityTx) => Promise<T>): Promise<T> {
  const hooks: (() => void)[] = [];
  const answer = await transaction(database, ENTER_IDENTITY, (session) => {
    const take = ({ sql, parameters }: Statement) => session.query(sql, parameters);
    return fn(
      Object.assign(bind<IdentityTables>(session), {
        async within<S>(scope: TenantScope, inside: (tx: Tx) => Promise<S>): Promise<S> {
          await take(enter(scope));
          const scoped = Object.assign(bind<Tables>(session), {
            scope,
            afterCommit: (hook: () => void) => void hooks.push(hook),
          });
          const made = await inside(scoped);
          await take(ENTER_IDENTITY);
          return made;
        },
      }),
    );
  });
  for (const hook of hooks) hook();
  return answer;
}

/** The role of identity, in no scope, until the transaction ends. */
const ENTER_IDENTITY: Statement = {
  sql: `select set_config('role', '${IDENTITY_ROLE}', true), set_config('search_path', 'recourse', true), set_config('recourse.tenant', '', true), set_config('recourse.customer', '', true)`,
};

/**
 * Kysely for the library that signs people in: each query a transaction of its own as the role of identity,
 * or a transaction that it opens itself. A connection is held for one of them at a time.
 */
export function identityKysely(database: Database): Kysely<IdentityTables> {
  const sessions = new WeakMap<DatabaseConnection, { session: Session; open: boolean }>();
  const of = (connection: DatabaseConnection) => {
    const held = sessions.get(connection);
    assert(held !== undefined, "a connection of this driver");
    return held;
  };
  return new Kysely<IdentityTables>({
    dialect: dialectOf({
      init: async () => {},
      destroy: async () => {},
      async acquireConnection() {
        const session = await database.acquire();
        const held = { session, open: false };
        const connection: DatabaseConnection = {
          async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
            if (held.open) return resultOf<R>(await session.query(sql, parameters));
            try {
              const answer = await session.batch([BEGIN, ENTER_IDENTITY, { sql, parameters }]);
              await session.batch([COMMIT]);
              return resultOf<R>(answer);
            } catch (error) {
              await session.script("rollback");
              throw error;
            }
          },
          streamQuery: refuseStream,
        };
        sessions.set(connection, held);
        return connection;
      },
      async beginTransaction(connection) {
        const held = of(connection);
        await held.session.batch([BEGIN, ENTER_IDENTITY]);
        held.open = true;
      },
      async commitTransaction(connection) {
        const held = of(connection);
        await held.session.batch([COMMIT]);
        held.open = false;
      },
      async rollbackTransaction(connection) {
        const held = of(connection);
        await held.session.script("rollback");
        held.open = false;
      },
      releaseConnection: async (connection) => of(connection).session.release(),
    }),
  });
}
