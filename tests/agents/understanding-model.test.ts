/** The shipped model and what it is made of. `npm run train -- --check` fits it again and compares every byte. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprintNow } from "../../evals/understanding/trained.ts";
import { TRAINING_FOLDER, writtenExamples } from "../../evals/understanding/written.ts";
import { theModel } from "../../src/agents/understanding/model.ts";
import { understand } from "../../src/agents/understanding/understand.ts";

describe("the shipped model", () => {
  test("was fitted on the lines, rows and features of this repository: after a change, run `npm run train`", () => {
    expect(theModel().header.madeOf).toBe(fingerprintNow());
  });

  test("says the same of the same message, and every confidence is a probability", () => {
    for (const { text } of writtenExamples(3, 1).slice(0, 400)) {
      const once = understand(text);
      expect(understand(text)).toEqual(once);
      for (const { confidence } of once.intents) {
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
      const order = once.intents.map(({ confidence }) => confidence);
      expect(order).toEqual([...order].sort((a, b) => b - a));
    }
  });
});

describe("several wishes in one message", () => {
  test.each([
    ["refund the lamp and tell me when the chair arrives", ["refund-request", "order-status"]],
    ["It came broken. Please give me my money back.", ["refund-request", "complaint"]],
    [
      "falsche Größe, ich möchte umtauschen. und wann kommt meine andere Bestellung?",
      ["return-request", "order-status"],
    ],
  ] as const)("%s", (text, wishes) => {
    const heard = understand(text).intents.filter(({ confidence }) => confidence >= 0.3);
    expect(heard.map(({ intent }) => intent)).toEqual(expect.arrayContaining([...wishes]));
  });

  test("beside a message that wishes for nothing there is no second wish", () => {
    const [first, ...rest] = understand("thanks, that's all").intents;
    expect(first?.intent).toBe("other");
    for (const { confidence } of rest) expect(confidence).toBeLessThan(0.3);
  });
});

describe("the stories of five languages", () => {
  const sections = (language: string) =>
    readFileSync(join(TRAINING_FOLDER, `written/stories/${language}.txt`), "utf8")
      .split("\n")
      .flatMap((line, index) => (line.startsWith("## ") ? [`${index + 1} ${line}`] : []));

  test.each(["es", "fr", "pt", "it"])(
    "say the same line by line, or their split would leak: %s",
    (language) => {
      expect(sections(language)).toEqual(sections("de"));
    },
  );
});
