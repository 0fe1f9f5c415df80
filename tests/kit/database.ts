/**
 * The embedded database for tests: the real store with the real migrations.
 */
import { mkdtempSync, openAsBlob, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TenantId } from "../../src/kernel/ids.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import type { Database } from "../../src/store/database.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import { createStore, type Store } from "../../src/store/store.ts";

export const NORTHWIND = "northwind" as TenantId;
export const KESTREL = "kestrel" as TenantId;

/** The environment's key of the path of a migrated database (`template.ts`); without it each is made anew. */
export const TEMPLATE = "RECOURSE_TEST_DATABASE";

export async function freshDatabase(): Promise<Database> {
  const path = process.env[TEMPLATE];
  const database = await openEmbedded(undefined, path === undefined ? undefined : await openAsBlob(path));
  await migrate(database);
  return database;
}

export async function freshStore(): Promise<Store> {
  const store = createStore(await freshDatabase());
  for (const [tenantId, currency, timeZone] of [
    [NORTHWIND, "USD", "America/New_York"],
    [KESTREL, "EUR", "Europe/Berlin"],
  ] as const) {
    await store.transact(tenantScope(tenantId), (tx) =>
      tx
        .insertInto("tenants")
        .values({ tenant_id: tenantId, name: tenantId, currency, time_zone: timeZone })
        .execute(),
    );
  }
  return store;
}

let shared: Promise<Database> | undefined;

/**
 * One database a worker, emptied for each test: initialising one takes seconds. Test files share their worker's modules (`isolate`
 * is off), so it lives on when one of them closes it.
 */
export async function emptiedDatabase(): Promise<Database> {
  shared ??= freshDatabase().then((database) => ({ ...database, close: async () => {} }));
  const database = await shared;
  const session = await database.acquire();
  try {
    // To truncate a table makes its files anew, which takes ten times as long as to delete a few rows; what tests
    // have deleted takes place all the same. Without triggers: the order does not matter, and history can go too.
    await session.script(`begin; set local session_replication_role = replica;
      do $$
      declare name text; has boolean;
      begin
        for name in select format('recourse.%I', tablename) from pg_tables where schemaname = 'recourse' loop
          execute 'select exists (select from ' || name || ')' into has;
          if pg_relation_size(name::regclass) > 262144 then execute 'truncate ' || name || ' cascade';
          elsif has then execute 'delete from ' || name;
          end if;
        end loop;
      end $$;
      commit`);
  } finally {
    session.release();
  }
  return database;
}

/** Every value of every row of the product's tables, as the database's owner reads them. */
export async function everythingIn(database: Database): Promise<string> {
  const session = await database.acquire();
  try {
    const { rows } = await session.script("select tablename from pg_tables where schemaname = 'recourse'");
    const tables: string[] = [];
    for (const { tablename } of rows) {
      const { rows: all } = await session.query(
        `select row_to_json(t)::text as row from recourse.${tablename} t`,
      );
      tables.push(...all.map(({ row }) => `${tablename}: ${row}`));
    }
    return tables.join("\n");
  } finally {
    session.release();
  }
}

/** A folder that is gone when the test is. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "recourse-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
