/** Which models there are, what they cost, and what may be spent. Pure; read from the configuration. */

export const PROVIDERS = ["openai", "anthropic", "compatible"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Micro-units (millionths) of US dollars for a million tokens, whole numbers. */
export interface Price {
  readonly inputMicros: number;
  /** Input that the provider had in its cache. */
  readonly cachedMicros: number;
  readonly outputMicros: number;
}
export const FREE: Price = { inputMicros: 0, cachedMicros: 0, outputMicros: 0 };

/** How much a model thinks before it answers. */
export const REASONING = ["none", "minimal", "low", "medium", "high"] as const;
export type Reasoning = (typeof REASONING)[number];

export const OPENAI_INTERFACES = ["responses", "chat"] as const;
export type OpenaiInterface = (typeof OPENAI_INTERFACES)[number];

export interface ModelChoice {
  readonly provider: ProviderName;
  readonly id: string;
  readonly price: Price;
}

export interface ModelSettings {
  readonly small: ModelChoice;
  /** Null: one model does all. */
  readonly large: ModelChoice | null;
  readonly fallback: ModelChoice | null;
  readonly providers: Readonly<Record<ProviderName, ProviderAccess>>;
  /** Tokens of a question with its answer. */
  readonly contextTokens: number;
  readonly timeoutMs: number;
  readonly messageBudgetMicros: number;
  /** Of a tenant, from midnight to midnight UTC. */
  readonly dayBudgetMicros: number;
  /** Mean log-probability of an answer's tokens below which it counts as a guess. */
  readonly minConfidence: number;
  /** Whether log-probabilities are asked for; some servers refuse the question. */
  readonly asksLogprobs: boolean;
  /** What an answer may have at most; a model that reasons counts its thoughts as well. */
  readonly answerTokens: number;
  /** Null: as the provider does by default. */
  readonly reasoning: Reasoning | null;
  /** Which of OpenAI's two interfaces `openai/…` models are asked through. */
  readonly openaiInterface: OpenaiInterface;
}

export interface ProviderAccess {
  readonly apiKey: string | null;
  /** Null: the provider's own. */
  readonly baseUrl: string | null;
}

/** `openai/gpt-5-mini` → provider and model; null when it is not of that shape. */
export function readModelName(text: string): { provider: ProviderName; id: string } | null {
  const slash = text.indexOf("/");
  const provider = PROVIDERS.find((name) => name === text.slice(0, slash));
  const id = text.slice(slash + 1).trim();
  return provider === undefined || id === "" ? null : { provider, id };
}

/** `0.25/2` or `0.25/0.025/2`: US dollars for a million tokens of input, cached input, output. */
export function readPrice(text: string): Price | null {
  const parts = text.split("/").map((part) => part.trim());
  if (parts.length < 2 || parts.length > 3 || parts.some((part) => !/^\d{1,6}(\.\d{1,6})?$/.test(part)))
    return null;
  const [input, second, third] = parts.map(dollarsToMicros) as [number, number, number | undefined];
  return third === undefined
    ? { inputMicros: input, cachedMicros: input, outputMicros: second }
    : { inputMicros: input, cachedMicros: second, outputMicros: third };
}

/** Decimal dollars as micro-units, without passing through floating point. */
export function dollarsToMicros(text: string): number {
  const [whole = "0", fraction = ""] = text.split(".");
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, "0"));
}

/** `1.25`: micro-units as dollars, for people. */
export const microsAsDollars = (micros: number): string =>
  (micros / 1_000_000).toFixed(6).replace(/(\.\d\d\d*?)0+$/, "$1");

const PER_TOKENS = 1_000_000;

/** What an answer cost, rounded up to a whole micro-unit: a budget must not drift below the bill. */
export function costMicros(
  price: Price,
  used: { readonly inputTokens: number; readonly cachedTokens: number; readonly outputTokens: number },
): number {
  const cached = Math.min(used.cachedTokens, used.inputTokens);
  const total =
    (used.inputTokens - cached) * price.inputMicros +
    cached * price.cachedMicros +
    used.outputTokens * price.outputMicros;
  return Math.ceil(total / PER_TOKENS);
}

/** What an answer can cost at most. */
export const dearestMicros = (price: Price, inputTokens: number, maxOutputTokens: number): number =>
  costMicros(price, { inputTokens, cachedTokens: 0, outputTokens: maxOutputTokens });
