/** What a person can decide besides yes and no, and that each of it happens once: to the action that was seen. */
import { afterEach, describe, expect, test } from "vitest";
import { holdOf } from "../../src/actions/lifecycle.ts";
import type { ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { TestSystem } from "../kit/system.ts";
import { codeOf, decide, kindsOf, OPERATORS, UNDO_MS, waiting } from "./reviews-kit.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  expect(world?.errors).toEqual([]);
  await world?.close();
  world = undefined;
});
const start = async (...how: Parameters<typeof waiting>) => {
  const started = await waiting(...how);
  world = started.w;
  return started;
};
const reviewNow = async (w: TestSystem) => (await w.reviews())[0] as ReviewView;

describe("what a person gets to decide", () => {
  test("has each rule with what it read and what came of it, what was said, and a draft in the customer's language", async () => {
    const { w, scope, review } = await start();
    expect(review.rules[0]).toMatchObject({
      clause_id: "unattended-amount",
      result: "needs_person",
      text: expect.stringContaining("100.00"),
      inputs: expect.arrayContaining([
        { name: "request.amountMinor", value: 11_300 },
        { name: "limits.unattendedMaxMinor", value: 10_000 },
      ]),
    });
    expect(review.rules.slice(1).every(({ result }) => result === "no_objection")).toBe(true);
    expect(review.rules.map(({ clause_id }) => clause_id)).toContain("return-window");
    expect(review.packet.clauses).toMatchObject([{ clause_id: "unattended-amount", policy: "refunds" }]);
    expect(review.packet.transcript.length).toBeGreaterThan(2);
    expect(review.draft_reply).not.toBe("");
    const german = await w.open(scope);
    await w.say(scope, german, "Ich möchte bitte mit einem Menschen sprechen");
    const handoff = (await w.reviews()).find(({ kind }) => kind === "handoff");
    expect(handoff).toMatchObject({ language: "de", draft_reply: expect.stringContaining("Danke") });
  });
});

describe("the same decision sent again", () => {
  test("with its decision_id is answered the same and done once, in parallel too", async () => {
    const { w, review } = await start();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => decide(w, review, { decisionId: "d-1" })),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await w.pass(UNDO_MS);
    await w.settle();
    const late = await decide(w, review, { decisionId: "d-1" });
    expect(late.decision).toEqual(answers[0]?.decision);
    expect(await w.refunds("1042")).toHaveLength(1);
    expect(await kindsOf(w, /^review\.approve$/)).toHaveLength(1);
  });

  test("under the ID of another decision is refused", async () => {
    const { w, review } = await start();
    await decide(w, review, { decisionId: "d-1" });
    for (const more of [{ decision: "reject", note: "no" } as const, { operator: "oscar" }, { version: 2 }]) {
      expect(await codeOf(decide(w, review, { decisionId: "d-1", ...more }))).toBe("decision_id_reused");
    }
  });

  test("without an ID is a conflict that shows the decision that counts", async () => {
    const { w, review } = await start();
    await decide(w, review, { decisionId: "d-1" });
    await expect(decide(w, review, { operator: "oscar" })).rejects.toMatchObject({
      code: "already_decided",
      details: {
        decision: { decision_id: "d-1", decided_by: "olivia" },
        seen_version: 1,
        version: 2,
        changed: expect.arrayContaining([{ field: "state", seen: "open", now: "decided" }]),
      },
    });
  });
});

