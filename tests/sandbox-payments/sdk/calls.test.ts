import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { API_VERSION } from "../../../sandbox/payments/shapes.ts";
import { charge, type Fixture, refusal, sdk, start } from "./fixture.ts";

let world: Fixture;
beforeEach(async () => {
  world = await start();
});
afterEach(() => world.stop());

describe("the official SDK, unmodified, over HTTP", () => {
  test("speaks the API version whose shapes the sandbox has", async () => {
    expect(API_VERSION).toBe(Stripe.API_VERSION);
    const found = await world.stripe.charges.retrieve("ch_1042");
    expect(found.lastResponse.apiVersion).toBe(API_VERSION);
    expect(found.lastResponse.requestId).toMatch(/^req_/);
  });

  test("a charge has its order's number, no refunds unless expanded, and its intent when expanded", async () => {
    const plain = await world.stripe.charges.retrieve("ch_1070");
    expect(plain).toMatchObject({
      object: "charge",
      amount: 9_000,
      amount_captured: 9_000,
      amount_refunded: 9_000,
      refunded: true,
      disputed: false,
      payment_intent: "pi_1070",
      metadata: { order_number: "1070" },
    });
    expect(plain).not.toHaveProperty("refunds");
    const full = await world.stripe.charges.retrieve("ch_1070", {
      expand: ["refunds.data.charge", "payment_intent.latest_charge"],
    });
    expect(full.refunds?.data).toMatchObject([{ amount: 9_000, charge: { id: "ch_1070" } }]);
    expect(full.payment_intent).toMatchObject({ id: "pi_1070", latest_charge: { id: "ch_1070" } });
    expect((await refusal(world.stripe.charges.retrieve("ch_1070", { expand: ["order"] }))).statusCode).toBe(
      400,
    );
  });

  test("refunds by charge, by intent, and of all that is left", async () => {
    const part = await world.stripe.refunds.create({
      charge: "ch_1042",
      amount: 2_400,
      reason: "requested_by_customer",
      metadata: { recourse_action_id: "act_1" },
    });
    expect(part).toMatchObject({
      object: "refund",
      amount: 2_400,
      charge: "ch_1042",
      currency: "usd",
      status: "succeeded",
      reason: "requested_by_customer",
      payment_intent: "pi_1042",
      metadata: { recourse_action_id: "act_1" },
    });
    const rest = await world.stripe.refunds.create({ payment_intent: "pi_1042" });
    expect(rest.amount).toBe(8_900);
    expect(await world.stripe.charges.retrieve("ch_1042")).toMatchObject({
      amount_refunded: 11_300,
      refunded: true,
    });
    expect(await world.state()).toMatchObject({
      refunds_by_action: { act_1: 1 },
      refunds_by_order: { "1042": 2, "1070": 1 },
      refunds_by_status: { succeeded: 3 },
    });
  });

  test.each([
    ["more than is left", { charge: "ch_1042", amount: 11_301 }, 400, undefined, "amount"],
    ["already refunded", { charge: "ch_1070" }, 400, "charge_already_refunded", undefined],
    ["charged back", { charge: "ch_1050" }, 400, "charge_disputed", undefined],
    ["no such charge", { charge: "ch_nope" }, 404, "resource_missing", "charge"],
    ["no such intent", { payment_intent: "pi_nope" }, 404, "resource_missing", "payment_intent"],
    ["zero", { charge: "ch_1042", amount: 0 }, 400, "parameter_invalid_integer", "amount"],
    ["a fraction", { charge: "ch_1042", amount: 1.5 }, 400, "parameter_invalid_integer", "amount"],
    ["an unknown parameter", { charge: "ch_1042", amuont: 5 }, 400, "parameter_unknown", "amuont"],
    ["an unknown reason", { charge: "ch_1042", reason: "bored" }, 400, undefined, "reason"],
    ["both charge and intent", { charge: "ch_1042", payment_intent: "pi_1042" }, 400, undefined, undefined],
    ["neither", { amount: 5 }, 400, undefined, undefined],
    ["an expansion that is none", { charge: "ch_1042", expand: ["shop"] }, 400, undefined, "expand"],
    [
      "a long metadata value",
      { charge: "ch_1042", metadata: { a: "x".repeat(501) } },
      400,
      undefined,
      "metadata[a]",
    ],
  ])("refuses %s in Stripe's shape, and refunds nothing", async (_, body, status, code, param) => {
    const before = await world.state();
    const error = await refusal(world.stripe.refunds.create(body as Stripe.RefundCreateParams));
    expect({ status: error.statusCode, code: error.code, param: error.param, type: error.rawType }).toEqual({
      status,
      code,
      param,
      type: "invalid_request_error",
    });
    expect(error.requestId).toMatch(/^req_/);
    expect((await world.state()).refunds).toBe(before.refunds);
  });

  test("amounts are named in the currency's own decimals", async () => {
    const dollars = await refusal(world.stripe.refunds.create({ charge: "ch_1042", amount: 20_000 }));
    expect(dollars.message).toBe(
      "Refund amount ($200.00) is greater than unrefunded amount on charge ($113.00)",
    );
    const yen = await refusal(world.stripe.refunds.create({ charge: "ch_1060", amount: 5_801 }));
    expect(yen.message).toBe("Refund amount (¥5,801) is greater than unrefunded amount on charge (¥5,800)");
  });

  test("metadata is merged, emptied by key, and 50 keys at most", async () => {
    const { id } = await world.stripe.refunds.create({
      charge: "ch_1042",
      amount: 1,
      metadata: { a: "1", b: "2" },
    });
    const updated = await world.stripe.refunds.update(id, { metadata: { a: "", c: "ü [x]=&" } });
    expect(updated.metadata).toEqual({ b: "2", c: "ü [x]=&" });
    expect((await world.stripe.refunds.retrieve(id)).metadata).toEqual({ b: "2", c: "ü [x]=&" });
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, "v"]));
    expect((await refusal(world.stripe.refunds.update(id, { metadata: many }))).statusCode).toBe(400);
    expect((await world.stripe.refunds.update(id, { metadata: "" })).metadata).toEqual({});
  });

  test("only a refund that waits for the customer can be cancelled; its money is free again", async () => {
    const done = await world.stripe.refunds.create({ charge: "ch_1042", amount: 100 });
    expect((await refusal(world.stripe.refunds.cancel(done.id))).statusCode).toBe(400);
    await world.fault({ on: "refund.create", fault: "requires_action" });
    const waiting = await world.stripe.refunds.create({ charge: "ch_1042", amount: 200 });
    expect(waiting.status).toBe("requires_action");
    expect((await world.stripe.charges.retrieve("ch_1042")).amount_refunded).toBe(300);
    expect(await world.stripe.refunds.cancel(waiting.id)).toMatchObject({
      status: "canceled",
      failure_reason: "merchant_request",
    });
    expect((await world.stripe.charges.retrieve("ch_1042")).amount_refunded).toBe(100);
  });

  test("pages go both ways, without gap or repeat, newest first", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 25; n += 1) {
      await world.clock.advance(1_000);
      ids.unshift((await world.stripe.refunds.create({ charge: "ch_1042", amount: 10 })).id);
    }
    const all: string[] = [];
    for await (const refund of world.stripe.refunds.list({ charge: "ch_1042", limit: 4 }))
      all.push(refund.id);
    expect(all).toEqual(ids);
    const back = await world.stripe.refunds.list({
      charge: "ch_1042",
      limit: 4,
      ending_before: ids[10] as string,
    });
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(6, 10));
    expect(back.has_more).toBe(true);
    expect((await world.stripe.refunds.list({ charge: "ch_1042" })).data).toHaveLength(10);
    expect((await world.stripe.refunds.list({ charge: "ch_1043" })).data).toEqual([]);
    const since = await world.stripe.refunds.list({
      payment_intent: "pi_1042",
      created: { gt: Math.floor(world.clock.now() / 1000) - 3 },
      limit: 100,
    });
    expect(since.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const charges = await world.stripe.charges.list({ payment_intent: "pi_1043", expand: ["data.refunds"] });
    expect(charges.data).toMatchObject([{ id: "ch_1043", refunds: { data: [] } }]);
  });

  test.each([
    [{ limit: 0 }, "parameter_invalid_integer"],
    [{ limit: 101 }, "parameter_invalid_integer"],
    [{ starting_after: "re_nope" }, "resource_missing"],
    [{ starting_after: "re_a", ending_before: "re_b" }, undefined],
    [{ shop: "x" }, "parameter_unknown"],
    [{ expand: ["charge"] }, undefined],
  ])("refuses the list parameters %j", async (params, code) => {
    expect((await refusal(world.stripe.refunds.list(params as Stripe.RefundListParams))).code).toBe(code);
  });

  test("events are kept with what changed, and found by type", async () => {
    const { id, lastResponse } = await world.stripe.refunds.create(
      { charge: "ch_1042", amount: 500 },
      { idempotencyKey: "k-events" },
    );
    const events = await world.stripe.events.list({ limit: 100 });
    expect(events.data.map(({ type }) => type).sort()).toEqual(["charge.refunded", "refund.created"]);
    const [created] = (await world.stripe.events.list({ type: "refund.*" })).data;
    expect(created).toMatchObject({
      type: "refund.created",
      data: { object: { id, amount: 500 } },
      request: { id: lastResponse.requestId, idempotency_key: "k-events" },
    });
    const [refunded] = (await world.stripe.events.list({ types: ["charge.refunded"] })).data;
    expect(refunded?.data).toMatchObject({
      object: { id: "ch_1042", amount_refunded: 500 },
      previous_attributes: { amount_refunded: 0 },
    });
    expect(await world.stripe.events.retrieve(created?.id ?? "")).toMatchObject({ id: created?.id });
  });

  test("an intent is paid with a test card, and its charge refunded", async () => {
    const intent = await world.stripe.paymentIntents.create({
      amount: 4_200,
      currency: "eur",
      payment_method: "pm_card_visa",
      confirm: true,
      metadata: { order_number: "2001" },
    });
    expect(intent).toMatchObject({ status: "succeeded", amount_received: 4_200 });
    const refund = await world.stripe.refunds.create({ payment_intent: intent.id, amount: 200 });
    expect(refund).toMatchObject({ charge: intent.latest_charge, currency: "eur" });
    const later = await world.stripe.paymentIntents.create({ amount: 100, currency: "usd" });
    expect(later.status).toBe("requires_payment_method");
    expect((await refusal(world.stripe.refunds.create({ payment_intent: later.id }))).statusCode).toBe(400);
    const declined = await refusal(
      world.stripe.paymentIntents.confirm(later.id, { payment_method: "pm_card_chargeDeclined" }),
    );
    expect(declined).toMatchObject({ statusCode: 402, code: "card_declined", rawType: "card_error" });
    const paid = await world.stripe.paymentIntents.confirm(later.id, { payment_method: "pm_card_visa" });
    expect(paid.status).toBe("succeeded");
    expect((await refusal(world.stripe.paymentIntents.confirm(later.id))).code).toBe(
      "payment_intent_unexpected_state",
    );
  });

  test("a key that is wrong or missing is refused before anything else", async () => {
    const wrong = await refusal(
      new Stripe("sk_test_wrong_one", {
        host: "127.0.0.1",
        port: world.served.port,
        protocol: "http",
      }).refunds.create({ charge: "ch_1042" }),
    );
    expect(wrong).toMatchObject({ statusCode: 401, type: "StripeAuthenticationError" });
    expect(wrong.message).not.toContain("wrong_one");
    expect((await fetch(`${world.served.url}/v1/charges`)).status).toBe(401);
    const basic = `Basic ${Buffer.from("sk_test_sandbox:").toString("base64")}`;
    expect(
      (await fetch(`${world.served.url}/v1/charges`, { headers: { authorization: basic } })).status,
    ).toBe(200);
    expect(await world.state()).toMatchObject({ refunds: 1 });
  });

  test("what it does not have says so in Stripe's shape", async () => {
    expect(await refusal(sdk(world.served.port).customers.list())).toMatchObject({
      statusCode: 404,
      rawType: "invalid_request_error",
    });
    expect(await refusal(world.stripe.refunds.retrieve("re_nope"))).toMatchObject({
      code: "resource_missing",
    });
  });
});

