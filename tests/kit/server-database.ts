/** The PostgreSQL server of the slower lane: where it is, and its tables without rows. */
import type { CustomerId } from "../../src/kernel/ids.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import type { Database } from "../../src/store/database.ts";
import { openServer } from "../../src/store/server.ts";
import type { Store } from "../../src/store/store.ts";
import { KESTREL, NORTHWIND } from "./database.ts";

const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error("DATABASE_URL is not set: run `.ci/postgres npm run test:server`.");

export const SERVER_URL: string = url;

export async function emptyServer(database: Database): Promise<void> {
  const session = await database.acquire();
  const { rows } = await session.script("select tablename from pg_tables where schemaname = 'recourse'");
  await session.script(`truncate ${rows.map((row) => `recourse.${row.tablename}`).join(", ")} cascade`);
  session.release();
}

/** Runs texts one after another over a connection of its own, and answers with the rows of the last. */
export async function scripts(
  url: string,
  ...texts: readonly string[]
): Promise<readonly Record<string, unknown>[]> {
  const database = openServer(url, systemClock, 1);
  const session = await database.acquire();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const text of texts) rows = (await session.script(text)).rows;
    return rows;
  } finally {
    session.release();
    await database.close();
  }
}

/** Both tenants, each with its customers `ada` and `ben`. */
export async function twoOfEachTenant(store: Store): Promise<void> {
  for (const tenantId of [NORTHWIND, KESTREL]) {
    await store.transact(tenantScope(tenantId), async (tx) => {
      await tx
        .insertInto("tenants")
        .values({ tenant_id: tenantId, name: tenantId, currency: "USD", time_zone: "UTC" })
        .execute();
      for (const customer of ["ada", "ben"]) {
        await tx
          .insertInto("customers")
          .values({ tenant_id: tenantId, customer_id: customer as CustomerId, created_at_ms: 1 })
          .execute();
      }
    });
  }
}