describe("another amount", () => {
  test("is a new action with its own terms; the old one is withdrawn; the customer hears of the new one only", async () => {
    const { w, scope, conversation, review } = await start();
    await decide(w, review, { decision: "approve_changed", amount: "60.00" });
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval" }]);
    await w.pass(UNDO_MS);
    await w.settle();
    const actions = await w.actions();
    expect(actions).toHaveLength(2);
    const old = actions.find(({ id }) => id === review.action_id);
    const fresh = actions.find(({ id }) => id !== review.action_id);
    expect(old).toMatchObject({ state: "cancelled", amount_minor: 11_300 });
    expect(fresh).toMatchObject({
      state: "succeeded",
      amount_minor: 6_000,
      approved_by: "olivia",
      proposed_by: "operator:olivia",
      args: { amount: "60.00", asked_amount: "113.00" },
    });
    expect(fresh?.args_hash).not.toBe(review.args_hash);
    expect(await w.refunds("1042")).toMatchObject([
      { amount: 6_000, metadata: { recourse_action_id: fresh?.id } },
    ]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 6_000 });
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => /has confirmed your refund of 60\.00 USD/.test(text))).toHaveLength(1);
    expect(told.filter((text) => /cancelled/.test(text))).toEqual([]);
  });

  test("takes the same units: what was refunded in part is not refunded again", async () => {
    const { w, scope, conversation, review } = await start();
    await decide(w, review, { decision: "approve_changed", amount: "60.00" });
    await w.pass(UNDO_MS);
    const units = await w.store.transact(OPERATORS, (tx) =>
      tx.selectFrom("allocations").select(["action_id", "state", "amount_minor"]).execute(),
    );
    const live = units.filter(({ state }) => state !== "released");
    expect(live.length).toBe(units.length / 2);
    expect(live.reduce((sum, unit) => sum + unit.amount_minor, 0)).toBeLessThanOrEqual(6_000);
    await w.say(scope, conversation, "refund the socks from order 1042");
    await w.say(scope, conversation, "yes");
    await w.settle();
    expect(await w.refunds("1042")).toHaveLength(1);
  });

  test("is never both: undone nothing happens, crashed in between one of the two or none", async () => {
    const { w, review } = await start();
    await decide(w, review, { decision: "approve_changed", amount: "60.00", decisionId: "d-1" });
    const reopened = await w.system.reviews.undo(OPERATORS, review.review_id, {
      decisionId: "d-1",
      operator: "olivia",
    });
    await w.settle();
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval" }]);
    await decide(w, reopened);
    await w.pass(UNDO_MS);
    await w.settle();
    expect(await w.refunds("1042")).toMatchObject([{ amount: 11_300 }]);
  });

  test.each(["0.00", "113.00", "200.00", "-1", "abc", "60.001"])(
    "of %s is refused and changes nothing",
    async (amount) => {
      const { w, review } = await start();
      expect(await codeOf(decide(w, review, { decision: "approve_changed", amount }))).toBe(
        "decision_not_permitted",
      );
      expect(await reviewNow(w)).toMatchObject({ state: "open", version: review.version });
    },
  );

  test("that is not possible any more when it is due goes back to a person, and nothing is paid", async () => {
    const { w, review } = await start();
    await decide(w, review, { decision: "approve_changed", amount: "60.00" });
    await w.shop.app.request("/shop/sandbox/orders/ord_nw_1042", {
      method: "POST",
      body: JSON.stringify({ deliveredDaysAgo: 60 }),
    });
    await w.pass(UNDO_MS);
    await w.settle();
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval" }]);
    expect(await reviewNow(w)).toMatchObject({ state: "open", decision: null });
    expect((await reviewNow(w)).changes.at(-1)).toMatchObject({ what: "reopened" });
    expect(await w.refunds("1042")).toEqual([]);
  });
});

