/**
 * Every trigger, from the customer's message to the review row: the reason code, a packet that is complete and has
 * no secrets in it, and silence afterwards. The real system, the real model libraries, a scripted model.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ModelSandbox } from "../../sandbox/model/server.ts";
import { DEFAULT_THRESHOLDS, type EscalationThresholds, hear } from "../../src/agents/escalation.ts";
import type { ConversationId } from "../../src/kernel/ids.ts";
import { LANGUAGES } from "../../src/kernel/language.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { wordsOf } from "../../src/wording/words.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createModelSystem, type ModelSystem, startModel } from "../kit/model.ts";
import { whileTimePasses } from "../kit/passing-time.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";

let model: ModelSandbox;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.stop());
let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const OPERATORS = tenantScope(NORTHWIND);
const ENGLISH = wordsOf("en");
/** Something that no workflow reads, so that the model is asked. */
const ODD = "quagga zebra brunch";
const SECRETS = ["4242 4242 4242 4242", "Tr0ub4dor&3", "sk_live_canary51Habcdef", "078-05-1120"] as const;
/** What a careless customer begins with. */
const OVERSHARED = `Quagga zebra: ${SECRETS[0]}, passcode "${SECRETS[1]}", token ${SECRETS[2]}, SSN ${SECRETS[3]}`;

interface Play {
  readonly product: ModelSystem;
  readonly say: (text: string) => Promise<unknown>;
}
interface Trigger {
  readonly what: string;
  readonly reason: string;
  readonly customer?: string;
  readonly play: (stage: Play) => Promise<unknown>;
  /** What the packet says of the attempt. */
  readonly tried: RegExp;
  readonly clauses?: readonly string[];
  readonly order?: string;
  readonly who?: RegExp;
  readonly kind?: "approval";
  readonly issue?: RegExp;
}

const NOTHING_DONE = /^Nothing was looked up or done before this\.$/;
const one =
  (text: string) =>
  ({ say }: Play) =>
    say(text);

