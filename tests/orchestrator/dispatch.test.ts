/** Who is answered next when not all can be at once, on the embedded database. */
import { expect, test } from "vitest";
import type { ConversationId, TenantId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { createDispatch } from "../../src/orchestrator/dispatch.ts";
import type { WakeUp } from "../../src/store/queue.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { flood, runsIn } from "../kit/flood.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

const wakeUp = (tenantId: TenantId, id: string): WakeUp => ({ kind: "run", tenantId, id });
/** A dispatch of few places, with what it began in order. */
function watched(world: TestSystem, limits: Partial<typeof LIMITS> = {}) {
  const begun: TenantId[] = [];
  const { worker } = world.system;
  const dispatch = createDispatch({
    store: world.store,
    clock: world.clock,
    limits: { ...LIMITS, runsPerProcess: 4, runsPerTenantAndProcess: 3, ...limits },
    onError: (error) => {
      throw error;
    },
    worker: {
      async handle(item) {
        begun.push(item.tenantId);
        await worker.handle(item);
      },
      async next(tenantId) {
        begun.push(tenantId);
        return worker.next(tenantId);
      },
    },
  });
  return { dispatch, begun };
}

test("a flood of one tenant, 200 runs that wait, does not starve the one message of another", async () => {
  const world = await createTestSystem();
  await flood(world, NORTHWIND, "many", 200);
  await flood(world, KESTREL, "one", 1);
  const { dispatch, begun } = watched(world);
  // Each of the flood is woken; the other's wake-up is the last, or never comes.
  for (let n = 1; n <= 100; n += 1) void dispatch.handle(wakeUp(NORTHWIND, `run_many${n}`));
  await dispatch.idle();
  expect(await runsIn(world.store, KESTREL, "completed")).toBe(1);
  expect(begun.indexOf(KESTREL)).toBeGreaterThanOrEqual(0);
  expect(begun.indexOf(KESTREL)).toBeLessThanOrEqual(4);
  await world.close();
});

test("places are kept for other tenants while one has its share of a process, and given to nobody beyond the limit", async () => {
  const world = await createTestSystem();
  await flood(world, NORTHWIND, "many", 20);
  const ask = (perTenant: number, without: readonly TenantId[] = []) =>
    world.store.turns({ nowMs: world.clock.now() + 1, limit: 10, perTenant, without, queuedForMs: 0 });
  expect(await ask(200)).toEqual(Array.from({ length: 10 }, () => NORTHWIND));
  expect(await ask(4)).toHaveLength(4);
  expect(await ask(200, [NORTHWIND])).toEqual([]);
  // What is under way in other processes counts, as long as its lease does.
  await world.store.transact(tenantScope(NORTHWIND), (tx) =>
    tx
      .updateTable("runs")
      .set({ state: "running", lease_owner: "other", lease_until_ms: world.clock.now() + 1_000 })
      .where("id", "in", ["run_many1", "run_many2", "run_many3"] as never)
      .execute(),
  );
  expect(await ask(4)).toHaveLength(1);
  await flood(world, KESTREL, "few", 2);
  expect((await ask(200)).slice(0, 3)).toEqual([KESTREL, KESTREL, NORTHWIND]);
  await world.clock.advance(2_000);
  expect(await ask(4)).toHaveLength(6);
  await world.close();
});

test("chats go before mail that came with them; a mail that has waited goes before a chat of now", async () => {
  const world = await createTestSystem();
  const scope = world.scope("ada");
  const open = (channel: "chat" | "email") =>
    world.system.conversations.open(scope, { channel, assurance: "authenticated" });
  const write = (conversation: ConversationId, clientMessageId: string) =>
    world.system.conversations.accept(scope, conversation, { clientMessageId, text: "hi there" });
  const mail = await open("email");
  const chat = await open("chat");
  await write(mail, "m-mail");
  await write(chat, "m-chat");
  world.queue.items.splice(0);
  const order = async () => {
    const rows = await world.store.transact(tenantScope(NORTHWIND), (tx) =>
      tx
        .selectFrom("runs")
        .select("conversation_id")
        .where("state", "=", "queued")
        .orderBy("urgent_at_ms")
        .execute(),
    );
    return rows.map((row) => row.conversation_id);
  };
  expect(await order()).toEqual([chat, mail]);
  await world.system.worker.next(NORTHWIND);
  expect(await order()).toEqual([mail]);
  await world.clock.advance(LIMITS.mailWaitsMs + 1_000);
  const late = await open("chat");
  await write(late, "m-late");
  expect(await order()).toEqual([mail, late]);
  await world.system.worker.next(NORTHWIND);
  expect(await order()).toEqual([late]);
  await world.close();
});

test("everything that waits is begun in the end, whoever was woken for it", async () => {
  const world = await createTestSystem();
  await flood(world, NORTHWIND, "many", 60);
  await flood(world, KESTREL, "few", 10);
  const { dispatch } = watched(world);
  await Promise.all([
    ...Array.from({ length: 12 }, (_, n) => dispatch.handle(wakeUp(NORTHWIND, `run_many${n + 1}`))),
    dispatch.handle(wakeUp(KESTREL, "run_few1")),
  ]);
  await dispatch.idle();
  expect([
    await runsIn(world.store, NORTHWIND, "queued"),
    await runsIn(world.store, KESTREL, "queued"),
  ]).toEqual([0, 0]);
  expect(world.errors).toEqual([]);
  await world.close();
});

test("a run that cannot be taken is not asked for again and again: the next sweep is soon enough", async () => {
  const world = await createTestSystem();
  await flood(world, NORTHWIND, "many", 10);
  let asked = 0;
  const dispatch = createDispatch({
    store: world.store,
    clock: world.clock,
    limits: { ...LIMITS, runsPerProcess: 2 },
    onError: () => {},
    worker: {
      handle: async () => {},
      next: async () => {
        asked += 1;
        return false;
      },
    },
  });
  const wake = (n: number) => dispatch.handle(wakeUp(NORTHWIND, `run_many${n}`));
  await Promise.all([1, 2, 3, 4, 5].map(wake));
  await dispatch.idle();
  expect(asked).toBeLessThanOrEqual(10);
  await world.close();
});
