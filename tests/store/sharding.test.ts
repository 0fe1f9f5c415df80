/**
 * A layout by tenant that a distributed PostgreSQL (Citus) accepts: rows of a tenant lie together when every key holds
 * `tenant_id`. Held on the schema as the migrations make it; no Citus server was run (docs/scaling.md).
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { makeParts, partEvents } from "../../src/store/partitions.ts";
import { freshDatabase } from "../kit/database.ts";

/** Tables that belong to no tenant, and why: each would be a reference table, or stay on the coordinator. */
const OF_NO_TENANT: Readonly<Record<string, string>> = {
  identity_users: "a person may work for several tenants",
  identity_accounts: "of a person",
  identity_sessions: "of a person",
  identity_second_factors: "of a person",
  identity_verifications: "of somebody who signs in, before it is known who",
  identity_used_codes: "of a person",
  identity_attempts: "of an address or a name that somebody tries to sign in with",
  webhook_deliveries: "several tenants may share a provider's account",
  kafka_forwarder: "one row: who forwards to the broker",
};
/** Foreign keys out of a tenant's table that do not hold the tenant, and why. */
const TO_NO_TENANT: Readonly<Record<string, string>> = {
  operators_id_fkey:
    "to the person, who belongs to no tenant: Citus takes a foreign key to a reference table",
};
/** Unique indexes of a tenant's table that do not hold the tenant, and why. */
const KEYS_WITHOUT_TENANT: Readonly<Record<string, string>> = {
  operator_keys_id_key:
    "a key is looked up before its tenant is known; Citus refuses this index, and the primary key holds the tenant as well",
};

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  const session = await database.acquire();
  try {
    return (await session.script(sql)).rows;
  } finally {
    session.release();
  }
}
const tables = () =>
  rows(`select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull) as of_tenant
          from pg_class c where c.relnamespace = 'recourse'::regnamespace and c.relkind in ('r', 'p') order by 1`);
const uniqueKeys = () =>
  rows(`select t.relname as table, i.relname as key, bool_or(a.attname = 'tenant_id') as holds
          from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
          left join pg_attribute a on a.attrelid = t.oid and a.attnum = any(x.indkey)
         where t.relnamespace = 'recourse'::regnamespace and x.indisunique group by 1, 2 order by 1, 2`);
const foreignKeys = () =>
  rows(`select k.conname as key, t.relname as table, f.relname as to_table,
               exists (select from unnest(k.conkey, k.confkey) as pair (here, there)
                         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.here
                         join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.there
                        where a.attname = 'tenant_id' and b.attname = 'tenant_id') as holds
          from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class f on f.oid = k.confrelid
         where k.contype = 'f' and t.relnamespace = 'recourse'::regnamespace order by 1`);

test("every table belongs to a tenant, or is known to belong to none, with a reason", async () => {
  const all = await tables();
  expect(all.length).toBeGreaterThan(40);
  const loose = all.filter((table) => table.of_tenant !== true).map((table) => String(table.name));
  expect(loose.sort()).toEqual(Object.keys(OF_NO_TENANT).sort());
});

test.each(["as the migrations make it", "with events by month"])(
  "every primary key and unique index of a tenant's table holds the tenant, %s",
  async (how) => {
    if (how === "with events by month") {
      await partEvents(database);
      await makeParts(database, Date.UTC(2027, 0, 1));
    }
    const keys = (await uniqueKeys()).filter(({ table }) => !(String(table) in OF_NO_TENANT));
    expect(keys.length).toBeGreaterThan(40);
    const loose = keys.filter(({ holds }) => holds !== true).map(({ key }) => String(key));
    expect(loose).toEqual(Object.keys(KEYS_WITHOUT_TENANT));
    const withKey = new Set(keys.map(({ table }) => String(table)));
    const without = (await tables()).filter(
      ({ name, of_tenant }) => of_tenant === true && !withKey.has(String(name)),
    );
    expect(without, "a table without a key cannot be moved while it is written to").toEqual([]);
  },
);

test("every foreign key of a tenant's table stays within the tenant", async () => {
  const keys = (await foreignKeys()).filter(({ table }) => !(String(table) in OF_NO_TENANT));
  expect(keys.length).toBeGreaterThan(20);
  const leaving = keys.filter(({ holds, key }) => holds !== true && !(String(key) in TO_NO_TENANT));
  expect(leaving.map(({ table, key, to_table }) => `${table}.${key} → ${to_table}`)).toEqual([]);
});
