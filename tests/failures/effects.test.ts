/**
 * What went wrong in public where money and parcels move, as tests: effects, webhooks, jobs, money. The
 * number in brackets is the case's, see README.md. Outcomes are looked up in rows, at the provider and in
 * the shop.
 */
import { afterEach, describe, expect, test } from "vitest";
import { signature } from "../../sandbox/payments/webhooks.ts";
import type { NewRefund } from "../../src/commerce/payments.ts";
import type { ConversationId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { type BoundaryName, SimulatedCrash } from "../../src/kernel/ports.ts";
import { type CustomerScope, tenantScope } from "../../src/kernel/scope.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { gate, obedientAgent, please } from "../kit/obedient-agent.ts";
import { whileTimePasses } from "../kit/passing-time.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";
import { turns } from "../kit/virtual-clock.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function start(options: TestOptions = {}) {
  world = await createTestSystem(options);
  return world;
}
async function asking(w: TestSystem, customer = "ada", wish = "refund the socks from order 1042") {
  const scope = w.scope(customer);
  const conversation = await w.open(scope);
  await w.say(scope, conversation, wish);
  return { scope, conversation };
}
const accept = (w: TestSystem, scope: CustomerScope, conversation: ConversationId, text: string) =>
  w.system.conversations.accept(scope, conversation, { clientMessageId: text, text });

/** Every request for a refund that left the product. */
function watched(sent: NewRefund[]): TestOptions {
  return {
    payments: (real) => ({
      ...real,
      createRefund: (wanted, signal) => {
        sent.push(wanted);
        return real.createRefund(wanted, signal);
      },
    }),
  };
}
const keysOf = (sent: readonly NewRefund[]) => new Set(sent.map(({ idempotencyKey }) => idempotencyKey));
const returnsOf = async (w: TestSystem, customer: string, order: string) => {
  const response = await w.shop.app.request(`/shop/v1/northwind/customers/${customer}/orders/${order}`, {
    headers: { authorization: "Bearer shop_test_sandbox" },
  });
  const { order: found } = (await response.json()) as {
    order: { returns: { idempotencyKey: string; items: { quantity: number }[] }[] };
  };
  return found.returns;
};
const shopFault = (w: TestSystem, fault: string) =>
  w.shop.app.request("/shop/sandbox/faults", {
    method: "POST",
    body: JSON.stringify({ on: "returns.create", fault, times: 1 }),
  });

