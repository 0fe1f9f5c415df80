/**
 * An outcome that nobody knows goes to a person, and the person's word is not what ends it: the provider is asked again,
 * and the ledger becomes what the provider shows (G1, G2, G4).
 */
import { afterEach, describe, expect, test } from "vitest";
import type { ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { Payments } from "../../src/commerce/payments.ts";
import { SimulatedCrash } from "../../src/kernel/ports.ts";
import { whileTimePasses } from "../kit/passing-time.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";
import { codeOf, decide, kindsOf, OPERATORS } from "./reviews-kit.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** A provider whose refund got lost to us: while it hides, its list does not show it and its answer says nothing. */
function forgetful() {
  const state: { hides: boolean; shows?: "pending" } = { hides: true };
  const payments = (real: Payments): Payments => ({
    ...real,
    refundsOf: async (...asked) => {
      const all = state.hides ? [] : await real.refundsOf(...asked);
      return all.map((refund) => ({ ...refund, status: state.shows ?? refund.status }));
    },
    createRefund: async (...asked) => {
      const outcome = await real.createRefund(...asked);
      return state.hides && outcome.kind === "accepted"
        ? { kind: "uncertain", cause: "the answer was lost", replayed: true }
        : outcome;
    },
  });
  return { state, payments };
}

/** Ada's socks, 24.00 of #1042: sent, and then nobody knows. With the fault the provider never had it. */
async function uncertain(fault?: "error_500_before_accept") {
  const { state, payments } = forgetful();
  const w = await createTestSystem({ payments });
  world = w;
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  await w.say(scope, conversation, "refund the socks from order 1042");
  await w.fault("lost", 40, "webhook");
  if (fault !== undefined) await w.fault(fault);
  await w.say(scope, conversation, "yes");
  await w.settle();
  expect(await w.actions()).toMatchObject([{ state: "needs_person" }]);
  expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 2_400, refunded_minor: 0 });
  state.hides = false;
  const review = await openOne(w);
  expect(review).toMatchObject({ kind: "uncertain", reason: "outcome_uncertain" });
  return { w, scope, conversation, review, state };
}

const openOne = async (w: TestSystem): Promise<ReviewView> => {
  const [review, ...others] = (await w.reviews()).filter(({ state }) => state === "open");
  expect(others).toEqual([]);
  return review as ReviewView;
};
const resolve = (w: TestSystem, review: ReviewView, more: Parameters<typeof decide>[2] = {}) =>
  whileTimePasses(w.clock, decide(w, review, { decision: "resolve", note: "It is done.", ...more }));

