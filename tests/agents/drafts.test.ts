import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ModelSandbox, serveModelSandbox, type Turn } from "../../sandbox/model/server.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { wordsOf } from "../../src/wording/words.ts";
import { createModelSystem, startModel } from "../kit/model.ts";
import type { TestOptions } from "../kit/system.ts";

let model: ModelSandbox;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.stop());

/** Something that no workflow reads. */
const ODD = "quagga zebra brunch";
const FOUR = [
  "Thank you for asking.",
  "The shop has a page about it.",
  "A colleague can tell you more.",
  "Is there anything else?",
];

/** What a customer who watches is shown of the answer, and what stands in the log afterwards. */
async function watched(turns: readonly Turn[], options: Omit<TestOptions, "agent"> = {}, text = ODD) {
  const product = await createModelSystem(model, {}, options);
  model.script(text, ...turns);
  const scope = product.scope("ada");
  const id = await product.open(scope);
  const drafts: string[] = [];
  const stop = product.system.conversations.subscribe(
    scope,
    id,
    () => {},
    (draft) => drafts.push(draft.text),
  );
  await product.say(scope, id, text);
  stop();
  const told = await product.told(scope, id);
  const events = await product.events(scope, id);
  const reviews = await product.reviews();
  const { errors } = product;
  await product.close();
  return { drafts, told, events, reasons: reviews.map(({ reason }) => reason), errors };
}

