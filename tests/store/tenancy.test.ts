import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConversationId, CustomerId } from "../../src/kernel/ids.ts";
import { seededRandom } from "../../src/kernel/ports.ts";
import { customerScope, type Scope, tenantScope } from "../../src/kernel/scope.ts";
import { checkRole } from "../../src/store/migrate.ts";
import type { Store } from "../../src/store/store.ts";
import { freshStore, KESTREL, NORTHWIND } from "../kit/database.ts";

let store: Store;
beforeAll(async () => {
  store = await freshStore();
  for (const tenantId of [NORTHWIND, KESTREL]) {
    for (const customer of ["ada", "ben"]) {
      await store.transact(customerScope(tenantId, customer as CustomerId), (tx) =>
        tx
          .insertInto("conversations")
          .values({
            tenant_id: tenantId,
            id: `${tenantId}-${customer}` as ConversationId,
            customer_id: customer as CustomerId,
            channel: "chat",
            assurance: "authenticated",
            status: "open",
            created_at_ms: 1,
            updated_at_ms: 1,
          })
          .execute(),
      );
    }
  }
});
afterAll(() => store.close());

const seen = (scope: Scope) =>
  store.transact(scope, async (tx) => {
    const rows = await tx.selectFrom("conversations").select("id").orderBy("id").execute();
    return rows.map((row) => String(row.id));
  });

describe("G3 scope is kept by the database, whatever the query asks for", () => {
  test("a customer sees only their own rows", async () => {
    expect(await seen(customerScope(NORTHWIND, "ada" as CustomerId))).toEqual(["northwind-ada"]);
  });

  test("a tenant's operators see all of the tenant and nothing of another", async () => {
    expect(await seen(tenantScope(KESTREL))).toEqual(["kestrel-ada", "kestrel-ben"]);
  });

  test("a customer ID that looks like a wildcard, a quote or an escape sees nothing", async () => {
    for (const id of ["%", "ada' or '1'='1", "ada\\", "\\'; reset role; --", ""]) {
      expect(await seen(customerScope(NORTHWIND, id as CustomerId))).toEqual([]);
    }
    await expect(seen(customerScope(NORTHWIND, "*" as CustomerId))).rejects.toThrow(/customer ID/);
  });

  test("a row cannot be written for another customer or tenant", async () => {
    for (const foreign of [
      { tenant_id: NORTHWIND, customer_id: "ben" as CustomerId },
      { tenant_id: KESTREL, customer_id: "ada" as CustomerId },
    ]) {
      await expect(
        store.transact(customerScope(NORTHWIND, "ada" as CustomerId), (tx) =>
          tx
            .insertInto("customers")
            .values({ ...foreign, created_at_ms: 1 })
            .execute(),
        ),
      ).rejects.toThrow(/row-level security/);
    }
  });

  test("[85] [149] scope does not leak from one transaction to the next, also after errors (1,000 interleavings)", async () => {
    const seed = Math.trunc(Number(process.env.SEED ?? 20261201));
    const random = seededRandom(seed);
    const scopes = [
      tenantScope(KESTREL),
      customerScope(NORTHWIND, "ada" as CustomerId),
      customerScope(NORTHWIND, "ben" as CustomerId),
      customerScope(KESTREL, "nobody" as CustomerId),
    ];
    const expected = [["kestrel-ada", "kestrel-ben"], ["northwind-ada"], ["northwind-ben"], []];
    await Promise.all(
      Array.from({ length: 1000 }, async () => {
        const pick = Math.floor(random.fraction() * scopes.length);
        const scope = scopes[pick] as Scope;
        if (random.fraction() < 0.2) {
          await expect(
            store.transact(scope, () => Promise.reject(new Error("handler failed"))),
          ).rejects.toThrow("handler failed");
        } else {
          expect(await seen(scope), `seed ${seed}`).toEqual(expected[pick]);
        }
      }),
    );
  });

  test("without a scope no row is seen", async () => {
    const session = await store.database.acquire();
    try {
      const { rows } = await session.script(
        "begin; set local role recourse_app; set local search_path = recourse; select count(*) as n from conversations; commit",
      );
      expect(rows.find((row) => "n" in row)).toEqual({ n: 0 });
    } finally {
      session.release();
    }
  });

  test("[86] [87] the role is neither owner nor superuser, and every table forces row-level security", async () => {
    await checkRole(store.database);
    const session = await store.database.acquire();
    const { rows } = await session.query(
      `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'recourse' and c.relkind = $1 and not (relrowsecurity and relforcerowsecurity)`,
      ["r"],
    );
    const views = await session.query("select viewname from pg_views where schemaname = $1", ["recourse"]);
    const definers = await session.query(
      "select proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and prosecdef",
      ["recourse"],
    );
    session.release();
    expect(rows).toEqual([]);
    expect(views.rows).toEqual([]);
    expect(definers.rows).toEqual([]);
  });
});

describe("history cannot be changed by the application's role", () => {
  const asApplication = async (sql: string): Promise<void> => {
    const session = await store.database.acquire();
    try {
      await expect(
        session.script(
          `begin; set local role recourse_app; set local search_path = recourse; ${sql}; commit`,
        ),
      ).rejects.toThrow(/permission denied|must be owner/);
      await session.script("rollback");
    } finally {
      session.release();
    }
  };

  test("audit takes neither update nor delete nor truncate, and words beside it no other words", async () => {
    await asApplication("update audit set customer_id = 'x'");
    await asApplication("delete from audit");
    await asApplication("truncate audit");
    await asApplication("update audit_texts set text = 'other words'");
    await asApplication("alter table audit disable row level security");
  });

  // Whose it is may change once, from a visitor to a customer: tests/http/visitors.test.ts tries the trigger.
  test.each(["events", "steps", "csat"])(
    "%s takes no update but of whose it is, and no delete",
    async (table) => {
      const session = await store.database.acquire();
      const { rows } = await session.query(
        "select column_name from information_schema.columns where table_schema = 'recourse' and table_name = $1",
        [table],
      );
      session.release();
      const columns = rows.map((row) => String(row.column_name)).filter((name) => name !== "customer_id");
      expect(columns.length).toBeGreaterThan(3);
      for (const column of columns) await asApplication(`update ${table} set ${column} = ${column}`);
      await asApplication(`delete from ${table}`);
    },
  );

  test("the sweeper can read IDs of due work and nothing else", async () => {
    const session = await store.database.acquire();
    try {
      for (const sql of [
        "select args from actions",
        "select payload from events",
        "update runs set state = 'failed'",
      ]) {
        await expect(
          session.script(
            `begin; set local role recourse_sweeper; set local search_path = recourse; ${sql}; commit`,
          ),
        ).rejects.toThrow(/permission denied/);
        await session.script("rollback");
      }
    } finally {
      session.release();
    }
  });
});
