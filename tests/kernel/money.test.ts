import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDecimal, parseAmount, splitByWeights, splitEvenly } from "../../src/kernel/money.ts";

describe("amounts never pass through floating point", () => {
  test.each([
    ["113.00", "USD", 11300],
    ["113", "USD", 11300],
    ["0.1", "USD", 10],
    ["5000", "JPY", 5000],
    ["1.230", "KWD", 1230],
    ["1.23", "KWD", 1230],
    ["90071992547409.91", "USD", 9007199254740991],
  ])("%s %s is %d minor units", (text, currency, minor) => {
    expect(parseAmount(text, currency)).toBe(minor);
  });

  test.each([
    ["500.5", "JPY"],
    ["1.2345", "KWD"],
    ["1.000", "USD"],
    ["1,00", "USD"],
    ["1e3", "USD"],
    ["-1", "USD"],
    ["+1", "USD"],
    ["", "USD"],
    [" 1", "USD"],
    ["1.", "USD"],
    [".5", "USD"],
    ["0x10", "USD"],
    ["١٢", "USD"],
    ["Infinity", "USD"],
    ["90071992547409.92", "USD"],
  ])("refuses %j as %s", (text, currency) => {
    expect(() => parseAmount(text, currency)).toThrow(expect.objectContaining({ code: "amount_invalid" }));
  });

  test("what is written is what is read back, for every currency", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 45 }),
        fc.constantFrom("USD", "JPY", "KWD", "EUR"),
        (amountMinor, currency) => {
          expect(parseAmount(formatDecimal({ amountMinor, currency }), currency)).toBe(amountMinor);
        },
      ),
    );
  });

  test("splits sum to the whole exactly", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10_000_000 }),
        fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 30 }),
        (total, weights) => {
          const shares = splitByWeights(total, weights);
          expect(shares.reduce((a, b) => a + b, 0)).toBe(total);
          expect(shares.every((share) => share >= 0)).toBe(true);
          const even = splitEvenly(total, weights.length);
          expect(even.reduce((a, b) => a + b, 0)).toBe(total);
          expect(Math.max(...even) - Math.min(...even)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