describe("effects", () => {
  test("[1] a refund whose answer is lost, and asked for again and again, is one refund with one key", async () => {
    const sent: NewRefund[] = [];
    const w = await start(watched(sent));
    const { scope, conversation } = await asking(w);
    await w.fault("lost", 20);
    await w.fault("reset_after_accept");
    await w.say(scope, conversation, "yes");
    for (const text of ["yes", "refund the socks from order 1042", "yes"])
      await w.say(scope, conversation, text);
    await w.settle();
    await w.say(scope, conversation, "refund the socks from order 1042");
    await w.say(scope, conversation, "yes");
    expect(keysOf(sent).size).toBe(1);
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2400, status: "succeeded" }]);
    expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
  });

  test("[2] two refunds of one order, every wake-up delivered twice: two effects with two keys", async () => {
    const sent: NewRefund[] = [];
    const w = await start(watched(sent));
    const { scope, conversation } = await asking(w, "ada", "refund one pair of socks from order 1042");
    const twice = async (text: string) => {
      await accept(w, scope, conversation, text);
      const [item] = w.queue.items.splice(0);
      if (item === undefined) throw new Error("nobody was woken");
      await Promise.all([w.system.worker.handle(item), w.another().worker.handle(item)]);
      for (const action of await w.actions()) {
        const again = { kind: "action", tenantId: NORTHWIND, id: action.id } as const;
        await Promise.all([w.system.worker.handle(again), w.another().worker.handle(again)]);
      }
      await w.drain();
    };
    await twice("yes");
    await w.say(scope, conversation, "refund the other pair of socks from order 1042");
    await twice("yes, please");
    expect(await w.refunds("1042")).toMatchObject([{ amount: 1200 }, { amount: 1200 }]);
    expect(sent).toHaveLength(2);
    expect(keysOf(sent).size).toBe(2);
    expect(await w.actions()).toHaveLength(2);
  });

  test.each([
    "action.after-record-commit",
    "action.before-provider",
    "action.after-provider",
    "action.before-settle-commit",
    "action.after-settle-commit",
    "action.after-lookup",
  ] satisfies BoundaryName[])(
    "[3] [145] killed at %s, the next process finds out and goes on: one refund, one message, attempts on one row",
    async (boundary) => {
      const w = await start();
      const { scope, conversation } = await asking(w);
      await w.fault("lost", 20);
      if (boundary === "action.after-lookup") await w.fault("reset_after_accept");
      w.setBoundary((name) => {
        if (name === boundary) throw new SimulatedCrash(name);
      });
      await w.say(scope, conversation, "yes");
      if (boundary === "action.after-lookup") await w.pass(20_000);
      w.setBoundary(() => {});
      w.restart();
      await w.queue.work((item) => w.system.worker.handle(item));
      await w.settle();
      expect(await w.refunds("1042")).toMatchObject([{ amount: 2400, status: "succeeded" }]);
      expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
      expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 2400 });
      const told = await w.told(scope, conversation);
      expect(told.filter((text) => text.includes("has confirmed your refund"))).toHaveLength(1);
    },
  );

  test("[5] a return whose answer times out is unknown, not failed; a second one is refused; the late answer settles it", async () => {
    const w = await start();
    const { scope, conversation } = await asking(
      w,
      "ada",
      "I want to return the jacket from order 1042, too small",
    );
    expect((await shopFault(w, "timeout_after_accept")).status).toBe(200);
    await accept(w, scope, conversation, "yes");
    await whileTimePasses(w.clock, w.drain(), 100);
    expect(await w.actions()).toMatchObject([{ kind: "return", state: "unknown" }]);
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => text.includes("still being checked"))).toHaveLength(1);

    const other = await asking(w, "ada", "I want to return the jacket from order 1042, too small");
    await w.say(other.scope, other.conversation, "yes");
    expect(await w.actions()).toHaveLength(1);
    await w.settle();
    expect(await w.actions()).toMatchObject([{ kind: "return", state: "succeeded" }]);
    expect(await returnsOf(w, "ada", "1042")).toHaveLength(1);
  });

  test("[7] two conversations confirm the return of the same unit at once: one return, the other is told so", async () => {
    const w = await start();
    const wish = "I want to return the jacket from order 1042, too small";
    const both = [await asking(w, "ada", wish), await asking(w, "ada", wish)];
    await Promise.all(both.map(({ scope, conversation }) => accept(w, scope, conversation, "yes")));
    const items = w.queue.items.splice(0);
    await Promise.all(items.map((item) => w.system.worker.handle(item)));
    await w.drain();
    expect(await returnsOf(w, "ada", "1042")).toMatchObject([{ items: [{ quantity: 1 }] }]);
    expect(await w.actions()).toMatchObject([{ kind: "return", state: "succeeded" }]);
    for (const { scope, conversation } of both)
      expect((await w.told(scope, conversation)).length).toBeGreaterThanOrEqual(2);
  });

  test("[8] of five units two and three can go back and no sixth; what was rejected is free again", async () => {
    const w = await start({ agent: obedientAgent() });
    const scope = w.scope("c_nw_007");
    const conversation = await w.open(scope);
    const back = async (quantity: number) => {
      const items = [{ line_item_id: "li_nw_1179_1", quantity }];
      await w.say(
        scope,
        conversation,
        please("initiate_return", { order_id: "1179", reason: "too many", items }),
      );
      await w.say(scope, conversation, "yes");
    };
    await back(2);
    await back(4);
    await back(3);
    await back(1);
    const quantities = (await returnsOf(w, "c_nw_007", "1179")).flatMap(({ items }) => items);
    expect(quantities.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(5);
    expect((await w.actions()).map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);

    // 59.00 is below what needs a person; as a gift it needs one.
    await w.shop.app.request("/shop/sandbox/orders/ord_nw_1179", {
      method: "POST",
      body: JSON.stringify({ gift: true }),
    });
    const refund = async (decision: "approve" | "reject") => {
      await w.say(scope, conversation, please("process_refund", { order_id: "1179", amount: "59.00" }));
      await w.say(scope, conversation, "yes");
      const review = (await w.reviews()).find(({ state }) => state === "open");
      if (review === undefined) return false;
      await w.system.reviews.decide(tenantScope(NORTHWIND), review.review_id, {
        decision,
        argsHash: review.args_hash,
        version: review.version,
        note: "not yet",
        operator: "olivia",
      });
      await w.drain();
      return true;
    };
    expect([await refund("reject"), await refund("approve"), await refund("approve")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await w.refunds("1179")).toMatchObject([{ amount: 5900 }]);
  });

  test("[97] keys are named by operation: a return and a refund of the same units share none", async () => {
    const w = await start();
    const { scope, conversation } = await asking(
      w,
      "ada",
      "I want to return the jacket from order 1042, too small",
    );
    await w.say(scope, conversation, "yes");
    await w.say(scope, conversation, "refund the jacket from order 1042");
    await w.say(scope, conversation, "yes");
    const actions = await w.actions();
    expect(actions.map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
    expect(actions.map(({ idempotency_key }) => idempotency_key.split(":")[0]).sort()).toEqual([
      "refund",
      "return",
    ]);
    const [made] = await returnsOf(w, "ada", "1042");
    expect(actions.find(({ kind }) => kind === "return")?.idempotency_key).toBe(made?.idempotencyKey);
  });
});

describe("webhooks", () => {
  const deliver = (w: TestSystem, event: object, secret = "whsec_sandbox", system = w.system) => {
    const body = JSON.stringify(event);
    return system.webhooks.stripe(
      Buffer.from(body),
      signature(body, secret, Math.floor(w.clock.now() / 1000)),
    );
  };
  const eventOf = (w: TestSystem, id: string, type: string, object: object) => ({
    id,
    object: "event",
    type,
    created: Math.floor(w.clock.now() / 1000),
    data: { object },
  });
  const outcomes = async (w: TestSystem) =>
    (
      await w.store.transact(tenantScope(NORTHWIND), (tx) =>
        tx.selectFrom("webhook_deliveries").select(["delivery_id", "outcome"]).execute(),
      )
    ).map(({ outcome }) => outcome);

  test("[9] the webhook of a refund that was answered at once adds nothing: one row, one message", async () => {
    const w = await start();
    const { scope, conversation } = await asking(w);
    await w.say(scope, conversation, "yes");
    const before = [await w.actions(), await w.told(scope, conversation), await w.audit()];
    await w.pass(20_000);
    expect(await outcomes(w)).not.toEqual([]);
    expect(new Set(await outcomes(w))).toEqual(new Set(["ignored_stale"]));
    expect([await w.actions(), await w.told(scope, conversation), await w.audit()]).toEqual(before);
  });

  test.each(["charge.refunded", "refund.updated", "charge.refund.updated"])(
    "[10] %s alone settles a pending refund",
    async (type) => {
      const w = await start();
      const { scope, conversation } = await asking(w);
      await w.fault("lost", 100);
      await w.fault("pending_then_succeeded");
      await w.say(scope, conversation, "yes");
      const [refund] = await w.refunds("1042");
      const done = { ...refund, object: "refund", status: "succeeded" };
      const charge = {
        object: "charge",
        id: "ch_nw_1042",
        refunds: { object: "list", has_more: false, data: [done] },
      };
      await deliver(w, eventOf(w, "evt_1", type, type === "charge.refunded" ? charge : done));
      expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
      expect(await outcomes(w)).toEqual(["applied"]);
    },
  );

  test("[10] with every webhook lost, a pending refund is settled by asking", async () => {
    const w = await start();
    const { scope, conversation } = await asking(w);
    await w.fault("lost", 100);
    await w.fault("pending_then_succeeded");
    await w.say(scope, conversation, "yes");
    expect(await w.actions()).toMatchObject([{ state: "pending" }]);
    await w.settle();
    expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => text.includes("has confirmed your refund"))).toHaveLength(1);
    expect(told.filter((text) => text.includes("is processing it"))).toHaveLength(1);
  });

  test("[10] a refund made in the provider's dashboard counts: what it took is not offered again", async () => {
    const w = await start({ agent: obedientAgent() });
    await w.provider.app.request("/v1/refunds", {
      method: "POST",
      headers: {
        authorization: "Bearer sk_test_sandbox",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "charge=ch_nw_1042&amount=10000",
    });
    await w.pass(20_000);
    const scope = w.scope("ada");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, please("process_refund", { order_id: "1042", amount: "24.00" }));
    await w.say(scope, conversation, "yes");
    expect((await w.told(scope, conversation))[0]).toContain("amount_exceeds_refundable");
    await w.say(scope, conversation, please("process_refund", { order_id: "1042", amount: "13.00" }));
    await w.say(scope, conversation, "yes");
    const external = await w.store.transact(tenantScope(NORTHWIND), (tx) =>
      tx.selectFrom("external_refunds").select(["order_id", "amount_minor"]).execute(),
    );
    expect(external).toEqual([{ order_id: "ord_nw_1042", amount_minor: 10_000 }]);
    const sum = (await w.refunds("1042")).reduce((total, { amount }) => total + amount, 0);
    expect(sum).toBe(11_300);
  });

  test("[11] succeeded, pending and charge.refunded in any order, each twice: the refund stays succeeded", async () => {
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    const w = await start({ agent: obedientAgent() });
    const scope = w.scope("c_nw_007");
    const conversation = await w.open(scope);
    for (const [round, order] of orders.slice(0, 5).entries()) {
      await w.fault("lost", 1_000);
      await w.fault("pending_then_succeeded");
      const items = [{ line_item_id: "li_nw_1179_1", quantity: 1 }];
      const amount = "11.80";
      await w.say(scope, conversation, please("process_refund", { order_id: "1179", amount, items }));
      await w.say(scope, conversation, "yes");
      const refund = (await w.refunds("1179")).find(({ status }) => status === "pending");
      expect(refund, `round ${round}`).toBeDefined();
      const object = { ...refund, object: "refund" };
      const events = [
        eventOf(w, `evt_${round}_a`, "refund.updated", { ...object, status: "succeeded" }),
        eventOf(w, `evt_${round}_b`, "refund.created", { ...object, status: "pending" }),
        eventOf(w, `evt_${round}_c`, "charge.refunded", {
          object: "charge",
          id: refund?.charge,
          refunds: { object: "list", has_more: false, data: [{ ...object, status: "succeeded" }] },
        }),
      ];
      for (const index of [...(order ?? []), ...(order ?? [])]) await deliver(w, events[index] as object);
      expect((await w.actions()).at(-1), `order ${order}`).toMatchObject({ state: "succeeded" });
    }
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => text.includes("has confirmed your refund"))).toHaveLength(5);
  });

  test("[100] an order charged twice: the refund of the other charge changes nothing of the order's own", async () => {
    const w = await start();
    const double = w.shop.world.orders.find(({ order }) => order.number === "1042")?.charge;
    if (double === undefined) throw new Error("no charge");
    w.provider.seedCharges([
      { ...double, chargeId: "ch_nw_1042_twice", paymentIntentId: "pi_nw_1042_twice" },
    ]);
    await w.provider.app.request("/v1/refunds", {
      method: "POST",
      headers: {
        authorization: "Bearer sk_test_sandbox",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "charge=ch_nw_1042_twice",
    });
    await w.pass(20_000);
    expect(await outcomes(w)).not.toContain("applied");
    const { scope, conversation } = await asking(w);
    await w.say(scope, conversation, "yes");
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2400 }]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ external_minor: 0, refunded_minor: 2400 });
  });

  test("[101] 50 signed events of another shop on the account are kept as unknown; unsigned ones are refused", async () => {
    const w = await start();
    const refund = (n: number) => ({
      object: "refund",
      id: `re_other_${n}`,
      charge: `ch_other_${n}`,
      amount: 1000,
      currency: "usd",
      status: "succeeded",
      created: 1,
      metadata: { recourse_action_id: "act_00000000-0000-7000-8000-000000000000" },
    });
    for (let n = 0; n < 50; n += 1) {
      expect(await deliver(w, eventOf(w, `evt_other_${n}`, "refund.updated", refund(n)))).toEqual({
        outcome: "ignored_unknown",
      });
    }
    const forged = eventOf(w, "evt_forged", "refund.updated", refund(51));
    await expect(deliver(w, forged, "whsec_other")).rejects.toMatchObject({
      code: "webhook_signature_invalid",
    });
    await expect(w.system.webhooks.stripe(Buffer.from("{}"), undefined)).rejects.toMatchObject({
      code: "webhook_signature_invalid",
    });
    expect((await outcomes(w)).filter((outcome) => outcome === "ignored_unknown")).toHaveLength(50);
    expect(await w.actions()).toEqual([]);
  });

  test("[101] a refund that names our action but is of another charge is not taken for it", async () => {
    const w = await start();
    const { scope, conversation } = await asking(w);
    await w.fault("lost", 100);
    await w.fault("pending_then_succeeded");
    await w.say(scope, conversation, "yes");
    const [action] = await w.actions();
    const copied = {
      object: "refund",
      id: "re_copied",
      charge: "ch_nw_1044",
      amount: 2400,
      currency: "usd",
      status: "failed",
      created: 1,
      metadata: { recourse_action_id: action?.id },
    };
    expect(await deliver(w, eventOf(w, "evt_copied", "refund.updated", copied))).toEqual({
      outcome: "ignored_unknown",
    });
    expect(await w.actions()).toMatchObject([{ state: "pending" }]);
  });

  test("[102] one delivery that reaches two processes in the same moment is applied once", async () => {
    const w = await start();
    const { scope, conversation } = await asking(w);
    await w.fault("lost", 100);
    await w.fault("pending_then_succeeded");
    await w.say(scope, conversation, "yes");
    const [refund] = await w.refunds("1042");
    const event = eventOf(w, "evt_once", "refund.updated", {
      ...refund,
      object: "refund",
      status: "succeeded",
    });
    const answers = await Promise.all([
      deliver(w, event),
      deliver(w, event, "whsec_sandbox", w.another()),
      deliver(w, event),
    ]);
    for (const { outcome } of answers) expect(["applied", "ignored_stale", "duplicate"]).toContain(outcome);
    expect(await deliver(w, event)).toEqual({ outcome: "duplicate" });
    expect((await w.audit()).filter(({ kind }) => kind === "action.succeeded")).toHaveLength(1);
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => text.includes("has confirmed your refund"))).toHaveLength(1);
  });
});