describe("two people", () => {
  const rules = { secondLimit: "100.00" };

  test("approve above the second limit: the first changes nothing, the second has to be another", async () => {
    const { w, review } = await start(rules);
    expect(review).toMatchObject({ approvals_needed: 2, first_approval: null, priority: "high" });
    const first = await decide(w, review, { decisionId: "d-1" });
    expect(first).toMatchObject({ state: "open", version: review.version, first_approval: { by: "olivia" } });
    expect(await codeOf(decide(w, review, { decisionId: "d-2" }))).toBe("second_person_needed");
    expect(await codeOf(decide(w, review, { operator: "oscar", mayDecideLarge: false }))).toBe(
      "second_person_needed",
    );
    await w.pass(UNDO_MS);
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval" }]);
    await decide(w, review, { operator: "oscar", decisionId: "d-3" });
    await w.pass(UNDO_MS);
    expect(await w.refunds("1042")).toHaveLength(1);
    expect(await w.actions()).toMatchObject([{ state: "succeeded", approved_by: "olivia, oscar" }]);
    expect(await kindsOf(w, /^review\.(first_approval|approve)$/)).toEqual([
      "review.first_approval",
      "review.approve",
    ]);
  });

  test("at the same moment: one is the first, the other the second, and it is paid once", async () => {
    const { w, review } = await start(rules);
    const codes = await Promise.all([
      codeOf(decide(w, review, { operator: "olivia" })),
      codeOf(decide(w, review, { operator: "oscar" })),
      codeOf(decide(w, review, { operator: "olivia" })),
    ]);
    expect(codes.filter((code) => code === "ok")).toHaveLength(2);
    await w.pass(UNDO_MS);
    await w.settle();
    expect(await w.refunds("1042")).toHaveLength(1);
  });

  test("approve the same version: after a question or a new policy both look again", async () => {
    const { w, scope, conversation, review } = await start(rules);
    await decide(w, review);
    await decide(w, review, { decision: "ask", note: "Could you send us a photo?", operator: "oscar" });
    await w.say(scope, conversation, "Here it is.");
    const back = await reviewNow(w);
    expect(back).toMatchObject({ state: "open", first_approval: null });
    await decide(w, back, { operator: "oscar" });
    expect(await reviewNow(w)).toMatchObject({ state: "open", first_approval: { by: "oscar" } });
    expect(await w.refunds("1042")).toEqual([]);
  });

  test("the first can be taken back; then the next is the first", async () => {
    const { w, review } = await start(rules);
    await decide(w, review, { decisionId: "d-1" });
    await w.system.reviews.undo(OPERATORS, review.review_id, { decisionId: "d-1", operator: "olivia" });
    expect(await decide(w, review, { operator: "oscar" })).toMatchObject({
      state: "open",
      first_approval: { by: "oscar" },
    });
  });

  test("approve the same other amount; a smaller one below the limit needs one", async () => {
    const { w, review } = await start(rules);
    await decide(w, review, { decision: "approve_changed", amount: "110.00" });
    expect(
      await codeOf(decide(w, review, { decision: "approve_changed", amount: "105.00", operator: "oscar" })),
    ).toBe("review_changed");
    expect(await codeOf(decide(w, review, { operator: "oscar" }))).toBe("review_changed");
    await decide(w, review, { decision: "approve_changed", amount: "110.00", operator: "oscar" });
    await w.pass(UNDO_MS);
    await w.settle();
    expect(await w.refunds("1042")).toMatchObject([{ amount: 11_000 }]);
  });
});

