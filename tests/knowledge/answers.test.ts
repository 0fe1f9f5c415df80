/** What customers hear of documents, through the whole product. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Knowledge } from "../../src/knowledge/knowledge.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { publish, testKnowledge } from "../kit/knowledge.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let knowledge: Knowledge;
let world: TestSystem;
beforeEach(async () => {
  world = await createTestSystem({
    knowledge: (parts) => {
      knowledge = testKnowledge(parts);
      return knowledge;
    },
  });
});
afterEach(() => world.close());

interface Told {
  readonly text: string;
  readonly citations?: readonly Record<string, string>[];
}
async function answerTo(text: string, customer = "ada", tenant = NORTHWIND): Promise<Told> {
  const scope = world.scope(customer, tenant);
  const conversation = await world.open(scope);
  await world.say(scope, conversation, text);
  const events = await world.events(scope, conversation);
  return events.findLast(({ type, author }) => type === "message" && author === "agent") as unknown as Told;
}

const FAQ = `## Do you ship to Canada?

Yes, for $19.90; it takes 6 to 10 business days.

## How can I reach you by phone?

Call +1 503 555 0142 or write to help@northwind.example, Monday to Friday.

## How do I wash wool socks?

Wash them at 30 degrees by hand.
`;

describe("an answer from documents", () => {
  test("is the passage word for word, with document, version and date, and changes nothing", async () => {
    await publish(knowledge, FAQ, { version: "3", effectiveFromMs: Date.parse("2026-03-01T05:00:00Z") });
    const { text, citations } = await answerTo("Do you ship to Canada?");
    expect(text).toContain("Yes, for $19.90; it takes 6 to 10 business days.");
    expect(citations).toEqual([
      { documentId: "help", version: "3", effectiveFrom: "2026-03-01", title: "Do you ship to Canada?" },
    ]);
    expect(await world.actions()).toEqual([]);
    expect(await world.reviews()).toEqual([]);
  });

  test("may name the contacts that the document publishes", async () => {
    await publish(knowledge, FAQ);
    const { text } = await answerTo("How can I reach you by phone?");
    expect(text).toContain("+1 503 555 0142");
    expect(text).toContain("help@northwind.example");
    expect(await world.reviews()).toEqual([]);
  });

  test("follows the version in force, in one conversation, from one message to the next", async () => {
    const at = world.clock.now();
    await publish(knowledge, FAQ, { version: "1" });
    await publish(knowledge, FAQ.replace("19.90", "24.90"), { version: "2", effectiveFromMs: at + 60_000 });
    const scope = world.scope("ada");
    const conversation = await world.open(scope);
    await world.say(scope, conversation, "Do you ship to Canada?");
    await world.pass(60_000);
    await world.say(scope, conversation, "Do you ship to Canada?");
    const told = await world.told(scope, conversation);
    expect(told.map((text) => /\$(\d+\.\d+)/.exec(text)?.[1])).toEqual(["19.90", "24.90"]);
  });

  test("is not given to another tenant's customer", async () => {
    await publish(knowledge, FAQ);
    const { text } = await answerTo("Do you ship to Canada?", "felix", KESTREL);
    expect(text).not.toContain("19.90");
  });

  test("is not made up where the documents have none", async () => {
    await publish(knowledge, FAQ);
    for (const text of [
      "Do you sell tents?",
      "What colour is the headquarters?",
      "Is the shop open on Mars?",
    ]) {
      const { text: told, citations = [] } = await answerTo(text);
      expect(told).not.toMatch(/19\.90|30 degrees|503/);
      expect(citations).toEqual([]);
    }
  });
});

describe("in the customer's language", () => {
  test("a document in it goes first; without one, the English text is still found", async () => {
    await publish(knowledge, FAQ);
    await publish(knowledge, "## ¿Envían a Canadá?\n\nSí, por 19,90 $; tarda de 6 a 10 días laborables.\n", {
      language: "es",
    });
    expect((await answerTo("¿Envían a Canadá?")).text).toContain("Sí, por 19,90 $");
    expect((await answerTo("Do you ship to Canada?")).text).toContain("Yes, for $19.90");
  });
});