describe("jobs", () => {
  test("[81] a worker that hangs at the provider past its lease is replaced; both send one key; one refund", async () => {
    const sent: NewRefund[] = [];
    const waiting = gate();
    const w = await start({
      payments: (real) => ({
        ...real,
        createRefund: async (wanted, signal) => {
          sent.push(wanted);
          if (sent.length === 1) await waiting.closed;
          return real.createRefund(wanted, signal);
        },
      }),
    });
    const { scope, conversation } = await asking(w);
    await accept(w, scope, conversation, "yes");
    const hung = w.queue.run();
    while (sent.length === 0) await turns();
    w.clock.jump(LIMITS.leaseMs + 1);
    const other = w.another();
    await other.recovery.sweep();
    await other.executor.idle();
    expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
    const settled = [await w.actions(), await w.told(scope, conversation)];
    waiting.open();
    await hung;
    await w.drain();
    expect([await w.actions(), await w.told(scope, conversation)]).toEqual(settled);
    expect(sent).toHaveLength(2);
    expect(keysOf(sent).size).toBe(1);
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2400 }]);
  });

  test("[82] one item that cannot be worked on does not keep a sweep from the others", async () => {
    let broken = true;
    const w = await start({
      payments: (real) => ({
        ...real,
        refundsOf: (tenant, charge, signal) => {
          if (broken && charge === "ch_nw_1042") throw new TypeError("a defect");
          return real.refundsOf(tenant, charge, signal);
        },
      }),
    });
    broken = false;
    const ada = await asking(w);
    const ben = await asking(w, "ben", "I want a refund for order 1044");
    await w.fault("lost", 100);
    await w.fault("reset_after_accept", 2);
    await w.say(ada.scope, ada.conversation, "yes");
    await w.say(ben.scope, ben.conversation, "yes");
    broken = true;
    await w.pass(20_000);
    const states = Object.fromEntries(
      (await w.actions()).map(({ order_number, state }) => [order_number, state]),
    );
    expect(states).toEqual({ 1042: "unknown", 1044: "succeeded" });
    broken = false;
    await w.settle();
    expect((await w.actions()).map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
  });

  test("[89] while the provider hangs on 4 refunds no connection is held: other customers are answered", async () => {
    const waiting = gate();
    let hung = 0;
    const w = await start({
      agent: obedientAgent(),
      payments: (real) => ({
        ...real,
        createRefund: async (wanted, signal) => {
          hung += 1;
          await waiting.closed;
          return real.createRefund(wanted, signal);
        },
      }),
    });
    // The embedded database has one connection: held for one refund, nobody would get an answer.
    const scope = w.scope("c_nw_007");
    const items = [{ line_item_id: "li_nw_1179_1", quantity: 1 }];
    const refunds: Promise<unknown>[] = [];
    for (let n = 0; n < 4; n += 1) {
      const conversation = await w.open(scope);
      await accept(
        w,

        scope,
        conversation,
        please("process_refund", { order_id: "1179", amount: "11.80", items }),
      );
      await w.queue.run();
      await accept(w, scope, conversation, "yes");
      const [item] = w.queue.items.splice(0);
      if (item !== undefined) refunds.push(w.system.worker.handle(item));
      while (hung <= n) await turns();
    }
    const eve = w.scope("eve");
    const chat = await w.open(eve);
    await accept(w, eve, chat, "hello");
    await w.queue.run();
    expect(await w.told(eve, chat)).toHaveLength(1);
    expect(hung).toBe(4);
    waiting.open();
    await Promise.all(refunds);
    await w.drain();
    expect(await w.refunds("1179")).toHaveLength(4);
  });

  test("[146] an outcome that arrives while a run is in hand: both are in the log, in one gapless order", async () => {
    const agent = obedientAgent();
    const w = await start({ agent });
    const scope = w.scope("ada");
    const conversation = await w.open(scope);
    await w.fault("pending_then_succeeded");
    const items = [{ line_item_id: "li_nw_1042_2", quantity: 2 }];
    await w.say(scope, conversation, please("process_refund", { order_id: "1042", amount: "24.00", items }));
    await w.say(scope, conversation, "yes");
    expect(await w.actions()).toMatchObject([{ state: "pending" }]);
    const waiting = gate();
    agent.hold = waiting.closed;
    const seen = agent.views.length;
    await accept(w, scope, conversation, "are you still there?");
    const running = w.queue.run();
    while (agent.views.length === seen) await turns();
    await w.clock.advance(4_000);
    while ((await w.actions())[0]?.state === "pending") await turns();
    waiting.open();
    await running;
    const events = await w.events(scope, conversation);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const texts = events.filter(({ author }) => author === "agent").map(({ text }) => String(text));
    expect(texts.filter((text) => text.includes("has confirmed your refund"))).toHaveLength(1);
    expect(texts.at(-1)).toBe("As you wish.");
  });

  test("[148] with one connection, 20 customers and their refunds at once all finish: nothing waits for itself", async () => {
    const w = await start({ agent: obedientAgent() });
    const scopes = Array.from({ length: 20 }, (_, n) =>
      w.scope(n === 0 ? "ada" : `c_nw_${String(n).padStart(3, "0")}`),
    );
    const conversations = await Promise.all(scopes.map((scope) => w.open(scope)));
    const each = (text: string) =>
      Promise.all(
        scopes.map((scope, n) =>
          accept(w, scope, conversations[n] as ConversationId, n === 0 ? text : `hello ${text.length}`),
        ),
      );
    const all = async () => {
      const items = w.queue.items.splice(0);
      await Promise.all(items.map((item) => w.system.worker.handle(item)));
      await w.drain();
    };
    await each(
      please("process_refund", {
        order_id: "1042",
        amount: "89.00",
        items: [{ line_item_id: "li_nw_1042_1", quantity: 1 }],
      }),
    );
    await all();
    await each("yes");
    await all();
    for (const [n, scope] of scopes.entries())
      expect(
        (await w.told(scope, conversations[n] as ConversationId)).length,
        String(n),
      ).toBeGreaterThanOrEqual(1);
    expect(await w.refunds("1042")).toMatchObject([{ amount: 8900 }]);
  });
});