describe("an uncertain refund that a person resolves", () => {
  test("is confirmed when the provider has it: captured, told once, with the provider's evidence and who asked", async () => {
    const { w, scope, conversation, review } = await uncertain();
    const [refund] = await w.refunds("1042");
    const after = await resolve(w, review);
    expect(after).toMatchObject({
      state: "decided",
      decision: { decision: "resolve", decided_by: "olivia" },
    });
    expect(after.changes.at(-1)?.fields).toContainEqual({
      field: "action.state",
      seen: "needs_person",
      now: "succeeded",
    });
    expect(await w.actions()).toMatchObject([
      {
        state: "succeeded",
        provider_ref: refund?.id,
        evidence: { provider: { refund_id: refund?.id, status: "succeeded", amount_minor: 2_400 } },
      },
    ]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 2_400 });
    await w.settle();
    expect(await w.refunds("1042")).toHaveLength(1);
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => text.includes("has confirmed your refund"))).toHaveLength(1);
    const entry = (await w.audit()).findLast(({ kind }) => kind === "action.succeeded");
    expect(entry?.body).toMatchObject({ because: "looked_up_by_person", by: "olivia", from: "needs_person" });
    expect((await w.reviews()).filter(({ state }) => state === "open")).toEqual([]);
    expect(w.errors).toEqual([]);
  });

  test("has failed when the provider has none, whatever the person writes; its money is free and can be asked for once", async () => {
    const { w, scope, conversation, review } = await uncertain("error_500_before_accept");
    await resolve(w, review, { note: "I have seen it at the provider: it succeeded." });
    expect(await w.actions()).toMatchObject([
      {
        state: "failed",
        evidence: { detail: { cause: "not_found_at_provider" }, provider: { found: null } },
      },
    ]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 0 });
    const told = await w.told(scope, conversation);
    expect(told.at(-1)).toContain("did not go through");
    expect(told.join()).not.toContain("has confirmed");
    // The customer has read that a colleague looks at it: so one is asked.
    const next = await openOne(w);
    expect(next).toMatchObject({ kind: "uncertain", reason: "refund_failed" });
    await resolve(w, next);
    expect(await w.actions()).toMatchObject([{ state: "failed" }]);
    expect((await w.reviews()).filter(({ state }) => state === "open")).toEqual([]);
    await w.settle();
    expect(await w.refunds("1042")).toEqual([]);
    await w.say(scope, conversation, "refund the socks from order 1042");
    await w.say(scope, conversation, "yes");
    await w.settle();
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2_400, status: "succeeded" }]);
    expect(w.errors).toEqual([]);
  });

  test("stays uncertain while the provider cannot be asked: nothing is decided, and it can be tried again", async () => {
    const { w, review } = await uncertain();
    const rows = async () => JSON.stringify([await w.actions(), (await openOne(w)).version, await w.audit()]);
    const before = await rows();
    await w.outage(true);
    expect(await codeOf(resolve(w, review, { decisionId: "d-1" }))).toBe("provider_unavailable");
    expect((await rows()) === before).toBe(true);
    await w.outage(false);
    await resolve(w, review, { decisionId: "d-1" });
    expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
  });

  test("is pending when the provider has it so, and is followed until it is confirmed", async () => {
    const { w, scope, conversation, review, state } = await uncertain();
    state.shows = "pending";
    await resolve(w, review);
    expect(await w.actions()).toMatchObject([{ state: "pending" }]);
    expect((await w.told(scope, conversation)).join()).not.toContain("has confirmed");
    await w.settle();
    expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 2_400 });
  });

  test("paid back by hand meanwhile has failed and is said to be; what was paid by hand is not paid again", async () => {
    const { w, scope, conversation, review } = await uncertain("error_500_before_accept");
    await w.provider.app.request("/v1/refunds", {
      method: "POST",
      headers: {
        authorization: "Bearer sk_test_sandbox",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "charge=ch_nw_1042&amount=2400",
    });
    await resolve(w, review);
    expect(await w.actions()).toMatchObject([
      { state: "failed", evidence: { detail: { cause: "refunded_elsewhere" } } },
    ]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, external_minor: 2_400 });
    expect((await w.told(scope, conversation)).at(-1)).toContain("by other means");
  });

  test("by two people at once, or twice by one, is settled once; the second sees by whom", async () => {
    const { w, scope, conversation, review } = await uncertain();
    const codes = await Promise.all([
      codeOf(resolve(w, review, { decisionId: "d-1" })),
      codeOf(resolve(w, review, { decisionId: "d-1" })),
      codeOf(resolve(w, review, { decisionId: "d-2", operator: "oscar" })),
    ]);
    expect([...new Set(codes)].sort()).toEqual(["already_decided", "ok"]);
    expect(await codeOf(resolve(w, review, { decisionId: "d-3" }))).toBe("already_decided");
    expect(await kindsOf(w, /^action\.succeeded$/)).toHaveLength(1);
    expect(await kindsOf(w, /^review\.resolve$/)).toHaveLength(1);
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => text.includes("has confirmed your refund"))).toHaveLength(1);
  });

  test("whose news came by itself meanwhile has nothing left to resolve", async () => {
    const { w, review } = await uncertain();
    const found = await w.payments.refundsOf(OPERATORS.tenantId, "ch_nw_1042");
    await w.system.executor.applyProviderNews(OPERATORS.tenantId, found);
    expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
    expect(await codeOf(resolve(w, review))).toBe("review_changed");
    expect(await w.system.reviews.view(OPERATORS, review.review_id)).toMatchObject({ state: "withdrawn" });
    expect(await kindsOf(w, /^action\.succeeded$/)).toHaveLength(1);
  });

  test.each(["review.before-decision-commit", "review.after-decision-commit"] as const)(
    "is settled once when the process dies at %s and the decision is sent again",
    async (name) => {
      const { w, review } = await uncertain();
      w.setBoundary((at) => {
        if (at === name) throw new SimulatedCrash(name);
      });
      await expect(resolve(w, review, { decisionId: "d-1" })).rejects.toThrow(SimulatedCrash);
      w.setBoundary(() => {});
      w.restart();
      await resolve(w, review, { decisionId: "d-1" });
      expect(await w.actions()).toMatchObject([{ state: "succeeded" }]);
      expect(await kindsOf(w, /^action\.succeeded$/)).toHaveLength(1);
      expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 2_400 });
    },
  );

  test("that the provider shows only after it was given up counts against the order: no more goes out than was paid", async () => {
    const { w, scope, conversation, review, state } = await uncertain();
    state.hides = true;
    await resolve(w, review);
    expect(await w.actions()).toMatchObject([{ state: "failed" }]);
    state.hides = false;
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2_400, status: "succeeded" }]);
    // Its news comes several times, and a person is told once.
    const late = await w.payments.refundsOf(OPERATORS.tenantId, "ch_nw_1042");
    for (let n = 0; n < 3; n += 1) await w.system.executor.applyProviderNews(OPERATORS.tenantId, late);
    expect(await openOne(w)).toMatchObject({
      kind: "uncertain",
      reason: "refund_appeared",
      priority: "high",
    });
    expect(await w.balance("ord_nw_1042")).toMatchObject({ external_minor: 2_400, held_minor: 0 });
    expect(await w.actions()).toMatchObject([{ state: "failed" }]);
    await w.say(scope, conversation, "refund everything from order 1042");
    await w.say(scope, conversation, "yes");
    const asked = (await w.reviews()).find(({ kind, state: now }) => kind === "approval" && now === "open");
    if (asked !== undefined) await whileTimePasses(w.clock, decide(w, asked));
    await w.settle();
    const balance = await w.balance("ord_nw_1042");
    expect(balance).toMatchObject({ external_minor: 2_400 });
    const paid = (await w.refunds("1042")).reduce((sum, { amount }) => sum + amount, 0);
    expect(paid).toBe((balance?.refunded_minor ?? 0) + 2_400);
    expect(paid).toBeLessThanOrEqual(11_300);
  });
});

test("an uncertain return that a person resolves has failed when the shop has none: its units are free again", async () => {
  const w = await createTestSystem();
  world = w;
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  await w.say(scope, conversation, "I want to return the jacket from order 1042, too small");
  await w.shop.app.request("/shop/sandbox/faults", {
    method: "POST",
    body: JSON.stringify({ on: "returns.create", fault: "error_500", times: 1_000 }),
  });
  await w.say(scope, conversation, "yes");
  w.clock.jump(25 * 3_600_000);
  await w.pass(60_000);
  expect(await w.actions()).toMatchObject([{ kind: "return", state: "needs_person" }]);
  await resolve(w, await openOne(w));
  expect(await w.actions()).toMatchObject([
    { state: "failed", evidence: { detail: { cause: "not_found_at_provider" } } },
  ]);
  expect((await w.told(scope, conversation)).at(-1)).toContain("could not be registered");
  await w.shop.app.request("/shop/sandbox/faults", { method: "DELETE" });
  await w.say(scope, conversation, "I want to return the jacket from order 1042, too small");
  await w.say(scope, conversation, "yes");
  expect((await w.actions()).map(({ state }) => state)).toEqual(["failed", "succeeded"]);
});
