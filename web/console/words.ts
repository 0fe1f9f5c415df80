/** Codes of the API in words for people; a code that is new here is shown as it is. */
const REASONS: Readonly<Record<string, string>> = {
  amount_over_limit: "Amount above the limit",
  high_value_customer: "Valued customer",
  approval_needed: "Needs approval",
  taken_over: "Taken over",
  refund_failed: "Refund failed",
  refund_appeared: "Refund appeared late",
  outcome_uncertain: "Outcome uncertain",
  asked_for_person: "Asks for a person",
  not_understood: "Not understood",
  legal_or_safety: "Legal or safety",
  policy_denied_contested: "Contests a denial",
  complaint: "Complaint",
  no_progress: "No progress",
  step_limit: "Too many steps",
  deadline: "Took too long",
  agent_failed: "Assistant failed",
  outside_scope: "Outside its scope",
  low_confidence: "Not sure enough",
  provider_unavailable: "A system does not answer",
  model_unavailable: "No model answered",
  safety_filter: "Answer withheld",
  negative_sentiment: "Very unhappy",
};
export const reasonText = (code: string): string => REASONS[code] ?? code.replaceAll("_", " ");

const DECISIONS: Readonly<Record<string, string>> = {
  approve: "Approved",
  approve_changed: "Approved with another amount",
  reject: "Rejected",
  ask: "Customer asked",
  hand_back: "Handed back",
  resolve: "Resolved",
};
export const decisionText = (kind: string): string => DECISIONS[kind] ?? kind;

/** `113.00` and `USD` as the viewer writes money; the exact digits stay. */
export function money(amount: string | null, currency: string | null): string {
  if (amount === null) return "";
  if (currency === null) return amount;
  const decimals = amount.split(".")[1]?.length ?? 0;
  return new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(Number(amount));
}

/** `2 h 5 min`, `3 min`, `40 s`. */
export function duration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

/** Who did it: people by their names, machines by what they are. */
export const whoText = (by: string): string =>
  by.startsWith("operator:")
    ? by.slice("operator:".length)
    : by.startsWith("agent:")
      ? "the assistant"
      : /^[\w.-]+:\d+:[0-9a-f]+$/.test(by)
        ? "Recourse"
        : by;

/** `1 passage`, `2 passages`. */
export const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