describe("money", () => {
  const refund = async (
    w: TestSystem,
    customer: string,
    order: string,
    line: string,
    amounts: readonly string[],
  ) => {
    const scope = w.scope(customer);
    const conversation = await w.open(scope);
    for (const amount of amounts) {
      const items = [{ line_item_id: line, quantity: 1 }];
      await w.say(scope, conversation, please("process_refund", { order_id: order, amount, items }));
      await w.say(scope, conversation, "yes");
    }
    return w.told(scope, conversation);
  };

  test("[78] [143] yen have no decimals, dinars three; a partial refund leaves exactly the rest", async () => {
    const w = await start({ agent: obedientAgent() });
    const yen = await refund(w, "c_nw_017", "1122", "li_nw_1122_1", ["5800.5", "5800.00", "58.00", "5800"]);
    expect(yen.slice(0, 4).join()).toMatch(/amount_invalid/);
    expect(await w.refunds("1122")).toMatchObject([{ amount: 5800, currency: "jpy" }]);
    expect(await w.balance("ord_nw_1122")).toMatchObject({ captured_minor: 11_600, refunded_minor: 5800 });
    expect(yen.join("\n")).toContain("5800 JPY");
    expect(yen.join("\n")).not.toContain("5800.00");

    const order = w.shop.world.orders.find(({ order: { number } }) => number === "1123");
    const dinars = await refund(w, "c_nw_029", "1123", "li_nw_1123_1", ["12.34", "1234.5", "12.3450"]);
    expect(await w.refunds("1123")).toEqual([]);
    const captured = order?.charge.capturedMinor ?? 0;
    expect(dinars.join()).toMatch(/amount_/);
    const agent = await w.open(w.scope("c_nw_029"));
    const all = (captured / 1_000).toFixed(3);
    await w.say(w.scope("c_nw_029"), agent, please("process_refund", { order_id: "1123", amount: all }));
    await w.say(w.scope("c_nw_029"), agent, "yes");
    expect(await w.refunds("1123")).toMatchObject([{ amount: captured, currency: "kwd" }]);
  });

  test("[80] euros go back as the euros that were captured; the parts sum to the whole", async () => {
    const w = await start({ agent: obedientAgent() });
    const scope = w.scope("lena", KESTREL);
    const conversation = await w.open(scope);
    for (const [amount, line] of [
      ["19.00", "li_ka_2042_2"],
      ["149.00", "li_ka_2042_1"],
    ] as const) {
      const items = [{ line_item_id: line, quantity: 1 }];
      await w.say(scope, conversation, please("process_refund", { order_id: "2042", amount, items }));
      await w.say(scope, conversation, "yes");
    }
    const [review] = await w.reviews(KESTREL);
    await w.system.reviews.decide(tenantScope(KESTREL), review?.review_id ?? "", {
      decision: "approve",
      argsHash: review?.args_hash ?? null,
      version: review?.version ?? 0,
      note: null,
      operator: "otmar",
    });
    await w.drain();
    const refunds = await w.refunds("2042", KESTREL);
    expect(refunds.map(({ amount }) => amount).sort()).toEqual([14_900, 1_900]);
    expect(new Set(refunds.map((made) => (made as { currency?: string }).currency))).toEqual(
      new Set(["eur"]),
    );
    expect(await w.balance("ord_ka_2042", KESTREL)).toMatchObject({
      captured_minor: 16_800,
      refunded_minor: 16_800,
    });
  });
});