describe("an idempotency key", () => {
  const KEY_K = { idempotencyKey: "k-1" };
  const REFUND = { charge: "ch_1042", amount: 1_000 };

  test("answers the same again, says so, and refunds once", async () => {
    const first = await world.stripe.refunds.create(REFUND, KEY_K);
    const again = await world.stripe.refunds.create(REFUND, KEY_K);
    expect(again.id).toBe(first.id);
    const replayed = (response: { lastResponse: { headers: unknown } }) =>
      (response.lastResponse.headers as Record<string, string>)["idempotent-replayed"];
    expect([replayed(first), replayed(again)]).toEqual([undefined, "true"]);
    expect((await world.state()).refunds_by_charge).toMatchObject({ ch_1042: 1 });
  });

  test("with other parameters, or on another path, is refused", async () => {
    const { id } = await world.stripe.refunds.create(REFUND, KEY_K);
    const other = await refusal(world.stripe.refunds.create({ ...REFUND, amount: 9_000 }, KEY_K));
    expect(other).toMatchObject({ statusCode: 400, rawType: "idempotency_error" });
    expect((await refusal(world.stripe.refunds.update(id, {}, KEY_K))).rawType).toBe("idempotency_error");
    expect((await world.state()).refunds_by_charge).toMatchObject({ ch_1042: 1 });
  });

  test("in flight gives 409, and 400 with other parameters; the first is carried out once", async () => {
    await world.fault({ on: "refund.create", fault: "slow", delay_ms: 5_000 });
    const slow = world.stripe.refunds.create(REFUND, KEY_K);
    // The fault is used up once the first request is under way.
    await expect.poll(async () => (await world.state()).faults).toBe(0);
    expect(await refusal(world.stripe.refunds.create(REFUND, KEY_K))).toMatchObject({
      statusCode: 409,
      code: "idempotency_key_in_use",
    });
    expect(await refusal(world.stripe.refunds.create({ charge: "ch_1042", amount: 2 }, KEY_K))).toMatchObject(
      {
        statusCode: 400,
        rawType: "idempotency_error",
      },
    );
    await world.clock.advance(5_000);
    const done = await slow;
    expect((await world.stripe.refunds.create(REFUND, KEY_K)).id).toBe(done.id);
    expect((await world.state()).refunds_by_charge).toMatchObject({ ch_1042: 1 });
  });

  test("of a request that failed validation is free; of one that was refused in execution it is not", async () => {
    await refusal(world.stripe.refunds.create({ charge: "ch_1042", amount: 0 }, KEY_K));
    expect((await world.stripe.refunds.create(REFUND, KEY_K)).amount).toBe(1_000);
    const refused = await refusal(
      world.stripe.refunds.create({ charge: "ch_1070" }, { idempotencyKey: "k-2" }),
    );
    const repeated = await refusal(
      world.stripe.refunds.create({ charge: "ch_1070" }, { idempotencyKey: "k-2" }),
    );
    expect(repeated.code).toBe(refused.code);
    expect((repeated.headers as Record<string, string>)["idempotent-replayed"]).toBe("true");
  });

  test("is forgotten after its retention, not before", async () => {
    const first = await world.stripe.refunds.create(REFUND, KEY_K);
    world.clock.jump(24 * 3_600_000 - 1);
    expect((await world.stripe.refunds.create(REFUND, KEY_K)).id).toBe(first.id);
    world.clock.jump(1);
    expect((await world.stripe.refunds.create(REFUND, KEY_K)).id).not.toBe(first.id);
  });

  test("200 at once with one key: one refund, and no answer but it or 409", async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        world.post("/v1/refunds", "charge=ch_1042&amount=1000", { "idempotency-key": "k" }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await world.state()).refunds_by_charge).toMatchObject({ ch_1042: 1 });
  });
});

