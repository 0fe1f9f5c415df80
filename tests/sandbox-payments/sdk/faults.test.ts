import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inProcessFetch } from "../../../sandbox/payments/app.ts";
import { type Fixture, KEY, refusal, sdk, start, until } from "./fixture.ts";

let world: Fixture;
beforeEach(async () => {
  world = await start();
});
afterEach(() => world.stop());

const REFUND = { charge: "ch_1042", amount: 1_000 };
const held = async () => ((await world.state()).refunds_by_charge as Record<string, number>).ch_1042 ?? 0;

/** The same app over a socket and in the same process. */
const ways = {
  "over HTTP": () => sdk(world.served.port, { timeout: 150 }),
  "in process": () =>
    new Stripe(KEY, {
      httpClient: Stripe.createFetchHttpClient(inProcessFetch(world.sandbox.app)),
      host: "sandbox.test",
      protocol: "http",
      maxNetworkRetries: 0,
      timeout: 150,
    }),
};

describe.each(Object.entries(ways))("a fault, %s", (way, connect) => {
  test.each([
    ["timeout_before_accept", 0],
    ["timeout_after_accept", 1],
    ["reset_before_accept", 0],
    ["reset_after_accept", 1],
  ])("%s leaves no answer and %i refund; the same key then gives one", async (fault, refunds) => {
    // Over HTTP the SDK sends once more by itself after a reset: it meets the fault again.
    const times = way === "over HTTP" && fault.startsWith("reset") ? 2 : 1;
    await world.fault({ on: "refund.create", fault, times });
    const stripe = connect();
    const error = await refusal(stripe.refunds.create(REFUND, { idempotencyKey: "k" }));
    expect(error).toMatchObject({ type: "StripeConnectionError" });
    expect(error.statusCode).toBeUndefined();
    expect(await held()).toBe(refunds);
    expect((await stripe.refunds.create(REFUND, { idempotencyKey: "k" })).amount).toBe(1_000);
    expect(await held()).toBe(1);
  });

  test.each([
    ["error_500_before_accept", 0],
    ["error_500_after_accept", 1],
  ])("%s: %i refund, and the key says 500 for as long as it is kept", async (fault, refunds) => {
    await world.fault({ on: "refund.create", fault });
    const stripe = connect();
    for (const replayed of [undefined, "true"]) {
      const error = await refusal(stripe.refunds.create(REFUND, { idempotencyKey: "k" }));
      expect(error).toMatchObject({ statusCode: 500, rawType: "api_error" });
      expect((error.headers as Record<string, string>)["idempotent-replayed"]).toBe(replayed);
    }
    expect(await held()).toBe(refunds);
  });

  test("rate_limited says when to come back, and keeps nothing under the key", async () => {
    await world.fault({ on: "refund.create", fault: "rate_limited", delay_ms: 7_000 });
    const stripe = connect();
    const error = await refusal(stripe.refunds.create(REFUND, { idempotencyKey: "k" }));
    expect(error).toMatchObject({ statusCode: 429, type: "StripeRateLimitError" });
    expect((error.headers as Record<string, string>)["retry-after"]).toBe("7");
    expect((await stripe.refunds.create(REFUND, { idempotencyKey: "k" })).status).toBe("succeeded");
  });

  test("declined is final for its key", async () => {
    await world.fault({ fault: "declined" });
    const stripe = connect();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await refusal(stripe.refunds.create(REFUND, { idempotencyKey: "k" }))).toMatchObject({
        statusCode: 402,
        code: "card_declined",
      });
    }
    expect(await held()).toBe(0);
  });

  test("slow answers late; a client that gave up has its refund all the same", async () => {
    await world.fault({ on: "refund.create", fault: "slow", delay_ms: 60_000 });
    expect(
      (await refusal(connect().refunds.create(REFUND, { idempotencyKey: "k" }))).statusCode,
    ).toBeUndefined();
    expect(await held()).toBe(0);
    await world.clock.advance(60_000);
    await expect.poll(held).toBe(1);
  });

  test("an outage resets every API call, and ends", async () => {
    const down = (value: unknown) =>
      fetch(`${world.served.url}/sandbox/outage`, { method: "POST", body: JSON.stringify({ down: value }) });
    await down(true);
    for (const call of [
      () => connect().charges.retrieve("ch_1042"),
      () => connect().refunds.create(REFUND),
      () => connect().refunds.list(),
    ]) {
      expect((await refusal(call())).type).toBe("StripeConnectionError");
    }
    expect((await down("yes")).status).toBe(400);
    await down(false);
    expect(await held()).toBe(0);
    expect((await connect().charges.retrieve("ch_1042")).id).toBe("ch_1042");
  });

  test.each(["timeout_before_accept", "reset_after_accept", "error_500_before_accept", "rate_limited"])(
    "reads can meet %s too",
    async (fault) => {
      await world.fault({ on: "refund.list", fault, times: 2 });
      await world.fault({ on: "charge.retrieve", fault, times: 2 });
      await refusal(connect().refunds.list({ charge: "ch_1042" }));
      await refusal(connect().charges.retrieve("ch_1042"));
    },
  );
});