describe("an answer that is being written", () => {
  test("is shown by whole sentences, each draft the beginning of the next and of the message", async () => {
    const { drafts, told, events, errors } = await watched([{ text: FOUR.join(" "), tokenMs: 4 }]);
    expect(drafts.length).toBeGreaterThan(1);
    for (const [index, draft] of drafts.entries()) {
      expect(FOUR.map((_, n) => FOUR.slice(0, n + 1).join(" "))).toContain(draft);
      expect(told.at(-1)?.startsWith(draft)).toBe(true);
      expect(draft.startsWith(drafts[index - 1] ?? "")).toBe(true);
    }
    expect(told).toEqual([FOUR.join(" ")]);
    // The log has the message and nothing of the drafts.
    expect(events.filter(({ type }) => type === "message")).toHaveLength(2);
    expect(events.map(({ type }) => type)).not.toContain("draft");
    expect(errors).toEqual([]);
  });

  test("is checked and shown beside the model's call: its first sentence is there while the model still writes", async () => {
    let pieces = 0;
    let goOn = (): void => {};
    const shown = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // A model that has written two sentences, and writes no more before the customer has seen the first.
    const slow = await serveModelSandbox({
      port: 0,
      clock: { ...systemClock, sleep: () => (++pieces <= 12 ? Promise.resolve() : shown) },
    });
    const product = await createModelSystem(slow);
    slow.script(ODD, { text: FOUR.join(" "), tokenMs: 1 });
    const scope = product.scope("ada");
    const id = await product.open(scope);
    const drafts: string[] = [];
    const stop = product.system.conversations.subscribe(
      scope,
      id,
      () => {},
      ({ text }) => {
        drafts.push(text);
        goOn();
      },
    );
    await product.say(scope, id, ODD);
    stop();
    expect(pieces).toBeGreaterThan(12);
    expect(drafts[0]).toBe(FOUR[0]);
    expect(await product.told(scope, id)).toEqual([FOUR.join(" ")]);
    await product.close();
    await slow.stop();
  });

  test("[44] is taken back as soon as a sentence may not leave, and that sentence is never shown", async () => {
    const text = `${FOUR[0]} ${FOUR[1]} I have refunded it to your card. ${FOUR[3]}`;
    const { drafts, told, reasons } = await watched([{ text, tokenMs: 4 }]);
    expect(drafts.length).toBeGreaterThan(1);
    expect(drafts).toContain(wordsOf("en").frame.anotherTry);
    expect(drafts.at(-1)).toBe("");
    expect([...drafts, ...told].join(" ")).not.toContain("refunded");
    expect(reasons).toEqual(["safety_filter"]);
  });

  test("is taken back when its last sentence alone may not leave", async () => {
    const text = `${FOUR[0]} ${FOUR[1]} I have refunded it to your card.`;
    const { drafts, told } = await watched([{ text, tokenMs: 4 }]);
    expect(drafts.at(-1)).toBe("");
    expect([...drafts, ...told].join(" ")).not.toContain("refunded");
  });

  test("is not shown when its words are unlikely to itself, nor from a number on that stands nowhere", async () => {
    expect((await watched([{ text: FOUR.join(" "), logprob: -3, tokenMs: 4 }])).drafts).toEqual([]);
    const { drafts, told } = await watched([
      { text: `${FOUR[0]} You have 90 days for it. ${FOUR[1]} ${FOUR[3]}`, tokenMs: 4 },
    ]);
    expect([...drafts, ...told].join(" ")).not.toContain("90");
    expect(drafts.at(-1)).toBe("");
  });

  test("is taken back when the answer as a whole is doubted, before the large model writes its own", async () => {
    model.reset();
    const product = await createModelSystem(model);
    const scope = product.scope("ada");
    const id = await product.open(scope);
    // The last sentence comes too late for a draft, and states what stands nowhere.
    model.script(ODD, { text: `${FOUR[0]} ${FOUR[1]} That takes 90 days.`, tokenMs: 4 });
    const drafts: string[] = [];
    product.system.conversations.subscribe(
      scope,
      id,
      () => {},
      ({ text }) => drafts.push(text),
    );
    await product.say(scope, id, ODD);
    expect(model.requests.map((request) => request.model)).toEqual(["small", "large"]);
    const shown = FOUR[0];
    const back = drafts.indexOf("");
    expect(drafts.indexOf(shown as string)).toBe(0);
    expect(drafts.indexOf(shown as string, 1)).toBeGreaterThan(back);
    expect(drafts.at(-1)).toBe("");
    await product.close();
  });

  test("is shown in a bounded number of steps, however many sentences a model makes", async () => {
    const text = Array.from(
      { length: 120 },
      (_, n) => `Word ${String.fromCharCode(97 + (n % 26))}${"x".repeat(n % 7)} it is.`,
    ).join(" ");
    const { drafts, told } = await watched([{ text, tokenMs: 1 }]);
    // A retry of a slow model takes back what was shown; that is no draft.
    expect(drafts.filter((draft) => draft !== "").length).toBeLessThanOrEqual(LIMITS.draftsPerAnswer);
    expect(told).toEqual([text]);
  });

  test("begins again after a stream that broke off, and says what the message says", async () => {
    model.reset();
    const product = await createModelSystem(model);
    model.script(ODD, { text: FOUR.join(" "), tokenMs: 4 });
    model.fault("truncated", 1);
    const scope = product.scope("ada");
    const id = await product.open(scope);
    const drafts: string[] = [];
    product.system.conversations.subscribe(
      scope,
      id,
      () => {},
      ({ text }) => drafts.push(text),
    );
    await product.say(scope, id, ODD);
    expect(await product.told(scope, id)).toEqual([FOUR.join(" ")]);
    expect(drafts.every((draft) => FOUR.join(" ").startsWith(draft))).toBe(true);
    await product.close();
  });

  test("says first that an AI writes, as the message does", async () => {
    const { drafts, told } = await watched([{ text: FOUR.join(" "), tokenMs: 4 }], {
      tenant: { aiDisclosure: true },
    });
    expect(told[0]).toMatch(/^I'm the AI assistant of /);
    expect(drafts.length).toBeGreaterThan(0);
    for (const draft of drafts) expect(told[0]?.startsWith(draft)).toBe(true);
  });

  test("words before a call are no answer: what was shown of them is taken back", async () => {
    const { drafts, told } = await watched([
      { text: `${FOUR[0]} ${FOUR[1]} Let me look.`, calls: [{ name: "list_orders" }], tokenMs: 4 },
      { text: "There it is." },
    ]);
    expect(told).toEqual(["There it is."]);
    expect(drafts.at(-1)).toBe("");
  });
});
