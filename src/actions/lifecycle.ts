/**
 * The life of an action, pure: which state may follow which, what a state means for the order's money,
 * and which state a provider's refund leads to. The database compares and sets; this says what is allowed.
 */
import type { ActionState } from "../tools/views.ts";

const ARROWS: Readonly<Record<ActionState | "proposed", readonly ActionState[]>> = {
  proposed: ["denied", "awaiting_approval", "scheduled"],
  denied: [],
  awaiting_approval: ["scheduled", "rejected", "expired", "cancelled"],
  rejected: [],
  expired: [],
  // Back to a person when what was approved no longer fits (ADR 0006); cancelled when it is no longer permitted.
  scheduled: ["executing", "cancelled", "awaiting_approval"],
  cancelled: [],
  executing: ["succeeded", "pending", "failed", "unknown"],
  pending: ["succeeded", "failed"],
  unknown: ["executing", "succeeded", "pending", "failed", "needs_person"],
  // A person, or late evidence of the provider, settles it.
  needs_person: ["succeeded", "pending", "failed"],
  // A bank returns the money later.
  succeeded: ["failed"],
  failed: [],
};

export function mayFollow(from: ActionState | "proposed", to: ActionState): boolean {
  return ARROWS[from].includes(to);
}

/** What a state does with the units and the money of its order. */
export type Hold = "held" | "captured" | "released";

export function holdOf(state: ActionState): Hold {
  switch (state) {
    case "succeeded":
      return "captured";
    case "denied":
    case "rejected":
    case "expired":
    case "cancelled":
    case "failed":
      return "released";
    case "awaiting_approval":
    case "scheduled":
    case "executing":
    case "pending":
    case "unknown":
    case "needs_person":
      return "held";
  }
}

/** No further work by us: only the provider (`succeeded → failed`) can still change it. */
export function isSettled(state: ActionState): boolean {
  return holdOf(state) !== "held";
}

/** The states that are {@link isSettled}, for conditions on rows. */
export const SETTLED: readonly ActionState[] = (Object.keys(ARROWS) as (keyof typeof ARROWS)[]).filter(
  (state) => state !== "proposed" && isSettled(state),
) as ActionState[];

/**
 * The state that a provider's refund status leads to, or null when the action is there already or
 * the news is older than what is known (`pending` after `succeeded`): then nothing changes.
 */
export function afterProvider(
  current: ActionState,
  status: "pending" | "succeeded" | "failed" | "cancelled",
): "pending" | "succeeded" | "failed" | null {
  const wanted = status === "cancelled" ? "failed" : status;
  return mayFollow(current, wanted) ? wanted : null;
}

/** Pause before look-up number `attempts + 1` of an uncertain or pending action: doubles, bounded. */
export function settleDelayMs(attempts: number, baseMs: number, maxMs: number): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(attempts, 20));
}
