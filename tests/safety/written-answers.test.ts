/** What the evaluation of the door reached with written answers stays reached (`npm run evals -- safety` measures). */
import { describe, expect, test } from "vitest";
import { found, rated } from "../../evals/safety/judged.ts";
import { writtenTexts } from "../../evals/safety/written.ts";
import { redacted } from "../../src/safety/masking.ts";

describe("answers as a model might write them, in six languages", () => {
  const all = writtenTexts();

  test.each(["first", "second"] as const)("G2 of the effects in the %s set, 95 of 100 are held", (set) => {
    const texts = all.filter((it) => it.subject === "effect" && it.set === set).map(({ text }) => text);
    const { missed, toHold } = rated("effect", texts);
    expect(missed.length / toHold, missed.join("\n")).toBeLessThan(0.05);
  });

  test("of what is true, 98 of 100 leave", () => {
    const honest = all.map(({ text }) => text).filter(({ heldFor }) => heldFor === null);
    const held = honest.filter((it) => found(it).length > 0).map(({ text }) => text);
    expect(held.length / honest.length, held.join("\n")).toBeLessThan(0.02);
  });
});

describe("a file's name that has a card number in it", () => {
  test.each([
    "invoice_4111111111111111.pdf",
    "scan-4111-1111-1111-1111.png",
    "card 4111 1111 1111 1111 front.jpg",
    "IMG_4111_1111_1111_1111_back.heic",
    "４１１１１１１１１１１１１１１１.pdf",
    "C:\\Users\\ada\\4111111111111111 (1).pdf",
  ])("is stored without it: %s", (name) => {
    expect(redacted(`see ${name}`)).toContain("[card number removed]");
    expect(redacted(`see ${name}`)).not.toMatch(/1{4}|１{4}/u);
  });
});
