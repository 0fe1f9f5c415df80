/** The second limit holds for the sum: nobody gets past a second pair of eyes by parts. */
import { afterEach, describe, expect, test } from "vitest";
import type { Decision, ReviewView } from "../../src/actions/reviews/reviews.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";
import { codeOf, decide, OPERATORS, UNDO_MS } from "./reviews-kit.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  expect(world?.errors).toEqual([]);
  await world?.close();
  world = undefined;
});

async function start(secondLimit: string | null, customer: string) {
  const w = await createTestSystem({ tenant: { reviews: { undoMs: UNDO_MS, secondLimit } } });
  world = w;
  const scope = w.scope(customer);
  /** Asked for in a conversation of its own; the review that it opens. */
  const ask = async (text: string): Promise<ReviewView> => {
    const known = new Set((await w.reviews()).map(({ review_id }) => review_id));
    const conversation = await w.open(scope);
    await w.say(scope, conversation, text);
    await w.say(scope, conversation, "yes");
    const opened = (await w.reviews()).find(({ review_id }) => !known.has(review_id));
    if (opened === undefined) throw new Error(`no review of "${text}"`);
    return opened;
  };
  const approve = (review: ReviewView, more: Partial<Decision> = {}) => codeOf(decide(w, review, more));
  const settle = async () => {
    await w.pass(UNDO_MS);
    await w.settle();
  };
  const now = ({ review_id }: ReviewView) => w.system.reviews.view(OPERATORS, review_id);
  const paidMinor = async (...orders: readonly string[]) =>
    (await Promise.all(orders.map((order) => w.refunds(order))))
      .flat()
      .reduce((sum, { amount }) => sum + amount, 0);
  return { w, ask, approve, settle, now, paidMinor };
}

/** #1042 is 113.00 in all. A person turned all of it down: from then on its parts, 89.00 and 24.00, need a person each. */
async function partsOfOneOrder() {
  const it = await start("100.00", "ada");
  const all = await it.ask("refund everything from order 1042");
  expect(await it.approve(all, { decision: "reject", note: "Which parts, please?" })).toBe("ok");
  await it.settle();
  const [jacket, socks] = [
    await it.ask("refund the jacket from order 1042"),
    await it.ask("refund the socks from order 1042"),
  ];
  expect([jacket.amount, socks.amount]).toEqual(["89.00", "24.00"]);
  expect([jacket.approvals_needed, socks.approvals_needed]).toEqual([1, 1]);
  return { ...it, jacket, socks };
}

describe("parts of one order", () => {
  test("under the limit each and above it together: the second waits for somebody else, and is not paid before", async () => {
    const { w, approve, settle, now, paidMinor, jacket, socks } = await partsOfOneOrder();
    expect(await approve(jacket)).toBe("ok");
    expect(await approve(socks)).toBe("ok");
    await settle();
    expect(await paidMinor("1042")).toBe(8_900);
    expect(await now(socks)).toMatchObject({
      state: "open",
      approvals_needed: 2,
      first_approval: { by: "olivia" },
    });
    expect(await approve(socks)).toBe("second_person_needed");
    expect(await approve(socks, { operator: "key:till", isPerson: false })).toBe("second_person_needed");
    await settle();
    expect(await paidMinor("1042")).toBe(8_900);
    expect(await approve(socks, { operator: "oscar" })).toBe("ok");
    await settle();
    expect(await paidMinor("1042")).toBe(11_300);
    expect((await w.actions()).map(({ approved_by }) => approved_by)).toContain("olivia, oscar");
  });

  test("count together whoever gave the first approval alone", async () => {
    const { approve, settle, now, paidMinor, jacket, socks } = await partsOfOneOrder();
    expect(await approve(jacket)).toBe("ok");
    expect(await approve(socks, { operator: "oscar" })).toBe("ok");
    await settle();
    expect(await paidMinor("1042")).toBe(8_900);
    expect(await now(socks)).toMatchObject({ state: "open", first_approval: { by: "oscar" } });
  });

  test("at the same moment, from two pages: one is paid and the other waits", async () => {
    const { approve, settle, paidMinor, jacket, socks } = await partsOfOneOrder();
    expect(await Promise.all([approve(jacket), approve(socks)])).toEqual(["ok", "ok"]);
    await settle();
    expect([8_900, 2_400]).toContain(await paidMinor("1042"));
  });

  test("do not count once they were taken back", async () => {
    const { w, approve, settle, paidMinor, jacket, socks } = await partsOfOneOrder();
    expect(await approve(jacket, { decisionId: "d-1" })).toBe("ok");
    await w.system.reviews.undo(OPERATORS, jacket.review_id, { decisionId: "d-1", operator: "olivia" });
    expect(await approve(socks)).toBe("ok");
    await settle();
    expect(await paidMinor("1042")).toBe(2_400);
  });

  test("count with the amount that a person changed it to, as soon as that is decided", async () => {
    const { approve, settle, now, paidMinor, jacket, socks } = await partsOfOneOrder();
    expect(await approve(jacket, { decision: "approve_changed", amount: "80.00" })).toBe("ok");
    expect(await approve(socks)).toBe("ok");
    expect(await now(socks)).toMatchObject({ state: "open", first_approval: { by: "olivia" } });
    await settle();
    expect(await paidMinor("1042")).toBe(8_000);
  });
});

describe("orders of one customer", () => {
  /** Of #1113, 5.00 had been paid back in the shop. */
  const BEFORE = 500;

  test("count together for the person who approves them within a day; another person, or another day, starts anew", async () => {
    const { w, ask, approve, settle, now, paidMinor } = await start("200.00", "c_nw_014");
    const [first, second] = [
      await ask("refund everything from order 1113"),
      await ask("refund everything from order 1266"),
    ];
    expect([first.amount, second.amount]).toEqual(["173.00", "173.00"]);
    expect(await approve(first)).toBe("ok");
    expect(await approve(second)).toBe("ok");
    await settle();
    expect(await paidMinor("1113", "1266")).toBe(17_300 + BEFORE);
    expect(await now(second)).toMatchObject({ state: "open", first_approval: { by: "olivia" } });
    w.clock.jump(LIMITS.secondLimitWindowMs);
    const later = await now(second);
    expect(await approve(later, { operator: "oscar" })).toBe("ok");
    await settle();
    expect(await paidMinor("1113", "1266")).toBe(34_600 + BEFORE);
  });

  test("do not count where one person is enough for any amount", async () => {
    const { ask, approve, settle, paidMinor } = await start(null, "c_nw_014");
    for (const review of [
      await ask("refund everything from order 1113"),
      await ask("refund everything from order 1266"),
    ]) {
      expect(await approve(review)).toBe("ok");
    }
    await settle();
    expect(await paidMinor("1113", "1266")).toBe(34_600 + BEFORE);
  });
});
