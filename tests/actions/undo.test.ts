/** A decision can be taken back for a moment: it has had no effect by then, and nothing is ever reversed. */
import { afterEach, describe, expect, test } from "vitest";
import type { ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { TestSystem } from "../kit/system.ts";
import { codeOf, decide, kindsOf, OPERATORS, UNDO_MS, waiting } from "./reviews-kit.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
const start = async (...how: Parameters<typeof waiting>) => {
  const started = await waiting(...how);
  world = started.w;
  return started;
};
const undo = (w: TestSystem, review: ReviewView, decisionId: string, operator = "olivia") =>
  w.system.reviews.undo(OPERATORS, review.review_id, { decisionId, operator });

describe("an approval", () => {
  test("has no effect before its time is over, and then one, without a sweep", async () => {
    const { w, scope, conversation, review } = await start();
    const decided = await decide(w, review, { decisionId: "d-1" });
    expect(decided).toMatchObject({ state: "decided", decision: { decision_id: "d-1" } });
    expect(Date.parse(decided.undo_until ?? "")).toBe(w.clock.now() + UNDO_MS);
    await w.clock.advance(UNDO_MS - 1);
    await w.drain();
    await w.system.recovery.sweep();
    expect(await w.refunds("1042")).toEqual([]);
    expect(await w.actions()).toMatchObject([{ state: "scheduled" }]);
    await w.clock.advance(1);
    await w.drain();
    expect(await w.refunds("1042")).toMatchObject([{ amount: 11_300 }]);
    expect(await w.reviews()).toMatchObject([{ state: "decided", undo_until: null }]);
    expect((await w.told(scope, conversation)).filter((text) => /has confirmed/.test(text))).toHaveLength(1);
  });

  test("is no news for the customer while it can be taken back: asked in any way, it is with a person", async () => {
    const { w, scope, conversation, review } = await start();
    const before = await w.events(scope, conversation);
    await decide(w, review);
    const [action] = await w.actions();
    expect(action?.state).toBe("scheduled");
    const view = await w.system.actionView(scope, action?.id ?? "");
    expect(view).toMatchObject({
      state: "awaiting_approval",
      text: expect.stringContaining("with a colleague"),
    });
    expect(await w.events(scope, conversation)).toEqual(before);
    await w.say(scope, conversation, "where is my money?");
    const answer = (await w.told(scope, conversation)).at(-1) ?? "";
    expect(answer).toMatch(/colleague/);
    expect(answer).not.toMatch(/being sent|approved|confirmed/);
  });

  test("that is lost with its process still happens: the sweep finds it when it is due", async () => {
    const { w, review } = await start();
    await decide(w, review);
    w.restart();
    w.clock.jump(UNDO_MS);
    await w.system.recovery.sweep();
    await w.drain();
    expect(await w.refunds("1042")).toHaveLength(1);
  });

  test("undone is open again at a new version; nothing was sent, and the customer saw nothing of it", async () => {
    const { w, scope, conversation, review } = await start();
    const before = await w.events(scope, conversation);
    await decide(w, review, { decisionId: "d-1" });
    const reopened = await undo(w, review, "d-1", "oscar");
    expect(reopened).toMatchObject({ state: "open", version: review.version + 2, decision: null });
    expect(reopened.changes.map(({ what, by }) => [what, by])).toEqual([
      ["decided", "olivia"],
      ["undone", "oscar"],
    ]);
    await w.settle();
    expect(await w.refunds("1042")).toEqual([]);
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval", approved_by: null }]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 11_300 });
    expect(await w.events(scope, conversation)).toEqual(before);
    expect(await kindsOf(w, /^review\./)).toEqual(["review.opened", "review.approve", "review.undone"]);
  });

  test("undone, then approved anew, is paid once; a tab that still shows the first version gets a conflict", async () => {
    const { w, review } = await start();
    await decide(w, review, { decisionId: "d-1" });
    const reopened = await undo(w, review, "d-1");
    expect(await codeOf(decide(w, review, { decisionId: "d-2" }))).toBe("review_changed");
    await decide(w, reopened, { decisionId: "d-3" });
    await w.pass(UNDO_MS);
    await w.settle();
    expect(await w.refunds("1042")).toHaveLength(1);
  });

  test("undone twice is answered the same; undone after a restart too", async () => {
    const { w, review } = await start();
    await decide(w, review, { decisionId: "d-1" });
    w.restart();
    const once = await undo(w, review, "d-1");
    expect(await undo(w, review, "d-1")).toEqual(once);
    expect(await kindsOf(w, /undone/)).toHaveLength(1);
  });

  test.each([
    ["at the very end of its time", UNDO_MS],
    ["an hour later", 3_600_000],
  ])("undone %s is too late, and the refund stays one", async (_, afterMs) => {
    const { w, review } = await start();
    await decide(w, review, { decisionId: "d-1" });
    w.clock.jump(afterMs);
    expect(await codeOf(undo(w, review, "d-1"))).toBe("undo_too_late");
    await w.settle();
    expect(await codeOf(undo(w, review, "d-1"))).toBe("undo_too_late");
    expect(await w.refunds("1042")).toHaveLength(1);
  });

  test("undone in the moment in which a worker begins: either nothing is paid, or it is too late", async () => {
    for (const skewMs of [0, 1]) {
      const { w, review } = await start();
      await decide(w, review, { decisionId: "d-1" });
      w.clock.jump(UNDO_MS - skewMs);
      const [undone] = await Promise.all([codeOf(undo(w, review, "d-1")), w.system.recovery.sweep()]);
      await w.settle();
      expect(await w.refunds("1042")).toHaveLength(undone === "ok" ? 0 : 1);
      await w.close();
      world = undefined;
    }
  });

  test("of another review, or an unknown decision, is the same as none", async () => {
    const { w, review } = await start();
    await decide(w, review, { decisionId: "d-1" });
    expect(await codeOf(undo(w, review, "d-2"))).toBe("not_found");
    const other = { ...review, review_id: "rev_00000000-0000-7000-8000-000000000000" as never };
    expect(await codeOf(undo(w, other, "d-1"))).toBe("not_found");
  });
});

describe("a rejection", () => {
  test("is told once its time is over, not before; undone it is never told", async () => {
    const { w, scope, conversation, review } = await start();
    const note = "The jacket shows wear.";
    await decide(w, review, { decision: "reject", note, decisionId: "d-1" });
    await w.pass(UNDO_MS - 1_000);
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval" }]);
    expect((await w.told(scope, conversation)).join()).not.toContain(note);
    const reopened = await undo(w, review, "d-1");
    await w.pass(UNDO_MS);
    expect(await w.actions()).toMatchObject([{ state: "awaiting_approval" }]);
    await decide(w, reopened, { decision: "reject", note, decisionId: "d-2" });
    await w.pass(UNDO_MS);
    expect(await w.actions()).toMatchObject([{ state: "rejected" }]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 0 });
    expect((await w.told(scope, conversation)).filter((text) => text.includes(note))).toHaveLength(1);
    expect(await w.refunds("1042")).toEqual([]);
  });

  test("with words that may not leave decides nothing", async () => {
    const { w, review } = await start();
    for (const note of ["You are an idiot.", "Order #9999 was the same.", "<b>no</b>"]) {
      expect(await codeOf(decide(w, review, { decision: "reject", note })), note).toBe("text_withheld");
    }
    expect(await w.reviews()).toMatchObject([{ state: "open", version: review.version }]);
  });
});

