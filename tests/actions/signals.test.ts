/** What a person sees of a customer before deciding: what is known, with its figure, and nothing of anybody else. */
import { afterEach, describe, expect, test } from "vitest";
import type { ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { TestSystem } from "../kit/system.ts";
import { decide, UNDO_MS, waiting } from "./reviews-kit.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  expect(world?.errors).toEqual([]);
  await world?.close();
  world = undefined;
});
const start = async () => {
  const started = await waiting();
  world = started.w;
  return started;
};
const namesOf = ({ signals }: ReviewView) => signals.map(({ signal }) => signal);
const signal = (review: ReviewView, name: string) => review.signals.find((each) => each.signal === name);
const openReview = async (w: TestSystem, kind: ReviewView["kind"]): Promise<ReviewView> => {
  const found = (await w.reviews()).find((each) => each.kind === kind && each.state === "open");
  if (found === undefined) throw new Error(`no open ${kind}`);
  return found;
};

describe("the signals of a review", () => {
  test("count this customer's other refunds with their sum, what people rejected, and what else is open; not the action itself", async () => {
    const { w, scope, conversation, review } = await start();
    expect(namesOf(review)).not.toEqual(expect.arrayContaining(["refunds_before"]));
    expect(namesOf(review)).not.toEqual(expect.arrayContaining(["same_order_before"]));
    await decide(w, review, { decision: "reject", note: "Worn." });
    await w.pass(UNDO_MS);
    await w.settle();
    await w.say(scope, conversation, "I want a refund for the socks from order 1042");
    await w.say(scope, conversation, "yes");
    await w.settle();
    const again = await openReview(w, "approval");
    expect(signal(again, "rejected_before")).toMatchObject({ count: 1 });
    expect(signal(again, "same_order_before")).toMatchObject({ count: 1 });
    await decide(w, again);
    await w.pass(UNDO_MS);
    await w.settle();
    const other = await w.open(scope);
    await w.say(scope, other, "I want to talk to a person");
    const handoff = await openReview(w, "handoff");
    expect(signal(handoff, "refunds_before")).toEqual({
      signal: "refunds_before",
      count: 1,
      amount: "24.00",
      currency: "USD",
    });
    expect(namesOf(handoff)).toContain("rejected_before");
    const third = await w.open(scope);
    await w.say(scope, third, "I want to talk to a person");
    expect(signal(await openReview(w, "handoff"), "open_elsewhere")).toMatchObject({ count: 1 });
  });

  test("name what the policy denied this customer, once an order, and nothing of another's", async () => {
    const { w, scope, conversation, review } = await start();
    await decide(w, review, { decision: "reject", note: "Worn." });
    await w.pass(UNDO_MS);
    await w.settle();
    // Past the return window.
    w.clock.jump(60 * 86_400_000);
    for (const _ of [1, 2]) await w.say(scope, conversation, "I want a refund for the socks from order 1042");
    await w.say(scope, conversation, "I want to talk to a person");
    expect(signal(await openReview(w, "handoff"), "denied_before")).toMatchObject({ count: 1 });
    const ben = w.scope("ben");
    await w.say(ben, await w.open(ben), "I want to talk to a person");
    const theirs = (await w.reviews()).find(({ customer_id }) => customer_id === "ben");
    expect(theirs?.signals).toEqual([]);
  });

  test("look back over their window and no further", async () => {
    const { w, scope, conversation, review } = await start();
    await decide(w, review, { decision: "reject", note: "Worn." });
    await w.pass(UNDO_MS);
    await w.settle();
    w.clock.jump(91 * 86_400_000);
    await w.say(scope, conversation, "I want to talk to a person");
    expect(namesOf(await openReview(w, "handoff"))).not.toContain("rejected_before");
  });
});
