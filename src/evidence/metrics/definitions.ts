/**
 * Every metric, once: what is counted over what, in which unit, and what is wished for. Pages, the API, Prometheus, the
 * alert rules and the docs all take them from here. Pure.
 */

export interface MetricDefinition {
  readonly title: string;
  /** What is counted or summed. */
  readonly numerator: string;
  /** Over what; null: it is a count by itself. */
  readonly denominator: string | null;
  /** `ratio` is numerator by denominator; `seconds` and `usd` are sums over counts, so that their quotient is a mean. */
  readonly unit: "ratio" | "seconds" | "usd" | "count";
  /** Its only label besides the tenant; its values are few. */
  readonly label: string | null;
  /** Lower or higher is better, and what is aimed at where something is. */
  readonly better: "lower" | "higher";
  readonly target?: number;
}

const metric = <const M extends MetricDefinition>(definition: M): M => definition;

export const METRICS = {
  autonomous_resolutions: metric({
    title: "Resolved without a person",
    numerator: "endings of conversations before which no person wrote, and that no person resolved by hand",
    denominator: "endings of conversations",
    unit: "ratio",
    label: null,
    better: "higher",
    target: 0.8,
  }),
  reopened: metric({
    title: "Reopened within 7 days",
    numerator: "endings after which the customer wrote again within 7 days",
    denominator: "endings of conversations that are at least 7 days old",
    unit: "ratio",
    label: null,
    better: "lower",
  }),
  satisfied: metric({
    title: "Satisfied customers",
    numerator: "ratings of 4 or 5",
    denominator: "ratings",
    unit: "ratio",
    label: "solved_by",
    better: "higher",
  }),
  escalations: metric({
    title: "Handed to a person",
    numerator: "handoffs, by reason",
    denominator: "conversations in which a customer wrote",
    unit: "ratio",
    label: "reason",
    better: "lower",
  }),
  first_answer: metric({
    title: "Time to the first answer",
    numerator: "time from a customer's first message to the first answer, summed",
    denominator: "conversations whose customer first wrote in the period and was answered",
    unit: "seconds",
    label: "channel",
    better: "lower",
  }),
  resolution: metric({
    title: "Time to the first ending",
    numerator: "time from a conversation's beginning to its first ending, summed",
    denominator: "conversations that first ended in the period",
    unit: "seconds",
    label: "channel",
    better: "lower",
  }),
  model_cost: metric({
    title: "Cost of models per resolved conversation",
    numerator: "what language models' answers cost, each counted once",
    denominator: "endings of conversations",
    unit: "usd",
    label: null,
    better: "lower",
  }),
  duplicates_prevented: metric({
    title: "Duplicates prevented",
    numerator:
      "proposals of refunds and returns for units that were refunded or returned already, or were being so",
    denominator: "proposals of refunds and returns",
    unit: "ratio",
    label: null,
    better: "lower",
  }),
  unknown_outcomes: metric({
    title: "Outcomes that were unknown for a while",
    numerator: "actions whose outcome became unknown",
    denominator: "actions that were sent",
    unit: "ratio",
    label: null,
    better: "lower",
  }),
  unknown_settling: metric({
    title: "Time until an unknown outcome was known",
    numerator: "time from the first unknown to success, failure or a person, summed",
    denominator: "actions whose outcome became unknown in the period and is known now",
    unit: "seconds",
    label: null,
    better: "lower",
  }),
  tool_errors: metric({
    title: "Tool errors",
    numerator: "calls of tools that were unavailable or invalid, by code",
    denominator: "calls of tools",
    unit: "ratio",
    label: "code",
    better: "lower",
  }),
  denials: metric({
    title: "Denied by policy",
    numerator: "refunds and returns that the policy denied, by the first clause that did",
    denominator: "refunds and returns that were denied or recorded",
    unit: "ratio",
    label: "clause",
    better: "lower",
  }),
  withheld: metric({
    title: "Answers that the safety filter held back",
    numerator: "texts of agents that may not leave",
    denominator: "texts of agents, held back or sent",
    unit: "ratio",
    label: null,
    better: "lower",
  }),
  queue: metric({
    title: "Reviews that wait, now",
    numerator: "open reviews, by kind",
    denominator: null,
    unit: "count",
    label: "kind",
    better: "lower",
  }),
  queue_age: metric({
    title: "Age of the oldest open review, now",
    numerator: "time since the oldest open review was opened, by kind",
    denominator: null,
    unit: "seconds",
    label: "kind",
    better: "lower",
  }),
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

/** One number with what it is made of. */
export interface Figure {
  readonly metric: MetricName;
  /** Of the metric's label; null where it has none. */
  readonly label: string | null;
  readonly numerator: number;
  /** Null where the metric has none. */
  readonly denominator: number | null;
}

/** The value that is shown: null where there is nothing to divide by. */
export const figureValue = ({ numerator, denominator }: Figure): number | null =>
  denominator === null ? numerator : denominator === 0 ? null : numerator / denominator;
