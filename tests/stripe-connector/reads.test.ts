import { describe, expect, test } from "vitest";
import type { Payments } from "../../src/commerce/payments.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import {
  CHARGE,
  connect,
  error,
  refund,
  START_MS,
  says,
  TENANT,
  WANTED,
  withSandbox,
  withServer,
} from "./connector.ts";

const UNAVAILABLE = { code: "provider_unavailable" };

describe("reads at the sandbox", () => {
  test("a charge as the port has it", async () => {
    const { payments } = await withSandbox([
      { ...CHARGE, disputed: true, capturedMinor: 11_299 },
      { ...CHARGE, chargeId: "ch_yen", paymentIntentId: "pi_yen", currency: "JPY", amountMinor: 5_800 },
    ]);
    await payments.createRefund({ ...WANTED, chargeId: "ch_yen", currency: "JPY", amountMinor: 800 });
    expect(await payments.charge(TENANT, "ch_1042")).toEqual({
      id: "ch_1042",
      currency: "USD",
      capturedMinor: 11_299,
      refundedMinor: 0,
      disputed: true,
    });
    expect(await payments.charge(TENANT, "ch_yen")).toMatchObject({ currency: "JPY", refundedMinor: 800 });
    expect(await payments.charge(TENANT, "ch_nope")).toBeNull();
  });

  test("every page of a charge's refunds, ours and others', and of no other charge", async () => {
    const refunds = Array.from({ length: 250 }, (_, n) => ({
      amountMinor: 1,
      status: "succeeded" as const,
      createdAt: START_MS - n * 1_000,
    }));
    const { payments } = await withSandbox([
      { ...CHARGE, refunds },
      { ...CHARGE, chargeId: "ch_other", paymentIntentId: "pi_other" },
    ]);
    await payments.createRefund(WANTED);
    await payments.createRefund({ ...WANTED, chargeId: "ch_other", idempotencyKey: "k2", actionId: "act_2" });
    const found = await payments.refundsOf(TENANT, "ch_1042");
    expect(found).toHaveLength(251);
    expect(new Set(found.map(({ id }) => id)).size).toBe(251);
    expect(found.filter(({ actionId }) => actionId !== null)).toMatchObject([
      { actionId: "act_1", amountMinor: 2_400, createdAt: START_MS },
    ]);
  });

  test("a refund through its life", async () => {
    const { payments, fault, clock } = await withSandbox();
    await fault("pending_then_failed", { delay_ms: 5_000 });
    const outcome = await payments.createRefund(WANTED);
    const id = outcome.kind === "accepted" ? outcome.refund.id : "";
    expect(await payments.refund(TENANT, id)).toMatchObject({ status: "pending", failureReason: null });
    await clock.advance(5_000);
    expect(await payments.refund(TENANT, id)).toMatchObject({
      status: "failed",
      failureReason: "lost_or_stolen_card",
    });
    expect(await payments.charge(TENANT, "ch_1042")).toMatchObject({ refundedMinor: 0 });
    expect(await payments.refund(TENANT, "re_nope")).toBeNull();
  });

  test("one that waits for the customer is pending; one that was cancelled is", async () => {
    const { payments, fault, served } = await withSandbox();
    await fault("requires_action");
    const outcome = await payments.createRefund(WANTED);
    const id = outcome.kind === "accepted" ? outcome.refund.id : "";
    expect(await payments.refund(TENANT, id)).toMatchObject({ status: "pending" });
    await fetch(`${served.url}/v1/refunds/${id}/cancel`, {
      method: "POST",
      headers: { authorization: "Bearer sk_test_sandbox" },
    });
    expect(await payments.refund(TENANT, id)).toMatchObject({ status: "cancelled" });
  });
});

