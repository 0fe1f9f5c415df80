import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repeats } from "../../src/models/call.ts";
import { faultOf } from "../../src/models/faults.ts";
import {
  costMicros,
  dearestMicros,
  dollarsToMicros,
  microsAsDollars,
  readModelName,
  readPrice,
} from "../../src/models/settings.ts";
import { estimateTokens } from "../../src/models/tokens.ts";
import { type ModelUse, summarized } from "../../src/models/use.ts";

const error = (statusCode: number, more: Record<string, unknown> = {}) => ({
  statusCode,
  message: "no",
  ...more,
});

describe("faults", () => {
  test.each([
    [error(429), "rate_limited"],
    [error(429, { responseBody: "insufficient_quota" }), "refused"],
    [error(500), "unavailable"],
    [error(503), "unavailable"],
    [error(408), "unavailable"],
    [error(401), "refused"],
    [error(403), "refused"],
    [error(400, { responseBody: "maximum context length is 8192" }), "context_overflow"],
    [error(413), "context_overflow"],
    [error(400, { responseBody: '{"code":"content_filter"}' }), "content_filter"],
    [error(404), "invalid_question"],
    [error(422), "invalid_question"],
    [new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }), "unavailable"],
    ["a string", "unavailable"],
    [null, "unavailable"],
  ])("%j is %s", (thrown, kind) => {
    expect(faultOf(thrown, 0).kind).toBe(kind);
  });

  test("Retry-After is read in seconds, as a date, and in milliseconds; nonsense is none", () => {
    const waitAfter = (headers: Record<string, string>) =>
      faultOf(error(429, { responseHeaders: headers }), Date.parse("2026-12-01T00:00:00Z")).retryAfterMs;
    expect(waitAfter({ "retry-after": "7" })).toBe(7_000);
    expect(waitAfter({ "retry-after": "Tue, 01 Dec 2026 00:00:09 GMT" })).toBe(9_000);
    expect(waitAfter({ "retry-after": "Mon, 30 Nov 2026 00:00:00 GMT" })).toBe(0);
    expect(waitAfter({ "retry-after-ms": "250" })).toBe(250);
    expect(waitAfter({ "retry-after": "soon" })).toBeNull();
    expect(waitAfter({ "retry-after": "-5" })).toBeNull();
    expect(waitAfter({})).toBeNull();
  });
});

describe("prices and costs", () => {
  test("are whole micro-units, never below the exact cost and less than one above it", () => {
    const amount = fc.integer({ min: 0, max: 75_000_000 });
    const tokens = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(amount, amount, amount, tokens, tokens, tokens, (i, c, o, input, cached, output) => {
        const price = { inputMicros: i, cachedMicros: c, outputMicros: o };
        const used = { inputTokens: input, cachedTokens: Math.min(cached, input), outputTokens: output };
        const exact =
          BigInt(input - used.cachedTokens) * BigInt(i) +
          BigInt(used.cachedTokens) * BigInt(c) +
          BigInt(output) * BigInt(o);
        const cost = costMicros(price, used);
        expect(Number.isSafeInteger(cost)).toBe(true);
        const over = BigInt(cost) * 1_000_000n - exact;
        expect(over >= 0n && over < 1_000_000n).toBe(true);
        if (c <= i) expect(cost).toBeLessThanOrEqual(dearestMicros(price, input, output));
      }),
    );
  });

  test("are read exactly, and written back", () => {
    expect(readPrice("0.25/2")).toEqual({
      inputMicros: 250_000,
      cachedMicros: 250_000,
      outputMicros: 2_000_000,
    });
    expect(readPrice("3/0.3/15")).toEqual({
      inputMicros: 3_000_000,
      cachedMicros: 300_000,
      outputMicros: 15_000_000,
    });
    for (const wrong of ["", "1", "1/2/3/4", "-1/2", "1e3/2", "a/b", "1/2,5"])
      expect(readPrice(wrong)).toBeNull();
    expect(dollarsToMicros("0.000001")).toBe(1);
    expect(microsAsDollars(50_000)).toBe("0.05");
    expect(microsAsDollars(20_000_000)).toBe("20.00");
  });

  test("names of models keep what comes after the first slash", () => {
    expect(readModelName("compatible/qwen/qwen3:8b")).toEqual({
      provider: "compatible",
      id: "qwen/qwen3:8b",
    });
    for (const wrong of ["gpt", "openai/", "azure/gpt", "/x", ""]) expect(readModelName(wrong)).toBeNull();
  });

  test("a run's line names the highest tier and sums the rest", () => {
    const use = (tier: "small" | "large", costMicros: number): ModelUse => ({
      tier,
      model: tier,
      promptVersion: "p",
      inputTokens: 10,
      cachedTokens: 0,
      outputTokens: 1,
      costMicros,
      outcome: "answered",
      tookMs: 1,
    });
    expect(summarized([])).toBeNull();
    expect(summarized([use("small", 1), use("large", 5), use("small", 2)])).toMatchObject({
      tier: "large",
      model: "large",
      calls: 3,
      inputTokens: 30,
      costMicros: 8,
    });
  });
});

describe("texts", () => {
  test("that go round in circles are seen, rulers and ordinary text are not", () => {
    expect(repeats("and again ".repeat(40))).toBe(true);
    expect(repeats("-".repeat(400))).toBe(false);
    expect(repeats("The quick brown fox jumps over the lazy dog. ".repeat(2))).toBe(false);
  });

  test("are estimated at no fewer tokens than a quarter of their characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(Math.ceil(text.length / 4));
      }),
    );
  });
});
