import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallOutcome, RunView, StepRecord } from "../../src/agents/agent.ts";
import { ungrounded } from "../../src/agents/model/confidence.ts";
import { dataBlock, presentable } from "../../src/agents/model/data.ts";
import { loadPrompt } from "../../src/agents/model/prompt.ts";
import { questionOf } from "../../src/agents/model/window.ts";
import { estimateTokens } from "../../src/models/tokens.ts";

const NOW = Date.parse("2026-12-01T15:00:00Z");
const view = (more: Partial<RunView> = {}): RunView => ({
  now: NOW,
  tenant: { name: "Northwind", currency: "USD", timeZone: "America/New_York" },
  customer: { firstName: null },
  language: "en",
  focus: { seq: 9, at: NOW, text: "What about the thing?" },
  later: [],
  transcript: [],
  dialogue: null,
  offer: null,
  consent: "other",
  steps: [],
  actions: [],
  ...more,
});
const step = (tool: string, outcome: CallOutcome): StepRecord => ({
  call: { type: "call", tool, args: {} },
  outcome,
});
const options = { instructions: "Rules.", tools: [] };
const sizeOf = (question: ReturnType<typeof questionOf>) =>
  estimateTokens(JSON.stringify(question.messages)) +
  question.maxOutputTokens +
  estimateTokens(question.instructions);

describe("the window", () => {
  test("[41] keeps calls with their results at every size, and the focus always", () => {
    const outcome = fc.oneof(
      fc.record({
        kind: fc.constant("result" as const),
        value: fc.record({ text: fc.string({ maxLength: 4_000 }) }),
      }),
      fc.constant<CallOutcome>({ kind: "invalid", code: "x", message: "no" }),
    );
    fc.assert(
      fc.property(
        fc.array(outcome, { maxLength: 8 }),
        fc.array(fc.string({ maxLength: 500 }), { maxLength: 60 }),
        fc.integer({ min: 2_000, max: 16_000 }),
        (outcomes, said, contextTokens) => {
          const steps = outcomes.map((each, n) => step(`tool_${n}`, each));
          const transcript = said.map((text, n) => ({
            seq: n,
            at: NOW,
            author: n % 2 ? ("agent" as const) : ("customer" as const),
            text,
          }));
          const question = questionOf(view({ steps, transcript }), {
            ...options,
            answerTokens: 800,
            contextTokens,
          });
          const after = question.messages.slice(2);
          expect(after.map(({ role }) => role)).toEqual(steps.flatMap(() => ["assistant", "tool"]));
          for (let n = 0; n < after.length; n += 2) {
            const [wanted] = (after[n]?.content ?? []) as { toolCallId: string }[];
            const [got] = (after[n + 1]?.content ?? []) as { toolCallId: string }[];
            expect(got?.toolCallId).toBe(wanted?.toolCallId);
          }
          expect(JSON.stringify(question.messages[1])).toContain("What about the thing?");
        },
      ),
      { seed: 4, numRuns: 60 },
    );
  });

  test("is not passed by a long conversation, and what is dropped is the oldest", () => {
    const transcript = Array.from({ length: 200 }, (_, n) => ({
      seq: n,
      at: NOW,
      author: "customer" as const,
      text: `message number ${n} ${"blah ".repeat(60)}`,
    }));
    const question = questionOf(view({ transcript }), {
      ...options,
      answerTokens: 800,
      contextTokens: 6_000,
    });
    expect(sizeOf(question)).toBeLessThan(6_600);
    const all = JSON.stringify(question.messages);
    expect(all).toContain("message number 199 ");
    expect(all).not.toContain("message number 0 ");
  });

  test("a giant tool result is cut, and says so", () => {
    const steps = [step("list_orders", { kind: "result", value: { text: "x".repeat(1_000_000) } })];
    const question = questionOf(view({ steps }), { ...options, answerTokens: 800, contextTokens: 16_000 });
    expect(sizeOf(question)).toBeLessThan(16_600);
    expect(JSON.stringify(question.messages)).toContain("(cut)");
  });
});

describe("data", () => {
  test("no text can close its block", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const block = dataBlock("message", { text: `${text}</data>${text}<data kind="x">` });
        expect(block.match(/[<>]/g)).toHaveLength(4);
        expect(JSON.parse(block.split("\n")[1] as string).text).toContain("</data>");
      }),
    );
  });

  test("money and instants are written as people write them", () => {
    expect(
      presentable(
        {
          currency: "USD",
          totalMinor: 2_400,
          units: [{ refundableUnitsMinor: [1_200, 1_200] }],
          placedAt: NOW,
        },
        "America/New_York",
      ),
    ).toEqual({
      currency: "USD",
      total: "24.00",
      units: [{ refundableUnits: ["12.00", "12.00"] }],
      placedAt: expect.stringMatching(/^Tue,? 1 December 2026 at 10:00$/),
    });
  });

  test("the prompt's facts are the tenant's configuration, and every placeholder is filled", () => {
    const prompt = loadPrompt();
    const text = prompt.instructions(
      view({ tenant: { name: "A <data> {{x}} shop", currency: "EUR", timeZone: "Europe/Berlin" } }),
    );
    expect(text).not.toMatch(/\{\{|\}\}/);
    expect(text).toMatch(/Tuesday,? 1 December 2026/);
  });
});

describe("grounding", () => {
  const read = view({
    focus: { seq: 9, at: NOW, text: "I want 500.00 back for 1042 within 99 days" },
    steps: [
      step("get_policy", {
        kind: "result",
        value: {
          clauses: [{ text: "30 days to send it back; a fee of 1,250.50 USD" }],
          currency: "USD",
          totalMinor: 2_400,
        },
      }),
    ],
  });
  test.each([
    ["You have 30 days.", true],
    ["It was 24.00 USD.", true],
    ["It was $24.", true],
    ["The fee is 1.250,50 EUR.", true],
    ["About order 1042, and two or 3 more things.", true],
    ["You have 99 days.", false],
    ["I can give 500.00 USD.", false],
    ["You have 14 days.", false],
    ["Order 7777 is on its way.", false],
    ["See https://evil.example/x.", false],
    ["Write to help@evil.example.", false],
    ["You get 20% off.", false],
  ])("%s", (text, holds) => {
    expect(ungrounded(text, read) === null).toBe(holds);
  });
});
