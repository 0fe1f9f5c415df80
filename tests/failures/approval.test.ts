/**
 * What went wrong in public with approvals, as tests. The number in brackets is the case's, see README.md.
 * `tests/actions/approvals.test.ts` has the ordinary ways.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { Decision, ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { ConversationId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { SimulatedCrash } from "../../src/kernel/ports.ts";
import { type CustomerScope, tenantScope } from "../../src/kernel/scope.ts";
import { NORTHWIND } from "../kit/database.ts";
import { obedientAgent, please } from "../kit/obedient-agent.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const OPERATORS = tenantScope(NORTHWIND);

/** Ada's whole order is 113.00 USD: above what may go out unattended. */
async function waiting(options: TestOptions = {}) {
  const agent = obedientAgent();
  const w = await createTestSystem({ agent, ...options });
  world = w;
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  await w.say(scope, conversation, please("process_refund", { order_id: "1042", amount: "113.00" }));
  await w.say(scope, conversation, "yes");
  const [review] = await w.reviews();
  if (review === undefined) throw new Error("no review was opened");
  return { w, agent, scope, conversation, review };
}

/** One customer with two refunds that need a person: a gift of 12.00, and 398.50. */
async function twoWaiting() {
  const w = await createTestSystem({ agent: obedientAgent() });
  world = w;
  const scope = w.scope("c_nw_021");
  const conversation = await w.open(scope);
  for (const [order_id, amount] of [
    ["1203", "12.00"],
    ["1208", "398.50"],
  ]) {
    await w.say(scope, conversation, please("process_refund", { order_id, amount }));
    await w.say(scope, conversation, "yes");
    w.clock.jump(1_000);
  }
  const reviews = await w.reviews();
  expect(reviews.map(({ packet }) => packet.order_number)).toEqual(["1203", "1208"]);
  return { w, scope, conversation, reviews: reviews as [ReviewView, ReviewView] };
}

const wish = (review: ReviewView, more: Partial<Decision> = {}): Decision => ({
  decision: "approve",
  argsHash: review.args_hash,
  version: review.version,
  note: null,
  operator: "olivia",
  ...more,
});
const decide = (w: TestSystem, review: ReviewView, more: Partial<Decision> = {}, system = w.system) =>
  system.reviews.decide(OPERATORS, review.review_id, wish(review, more));
const restart = async (w: TestSystem) => {
  w.restart();
  await w.queue.work((item) => w.system.worker.handle(item));
};
const decisions = async (w: TestSystem) =>
  (await w.audit()).filter(({ kind }) => /^review\.(approve|reject)$/.test(kind)).map(({ kind }) => kind);
const confirmed = async (w: TestSystem, scope: CustomerScope, conversation: ConversationId) =>
  (await w.told(scope, conversation)).filter((text) => text.includes("has confirmed your refund"));