describe("a pending refund", () => {
  test("succeeds later, by the clock", async () => {
    await world.fault({ on: "refund.create", fault: "pending_then_succeeded", delay_ms: 60_000 });
    const { id, status, pending_reason } = await world.stripe.refunds.create(REFUND);
    expect([status, pending_reason]).toEqual(["pending", "processing"]);
    await world.clock.advance(59_999);
    expect((await world.stripe.refunds.retrieve(id)).status).toBe("pending");
    await world.clock.advance(1);
    expect((await world.stripe.refunds.retrieve(id)).status).toBe("succeeded");
    expect((await world.stripe.charges.retrieve("ch_1042")).amount_refunded).toBe(1_000);
  });

  test("fails later: its money is back on the charge, with a reason, and can be refunded again", async () => {
    await world.fault({ on: "refund.create", fault: "pending_then_failed" });
    const { id } = await world.stripe.refunds.create({ charge: "ch_1042" });
    expect(await world.stripe.charges.retrieve("ch_1042")).toMatchObject({ refunded: true });
    await world.clock.advance(3_000);
    const failed = await world.stripe.refunds.retrieve(id);
    expect(failed).toMatchObject({ status: "failed", failure_reason: "lost_or_stolen_card" });
    expect(failed.failure_balance_transaction).toMatch(/^txn_/);
    expect(await world.stripe.charges.retrieve("ch_1042")).toMatchObject({
      refunded: false,
      amount_refunded: 0,
    });
    expect((await world.stripe.refunds.create({ charge: "ch_1042" })).amount).toBe(11_300);
  });

  test("a bank can send a succeeded refund back; what is final stays", async () => {
    const { id } = await world.stripe.refunds.create(REFUND);
    const fail = () => fetch(`${world.served.url}/sandbox/refunds/${id}/fail`, { method: "POST" });
    await fail();
    await fail();
    expect((await world.stripe.refunds.retrieve(id)).status).toBe("failed");
    expect((await world.stripe.charges.retrieve("ch_1042")).amount_refunded).toBe(0);
    const nobody = await fetch(`${world.served.url}/sandbox/refunds/re_nope/fail`, { method: "POST" });
    expect(nobody.status).toBe(404);
  });

  test("Stripe's test cards do it without a fault", async () => {
    const pay = (payment_method: string) =>
      world.stripe.paymentIntents.create({ amount: 500, currency: "usd", payment_method, confirm: true });
    const statusOf = async (id: string) => (await world.stripe.refunds.retrieve(id)).status;
    const pending = await world.stripe.refunds.create({
      payment_intent: (await pay("pm_card_pendingRefund")).id,
    });
    const failing = await world.stripe.refunds.create({
      payment_intent: (await pay("pm_card_refundFail")).id,
    });
    expect([pending.status, failing.status]).toEqual(["pending", "succeeded"]);
    await world.clock.advance(3_000);
    expect([await statusOf(pending.id), await statusOf(failing.id)]).toEqual(["succeeded", "failed"]);
  });
});