describe("a customer", () => {
  test("cancels while it waits: a later decision is a conflict that says so, and nothing is paid", async () => {
    const { w, scope, review } = await start();
    const [action] = await w.actions();
    await w.system.cancelAction(scope, action?.id ?? "");
    await expect(decide(w, review)).rejects.toMatchObject({
      code: "review_changed",
      details: {
        state: "withdrawn",
        version: review.version + 1,
        changed: expect.arrayContaining([
          { field: "action.state", seen: "awaiting_approval", now: "cancelled" },
        ]),
      },
    });
    await w.settle();
    expect(await w.refunds("1042")).toEqual([]);
    expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0 });
  });

  test("cancels after the approval, before it takes effect: nothing is paid; after it, it is too late", async () => {
    const { w, scope, conversation, review } = await start();
    const [action] = await w.actions();
    await decide(w, review, { decisionId: "d-1" });
    const cancelled = await w.system.cancelAction(scope, action?.id ?? "");
    expect(await w.system.cancelAction(scope, action?.id ?? "")).toEqual(cancelled);
    expect(await codeOf(undo(w, review, "d-1"))).toBe("undo_too_late");
    await w.settle();
    expect(await w.refunds("1042")).toEqual([]);
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => /cancelled before anything was sent/.test(text))).toHaveLength(1);
    expect(await codeOf(w.system.cancelAction(w.scope("ben"), action?.id ?? ""))).toBe("not_found");
  });

  test("cannot cancel what was begun", async () => {
    const { w, scope, review } = await start();
    const [action] = await w.actions();
    await decide(w, review);
    await w.pass(UNDO_MS);
    expect(await codeOf(w.system.cancelAction(scope, action?.id ?? ""))).toBe("action_not_cancellable");
    expect(await w.refunds("1042")).toHaveLength(1);
  });
});
