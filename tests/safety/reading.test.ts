/** A first look at a whole text finds what the look at each part would: nothing is let through for speed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CLAIM_WORDS } from "../../src/safety/claim-words.ts";
import { anyOf, apart } from "../../src/safety/reading.ts";
import { REPORTED_EFFECTS } from "../../src/safety/reported-effects.ts";

const piece = fc.constantFrom("refund", "re", "i", " ", "'ve", "€", "5", "über", "x", "|", ")", "_", ".");
const sentence = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

test("patterns read as one are in a text exactly when one of them is", () => {
  const patterns = [
    /\brefund/u,
    /\b(?:€|5)5?x/u,
    /\bi've|x\|re/u,
    /(?<![\p{L}])re(?:fund)?5/u,
    /(?<!\p{L})(?:ü|i )/u,
    /^[|)]x|[)|]\.$/u,
    /(?:(?<!\p{L})x|_)€/u,
    /[|(]5/u,
  ];
  fc.assert(
    fc.property(
      fc.subarray(patterns, { minLength: 1 }),
      fc.array(sentence, { maxLength: 3 }),
      (some, texts) => {
        const one = anyOf(some, "mu");
        const each = texts.some((text) => some.some((pattern) => pattern.test(text)));
        expect(one.test(apart(texts))).toBe(each);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("claims of effects read as one are in a sentence exactly when one of them is, in every language", () => {
  const WORDS =
    "i we have has 've been refunded your refund money was sent the issued es wurde erstattet ihr geld habe ich zurück le remboursement a été effectué hemos reembolsado il rimborso è stato o reembolso foi 20.00 € eur now back on";
  const text = fc
    .array(fc.constantFrom(...WORDS.split(" ")), { minLength: 2, maxLength: 9 })
    .map((words) => words.join(" "));
  const all = Object.entries(CLAIM_WORDS).map(([language, { done, promised }]) => {
    const patterns = [
      ...done,
      ...promised,
      ...REPORTED_EFFECTS[language as keyof typeof REPORTED_EFFECTS].done,
    ];
    return { patterns, one: anyOf(patterns, "mu") };
  });
  let found = 0;
  fc.assert(
    fc.property(text, (words) => {
      for (const { patterns, one } of all) {
        const each = patterns.some((pattern) => words.search(pattern) !== -1);
        if (each) found += 1;
        expect(one.test(words)).toBe(each);
      }
    }),
    { numRuns: 3_000 },
  );
  // A sample in which none claims anything would show nothing.
  expect(found).toBeGreaterThan(100);
});
