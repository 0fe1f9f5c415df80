/** Events by the month in which their conversation began: exchanged, made ahead, and taken away by whole months. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConversationId, type CustomerId, derivedId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { customerScope, tenantScope } from "../../src/kernel/scope.ts";
import type { Database } from "../../src/store/database.ts";
import {
  boundOf,
  dropParts,
  instantOf,
  makeParts,
  monthStart,
  partEvents,
  partsOf,
} from "../../src/store/partitions.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { freshDatabase, NORTHWIND } from "../kit/database.ts";

const NOW = systemClock.now();
const ada = customerScope(NORTHWIND, "ada" as CustomerId);

const rowsIn = async (database: Database, sql: string): Promise<Record<string, unknown>[]> => {
  const session = await database.acquire();
  try {
    return (await session.script(sql)).rows;
  } finally {
    session.release();
  }
};
const rights = (database: Database) =>
  rowsIn(
    database,
    `select grantee, privilege_type, '' as col from information_schema.role_table_grants where table_schema = 'recourse' and table_name = 'events'
     union all select grantee, privilege_type, column_name from information_schema.column_privileges where table_schema = 'recourse' and table_name = 'events'
     union all select policyname, cmd, concat_ws(' ', roles::text, qual, with_check) from pg_policies where schemaname = 'recourse' and tablename = 'events'
     union all select tgname, '', pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'recourse.events'::regclass and not tgisinternal
     union all select contype::text, '', pg_get_constraintdef(oid) from pg_constraint where conrelid = 'recourse.events'::regclass
     order by 1, 2, 3`,
  );
/** The part that holds the events of a conversation; row-level security is lifted for who owns all. */
const partOf = async (database: Database, id: string): Promise<unknown> => {
  const found = await rowsIn(
    database,
    `select distinct c.relname as part from recourse.events e join pg_class c on c.oid = e.tableoid where conversation_id = '${id}'`,
  );
  return found.map((row) => row.part);
};

async function converse(store: Store, atMs: number, status: "open" | "resolved", touchedMs = atMs) {
  const id = derivedId("conv", atMs, `${atMs}${status}${touchedMs}`);
  await store.transact(ada, async (tx) => {
    const row = { tenant_id: NORTHWIND, customer_id: ada.customerId };
    await tx
      .insertInto("conversations")
      .values({
        ...row,
        id,
        channel: "chat",
        assurance: "authenticated",
        status,
        created_at_ms: atMs,
        updated_at_ms: touchedMs,
      })
      .execute();
    await tx
      .insertInto("events")
      .values({
        ...row,
        conversation_id: id,
        seq: 1,
        at_ms: atMs,
        type: "message",
        author: "customer",
        payload: JSON.stringify({ text: "hello" }),
        internal: null,
        client_message_id: "m1",
      })
      .execute();
  });
  return id;
}
const tenant = (store: Store) =>
  store.transact(tenantScope(NORTHWIND), (tx) =>
    tx
      .insertInto("tenants")
      .values({ tenant_id: NORTHWIND, name: "n", currency: "USD", time_zone: "UTC" })
      .execute(),
  );
const textsOf = (store: Store, id: ConversationId) =>
  store.transact(ada, (tx) =>
    tx.selectFrom("events").select(["seq", "payload"]).where("conversation_id", "=", id).execute(),
  );

test("a bound is the lowest ID of its instant, and says which instant that was", () => {
  const atMs = Date.UTC(2027, 0, 1);
  expect(instantOf(boundOf(atMs))).toBe(atMs);
  expect(derivedId("conv", atMs, "x") >= boundOf(atMs)).toBe(true);
  expect(derivedId("conv", atMs - 1, "x") < boundOf(atMs)).toBe(true);
  expect(monthStart(Date.UTC(2026, 10, 30), 2)).toBe(atMs);
});

test("exchanged with rows in it: all are there, who may do what is as it was, and a customer's scope holds", async () => {
  const database = await freshDatabase();
  const store = createStore(database);
  await tenant(store);
  const ids = [];
  for (let month = -14; month <= 1; month += 1)
    ids.push(await converse(store, monthStart(NOW, month), "open"));
  const before = await rights(database);
  expect(await makeParts(database, NOW), "nothing, while nobody has asked for it").toEqual([]);
  expect(await partEvents(database)).toBe(true);
  expect(await partEvents(database), "once").toBe(false);
  expect(await rights(database)).toEqual(before);
  for (const id of ids) {
    expect(await partOf(database, id)).toEqual(["events_first"]);
    expect(await textsOf(store, id)).toEqual([{ seq: 1, payload: { text: "hello" } }]);
  }
  const others = await store.transact(customerScope(NORTHWIND, "ben" as CustomerId), (tx) =>
    tx.selectFrom("events").selectAll().execute(),
  );
  expect(others).toEqual([]);
  const left = await rowsIn(
    database,
    "select grantee, table_name from information_schema.role_table_grants where table_schema = 'recourse' and table_name like 'events\\__%' and grantee like 'recourse%'",
  );
  expect(left, "nobody is granted anything on a part").toEqual([]);
  await database.close();
});

