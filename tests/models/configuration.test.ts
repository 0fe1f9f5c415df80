import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { describeConfiguration, loadConfiguration } from "../../src/configuration.ts";
import { KEYS } from "../../src/configuration-keys.ts";
import { ProblemError } from "../../src/kernel/errors.ts";
import { PRICE_LIST, PRICES_OF } from "../../src/models/prices.ts";

const load = (env: Record<string, string>) => loadConfiguration(env, tmpdir());
const faultsOf = (env: Record<string, string>): string[] => {
  try {
    load(env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError);
    return (error as ProblemError & { details: { errors: { path: string }[] } }).details.errors.map(
      ({ path }) => path,
    );
  }
};

describe("the configuration of models", () => {
  test("is none unless a model is named", () => {
    expect(load({}).models).toBeNull();
    expect(load({ OPENAI_API_KEY: "sk-x" }).models).toBeNull();
  });

  test("a hosted model needs its key and its price; a server of one's own needs its URL and costs nothing", () => {
    expect(faultsOf({ RECOURSE_MODEL: "openai/gpt-x" })).toEqual(["OPENAI_API_KEY", "RECOURSE_MODEL_PRICE"]);
    expect(faultsOf({ RECOURSE_MODEL: "anthropic/c", RECOURSE_MODEL_PRICE: "1/5" })).toEqual([
      "ANTHROPIC_API_KEY",
    ]);
    expect(faultsOf({ RECOURSE_MODEL: "compatible/qwen3:8b" })).toEqual(["RECOURSE_MODEL_URL"]);
    const { models } = load({
      RECOURSE_MODEL: "compatible/qwen3:8b",
      RECOURSE_MODEL_URL: "http://127.0.0.1:11434/v1",
    });
    expect(models).toMatchObject({
      small: { id: "qwen3:8b", price: { inputMicros: 0 } },
      large: null,
      fallback: null,
    });
  });

  test("a model on the price list needs no price of its own; a configured one wins", () => {
    const priceOf = (env: Record<string, string>) =>
      load({ OPENAI_API_KEY: "sk-x", ANTHROPIC_API_KEY: "sk-y", ...env }).models?.small.price;
    const haiku = { inputMicros: 100_000, cachedMicros: 10_000, outputMicros: 500_000 };
    expect(priceOf({ RECOURSE_MODEL: "anthropic/claude-haiku-5-5" })).toEqual(haiku);
    expect(priceOf({ RECOURSE_MODEL: "anthropic/claude-haiku-5-5-20261007" })).toEqual(haiku);
    expect(priceOf({ RECOURSE_MODEL: "openai/gpt-6-sol" })?.outputMicros).toBe(10_000_000);
    expect(priceOf({ RECOURSE_MODEL: "openai/gpt-6-sol", RECOURSE_MODEL_PRICE: "1/3" })?.outputMicros).toBe(
      3_000_000,
    );
    // The name of a listed model on a server of one's own is another thing.
    expect(
      priceOf({ RECOURSE_MODEL: "compatible/gpt-6-sol", RECOURSE_MODEL_URL: "http://127.0.0.1:1/v1" })
        ?.outputMicros,
    ).toBe(0);
  });

  test("is described in docs/models.md: every key, and every price of the list as it is", () => {
    const page = readFileSync(new URL("../../docs/models.md", import.meta.url), "utf8");
    const about = Object.keys(KEYS).filter((key) =>
      /^(?:RECOURSE_MODEL|RECOURSE_OPENAI|OPENAI|ANTHROPIC)/.test(key),
    );
    const shown = page.replaceAll("`…_", "`RECOURSE_MODEL_");
    expect(about.filter((key) => !shown.includes(`\`${key}\``))).toEqual([]);
    const rows = [...page.matchAll(/`((?:openai|anthropic)\/[\w.-]+)` \| ([\d.]+ \/ [\d.]+ \/ [\d.]+)/g)];
    const prices = Object.fromEntries(rows.map(([, name, price]) => [name, price?.replaceAll(" ", "")]));
    expect(prices).toEqual(PRICE_LIST);
    expect(page).toContain(PRICES_OF);
  });

  test("what is wrong is named, and a fallback without a model is", () => {
    expect(faultsOf({ RECOURSE_MODEL: "gpt-4" })).toEqual(["RECOURSE_MODEL"]);
    expect(faultsOf({ RECOURSE_MODEL_FALLBACK: "compatible/x", RECOURSE_MODEL_URL: "http://h/v1" })).toEqual([
      "RECOURSE_MODEL_FALLBACK",
    ]);
    expect(faultsOf({ RECOURSE_MODEL_MIN_CONFIDENCE: "2" })).toEqual(["RECOURSE_MODEL_MIN_CONFIDENCE"]);
    expect(faultsOf({ RECOURSE_MODEL_DAY_BUDGET: "lots" })).toEqual(["RECOURSE_MODEL_DAY_BUDGET"]);
    expect(load({ RECOURSE_MODLE: "x" }).warnings).toEqual([expect.stringContaining("RECOURSE_MODEL")]);
  });

  test("is shown with its keys masked and its budgets in dollars", () => {
    const rows = describeConfiguration(
      load({
        RECOURSE_MODEL: "openai/gpt-x",
        RECOURSE_MODEL_PRICE: "0.25/2",
        OPENAI_API_KEY: "sk-very-secret-key-of-mine-0123",
      }),
    );
    const shown = new Map(rows.map(({ key, value }) => [key, value]));
    expect(shown.get("RECOURSE_MODEL")).toBe("openai/gpt-x");
    expect(shown.get("RECOURSE_MODEL_MESSAGE_BUDGET")).toBe("0.05");
    expect(JSON.stringify(rows)).not.toContain("very-secret");
  });
});
