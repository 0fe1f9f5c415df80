/** A person takes a conversation over: from then on the agent says and does nothing in it, whatever it was about to. */
import { afterEach, describe, expect, test } from "vitest";
import type { ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { Agent, Proposal } from "../../src/agents/agent.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { codeOf } from "../actions/reviews-kit.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  expect(world?.errors).toEqual([]);
  await world?.close();
  world = undefined;
});

const OPERATORS = tenantScope(NORTHWIND);
const send = (w: TestSystem, conversation: string, text: string, id = "m-1", operator = "olivia") =>
  w.system.desk.send(OPERATORS, conversation, { clientMessageId: id, text, operator });
const takeOver = (w: TestSystem, conversation: string, operator = "olivia") =>
  w.system.reviews.takeOver(OPERATORS, conversation, operator);
const giveBack = (w: TestSystem, conversation: string, operator = "olivia") =>
  w.system.reviews.giveBack(OPERATORS, conversation, operator);

/** An agent that waits to be told what to propose. */
function slowAgent() {
  const waiting: ((proposal: Proposal) => void)[] = [];
  const agent: Agent = {
    name: "slow",
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
  return { agent, asked: () => waiting.length, answer: (proposal: Proposal) => waiting.shift()?.(proposal) };
}

async function withSlowAgent() {
  const slow = slowAgent();
  const w = await createTestSystem({ agent: slow.agent });
  world = w;
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  await w.system.conversations.accept(scope, conversation, { clientMessageId: "c-1", text: "hello there" });
  const working = w.queue.run();
  while (slow.asked() === 0) await new Promise((resolve) => setImmediate(resolve));
  return { w, slow, scope, conversation, working };
}

const asks = async (w: TestSystem, text: string) => {
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  await w.say(scope, conversation, text);
  return { scope, conversation };
};
const statusOf = async (w: TestSystem, scope: ReturnType<TestSystem["scope"]>, conversation: string) =>
  (await w.system.conversations.view(scope, conversation)).status;

describe("while the agent works", () => {
  test("its answer is not said, its run ends, and the message is left for the person", async () => {
    const { w, slow, scope, conversation, working } = await withSlowAgent();
    const handoff = await takeOver(w, conversation);
    expect(handoff).toMatchObject({ kind: "handoff", reason: "taken_over", claim: { by: "olivia" } });
    slow.answer({ type: "say", text: "Hello! How can I help?" });
    await working;
    await w.settle();
    expect(await w.told(scope, conversation)).toEqual([]);
    const [run] = await w.system.desk.runs(OPERATORS, conversation);
    expect(run).toMatchObject({ state: "cancelled" });
    expect(await statusOf(w, scope, conversation)).toBe("with_person");
    await send(w, conversation, "Hello Ada, this is Olivia.");
    expect(await w.told(scope, conversation)).toEqual(["Hello Ada, this is Olivia."]);
  });

  test("a handoff of its own is not opened beside the person's", async () => {
    const { w, slow, conversation, working } = await withSlowAgent();
    await takeOver(w, conversation);
    slow.answer({ type: "escalate", reason: "complaint", summary: "An angry customer." });
    await working;
    await w.settle();
    expect(await w.reviews()).toMatchObject([{ reason: "taken_over", state: "open" }]);
  });

  test("an action that the customer has just confirmed is not recorded", async () => {
    const w = await createTestSystem();
    world = w;
    const { scope, conversation } = await asks(w, "refund the socks from order 1042");
    await w.system.conversations.accept(scope, conversation, { clientMessageId: "yes", text: "yes" });
    // Between the claim of the run and the record of its action.
    w.setBoundary(async (name) => {
      if (name !== "run.before-agent") return;
      w.setBoundary(() => {});
      await takeOver(w, conversation);
    });
    await w.drain();
    await w.settle();
    expect(await w.actions()).toEqual([]);
    expect(await w.refunds("1042")).toEqual([]);
    await giveBack(w, conversation);
    await w.drain();
    await w.settle();
    // The person is done: the yes is still the customer's last word, and it is carried out, once.
    expect(await w.refunds("1042")).toHaveLength(1);
  });

  test("even a worker of another process that heard of nothing says nothing", async () => {
    const { w, slow, scope, conversation, working } = await withSlowAgent();
    await w.another().reviews.takeOver(OPERATORS, conversation, "olivia");
    slow.answer({ type: "say", text: "Hello! How can I help?" });
    await working;
    await w.drain();
    expect(await w.told(scope, conversation)).toEqual([]);
  });
});

describe("a conversation of a person", () => {
  test("starts no run; given back, the agent answers what nobody has answered, and only that", async () => {
    const w = await createTestSystem();
    world = w;
    const { scope, conversation } = await asks(w, "where is order 1042?");
    const before = await w.told(scope, conversation);
    await takeOver(w, conversation);
    await w.say(scope, conversation, "and where is my money?");
    await send(w, conversation, "I will look it up for you.");
    await w.say(scope, conversation, "where is order 1042?");
    expect((await w.told(scope, conversation)).slice(before.length)).toEqual(["I will look it up for you."]);
    await giveBack(w, conversation);
    await w.drain();
    const told = await w.told(scope, conversation);
    expect(told.slice(before.length)).toHaveLength(2);
    expect(told.at(-1)).toContain("1042");
    expect(await w.reviews()).toMatchObject([{ state: "decided", decision: { decision: "hand_back" } }]);
    expect(await statusOf(w, scope, conversation)).toBe("with_agent");
  });

  test("is one person's: another is told who has it, until the claim is over", async () => {
    const w = await createTestSystem();
    world = w;
    const { conversation } = await asks(w, "where is order 1042?");
    await takeOver(w, conversation);
    expect(await codeOf(takeOver(w, conversation, "oscar"))).toBe("review_claimed");
    expect(await codeOf(giveBack(w, conversation, "oscar"))).toBe("review_claimed");
    w.clock.jump(3_600_000);
    expect(await takeOver(w, conversation, "oscar")).toMatchObject({ claim: { by: "oscar" } });
    expect(await w.reviews()).toHaveLength(1);
  });

  test("taken over at the same moment has one handoff and one holder", async () => {
    const w = await createTestSystem();
    world = w;
    const { conversation } = await asks(w, "where is order 1042?");
    const codes = await Promise.all(
      ["olivia", "oscar", "olivia"].map((name) => codeOf(takeOver(w, conversation, name))),
    );
    expect(codes).toEqual(["ok", "review_claimed", "ok"]);
    expect(await w.reviews()).toHaveLength(1);
  });

  test("taken over twice by one person is answered the same", async () => {
    const w = await createTestSystem();
    world = w;
    const { scope, conversation } = await asks(w, "I want to talk to a person");
    const first = await takeOver(w, conversation);
    const events = await w.events(scope, conversation);
    const second = await takeOver(w, conversation);
    expect(second.review_id).toBe(first.review_id);
    expect(await w.events(scope, conversation)).toEqual(events);
  });

  test("of another tenant is the same as none", async () => {
    const w = await createTestSystem();
    world = w;
    const { conversation } = await asks(w, "where is order 1042?");
    const stranger = tenantScope(KESTREL);
    expect(await codeOf(w.system.reviews.takeOver(stranger, conversation, "kim"))).toBe("not_found");
    expect(await codeOf(w.system.reviews.giveBack(stranger, conversation, "kim"))).toBe("not_found");
    const message = { clientMessageId: "m", text: "hi", operator: "kim" };
    expect(await codeOf(w.system.desk.send(stranger, conversation, message))).toBe("not_found");
  });
});

describe("a person's message", () => {
  test("is stored once for its ID; with another text, or by another person, it is refused", async () => {
    const w = await createTestSystem();
    world = w;
    const { scope, conversation } = await asks(w, "I want to talk to a person");
    const before = (await w.told(scope, conversation)).length;
    const answers = await Promise.all([1, 2, 3].map(() => send(w, conversation, "Hello!")));
    expect(new Set(answers.map(({ seq }) => seq)).size).toBe(1);
    expect(await codeOf(send(w, conversation, "Something else"))).toBe("client_message_id_reused");
    expect(await codeOf(send(w, conversation, "Hello!", "m-1", "oscar"))).toBe("client_message_id_reused");
    expect((await w.told(scope, conversation)).slice(before)).toEqual(["Hello!"]);
    // A customer's client chooses its own IDs: they are never the same.
    await w.say(scope, conversation, "thanks", "m-1");
    expect((await w.events(scope, conversation)).at(-1)).toMatchObject({
      author: "customer",
      text: "thanks",
    });
  });

  test("needs a conversation that a person has", async () => {
    const w = await createTestSystem();
    world = w;
    const { conversation } = await asks(w, "where is order 1042?");
    expect(await codeOf(send(w, conversation, "Hello!"))).toBe("conversation_with_agent");
  });

  test("goes through the safety filter: nothing of others, no secrets, no insults, no markup", async () => {
    const w = await createTestSystem({ tenant: { linkHosts: ["northwind.example"] } });
    world = w;
    const { scope, conversation } = await asks(w, "I want to talk to a person");
    const before = await w.told(scope, conversation);
    for (const text of [
      "Order #1044 of another customer was the same.",
      "You are an idiot.",
      "Write to ben@example.org.",
      "Your card is 4242 4242 4242 4242.",
      "See https://evil.example/x",
      "<script>alert(1)</script>",
    ]) {
      await expect(send(w, conversation, text), text).rejects.toMatchObject({
        code: "text_withheld",
        details: {
          findings: expect.arrayContaining([expect.objectContaining({ about: expect.any(String) })]),
        },
      });
    }
    expect(await w.told(scope, conversation)).toEqual(before);
    // Their own order they may name, though it was not spoken of here; and the shop's own pages.
    await send(w, conversation, "I looked at order #1042. See https://northwind.example/help", "m-2");
    expect((await w.told(scope, conversation)).at(-1)).toContain("#1042");
  });
});

test("a handoff that is resolved with an answer ends the conversation, which is nobody's in particular", async () => {
  const w = await createTestSystem();
  world = w;
  const { scope, conversation } = await asks(w, "I want to talk to a person");
  const handoff = (await takeOver(w, conversation)) as ReviewView;
  expect(await w.system.desk.view(OPERATORS, conversation, "olivia")).toMatchObject({ assignee: "olivia" });
  await w.system.reviews.decide(OPERATORS, handoff.review_id, {
    decision: "resolve",
    argsHash: null,
    version: handoff.version,
    note: "All is well, the parcel arrives tomorrow.",
    operator: "olivia",
  });
  expect((await w.told(scope, conversation)).at(-1)).toBe("All is well, the parcel arrives tomorrow.");
  expect(await w.system.desk.view(OPERATORS, conversation, "olivia")).toMatchObject({
    assignee: null,
    status: "resolved",
    open_reviews: [],
  });
});
