import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHub, type LiveDraft } from "../../src/conversations/hub.ts";
import type { ConversationId, CustomerId, RunId } from "../../src/kernel/ids.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { customerScope, tenantScope } from "../../src/kernel/scope.ts";
import type { Database } from "../../src/store/database.ts";
import { checkRole, migrate } from "../../src/store/migrate.ts";
import { startQueue, type WakeUp } from "../../src/store/queue.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { emptyServer, SERVER_URL, twoOfEachTenant } from "../kit/server-database.ts";
import { createTestSystem } from "../kit/system.ts";

let database: Database;
let store: Store;
beforeAll(async () => {
  // Two processes that start at once: one migrates, the other waits for it.
  const other = openServer(SERVER_URL, systemClock);
  database = openServer(SERVER_URL, systemClock);
  await Promise.all([migrate(database), migrate(other)]);
  await other.close();
  await checkRole(database);
  store = createStore(database);
});
afterAll(() => database.close());
beforeEach(() => emptyServer(database));

describe("the same product on a PostgreSQL server", () => {
  test("the login role is no superuser, and what it runs as owns nothing", async () => {
    const session = await database.acquire();
    const { rows } = await session.query(
      "select rolsuper, rolbypassrls from pg_roles where rolname = current_user",
    );
    session.release();
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
  });

  test("bigint columns come back as exact numbers", async () => {
    const session = await database.acquire();
    const { rows } = await session.query("select $1::bigint as edge, $2::timestamptz is not null as time", [
      Number.MAX_SAFE_INTEGER,
      new Date(0),
    ]);
    session.release();
    expect(rows).toEqual([{ edge: Number.MAX_SAFE_INTEGER, time: true }]);
  });

  test("scope does not leak over pooled connections, 500 transactions at once", async () => {
    await twoOfEachTenant(store);
    await Promise.all(
      Array.from({ length: 500 }, async (_, n) => {
        const tenantId = n % 2 === 0 ? NORTHWIND : KESTREL;
        const scope = n % 3 === 0 ? tenantScope(tenantId) : customerScope(tenantId, "ada" as CustomerId);
        const fails = n % 7 === 0;
        const rows = await store
          .transact(scope, async (tx) => {
            const seen = await tx.selectFrom("customers").select(["tenant_id", "customer_id"]).execute();
            if (fails) throw Object.assign(new Error("handler failed"), { seen });
            return seen;
          })
          .catch((error: { seen?: { tenant_id: string; customer_id: string }[] }) => error.seen ?? []);
        expect(rows.every((row) => row.tenant_id === tenantId)).toBe(true);
        expect(rows).toHaveLength(n % 3 === 0 ? 2 : 1);
      }),
    );
  });

  test("a wake-up reaches the worker of another process", async () => {
    await store.transact(tenantScope(NORTHWIND), (tx) =>
      tx
        .insertInto("tenants")
        .values({ tenant_id: NORTHWIND, name: "n", currency: "USD", time_zone: "UTC" })
        .execute(),
    );
    const errors: Error[] = [];
    const announcing = await startQueue(database, (error) => errors.push(error));
    const otherDatabase = openServer(SERVER_URL, systemClock);
    const working = await startQueue(otherDatabase, (error) => errors.push(error));
    try {
      const heard = new Promise<WakeUp>((resolve) => void working.work(async (item) => resolve(item)));
      const item = { kind: "run", tenantId: NORTHWIND, id: "run_x" } as const;
      await store.transact(tenantScope(NORTHWIND), (tx) => announcing.wake(tx, item));
      expect(await heard).toEqual(item);
    } finally {
      await working.stop();
      await announcing.stop();
      await otherDatabase.close();
    }
    expect(errors).toEqual([]);
  });

  test("50 conversations confirm one refund at once, worked on by two processes: one refund", async () => {
    const world = await createTestSystem({ store });
    const second = world.another();
    const scope = world.scope("ben");
    const conversations: ConversationId[] = [];
    for (let n = 0; n < 50; n += 1) {
      const conversation = await world.open(scope);
      conversations.push(conversation);
      await world.say(scope, conversation, "I want a refund for order 1044");
    }
    await Promise.all(
      conversations.map((conversation, n) =>
        world.system.conversations.accept(scope, conversation, { clientMessageId: `y${n}`, text: "yes" }),
      ),
    );
    const items = world.queue.items.splice(0);
    // Every wake-up reaches both.
    await Promise.all(
      items.flatMap((item) => [world.system.worker.handle(item), second.worker.handle(item)]),
    );
    await world.drain();
    await second.executor.idle();
    expect(await world.refunds("1044")).toMatchObject([{ amount: 6400, status: "succeeded" }]);
    expect(await world.balance("ord_nw_1044")).toMatchObject({ held_minor: 0, refunded_minor: 6400 });
    expect(world.errors.map(({ error }) => String(error))).toEqual([]);
    await world.close();
  });

  test("200 parallel sends of one message over many connections are one event", async () => {
    const world = await createTestSystem({ store });
    const scope = world.scope("ada");
    const conversation = await world.open(scope);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        world.system.conversations.accept(scope, conversation, { clientMessageId: "m", text: "hello" }),
      ),
    );
    expect(new Set(answers.map(({ seq, runId }) => `${seq}/${runId}`)).size).toBe(1);
    const events = await world.events(scope, conversation);
    expect(events.filter((event) => event.author === "customer")).toHaveLength(1);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    await world.close();
  });

  test("what is being written reaches a stream of another process, and nobody else's; too long a draft is left out", async () => {
    const [here, there] = [await createHub(store), await createHub(store)];
    const scope = customerScope(NORTHWIND, "ada" as CustomerId);
    const seen: string[] = [];
    const other: string[] = [];
    const conversation = "conv_1" as ConversationId;
    there.subscribe(
      scope,
      conversation,
      () => {},
      ({ runId, text }) => seen.push(`${runId} ${text}`),
    );
    const notMine = (draft: LiveDraft) => void other.push(draft.text);
    there.subscribe(scope, "conv_2", () => {}, notMine);
    there.subscribe(customerScope(NORTHWIND, "ben" as CustomerId), conversation, () => {}, notMine);
    const runId = "run_1" as RunId;
    await here.draft(scope, conversation, { runId, text: 'It is "on" its way. \u2713' });
    await here.draft(scope, conversation, { runId, text: "x".repeat(8_000) });
    await here.draft(scope, conversation, { runId, text: "" });
    while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual(['run_1 It is "on" its way. \u2713', "run_1 "]);
    expect(other).toEqual([]);
    await Promise.all([here.stop(), there.stop()]);
  });
});