const TRIGGERS: readonly Trigger[] = [
  {
    what: "low confidence in a final answer",
    reason: "low_confidence",
    play: ({ say }) => {
      model.script(ODD, { text: "I guess this is it.", logprob: -2.5 });
      return say(ODD);
    },
    tried: /language model: not used: its words were unlikely to itself \(mean log-probability -2\.50/,
    issue: /not sure enough of its answer/,
  },
  {
    what: "low confidence in an intermediate step",
    reason: "low_confidence",
    play: ({ say }) => {
      model.script(ODD, { text: "Let me look.", calls: [{ name: "list_orders" }], logprob: -4 });
      return say(ODD);
    },
    tried: /language model: not used: its words were unlikely to itself \(mean log-probability -4\.00/,
    issue: /not sure enough of its next step/,
  },
  {
    what: "an amount over 100",
    reason: "amount_over_limit",
    kind: "approval",
    play: async ({ say }) => {
      await say("I want a refund for everything in order 1042");
      await say("yes");
    },
    tried: /^Nothing yet: it is sent to the provider when it is approved/,
    clauses: ["unattended-amount"],
    order: "1042",
    issue: /refund of 113\.00 USD.*above what goes out without a person/,
  },
  {
    what: "a customer who has spent over 10,000",
    reason: "high_value_customer",
    kind: "approval",
    customer: "dev",
    play: async ({ say }) => {
      await say("refund order 1055");
      await say("yes");
    },
    tried: /^Nothing yet: it is sent to the provider when it is approved/,
    clauses: ["high-value"],
    order: "1055",
    who: /lifetime spend 1\d{4}\.\d\d USD/,
    issue: /refund of 40\.00 USD.*a customer of this lifetime spend/,
  },
  {
    what: "legal words",
    reason: "legal_or_safety",
    play: one("You will hear from my lawyer, I am taking this to court"),
    tried: NOTHING_DONE,
  },
  {
    what: "a sentiment below the threshold",
    reason: "negative_sentiment",
    play: one("You are fucking thieves, this is bullshit!!!"),
    tried: NOTHING_DONE,
    issue: /very upset/,
  },
  {
    what: "a sentiment that falls with every message",
    reason: "negative_sentiment",
    play: async ({ say }) => {
      for (const text of [
        "Great, thanks!",
        "The parcel is late",
        "This is ridiculous, I am really angry now",
      ])
        await say(text);
    },
    tried: NOTHING_DONE,
    issue: /getting worse with every message/,
  },
  {
    what: "more than three tool calls without progress",
    reason: "no_progress",
    play: ({ say }) => {
      const stubborn = (n: number) => ({ calls: [{ name: "get_order_status", args: `{"{${n}` }] });
      model.script(ODD, ...[1, 2, 3, 4, 5, 6].map(stubborn));
      return say(ODD);
    },
    tried: /The last 4 tool calls brought nothing new\.$/,
  },
  {
    what: "a wish for a person",
    reason: "asked_for_person",
    play: one("I want to talk to a person"),
    tried: NOTHING_DONE,
  },
  {
    what: "the button beside a denial",
    reason: "asked_for_person",
    customer: "cleo",
    play: async ({ say }) => {
      await say("refund order 1031");
      await say(ENGLISH.talk.buttons.askColleague);
    },
    tried: NOTHING_DONE,
    clauses: ["return-window"],
    order: "1031",
  },
  {
    what: "a wish that a model passes on",
    reason: "asked_for_person",
    play: ({ say }) => {
      model.script(ODD, {
        calls: [{ name: "escalate_to_human", args: { summary: "They want someone." } }],
      });
      return say(ODD);
    },
    tried: /search_knowledge/,
    issue: /They want someone\./,
  },
  {
    what: "a safety filter that holds an answer back twice",
    reason: "safety_filter",
    play: ({ say }) => {
      model.script(ODD, { text: "Your refund has been issued." });
      return say(ODD);
    },
    tried: /may not be sent/,
  },
  {
    what: "a denial that the customer does not accept",
    reason: "policy_denied_contested",
    customer: "cleo",
    play: async ({ say }) => {
      await say("refund order 1031");
      await say("that's not fair");
    },
    tried: NOTHING_DONE,
    clauses: ["return-window"],
    order: "1031",
  },
  {
    what: "a denial after which the customer asks for the same",
    reason: "policy_denied_contested",
    customer: "cleo",
    play: async ({ say }) => {
      await say("refund order 1031");
      await say("refund order 1031");
    },
    tried: /process_refund .*denied return-window/,
    clauses: ["return-window"],
    order: "1031",
  },
  {
    what: "a payment provider that is out",
    reason: "provider_unavailable",
    play: async ({ product, say }) => {
      await product.outage(true);
      await whileTimePasses(product.clock, say("refund the socks from order 1042"), 500);
      expect(await product.reviews()).toEqual([]);
      await whileTimePasses(product.clock, say(ENGLISH.talk.buttons.tryAgain), 500);
    },
    tried: /unavailable provider_unavailable/,
  },
  {
    what: "a model that is out",
    reason: "model_unavailable",
    play: ({ say }) => {
      model.fault("error_500", 1_000);
      return say(ODD);
    },
    tried: /language model: no answer: /,
  },
];

async function start(customer: string, options: Omit<TestOptions, "agent"> = {}) {
  const product = await createModelSystem(model, {}, options);
  world = product;
  const scope = product.scope(customer);
  const conversation = await product.open(scope);
  model.script("passcode", { text: "Noted." });
  const say = (text: string) => product.say(scope, conversation, text);
  return { product, scope, conversation, say };
}
const statusOf = async (w: TestSystem, customer: string, conversation: ConversationId) =>
  (await w.system.conversations.view(w.scope(customer), conversation)).status;

describe("each trigger has its reason code, a whole packet without secrets, and silence after it", () => {
  test.each(TRIGGERS)("$what: $reason", async (trigger) => {
    const { customer = "ada", kind = "handoff", reason, clauses = [], order } = trigger;
    const { product, scope, conversation, say } = await start(customer);
    await say(OVERSHARED);
    expect(await product.reviews()).toEqual([]);
    await trigger.play({ product, say });

    const [item, ...others] = await product.reviews();
    expect(others).toEqual([]);
    expect(item).toMatchObject({ kind, reason, state: "open", customer_id: customer });
    const { packet } = await product.system.reviews.view(OPERATORS, item?.review_id ?? "");
    expect(packet.customer).toContain(customer);
    expect(packet.customer).toMatch(trigger.who ?? /lifetime spend/);
    expect(packet.customer).toMatch(/on record/);
    expect(packet.issue).toMatch(trigger.issue ?? /\w/);
    const told = await product.told(scope, conversation);
    const asked = (await product.events(scope, conversation)).filter(({ author }) => author === "customer");
    if (kind === "handoff") expect(packet.issue).toContain(String(asked.at(-1)?.text).slice(0, 40));
    expect(
      packet.tried.some((line) => trigger.tried.test(line)),
      packet.tried.join("\n"),
    ).toBe(true);
    expect(packet.recommended.length).toBeGreaterThan(20);
    expect(packet.clauses.map(({ clause_id }) => clause_id)).toEqual(clauses);
    for (const clause of packet.clauses) expect(clause).toMatchObject({ policy: "refunds", version: /./ });
    if (order !== undefined) expect(packet.order_number).toBe(order);
    // An approval is opened together with the word that tells of it, just before.
    const before = kind === "approval" ? told.slice(0, -1) : told;
    const said = packet.transcript.map(({ text }) => text);
    expect(said).toHaveLength(asked.length + before.length);
    for (const text of [String(asked.at(-1)?.text), ...before]) expect(said).toContain(text);
    const kept = JSON.stringify(packet);
    for (const secret of SECRETS) expect(kept).not.toContain(secret);
    expect(kept).toContain("removed]");
    if (kind === "approval") return;

    expect(told.at(-1)).toContain(ENGLISH.frame.handoff[reason as keyof typeof ENGLISH.frame.handoff]);
    expect(await statusOf(product, customer, conversation)).toBe("with_person");
    await product.outage(false);
    await product.pass(1_000_000);
    await say("refund the socks from order 1042, now");
    await say("yes");
    expect((await product.told(scope, conversation)).slice(told.length)).toEqual([ENGLISH.frame.waiting]);
    expect(await product.actions()).toEqual([]);
    await product.system.reviews.giveBack(OPERATORS, conversation, "olivia");
    await product.drain();
    expect(await statusOf(product, customer, conversation)).not.toBe("with_person");
  });

  test("are all of those that the mission names", () => {
    expect([...new Set(TRIGGERS.map(({ reason }) => reason))].toSorted()).toEqual([
      "amount_over_limit",
      "asked_for_person",
      "high_value_customer",
      "legal_or_safety",
      "low_confidence",
      "model_unavailable",
      "negative_sentiment",
      "no_progress",
      "policy_denied_contested",
      "provider_unavailable",
      "safety_filter",
    ]);
  });
});

describe("the thresholds are the tenant's", () => {
  const FALLING = ["Great, thanks!", "The parcel is late", "This is ridiculous, I am really angry now"];
  const playing = async (escalation: Partial<EscalationThresholds>, texts: readonly string[]) => {
    const { product, say } = await start("ada", { tenant: { escalation } });
    for (const text of texts) await say(text);
    return (await product.reviews()).map(({ reason }) => reason);
  };

  test.each<[string, Partial<EscalationThresholds>, readonly string[], readonly string[]]>([
    ["a milder mood", { sentiment: -0.4 }, ["The parcel is late"], ["negative_sentiment"]],
    ["a worse mood", { sentiment: -0.95 }, ["You are fucking thieves, this is bullshit!!!"], []],
    ["a deeper fall", { fallingBy: 0.9 }, FALLING, []],
    ["a longer fall", { fallingMessages: 4 }, FALLING, []],
    ["a fall that ends lower", { fallingBelow: -0.7 }, FALLING, []],
    ["a shorter fall", { fallingMessages: 2 }, FALLING.slice(0, 2), []],
    [
      "a shorter and shallower fall",
      { fallingMessages: 2, fallingBy: 0.4 },
      FALLING.slice(0, 2),
      ["negative_sentiment"],
    ],
  ])("%s", async (_, escalation, texts, reasons) => {
    expect(await playing(escalation, texts)).toEqual(reasons);
  });

  test.each([1, 3, 5])("%i calls that may stall", async (stalledCalls) => {
    const { product, say } = await start("ada", { tenant: { escalation: { stalledCalls } } });
    const stubborn = (n: number) => ({ calls: [{ name: "get_order_status", args: `{"{${n}` }] });
    model.script(ODD, ...[1, 2, 3, 4, 5, 6, 7].map(stubborn));
    await say(ODD);
    expect(model.requests).toHaveLength(stalledCalls + 1);
    expect(await product.reviews()).toMatchObject([{ reason: "no_progress" }]);
  });

  test("who is marked as one of the best customers", async () => {
    for (const [highValueLifetimeSpend, isMarked] of [
      [100, true],
      [1e6, false],
    ] as const) {
      const { product, say } = await start("ada", { tenant: { escalation: { highValueLifetimeSpend } } });
      await say("I want to talk to a person");
      const [review] = await product.reviews();
      const { packet } = await product.system.reviews.view(OPERATORS, review?.review_id ?? "");
      expect(packet.customer.includes("one of our best customers")).toBe(isMarked);
      await product.close();
      world = undefined;
    }
  });

  test("one message that only complains is no fall, whatever its mood", () => {
    expect(hear("This is ridiculous, I am really angry now").sentiment).toBeGreaterThan(
      DEFAULT_THRESHOLDS.sentiment,
    );
  });
});

test.each(LANGUAGES)('the button "Ask a colleague" is a wish for a person in %s', async (language) => {
  world = await createTestSystem({ tenant: { language } });
  const scope = world.scope("ada");
  const conversation = await world.open(scope);
  await world.say(scope, conversation, wordsOf(language).talk.buttons.askColleague);
  expect(await world.reviews()).toMatchObject([{ kind: "handoff", reason: "asked_for_person" }]);
  expect((await world.told(scope, conversation)).at(-1)).toBe(
    wordsOf(language).frame.handoff.asked_for_person,
  );
});
