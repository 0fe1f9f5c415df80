/** Several people, questions and policies at once about one refund: nobody is forgotten, and nobody decides on what they did not see. */
import { afterEach, describe, expect, test } from "vitest";
import type { ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { TestSystem } from "../kit/system.ts";
import { codeOf, decide, OPERATORS, UNDO_MS, waiting } from "./reviews-kit.ts";

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
const now = (w: TestSystem, review: ReviewView) => w.system.reviews.view(OPERATORS, review.review_id);
const ask = { decision: "ask", note: "Could you send us a photo of it?" } as const;

describe("a question to the customer", () => {
  test("that is asked again before there is an answer leaves the conversation to the agent all the same", async () => {
    const { w, scope, conversation, review } = await start();
    const asked = await decide(w, review, ask);
    await decide(w, asked, { ...ask, note: "And of the label, please?", operator: "oscar" });
    await w.say(scope, conversation, "Here they are.");
    expect(await now(w, review)).toMatchObject({ state: "open", asked: { answer: "Here they are." } });
    expect((await w.system.conversations.view(scope, conversation)).status).toBe("open");
    await w.say(scope, conversation, "where is order 1042?");
    expect((await w.told(scope, conversation)).at(-1)).toContain("#1042");
  });

  test.each(["resolve", "hand_back"] as const)(
    "is waited for no longer once the handoff of its conversation ends with %s: it is to be decided without",
    async (how) => {
      const { w, scope, conversation, review } = await start();
      await decide(w, review, ask);
      const handoff = await w.system.reviews.takeOver(OPERATORS, conversation, "oscar");
      await decide(w, handoff, { decision: how, argsHash: null, operator: "oscar" });
      await w.drain();
      const open = await now(w, review);
      expect(open).toMatchObject({ state: "open", sla: { running: true } });
      expect(open.changes.at(-1)).toMatchObject({ what: "reopened", by: "oscar" });
      // The next message is for the agent, not an answer to a question that nobody asks any more.
      await w.say(scope, conversation, "where is order 1042?");
      expect(await now(w, review)).toMatchObject({ state: "open", version: open.version });
      expect((await w.told(scope, conversation)).at(-1)).toContain("#1042");
      await decide(w, open);
      await w.pass(UNDO_MS);
      expect(await w.refunds("1042")).toHaveLength(1);
    },
  );
});

describe("two people above the second limit", () => {
  test("are not one person twice, from however many sessions and tabs", async () => {
    const { w, review } = await start({ secondLimit: "100.00" });
    const codes = [];
    for (const id of ["tab-1", "tab-2", "phone"])
      codes.push(await codeOf(decide(w, review, { decisionId: id })));
    expect(codes).toEqual(["ok", "second_person_needed", "second_person_needed"]);
    await w.settle();
    expect(await w.refunds("1042")).toEqual([]);
    await decide(w, review, { operator: "oscar" });
    await w.pass(UNDO_MS);
    expect(await w.refunds("1042")).toHaveLength(1);
  });

  test("are not one person and a key of theirs, whichever is first", async () => {
    const { w, review } = await start({ secondLimit: "100.00" });
    const key = { operator: "key:script", isPerson: false };
    expect(await codeOf(decide(w, review, key))).toBe("second_person_needed");
    expect(await now(w, review)).toMatchObject({ state: "open", first_approval: null });
    await decide(w, review);
    expect(await codeOf(decide(w, review, key))).toBe("second_person_needed");
    await w.settle();
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval" }]);
    expect(await w.refunds("1042")).toEqual([]);
  });

  test("below the limit a key decides like anybody", async () => {
    const { w, review } = await start({ secondLimit: "500.00" });
    await decide(w, review, { operator: "key:script", isPerson: false });
    await w.pass(UNDO_MS);
    expect(await w.refunds("1042")).toHaveLength(1);
  });
});

describe("another amount", () => {
  test("approved under a policy that was published meanwhile is a conflict that shows it; seen, it is paid", async () => {
    const { w, review } = await start();
    await publish(w, "return_window_days: 30", "return_window_days: 29");
    const changed = { decision: "approve_changed", amount: "60.00" } as const;
    await expect(decide(w, review, changed)).rejects.toMatchObject({
      code: "review_changed",
      details: {
        changed: expect.arrayContaining([{ field: "policy", seen: "refunds@3", now: "refunds@4" }]),
      },
    });
    const shown = await now(w, review);
    expect(shown.packet.clauses).toMatchObject([{ version: "4" }]);
    await decide(w, shown, changed);
    await w.pass(UNDO_MS);
    await w.settle();
    expect(await w.refunds("1042")).toMatchObject([{ amount: 6_000 }]);
  });

  test("of what was refunded elsewhere in part meanwhile is a conflict that says so: nothing more is paid", async () => {
    const { w, review } = await start();
    await w.provider.app.request("/v1/refunds", {
      method: "POST",
      headers: {
        authorization: "Bearer sk_test_sandbox",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "charge=ch_nw_1042&amount=4000",
    });
    const changed = { decision: "approve_changed", amount: "60.00" } as const;
    expect(await codeOf(decide(w, review, changed))).toBe("decision_not_permitted");
    const shown = await now(w, review);
    expect(shown).toMatchObject({ state: "open", version: review.version + 1 });
    expect(shown.changes.at(-1)).toMatchObject({ what: "reevaluated" });
    await w.settle();
    expect(await w.refunds("1042")).toMatchObject([{ amount: 4_000 }]);
    await decide(w, shown, { decision: "reject", note: "Part of it was paid back already." });
  });
});

/** A version of the policy that governs everything at once, with one text replaced. */
const publish = (w: TestSystem, from: string, to: string) =>
  w.store.transact(OPERATORS, async (tx) => {
    const latest = await tx
      .selectFrom("policy_versions")
      .selectAll()
      .orderBy("effective_from", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const source = latest.source
      .replace(from, to)
      .replace('version: "3"', 'version: "4"')
      .replace("effective_from: 2026-10-01", "effective_from: 2026-11-01");
    await tx
      .insertInto("policy_versions")
      .values({ ...latest, version: "4", effective_from: "2026-11-01", source, hash: `v4 ${to}` })
      .execute();
  });