describe("arming faults", () => {
  test.each([
    ["nothing", undefined],
    ["a list", []],
    ["an unknown fault", { fault: "gremlins" }],
    ["no fault", { on: "refund.create" }],
    ["an unknown operation", { on: "refund.imagine", fault: "slow" }],
    ["zero times", { fault: "slow", times: 0 }],
    ["times that are no number", { fault: "slow", times: "3" }],
    ["a negative delay", { fault: "slow", delay_ms: -1 }],
    ["a delay that is no number", { fault: "slow", delay_ms: "1" }],
    ["a member that is misspelt", { fault: "slow", delay: 5 }],
    ["a decline of a read", { on: "refund.list", fault: "declined" }],
    ["a timeout of a webhook", { on: "webhook", fault: "timeout_after_accept" }],
  ])("%s: 400 that says what is wrong", async (_, body) => {
    const answer = await fetch(`${world.served.url}/sandbox/faults`, {
      method: "POST",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).not.toBe("");
    expect(await world.state()).toMatchObject({ faults: 0 });
  });

  test("they are listed, used up in order, and cleared together with an outage", async () => {
    await world.fault({ on: "refund.create", fault: "rate_limited" });
    await world.fault({ on: "*", fault: "error_500_before_accept", times: 2 });
    await world.fault({ fault: "lost", times: 3 });
    const list = async () =>
      ((await (await fetch(`${world.served.url}/sandbox/faults`)).json()) as { faults: unknown[] }).faults;
    expect(await list()).toEqual([
      { on: "refund.create", fault: "rate_limited", times: 1, delay_ms: null },
      { on: "*", fault: "error_500_before_accept", times: 2, delay_ms: null },
      { on: "webhook", fault: "lost", times: 3, delay_ms: null },
    ]);
    expect((await refusal(world.stripe.refunds.create(REFUND))).statusCode).toBe(429);
    expect((await refusal(world.stripe.charges.retrieve("ch_1042"))).statusCode).toBe(500);
    await fetch(`${world.served.url}/sandbox/outage`, { method: "POST", body: '{"down":true}' });
    await fetch(`${world.served.url}/sandbox/faults`, { method: "DELETE" });
    expect(await list()).toEqual([]);
    expect((await world.stripe.refunds.create(REFUND)).status).toBe("succeeded");
  });

  test("a replayed answer keeps its outcome: the fault waits for a new refund", async () => {
    await world.stripe.refunds.create(REFUND, { idempotencyKey: "k" });
    await world.fault({ fault: "declined" });
    expect((await world.stripe.refunds.create(REFUND, { idempotencyKey: "k" })).status).toBe("succeeded");
    expect((await refusal(world.stripe.refunds.create(REFUND))).code).toBe("card_declined");
  });
});

test("stopping ends requests that wait for an answer", async () => {
  await world.fault({ on: "refund.create", fault: "timeout_before_accept" });
  await world.fault({ on: "refund.create", fault: "slow", delay_ms: 600_000 });
  const waiting = [
    refusal(sdk(world.served.port, { timeout: 20_000 }).refunds.create(REFUND)),
    refusal(sdk(world.served.port, { timeout: 20_000 }).refunds.create(REFUND)),
  ];
  await until("both are under way", async () => (await world.state()).faults === 0);
  await world.served.stop();
  expect((await Promise.all(waiting)).map(({ type }) => type)).toEqual([
    "StripeConnectionError",
    "StripeConnectionError",
  ]);
  world = await start();
});

test("a connection without an answer ends with its caller's signal, also after a collection of garbage", async () => {
  await world.fault({ on: "refund.create", fault: "timeout_after_accept" });
  const caller = new AbortController();
  const waiting = inProcessFetch(world.sandbox.app)("http://sandbox.test/v1/refunds", {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/x-www-form-urlencoded" },
    body: "charge=ch_1042&amount=1000",
    signal: caller.signal,
  });
  const ended = expect(waiting).rejects.toThrow("enough");
  await until("the refund is there", async () => (await held()) === 1);
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  caller.abort(new Error("enough"));
  await ended;
});