describe("month by month", () => {
  let database: Database;
  let store: Store;
  beforeAll(async () => {
    database = await freshDatabase();
    store = createStore(database);
    await tenant(store);
    await partEvents(database);
  });
  afterAll(() => database.close());

  test("parts are made ahead, once, each held by row-level security; a conversation's events are in the part of its month", async () => {
    const made = await makeParts(database, NOW);
    expect(made.length).toBeGreaterThanOrEqual(LIMITS.eventMonthsAhead - 2);
    expect(await makeParts(database, NOW)).toEqual([]);
    const atMs = monthStart(NOW, 3) + 5_000;
    const id = await converse(store, atMs, "open");
    const name = `events_${new Date(atMs).toISOString().slice(0, 7).replace("-", "_")}`;
    expect(await partOf(database, id)).toEqual([name]);
    const loose = await rowsIn(
      database,
      "select relname from pg_class where relname like 'events%' and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)",
    );
    expect(loose).toEqual([]);
    await expect(
      store.transact(ada, (tx) =>
        tx
          .selectFrom(name as "events")
          .selectAll()
          .execute(),
      ),
    ).rejects.toThrow(/permission denied/);
  });

  test("the same message twice is refused in a part as before: the key holds over all of them", async () => {
    const atMs = monthStart(NOW, 3) + 6_000;
    const id = await converse(store, atMs, "open");
    await expect(
      store.transact(ada, (tx) =>
        tx
          .insertInto("events")
          .values({
            tenant_id: NORTHWIND,
            customer_id: ada.customerId,
            conversation_id: id,
            seq: 2,
            at_ms: atMs,
            type: "message",
            author: "customer",
            payload: "{}",
            internal: null,
            client_message_id: "m1",
          })
          .execute(),
      ),
    ).rejects.toThrow(/duplicate key/);
  });

  test("a month that came before its part is kept all the same, and the months after it get theirs", async () => {
    const early = await converse(store, monthStart(NOW, 6) + 1_000, "open");
    expect(await partOf(database, early)).toEqual(["events_other"]);
    const made = await makeParts(database, monthStart(NOW, 4));
    expect(made.length).toBeGreaterThan(0);
    expect(await textsOf(store, early)).toHaveLength(1);
    const parts = await rowsIn(database, "select 1").then(async () => {
      const session = await database.acquire();
      try {
        return await partsOf(session);
      } finally {
        session.release();
      }
    });
    expect(parts.at(-1)).toEqual({ name: "events_other", to: null });
    const late = await converse(store, monthStart(NOW, 7) + 1_000, "open");
    expect(await partOf(database, late)).not.toEqual(["events_other"]);
  });

  test("a settled month is taken away with the conversations' rows left; one with an open or a touched conversation stays", async () => {
    const [settledMs, openMs, touchedMs] = [2, 4, 5].map((month) => monthStart(NOW, month) + 9_000) as [
      number,
      number,
      number,
    ];
    const settled = await converse(store, settledMs, "resolved");
    const open = await converse(store, openMs, "open");
    const touched = await converse(store, touchedMs, "resolved", monthStart(NOW, 12));
    const dropped = await dropParts(database, monthStart(NOW, 9));
    const nameOf = (atMs: number) => `events_${new Date(atMs).toISOString().slice(0, 7).replace("-", "_")}`;
    expect(dropped).toContain(nameOf(settledMs));
    expect(dropped).not.toContain(nameOf(openMs));
    expect(dropped).not.toContain(nameOf(touchedMs));
    expect([await textsOf(store, settled), (await textsOf(store, open)).length]).toEqual([[], 1]);
    expect(await textsOf(store, touched)).toHaveLength(1);
    const kept = await store.transact(ada, (tx) =>
      tx.selectFrom("conversations").select("status").where("id", "=", settled).execute(),
    );
    expect(kept).toEqual([{ status: "resolved" }]);
  });

  test("what told repetitions apart goes after its time and not before, as the sweeper, who sees nothing else of it", async () => {
    const times = {
      old: NOW - LIMITS.mailDeliveriesKeptMs - 1,
      young: NOW - LIMITS.mailDeliveriesKeptMs + 60_000,
    };
    await store.transact(tenantScope(NORTHWIND), async (tx) => {
      for (const [token, at_ms] of Object.entries(times)) {
        await tx
          .insertInto("mail_deliveries")
          .values({ tenant_id: NORTHWIND, token, digest: "d", at_ms })
          .execute();
      }
      for (const [delivery_id, at_ms] of Object.entries({
        old: NOW - LIMITS.webhookDeliveriesKeptMs - 1,
        young: NOW,
      })) {
        await tx
          .insertInto("webhook_deliveries")
          .values({ source: "stripe", delivery_id, type: "t", at_ms, outcome: "o" })
          .execute();
      }
    });
    expect(await store.forget(NOW)).toBe(2);
    expect(await store.forget(NOW)).toBe(0);
    const left = await store.transact(tenantScope(NORTHWIND), async (tx) => [
      await tx.selectFrom("mail_deliveries").select("token").execute(),
      await tx.selectFrom("webhook_deliveries").select("delivery_id").execute(),
    ]);
    expect(left).toEqual([[{ token: "young" }], [{ delivery_id: "young" }]]);
    await expect(
      rowsIn(
        database,
        "begin; set local role recourse_sweeper; set local search_path = recourse; select digest from mail_deliveries",
      ),
    ).rejects.toThrow(/permission denied/);
    await rowsIn(database, "rollback");
  });
});
