/** A conversation ends: by its customer at any time but during an answer, or by the person who has resolved it. */
import { afterEach, describe, expect, test } from "vitest";
import { tenantScope } from "../../src/kernel/scope.ts";
import { codeOf } from "../actions/reviews-kit.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  expect(world?.errors).toEqual([]);
  await world?.close();
  world = undefined;
});

const OPERATORS = tenantScope(NORTHWIND);
const asks = async (...texts: readonly string[]) => {
  const w = await createTestSystem();
  world = w;
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  for (const text of texts) await w.say(scope, conversation, text);
  const status = async () => (await w.system.conversations.view(scope, conversation)).status;
  const end = () => w.system.conversations.end(scope, conversation);
  return { w, scope, conversation, status, end };
};

describe("a customer ends a conversation", () => {
  test("and it is resolved, once, however often it is asked for", async () => {
    const { w, scope, conversation, status, end } = await asks("where is order 1042?");
    await end();
    await end();
    expect(await status()).toBe("resolved");
    const events = await w.system.conversations.events(scope, conversation, 0);
    expect(events.filter(({ type, status }) => type === "status" && status === "resolved")).toHaveLength(1);
  });

  test("and a message afterwards opens it again and is answered", async () => {
    const { w, scope, conversation, status, end } = await asks("where is order 1042?");
    await end();
    const before = (await w.told(scope, conversation)).length;
    await w.say(scope, conversation, "and when does it arrive? order 1042");
    expect(await status()).toBe("with_agent");
    expect((await w.told(scope, conversation)).length).toBeGreaterThan(before);
  });

  test("but not while it is being answered", async () => {
    const { w, scope, conversation, status, end } = await asks();
    await w.system.conversations.accept(scope, conversation, {
      clientMessageId: "m",
      text: "where is order 1042?",
    });
    expect(await codeOf(end())).toBe("conversation_busy");
    await w.drain();
    await end();
    expect(await status()).toBe("resolved");
  });

  test("and the person who was asked for is asked for no more", async () => {
    const { w, status, end } = await asks("I want to talk to a person");
    expect(await status()).toBe("with_person");
    await end();
    expect(await status()).toBe("resolved");
    expect(await w.reviews()).toMatchObject([{ kind: "handoff", state: "withdrawn", claim: null }]);
    const [review] = await w.reviews();
    const stale = w.system.reviews.decide(OPERATORS, review?.review_id ?? "", {
      decisionId: "d-1",
      decision: "resolve",
      version: review?.version ?? 0,
      argsHash: null,
      note: null,
      operator: "olivia",
      mayDecideLarge: true,
    } as never);
    expect(await codeOf(stale)).not.toBeNull();
  });

  test("and a stranger's is no conversation", async () => {
    const { w, conversation } = await asks("where is order 1042?");
    expect(await codeOf(w.system.conversations.end(w.scope("ben"), conversation))).toBe("not_found");
  });

  test("and a refund that waits for an approval goes its way", async () => {
    const w = await createTestSystem();
    world = w;
    const scope = w.scope("dev");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, "I want a refund for order 1055");
    await w.say(scope, conversation, "yes");
    const [review] = await w.reviews();
    expect(review).toMatchObject({ kind: "approval", state: "open" });
    await w.system.conversations.end(scope, conversation);
    expect(await w.reviews()).toMatchObject([{ kind: "approval", state: "open", version: review?.version }]);
  });
});