describe("hostile parameters", () => {
  test.each([
    ["a key of a prototype", "charge=ch_1042&amount=1&__proto__[amount]=9"],
    ["a hash where text belongs", "charge[a]=ch_1042"],
    ["text where a hash belongs", "charge=ch_1042&metadata=x"],
    ["both of a key", "charge=ch_1042&metadata[a]=1&metadata[a][b]=2"],
    ["deep nesting", `charge=ch_1042&metadata${"[a]".repeat(200)}=1`],
    ["thousands of keys", `charge=ch_1042&${Array.from({ length: 2_000 }, (_, n) => `k${n}=1`).join("&")}`],
    ["an amount that is no number", "charge=ch_1042&amount=1e3"],
    ["a huge amount", "charge=ch_1042&amount=99999999999999999999"],
  ])("%s: 400, nothing refunded", async (_, body) => {
    const answer = await world.post("/v1/refunds", body);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: { type: string } }).error.type).toBe("invalid_request_error");
    expect((await world.state()).refunds).toBe(1);
  });

  test("a body past the limit: 413", async () => {
    expect((await world.post("/v1/refunds", `charge=${"x".repeat(300_000)}`)).status).toBe(413);
  });
});

test("seeding again changes nothing that has happened", async () => {
  await world.stripe.refunds.create({ charge: "ch_1042", amount: 300 });
  world.sandbox.seedCharges([charge("1042", 1)]);
  expect(await world.stripe.charges.retrieve("ch_1042")).toMatchObject({
    amount: 11_300,
    amount_refunded: 300,
  });
});
