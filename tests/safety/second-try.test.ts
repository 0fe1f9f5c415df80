/**
 * What is withheld: a neutral sentence while the agent is asked once more, then a person. Looked at where it
 * counts: in the log, in what a watching customer was shown, on the run's record and in the queue of people.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { Agent, Proposal, RunView } from "../../src/agents/agent.ts";
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { wordsOf } from "../../src/wording/words.ts";
import { everythingIn, NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const FALSE_CLAIM = "Thank you. I have refunded 24.00 USD to your card.";
const GOOD = "I can look at your order with you.";
const HELLO: Readonly<Record<Language, string>> = {
  en: "Could you please help me with something, my friend?",
  de: "Können Sie mir bitte bei etwas helfen, das wäre sehr nett?",
  fr: "Pourriez-vous m'aider avec quelque chose, s'il vous plaît ?",
  es: "¿Podría usted ayudarme con una cosa, por favor?",
  pt: "O senhor poderia ajudar-me com uma coisa, por favor? Obrigado!",
  it: "Potrebbe aiutarmi con una cosa, per favore? Grazie mille!",
};

/** Says these, one an asking, the last again and again; each is shown while it is written. */
function speaker(...texts: readonly (string | Proposal)[]): Agent & { readonly views: RunView[] } {
  const views: RunView[] = [];
  return {
    name: "speaker",
    views,
    async next(view, _signal, run) {
      const said = texts[Math.min(views.length, texts.length - 1)] as string | Proposal;
      views.push(view);
      if (typeof said !== "string") return said;
      run?.onDraft?.(said);
      return { type: "say", text: said };
    },
  };
}

async function asked(agent: Agent, text = HELLO.en) {
  world = await createTestSystem({ agent });
  const scope = world.scope("ada");
  const id = await world.open(scope);
  const drafts: string[] = [];
  world.system.conversations.subscribe(
    scope,
    id,
    () => {},
    (draft) => drafts.push(draft.text),
  );
  await world.say(scope, id, text);
  const steps = await world.store.transact(tenantScope(NORTHWIND), (tx) =>
    tx.selectFrom("steps").select("outcome").orderBy("n").execute(),
  );
  return {
    drafts,
    told: await world.told(scope, id),
    reasons: (await world.reviews()).map(({ reason }) => reason),
    outcomes: steps.map(({ outcome }) => outcome?.kind),
    refunds: await world.refunds("1042"),
    actions: await world.actions(),
  };
}

describe("G2 a text that may not leave", () => {
  test("gets a neutral sentence in its place and one more try, which is what the log has", async () => {
    const agent = speaker(FALSE_CLAIM, GOOD);
    const { drafts, told, reasons, outcomes } = await asked(agent);
    expect(drafts).toEqual([wordsOf("en").frame.anotherTry, GOOD]);
    expect(told).toEqual([GOOD]);
    expect(reasons).toEqual([]);
    expect(outcomes).toEqual(["withheld", "said"]);
    // The agent was told what was wrong with it.
    expect(agent.views[1]?.rejected?.[0]?.findings.map(({ kind }) => kind)).toEqual(["claim"]);
  });

  test("twice: a person has the conversation, and nothing of either was shown or said", async () => {
    const agent = speaker(FALSE_CLAIM, "Your refund has been issued.");
    const { drafts, told, reasons, outcomes, refunds, actions } = await asked(agent);
    expect(reasons).toEqual(["safety_filter"]);
    expect(told).toEqual([expect.stringContaining(wordsOf("en").frame.handoff.safety_filter)]);
    expect(drafts).toEqual([wordsOf("en").frame.anotherTry, ""]);
    expect([...drafts, ...told].join(" ")).not.toMatch(/refund/);
    expect(outcomes).toEqual(["withheld", "withheld", "handed_off"]);
    expect(agent.views).toHaveLength(2);
    expect([refunds, actions]).toEqual([[], []]);
  });

  test("keeps its place while the agent looks something up for its second try", async () => {
    const look: Proposal = { type: "call", tool: "list_orders", args: {} };
    const { drafts, told } = await asked(speaker(FALSE_CLAIM, look, GOOD));
    expect(drafts).toEqual([wordsOf("en").frame.anotherTry, GOOD]);
    expect(told).toEqual([GOOD]);
  });

  test("is one for each message: the next message has its own second try", async () => {
    const agent = speaker(FALSE_CLAIM, GOOD, FALSE_CLAIM, "What is it about?");
    await asked(agent);
    const product = world as TestSystem;
    const scope = product.scope("ada");
    const [conversation] = await product.store.transact(tenantScope(NORTHWIND), (tx) =>
      tx.selectFrom("conversations").select("id").execute(),
    );
    await product.say(scope, conversation?.id as never, "And one more thing, please.");
    expect((await product.told(scope, conversation?.id as never)).at(-1)).toBe("What is it about?");
    expect(await product.reviews()).toEqual([]);
  });

  test.each(LANGUAGES)("has a neutral sentence in %s", async (language) => {
    const { drafts, reasons } = await asked(speaker(FALSE_CLAIM), HELLO[language]);
    expect(drafts).toEqual([wordsOf(language).frame.anotherTry, ""]);
    expect(reasons).toEqual(["safety_filter"]);
  });
});

describe("an answer that is none", () => {
  test("of a megabyte is not stored, shown or said, and a person has the conversation", async () => {
    const huge = "Good news about your socks. ".repeat(40_000);
    const { drafts, told, reasons } = await asked(speaker(huge));
    expect(reasons).toEqual(["agent_failed"]);
    expect([...drafts, ...told].some((text) => text.includes("Good news"))).toBe(false);
    expect(told.join(" ").length).toBeLessThan(1_000);
    expect((await everythingIn((world as TestSystem).store.database)).includes("Good news")).toBe(false);
  });

  test("a tool call as text is withheld, and calls nothing", async () => {
    const call = JSON.stringify({ tool: "process_refund", args: { order_id: "1042", amount: "113.00" } });
    const { drafts, told, reasons, actions } = await asked(speaker(call));
    expect(reasons).toEqual(["safety_filter"]);
    expect([...drafts, ...told].join(" ")).not.toContain("process_refund");
    expect(actions).toEqual([]);
  });
});