const reads: readonly [string, (payments: Payments, signal?: AbortSignal) => Promise<unknown>][] = [
  ["charge", (payments, signal) => payments.charge(TENANT, "ch_1042", signal)],
  ["refundsOf", (payments, signal) => payments.refundsOf(TENANT, "ch_1042", signal)],
  ["refund", (payments, signal) => payments.refund(TENANT, "re_1", signal)],
];

describe.each(reads)("%s without a usable answer is provider_unavailable", (_, read) => {
  test.each<[string, number, unknown]>([
    ["a proxy's page", 200, "<html></html>"],
    ["an empty object", 200, {}],
    ["null", 200, "null"],
    ["a proxy's 404", 404, { error: "Not Found" }],
    ["a gateway's 404", 404, { message: "no route" }],
    ["our key is refused", 401, error("invalid_request_error")],
    ["rate limited", 429, error("invalid_request_error", { code: "rate_limit" })],
    ["broken", 500, error("api_error")],
  ])("%s", async (__, status, body) => {
    const stub = await withServer(says(status, body));
    await expect(read(connect(stub.url))).rejects.toMatchObject(UNAVAILABLE);
    expect(stub.requests).toHaveLength(1);
  });

  test("silence, until the deadline or until it is given up", async () => {
    const stub = await withServer(() => {});
    await expect(read(connect(stub.url))).rejects.toMatchObject(UNAVAILABLE);
    const giveUp = new AbortController();
    const reading = read(connect(stub.url, { timeoutMs: 20_000 }), giveUp.signal);
    await expect.poll(() => stub.requests.length, { timeout: 10_000 }).toBe(2);
    giveUp.abort();
    await expect(reading).rejects.toMatchObject(UNAVAILABLE);
    await expect(read(connect(stub.url), AbortSignal.abort())).rejects.toMatchObject(UNAVAILABLE);
    expect(stub.requests).toHaveLength(2);
  });

  test("an outage", async () => {
    const { payments, outage } = await withSandbox();
    await outage(true);
    await expect(read(payments)).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe("an answer that must not read as 'there are no refunds'", () => {
  const list = (data: unknown, more: Record<string, unknown> = {}) => ({
    object: "list",
    data,
    has_more: false,
    url: "/v1/refunds",
    ...more,
  });
  test.each<[string, number, unknown]>([
    ["a list without data", 200, { object: "list", has_more: false }],
    ["a list that does not say whether it goes on", 200, { object: "list", data: [] }],
    ["a list that goes on after nothing", 200, list([], { has_more: true })],
    ["refunds of another charge", 200, list([refund({ charge: "ch_other" })])],
    ["a refund without an amount", 200, list([refund({ amount: null })])],
    [
      "a charge that this account does not have",
      404,
      error("invalid_request_error", { code: "resource_missing" }),
    ],
  ])("%s", async (_, status, body) => {
    const stub = await withServer(says(status, body));
    await expect(connect(stub.url).refundsOf(TENANT, "ch_1042")).rejects.toMatchObject(UNAVAILABLE);
  });

  test("a second page that fails", async () => {
    const stub = await withServer((request, response, n) =>
      n === 1
        ? says(200, list([refund()], { has_more: true }))(request, response)
        : says(500, error("api_error"))(request, response),
    );
    await expect(connect(stub.url).refundsOf(TENANT, "ch_1042")).rejects.toMatchObject(UNAVAILABLE);
    expect(stub.requests.map(({ url }) => url)).toEqual([
      "/v1/refunds?charge=ch_1042&limit=100",
      "/v1/refunds?charge=ch_1042&limit=100&starting_after=re_1",
    ]);
  });

  test("a list that never ends", async () => {
    const stub = await withServer((request, response, n) =>
      says(200, list([refund({ id: `re_${n}` })], { has_more: true }))(request, response),
    );
    await expect(connect(stub.url).refundsOf(TENANT, "ch_1042")).rejects.toMatchObject(UNAVAILABLE);
    expect(stub.requests).toHaveLength(LIMITS.refundPages);
  });
});
