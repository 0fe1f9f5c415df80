import { afterEach, describe, expect, test } from "vitest";
import type { ConversationId } from "../../src/kernel/ids.ts";
import { type BoundaryName, SimulatedCrash } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function offered(w: TestSystem, customer = "ada", wish = "refund the socks from order 1042") {
  const scope = w.scope(customer);
  const conversation = await w.open(scope);
  await w.say(scope, conversation, wish);
  return { scope, conversation };
}

const confirmed = (told: readonly string[]) =>
  told.filter((text) => text.includes("has confirmed your refund"));

describe("G1 a refund happens at most once", () => {
  test("a plain refund: one at the provider, units and money captured, the customer told once", async () => {
    world = await createTestSystem();
    const { scope, conversation } = await offered(world);
    await world.say(scope, conversation, "yes");
    expect(await world.refunds("1042")).toMatchObject([{ amount: 2400, status: "succeeded" }]);
    expect(await world.actions()).toMatchObject([{ state: "succeeded", amount_minor: 2400 }]);
    expect(await world.balance("ord_nw_1042")).toMatchObject({
      held_minor: 0,
      refunded_minor: 2400,
      captured_minor: 11300,
    });
    expect(confirmed(await world.told(scope, conversation))).toHaveLength(1);
    expect(world.errors).toEqual([]);
  });

  test("the same message sent 200 times in parallel is one event, one run and one refund", async () => {
    world = await createTestSystem();
    const { scope, conversation } = await offered(world);
    const { system } = world;
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        system.conversations.accept(scope, conversation, { clientMessageId: "yes-1", text: "yes" }),
      ),
    );
    await world.drain();
    expect(new Set(answers.map(({ runId, seq }) => `${runId}/${seq}`)).size).toBe(1);
    expect(await world.refunds("1042")).toHaveLength(1);
    expect(confirmed(await world.told(scope, conversation))).toHaveLength(1);
  });

  test("refuses a second refund of the same unit from another conversation", async () => {
    world = await createTestSystem();
    const first = await offered(world);
    const second = await offered(world);
    await world.say(first.scope, first.conversation, "yes");
    await world.say(second.scope, second.conversation, "yes");
    expect(await world.refunds("1042")).toHaveLength(1);
    expect(confirmed(await world.told(second.scope, second.conversation)).length).toBeGreaterThanOrEqual(1);
  });

  test("50 conversations of one customer confirm the same refund at once: one refund, every customer hears", async () => {
    world = await createTestSystem();
    const w = world;
    const scope = w.scope("ben");
    const conversations: ConversationId[] = [];
    for (let i = 0; i < 50; i += 1)
      conversations.push((await offered(w, "ben", "I want a refund for order 1044")).conversation);
    await Promise.all(
      conversations.map((conversation, i) =>
        w.system.conversations.accept(scope, conversation, { clientMessageId: `yes-${i}`, text: "yes" }),
      ),
    );
    const items = w.queue.items.splice(0);
    await Promise.all(items.map((item) => w.system.worker.handle(item)));
    await w.drain();
    expect(await w.refunds("1044")).toMatchObject([{ amount: 6400 }]);
    expect(await w.balance("ord_nw_1044")).toMatchObject({ refunded_minor: 6400, held_minor: 0 });
    for (const conversation of conversations) {
      const told = await w.told(scope, conversation);
      expect(told.length, "every conversation got an answer after its offer").toBeGreaterThanOrEqual(2);
    }
    expect(w.errors).toEqual([]);
  });

  test("two different refunds of one order, each confirmed, are two refunds with two keys", async () => {
    world = await createTestSystem();
    const { scope, conversation } = await offered(world, "ada", "refund one pair of socks from 1042");
    await world.say(scope, conversation, "yes");
    await world.say(scope, conversation, "refund the other pair of socks from 1042");
    await world.say(scope, conversation, "yes");
    expect(await world.refunds("1042")).toMatchObject([{ amount: 1200 }, { amount: 1200 }]);
    const keys = (await world.actions()).map((action) => action.idempotency_key);
    expect(new Set(keys).size).toBe(2);
  });

  test.each(["timeout_after_accept", "reset_after_accept", "error_500_after_accept", "reset_before_accept"])(
    "[96] %s: found at the provider or sent again with the same key; one refund",
    async (fault) => {
      world = await createTestSystem();
      const { scope, conversation } = await offered(world);
      await world.fault("lost", 20);
      await world.fault(fault);
      await world.say(scope, conversation, "yes");
      await world.settle();
      expect(await world.refunds("1042")).toMatchObject([{ amount: 2400, status: "succeeded" }]);
      expect(await world.actions()).toMatchObject([{ state: "succeeded" }]);
      const told = await world.told(scope, conversation);
      expect(confirmed(told)).toHaveLength(1);
      expect(told.filter((text) => text.includes("still being checked")).length).toBe(1);
    },
  );

  test("the provider is down for an hour: a clear pending state, then one refund, told once each", async () => {
    world = await createTestSystem();
    const { scope, conversation } = await offered(world);
    const yes = world.system.conversations.accept(scope, conversation, { clientMessageId: "y", text: "yes" });
    await yes;
    // Down from the moment the decision has been made: the reads before it had an answer.
    world.setBoundary((name) => (name === "action.before-precheck" ? void world?.outage(true) : undefined));
    await world.drain();
    world.setBoundary(() => {});
    for (let minute = 0; minute < 60; minute += 1) await world.pass(60_000);
    expect(await world.actions()).toMatchObject([{ state: "unknown" }]);
    expect(await world.refunds("1042").catch(() => [])).toHaveLength(0);
    await world.outage(false);
    await world.settle();
    expect(await world.refunds("1042")).toHaveLength(1);
    const told = await world.told(scope, conversation);
    expect(told.filter((text) => text.includes("still being checked"))).toHaveLength(1);
    expect(confirmed(told)).toHaveLength(1);
  });

  test("a key that the provider answers with a stored error goes to a person, and no other key is tried", async () => {
    world = await createTestSystem();
    const { scope, conversation } = await offered(world);
    await world.fault("error_500_before_accept");
    await world.say(scope, conversation, "yes");
    await world.settle();
    expect(await world.refunds("1042")).toHaveLength(0);
    expect(await world.actions()).toMatchObject([{ state: "needs_person" }]);
    expect((await world.reviews()).map((review) => review.reason)).toContain("outcome_uncertain");
  });

  test("past the provider's retention of the key a person decides; nothing is sent again", async () => {
    world = await createTestSystem();
    const { scope, conversation } = await offered(world);
    await world.fault("lost", 20);
    await world.fault("reset_before_accept");
    await world.say(scope, conversation, "yes");
    world.clock.jump(25 * 3_600_000);
    await world.pass(60_000);
    expect(await world.actions()).toMatchObject([{ state: "needs_person" }]);
    expect(await world.refunds("1042")).toHaveLength(0);
  });

  test("a refund made in the provider's dashboard is seen before ours is sent, and counts", async () => {
    world = await createTestSystem();
    const { scope, conversation } = await offered(world, "ben", "I want a refund for order 1044");
    const w = world;
    w.setBoundary(async (name: BoundaryName) => {
      if (name !== "action.before-precheck") return;
      w.setBoundary(() => {});
      await w.provider.app.request("/v1/refunds", {
        method: "POST",
        headers: {
          authorization: "Bearer sk_test_sandbox",
          "content-type": "application/x-www-form-urlencoded",
        },
        body: "charge=ch_nw_1044&amount=1000",
      });
    });
    await w.say(scope, conversation, "yes");
    expect(await w.refunds("1044")).toMatchObject([{ amount: 1000 }]);
    expect(await w.actions()).toMatchObject([{ state: "failed" }]);
    expect(await w.balance("ord_nw_1044")).toMatchObject({
      external_minor: 1000,
      held_minor: 0,
      refunded_minor: 0,
    });
  });

  test("an item that may have been refunded in the provider's dashboard is not refunded again without a person; the rest of the order is", async () => {
    world = await createTestSystem();
    const w = world;
    await w.provider.app.request("/v1/refunds", {
      method: "POST",
      headers: {
        authorization: "Bearer sk_test_sandbox",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "charge=ch_nw_1042&amount=2400",
    });
    const { scope, conversation } = await offered(
      w,
      "ada",
      "I want a refund for the wool socks of order 1042",
    );
    await w.say(scope, conversation, "yes");
    const [action] = await w.actions();
    expect(action).toMatchObject({ state: "awaiting_approval", amount_minor: 2400 });
    expect(JSON.stringify(action?.decision)).toContain("refunded-elsewhere");
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2400 }]);
    await w.system.cancelAction(scope, String(action?.id));
    const rest = await w.open(scope);
    await w.say(scope, rest, "I want a refund for everything of order 1042");
    await w.say(scope, rest, "yes");
    const amounts = (await w.refunds("1042")).map(({ amount }) => amount);
    expect(amounts.toSorted((a, b) => a - b)).toEqual([2400, 8900]);
  });

  test("an order whose refund the ledger has lost, by loss of power or an older backup, is not refunded beyond what was paid", async () => {
    world = await createTestSystem();
    const w = world;
    const { scope, conversation } = await offered(w, "ben", "I want a refund for order 1044");
    await w.provider.app.request("/v1/refunds", {
      method: "POST",
      headers: {
        authorization: "Bearer sk_test_sandbox",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "charge=ch_nw_1044&metadata[recourse_action_id]=act_01920000-0000-7000-8000-000000000001",
    });
    await w.say(scope, conversation, "yes");
    await w.say(scope, conversation, "I want a refund for order 1044");
    await w.say(scope, conversation, "yes");
    expect(await w.refunds("1044")).toMatchObject([{ amount: 6400 }]);
    expect((await w.balance("ord_nw_1044"))?.held_minor ?? 0).toBe(0);
  });
});