describe("a question to the customer", () => {
  test("goes out as the person's message; the review waits, and comes back with the answer and its clock", async () => {
    const { w, scope, conversation, review } = await start({
      slaMs: { approval: 3_600_000, handoff: 3_600_000, uncertain: 3_600_000 },
    });
    const leftMs = review.sla.left_ms;
    await w.clock.advance(600_000);
    const asked = await decide(w, review, { decision: "ask", note: "Could you send us a photo of it?" });
    expect(asked).toMatchObject({
      state: "waiting",
      version: review.version + 1,
      sla: { due_at: null, running: false, overdue: false },
      asked: { question: "Could you send us a photo of it?", by: "olivia", answer: null },
    });
    expect((await w.told(scope, conversation)).at(-1)).toBe("Could you send us a photo of it?");
    await w.pass(3 * 3_600_000);
    await w.say(scope, conversation, "Here it is: the zip is broken.");
    const back = await reviewNow(w);
    expect(back).toMatchObject({
      state: "open",
      version: review.version + 2,
      asked: { answer: "Here it is: the zip is broken." },
      sla: { left_ms: leftMs - 600_000, running: true },
    });
    expect(back.packet.transcript.at(-1)?.text).toBe("Here it is: the zip is broken.");
    // The conversation is the agent's again, and nobody has answered twice.
    await w.say(scope, conversation, "where is my order 1042?");
    expect((await w.told(scope, conversation)).at(-1)).toMatch(/1042/);
    expect(await codeOf(decide(w, review))).toBe("review_changed");
    await decide(w, back);
    await w.pass(UNDO_MS);
    expect(await w.refunds("1042")).toHaveLength(1);
  });

  test("does not stop the clock of the approval: unanswered it expires and the customer hears", async () => {
    const { w, scope, conversation, review } = await start();
    await decide(w, review, { decision: "ask", note: "Could you send us a photo of it?" });
    await w.pass(8 * 86_400_000);
    expect(await w.actions()).toMatchObject([{ state: "expired" }]);
    expect(await reviewNow(w)).toMatchObject({ state: "expired" });
    expect((await w.told(scope, conversation)).join()).toContain("not decided in time");
    // Nobody is left to answer for the person: the agent does.
    await w.say(scope, conversation, "where is order 1042?");
    expect((await w.told(scope, conversation)).at(-1)).toContain("#1042");
  });

  test.each([
    ["decided without waiting", "decide"],
    ["cancelled by the customer", "cancel"],
  ] as const)("that is %s leaves the conversation to the agent", async (_, how) => {
    const { w, scope, conversation, review } = await start();
    const asked = await decide(w, review, { decision: "ask", note: "Could you send us a photo of it?" });
    if (how === "decide") await decide(w, asked, { decision: "reject", note: "It shows wear." });
    else await w.system.cancelAction(scope, review.action_id ?? "");
    expect((await w.system.conversations.view(scope, conversation)).status).toBe("open");
    await w.pass(UNDO_MS);
    await w.say(scope, conversation, "where is order 1042?");
    expect((await w.told(scope, conversation)).at(-1)).toContain("#1042");
  });

  test("answered after somebody took the conversation over is the person's, and so is the conversation", async () => {
    const { w, scope, conversation, review } = await start();
    await decide(w, review, { decision: "ask", note: "Could you send us a photo of it?" });
    await w.system.reviews.takeOver(OPERATORS, conversation, "oscar");
    await w.say(scope, conversation, "Here it is.");
    expect(await w.system.reviews.view(OPERATORS, review.review_id)).toMatchObject({
      state: "open",
      asked: { answer: "Here it is." },
    });
    expect((await w.system.conversations.view(scope, conversation)).status).toBe("with_person");
  });

  test("with words that may not leave is not asked", async () => {
    const { w, scope, conversation, review } = await start();
    const before = await w.events(scope, conversation);
    expect(await codeOf(decide(w, review, { decision: "ask", note: "Write to eve@example.org" }))).toBe(
      "text_withheld",
    );
    expect(await w.events(scope, conversation)).toEqual(before);
  });
});

describe("handed back to the agent", () => {
  test("an approval ends without effect, its units are free, and the customer can go on", async () => {
    const { w, scope, conversation, review } = await start();
    await decide(w, review, { decision: "hand_back" });
    await w.pass(UNDO_MS);
    expect(await w.actions()).toMatchObject([{ state: "cancelled" }]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0 });
    await w.say(scope, conversation, "refund the socks from order 1042");
    expect((await w.told(scope, conversation)).at(-1)).toContain("Shall I go ahead?");
  });

  test("a handoff goes on with the agent, which answers what nobody answered", async () => {
    const { w, scope } = await start();
    const other = await w.open(scope);
    await w.say(scope, other, "I want to talk to a person");
    await w.say(scope, other, "where is order 1042?");
    const handoff = (await w.reviews()).find(({ kind }) => kind === "handoff") as ReviewView;
    await decide(w, handoff, { decision: "hand_back", argsHash: null });
    await w.drain();
    expect((await w.told(scope, other)).at(-1)).toContain("1042");
    expect(await w.system.conversations.view(scope, other)).toMatchObject({ status: "with_agent" });
    await w.say(scope, other, "thanks");
    expect(await codeOf(decide(w, handoff, { decision: "hand_back", argsHash: null }))).toBe(
      "already_decided",
    );
  });
});

