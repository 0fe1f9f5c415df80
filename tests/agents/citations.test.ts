import { describe, expect, test } from "vitest";
import type { StepRecord } from "../../src/agents/agent.ts";
import { citationsFor } from "../../src/agents/model/citations.ts";

const passage = (documentId: string, text: string, language = "en") => ({
  source: { documentId, version: "2", effectiveFrom: "2026-03-01", title: documentId, clauseId: null },
  kind: "faq",
  language,
  headings: [documentId],
  text,
  score: 0.8,
});
const search = (answered: boolean, ...passages: readonly object[]): StepRecord => ({
  call: { type: "call", tool: "search_knowledge", args: { query: "q" } },
  outcome: { kind: "result", value: { answered, passages } },
});
const policy: StepRecord = {
  call: { type: "call", tool: "get_policy", args: {} },
  outcome: {
    kind: "result",
    value: {
      policyId: "refunds",
      version: "2",
      clauses: [
        { clauseId: "window", title: "The window", text: "Returns are accepted for 30 days after delivery." },
        { clauseId: "gifts", title: "Gifts", text: "Gift cards cannot be exchanged for money." },
      ],
    },
  },
};
const WASH = passage("care", "Wash wool by hand in cold water and dry it flat.");
const SHIP = passage("shipping", "Standard shipping costs 6.95 within the United States.");
const cited = (text: string, steps: readonly StepRecord[], language: "en" | "de" = "en") =>
  citationsFor(text, { steps, language }).map(({ documentId, clauseId }) => documentId ?? clauseId);

describe("what an answer of a model rests on", () => {
  test("is the passage whose words it uses, with version and date", () => {
    const answer = "You can wash wool by hand, in cold water.";
    expect(cited(answer, [search(true, SHIP, WASH)])).toEqual(["care"]);
    expect(citationsFor(answer, { steps: [search(true, WASH)], language: "en" })).toEqual([
      { documentId: "care", version: "2", effectiveFrom: "2026-03-01", title: "care" },
    ]);
  });

  test("is the clause of the policy", () => {
    expect(cited("Returns are accepted for 30 days after delivery.", [policy])).toEqual(["window"]);
  });

  test("is nothing when it uses nothing, when the search did not answer, or when nothing was read", () => {
    expect(cited("Is there anything else?", [search(true, SHIP)])).toEqual([]);
    expect(cited("You can wash wool by hand.", [search(false, WASH)])).toEqual([]);
    expect(cited("You can wash wool by hand.", [])).toEqual([]);
  });

  test("is the best passage when that is in another language", () => {
    expect(cited("Wolle von Hand in kaltem Wasser waschen.", [search(true, WASH, SHIP)], "de")).toEqual([
      "care",
    ]);
  });

  test("survives results of any shape", () => {
    for (const value of [
      null,
      7,
      "x",
      { passages: [null, {}, { text: 3 }], answered: true },
      { clauses: 3 },
    ]) {
      for (const tool of ["search_knowledge", "get_policy"]) {
        const step: StepRecord = {
          call: { type: "call", tool, args: {} },
          outcome: { kind: "result", value },
        };
        expect(cited("You can wash wool by hand.", [step])).toEqual([]);
      }
    }
  });
});