describe("G1 each barrier holds by itself", () => {
  test("barrier 1: a second yes to one offer while the first is under way is the same action", async () => {
    world = await createTestSystem();
    const w = world;
    // One of two pairs: the database would let a second refund have the other pair.
    const { scope, conversation } = await offered(w, "ada", "refund one pair of socks from order 1042");
    w.setBoundary((name) => {
      if (name === "action.before-precheck") throw new SimulatedCrash(name);
    });
    await w.say(scope, conversation, "yes");
    await w.say(scope, conversation, "yes");
    w.setBoundary(() => {});
    w.restart();
    await w.queue.work((item) => w.system.worker.handle(item));
    await w.settle();
    expect(await w.actions()).toMatchObject([{ amount_minor: 1200, state: "succeeded" }]);
    expect(await w.refunds("1042")).toMatchObject([{ amount: 1200 }]);
    expect(confirmed(await w.told(scope, conversation))).toHaveLength(1);
  });

  test("barrier 2: the database refuses a second live allocation of a unit, and a balance below zero", async () => {
    world = await createTestSystem();
    const { scope, conversation } = await offered(world);
    await world.say(scope, conversation, "yes");
    const [action] = await world.actions();
    const again = (columns: { unit_index: number; action_id: string }) =>
      world?.store.transact(tenantScope(NORTHWIND), async (tx) => {
        await tx
          .insertInto("actions")
          .values({
            ...(action as never as object),
            id: columns.action_id,
            idempotency_key: columns.action_id,
            args: "{}",
            decision: "{}",
            evidence: null,
          } as never)
          .execute();
        await tx
          .insertInto("allocations")
          .values({
            tenant_id: NORTHWIND,
            order_id: "ord_nw_1042",
            line_item_id: "li_nw_1042_2",
            unit_index: columns.unit_index,
            kind: "refund",
            action_id: columns.action_id as never,
            customer_id: scope.customerId,
            amount_minor: 1200,
            state: "held",
          })
          .execute();
      });
    await expect(again({ unit_index: 0, action_id: "act_x" })).rejects.toThrow(/allocations_one_live/);
    await expect(
      world.store.transact(tenantScope(NORTHWIND), (tx) =>
        tx
          .updateTable("order_balances")
          .set({ held_minor: 8901 })
          .where("order_id", "=", "ord_nw_1042")
          .execute(),
      ),
    ).rejects.toThrow(/order_balance_not_negative/);
  });

  test("barrier 3: with a provider whose list lags, the one key of the action keeps it single", async () => {
    const sent: string[] = [];
    world = await createTestSystem({
      payments: (real) => ({
        ...real,
        // The look-up sees nothing of ours: only the key is left.
        refundsOf: async (...args) =>
          (await real.refundsOf(...args)).filter((refund) => refund.actionId === null),
        createRefund: (wanted, signal) => {
          sent.push(wanted.idempotencyKey);
          return real.createRefund(wanted, signal);
        },
      }),
    });
    const { scope, conversation } = await offered(world);
    await world.fault("lost", 20);
    await world.fault("reset_after_accept");
    await world.say(scope, conversation, "yes");
    await world.settle();
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(new Set(sent).size).toBe(1);
    expect(await world.refunds("1042")).toMatchObject([{ amount: 2400, status: "succeeded" }]);
    expect(await world.actions()).toMatchObject([{ state: "succeeded" }]);
  });
});
