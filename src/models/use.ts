/** What one answer of a model used and cost. The records of runs and the budgets are sums of these. */

/** From cheap to dear; a fixed workflow stands below both and costs nothing. */
export const TIERS = ["small", "large"] as const;
export type Tier = (typeof TIERS)[number];

export interface ModelUse {
  readonly tier: Tier;
  /** `provider/model` as configured. */
  readonly model: string;
  readonly promptVersion: string;
  readonly inputTokens: number;
  /** Of the input, what the provider had in its cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Micro-units (millionths) of US dollars. */
  readonly costMicros: number;
  /** `answered`, or the fault that made the answer unusable. */
  readonly outcome: string;
  readonly tookMs: number;
}

export interface UseSummary {
  readonly tier: Tier;
  readonly model: string;
  readonly promptVersion: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
}

/** The uses of a run as one line: the highest tier that was asked names the model. Null when none was. */
export function summarized(uses: readonly ModelUse[]): UseSummary | null {
  const named = uses.findLast(({ tier }) => tier === "large") ?? uses.at(-1);
  if (named === undefined) return null;
  const sum = (of: (use: ModelUse) => number) => uses.reduce((total, use) => total + of(use), 0);
  return {
    tier: named.tier,
    model: named.model,
    promptVersion: named.promptVersion,
    calls: uses.length,
    inputTokens: sum((use) => use.inputTokens),
    outputTokens: sum((use) => use.outputTokens),
    costMicros: sum((use) => use.costMicros),
  };
}
