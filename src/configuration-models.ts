/** The language models: which, at what price, how reached, what may be spent. Null when RECOURSE_MODEL is not set. */
import type { KeyName } from "./configuration-keys.ts";
import type { Faults, Reader } from "./configuration-reading.ts";
import { LIMITS } from "./kernel/limits.ts";
import { listedPrice, PRICES_OF } from "./models/prices.ts";
import {
  FREE,
  type ModelChoice,
  type ModelSettings,
  type ProviderAccess,
  type ProviderName,
} from "./models/settings.ts";

const KEY_OF: Readonly<Record<ProviderName, KeyName>> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  compatible: "RECOURSE_MODEL_API_KEY",
};

export function readModels({ read, faults }: { read: Reader; faults: Faults }): ModelSettings | null {
  const names = {
    RECOURSE_MODEL: read.value("RECOURSE_MODEL", null),
    RECOURSE_MODEL_LARGE: read.value("RECOURSE_MODEL_LARGE", null),
    RECOURSE_MODEL_FALLBACK: read.value("RECOURSE_MODEL_FALLBACK", null),
  };
  const prices = {
    RECOURSE_MODEL: read.value("RECOURSE_MODEL_PRICE", null),
    RECOURSE_MODEL_LARGE: read.value("RECOURSE_MODEL_LARGE_PRICE", null),
    RECOURSE_MODEL_FALLBACK: read.value("RECOURSE_MODEL_FALLBACK_PRICE", null),
  };
  const baseUrl = read.value("RECOURSE_MODEL_URL", null);
  const access = (key: KeyName, url: string | null): ProviderAccess => ({
    apiKey: read.value(key as "OPENAI_API_KEY", null),
    baseUrl: url,
  });
  const providers: ModelSettings["providers"] = {
    openai: access("OPENAI_API_KEY", null),
    anthropic: access("ANTHROPIC_API_KEY", null),
    compatible: access("RECOURSE_MODEL_API_KEY", baseUrl),
  };
  const limits = {
    contextTokens: read.value("RECOURSE_MODEL_CONTEXT_TOKENS", LIMITS.modelContextTokens),
    timeoutMs: read.value("RECOURSE_MODEL_TIMEOUT_MS", LIMITS.modelTimeoutMs),
    messageBudgetMicros: read.value("RECOURSE_MODEL_MESSAGE_BUDGET", 50_000),
    dayBudgetMicros: read.value("RECOURSE_MODEL_DAY_BUDGET", 20_000_000),
    minConfidence: read.value("RECOURSE_MODEL_MIN_CONFIDENCE", -2),
    asksLogprobs: read.value("RECOURSE_MODEL_LOGPROBS", true),
    answerTokens: read.value("RECOURSE_MODEL_ANSWER_TOKENS", LIMITS.modelAnswerTokens),
    reasoning: read.value("RECOURSE_MODEL_REASONING", null),
    openaiInterface: read.value("RECOURSE_OPENAI_INTERFACE", "responses"),
  };

  const choice = (key: keyof typeof names): ModelChoice | null => {
    const name = names[key];
    if (name === null) return null;
    const { provider, id } = name;
    if (provider === "compatible" && baseUrl === null) {
      faults.add(
        "RECOURSE_MODEL_URL",
        `is needed for ${key}=compatible/${id}`,
        "Set it to the server's base URL, such as http://127.0.0.1:11434/v1 for Ollama.",
      );
    }
    if (provider !== "compatible" && providers[provider].apiKey === null) {
      faults.add(
        KEY_OF[provider],
        `is needed for ${key}=${provider}/${id}`,
        "Copy a key from the provider's console.",
      );
    }
    const price = prices[key] ?? (provider === "compatible" ? FREE : listedPrice(provider, id));
    if (price === null) {
      faults.add(
        `${key}_PRICE`,
        `is needed for ${key}=${provider}/${id}, which is not on the list of ${PRICES_OF}: without a price no budget can be kept`,
        "Set it to US dollars for a million tokens of input and output, such as 0.25/2 (or input/cached input/output), from the provider's price list.",
      );
    }
    return { provider, id, price: price ?? FREE };
  };
  const small = choice("RECOURSE_MODEL");
  const large = choice("RECOURSE_MODEL_LARGE");
  const fallback = choice("RECOURSE_MODEL_FALLBACK");
  if (small === null) {
    for (const key of ["RECOURSE_MODEL_LARGE", "RECOURSE_MODEL_FALLBACK"] as const) {
      if (names[key] !== null)
        faults.add(
          key,
          "stands beside RECOURSE_MODEL, which is not set",
          "Set RECOURSE_MODEL, or leave this out.",
        );
    }
    return null;
  }
  return { small, large, fallback, providers, ...limits };
}