describe("approval", () => {
  test("[16] [132] after an approval log and view have the action once: nothing is replayed into the next turn", async () => {
    const { w, agent, scope, conversation, review } = await waiting();
    await decide(w, review);
    await w.drain();
    await w.say(scope, conversation, "thanks");
    const events = await w.events(scope, conversation);
    expect(new Set(events.map(({ seq }) => seq)).size).toBe(events.length);
    const texts = events.filter(({ author }) => author === "agent").map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    const view = agent.views.at(-1);
    expect(view?.actions).toHaveLength(1);
    expect(view?.actions[0]).toMatchObject({ state: "succeeded" });
    expect(view?.offer).toBeNull();
    const seqs = view?.transcript.map(({ seq }) => seq) ?? [];
    expect(new Set(seqs).size).toBe(seqs.length);
    const recorded = await w.store.transact(OPERATORS, (tx) =>
      tx.selectFrom("steps").select("outcome").execute(),
    );
    expect(recorded.filter(({ outcome }) => (outcome as { kind: string }).kind === "recorded")).toHaveLength(
      1,
    );
  });

  test("[17] [108] [120] the model is away after the approval: effect and news do not need it, and nothing is asked twice", async () => {
    const { w, agent, scope, conversation, review } = await waiting();
    agent.failure = new Error("429 rate limited");
    await decide(w, review);
    await w.drain();
    expect(await w.actions()).toMatchObject([{ state: "succeeded", approved_by: "olivia" }]);
    expect(await w.refunds("1042")).toMatchObject([{ amount: 11_300 }]);
    expect(await confirmed(w, scope, conversation)).toHaveLength(1);
    await w.say(scope, conversation, "where is my money?");
    expect(await w.reviews()).toMatchObject([
      { kind: "approval" },
      { kind: "handoff", reason: "agent_failed" },
    ]);
    agent.failure = null;
    const other = await w.open(scope);
    await w.say(scope, other, "where is my money?");
    expect(agent.views.at(-1)?.actions).toMatchObject([{ state: "succeeded" }]);
    expect(await w.actions()).toHaveLength(1);
  });

  test("[18] two approvals of one conversation, decided one at a time with a restart between: each its own", async () => {
    const { w, reviews } = await twoWaiting();
    const [gift, large] = reviews;
    expect(gift.review_id).not.toBe(large.review_id);
    await decide(w, large);
    await w.drain();
    expect([(await w.refunds("1203")).length, (await w.refunds("1208")).length]).toEqual([0, 1]);
    await restart(w);
    await decide(w, gift);
    await w.drain();
    expect(await w.refunds("1203")).toMatchObject([{ amount: 1200 }]);
    expect(await w.refunds("1208")).toMatchObject([{ amount: 39_850 }]);
  });

  test("[20] what the agent proposes after the pause changes nothing: the stored terms are carried out", async () => {
    const { w, agent, scope, conversation, review } = await waiting();
    agent.next = async () => ({
      type: "call",
      tool: "process_refund",
      args: { order_id: "1042", amount: "91.00" },
    });
    await restart(w);
    await w.say(scope, conversation, "yes");
    await decide(w, review);
    await w.drain();
    await w.say(scope, conversation, "yes");
    await w.settle();
    expect(await w.refunds("1042")).toMatchObject([{ amount: 11_300 }]);
    expect(await w.actions()).toMatchObject([{ amount_minor: 11_300, args_hash: review.args_hash }]);
  });

  test("[23] two operators press approve and reject within 5 ms: one decision counts, the other is told which", async () => {
    for (const first of ["approve", "reject"] as const) {
      const { w, review } = await waiting();
      const second = first === "approve" ? "reject" : "approve";
      const answers = await Promise.allSettled([
        decide(w, review, { decision: first, note: "no", operator: "olivia" }),
        decide(w, review, { decision: second, note: "no", operator: "oscar" }, w.another()),
      ]);
      await w.settle();
      const won = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.decision] : []));
      const lost = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
      expect(won).toHaveLength(1);
      expect(lost).toMatchObject([{ code: "already_decided", details: { decision: won[0] } }]);
      const approved = won[0]?.decision === "approve";
      expect(await decisions(w)).toEqual([approved ? "review.approve" : "review.reject"]);
      expect(await w.refunds("1042")).toHaveLength(approved ? 1 : 0);
      expect(await w.actions()).toMatchObject([{ state: approved ? "succeeded" : "rejected" }]);
      await w.close();
      world = undefined;
    }
  });

  test("[24] [104] every process restarts, and two hours pass, before the approval: the effect happens once", async () => {
    const { w, scope, conversation, review } = await waiting();
    await restart(w);
    await w.pass(2 * 3_600_000);
    await restart(w);
    expect(await w.reviews()).toMatchObject([{ review_id: review.review_id, state: "open" }]);
    await decide(w, review);
    // Killed right after the decision was kept, before anybody was woken.
    w.queue.items.splice(0);
    await restart(w);
    await w.settle();
    expect(await w.refunds("1042")).toHaveLength(1);
    expect(await w.reviews()).toHaveLength(1);
    expect(await confirmed(w, scope, conversation)).toHaveLength(1);
  });

  test("[105] two waiting actions decided in the other order, and at the same time: each resolves its own", async () => {
    const { w, scope, conversation, reviews } = await twoWaiting();
    const other = w.another();
    await Promise.all([decide(w, reviews[1]), decide(w, reviews[0], {}, other)]);
    const items = w.queue.items.splice(0);
    await Promise.all(items.map((item, n) => (n % 2 === 0 ? w.system : other).worker.handle(item)));
    await other.executor.idle();
    await w.drain();
    expect((await w.actions()).map(({ order_number, state }) => [order_number, state])).toEqual([
      ["1203", "succeeded"],
      ["1208", "succeeded"],
    ]);
    expect(await confirmed(w, scope, conversation)).toHaveLength(2);
    expect(w.errors).toEqual([]);
  });

  test("[106] a tool that nobody registered is no tool, whatever it is called: nothing runs and nothing waits", async () => {
    const agent = obedientAgent();
    const w = await createTestSystem({ agent });
    world = w;
    const scope = w.scope("ada");
    for (const tool of [
      "issue_refund",
      "process_refund_v2",
      "constructor",
      "__proto__",
      "hasOwnProperty",
      "Process_Refund",
    ]) {
      const conversation = await w.open(scope);
      await w.say(scope, conversation, please(tool, { order_id: "1042", amount: "24.00" }));
      await w.say(scope, conversation, "yes");
      expect((await w.told(scope, conversation))[0], tool).toContain("tool_unknown");
    }
    expect(await w.actions()).toEqual([]);
    expect(await w.reviews()).toEqual([]);
  });

  test("[107] what is approved is checked once more before it is sent; a check that breaks asks nobody again", async () => {
    let broken = false;
    const { w, review } = await waiting({
      payments: (real) => ({
        ...real,
        charge: (tenant, id, signal) => {
          if (broken) throw new TypeError("the callback throws");
          return real.charge(tenant, id, signal);
        },
      }),
    });
    broken = true;
    await decide(w, review);
    await w.drain();
    expect(await w.refunds("1042")).toEqual([]);
    expect(await w.actions()).toMatchObject([{ state: "scheduled" }]);
    broken = false;
    await w.pass(LIMITS.leaseMs + 1);
    await w.settle();
    expect(await w.refunds("1042")).toHaveLength(1);
    expect(await w.reviews()).toHaveLength(1);
    expect(
      (await w.audit()).filter(({ kind }) => kind === "action.executing" || kind === "action.scheduled")
        .length,
    ).toBeLessThanOrEqual(2);
  });

  test("[109] the first decision is final, in both directions, however late the other comes", async () => {
    for (const first of ["approve", "reject"] as const) {
      const { w, review } = await waiting();
      await decide(w, review, { decision: first, note: "final" });
      await w.drain();
      await w.pass(3_600_000);
      const effects = (await w.refunds("1042")).length;
      for (const decision of ["approve", "reject"] as const) {
        await expect(decide(w, review, { decision, note: "again" })).rejects.toMatchObject({
          code: "already_decided",
        });
      }
      await w.settle();
      expect(await w.refunds("1042")).toHaveLength(effects);
      expect(effects).toBe(first === "approve" ? 1 : 0);
      await w.close();
      world = undefined;
    }
  });

  test("[110] conversation, message, action and review exist before anybody answers, and survive a crash right after", async () => {
    const { w, scope, conversation } = await (async () => {
      const made = await createTestSystem({ agent: obedientAgent() });
      world = made;
      const who = made.scope("ada");
      const id = await made.open(who);
      await made.say(who, id, please("process_refund", { order_id: "1042", amount: "113.00" }));
      made.setBoundary((name) => {
        if (name === "action.after-record-commit") throw new SimulatedCrash(name);
      });
      await made.say(who, id, "yes");
      made.setBoundary(() => {});
      return { w: made, scope: who, conversation: id };
    })();
    await restart(w);
    const [review] = await w.reviews();
    expect(review).toMatchObject({ kind: "approval", state: "open", conversation_id: conversation });
    expect(review?.packet.transcript.map(({ author }) => author)).toContain("customer");
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval" }]);
    await w.pass(LIMITS.leaseMs + 1);
    await decide(w, review as ReviewView);
    await w.drain();
    expect(await w.refunds("1042")).toHaveLength(1);
    expect(await confirmed(w, scope, conversation)).toHaveLength(1);
  });
});