describe("a claim", () => {
  const claim = (w: TestSystem, review: ReviewView, operator: string) =>
    w.system.reviews.claim(OPERATORS, review.review_id, operator);

  test("shows who works on it, keeps others from deciding, can be renewed and given up, and frees itself", async () => {
    const { w, review } = await start({ claimMs: 60_000 });
    const claimed = await claim(w, review, "olivia");
    expect(claimed).toMatchObject({ claim: { by: "olivia" }, version: review.version });
    expect(await codeOf(claim(w, review, "oscar"))).toBe("review_claimed");
    await expect(decide(w, review, { operator: "oscar" })).rejects.toMatchObject({
      code: "review_claimed",
      details: { claim: { by: "olivia" } },
    });
    w.clock.jump(50_000);
    await claim(w, review, "olivia");
    w.clock.jump(50_000);
    expect(await codeOf(claim(w, review, "oscar"))).toBe("review_claimed");
    await w.system.reviews.release(OPERATORS, review.review_id, "oscar");
    expect(await reviewNow(w)).toMatchObject({ claim: { by: "olivia" } });
    w.clock.jump(10_000);
    expect(await reviewNow(w)).toMatchObject({ claim: null });
    await claim(w, review, "oscar");
    await w.system.reviews.release(OPERATORS, review.review_id, "oscar");
    expect(await reviewNow(w)).toMatchObject({ claim: null });
    expect(await codeOf(decide(w, review))).toBe("ok");
    expect(await codeOf(claim(w, review, "oscar"))).toBe("already_decided");
  });

  test("of many at once is one", async () => {
    const { w, review } = await start();
    const codes = await Promise.all(["a", "b", "c", "d", "e"].map((name) => codeOf(claim(w, review, name))));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
  });
});

describe("what a person has turned down or cut", () => {
  test.each([
    ["rejected", { decision: "reject", note: "The jacket shows wear." }, "refund the socks from order 1042"],
    ["cut", { decision: "approve_changed", amount: "60.00" }, "refund everything from order 1042"],
  ] as const)("is not paid in smaller parts without a person: %s", async (_, decision, again) => {
    const { w, scope, conversation, review } = await start();
    await decide(w, review, decision);
    await w.pass(UNDO_MS);
    await w.settle();
    const before = await w.refunds("1042");
    await w.say(scope, conversation, again);
    expect((await w.told(scope, conversation)).at(-1)).toContain("A colleague has to approve it first");
    await w.say(scope, conversation, "yes");
    await w.settle();
    expect(await w.refunds("1042")).toEqual(before);
    const open = (await w.reviews()).filter(({ state }) => state === "open");
    expect(open).toMatchObject([
      { kind: "approval", packet: { clauses: [{ clause_id: "refused-by-person" }] } },
    ]);
    await decide(w, open[0] as ReviewView, { operator: "oscar" });
    await w.pass(UNDO_MS);
    await w.settle();
    expect(await w.refunds("1042")).toHaveLength(before.length + 1);
  });

  test("leaves other orders alone", async () => {
    const { w, review } = await start();
    await decide(w, review, { decision: "reject", note: "The jacket shows wear." });
    await w.pass(UNDO_MS);
    const ben = w.scope("ben");
    const theirs = await w.open(ben);
    await w.say(ben, theirs, "refund order 1044");
    await w.say(ben, theirs, "yes");
    await w.settle();
    expect(await w.refunds("1044")).toHaveLength(1);
  });
});

test("whatever was decided, held money belongs to a live action", async () => {
  const { w, review } = await start();
  await decide(w, review, { decision: "approve_changed", amount: "1.00" });
  await w.pass(UNDO_MS);
  await w.settle();
  for (const action of await w.actions()) expect(holdOf(action.state)).not.toBe("held");
});
