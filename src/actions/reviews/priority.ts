/**
 * How urgent a review is. Pure. The rule, first match:
 *
 * | priority | when |
 * | --- | --- |
 * | urgent | the customer mentions harm, danger, legal steps or a payment dispute |
 * | high | money whose outcome is uncertain or that came back; a customer who is very unhappy, complains or contests a denial; an amount that two people have to approve |
 * | low | a return that waits for approval: no money moves |
 * | normal | everything else |
 *
 * The priority shortens or stretches the time that the tenant gives its kind ({@link PACE}), and the queue is
 * ordered by the instant at which that time is over: so an old review is never overtaken for good.
 */
import type { ReviewKind } from "../../store/review-tables.ts";

export const PRIORITIES = ["urgent", "high", "normal", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What part of the time for its kind a review gets. */
export const PACE: Readonly<Record<Priority, number>> = { urgent: 0.25, high: 0.5, normal: 1, low: 2 };

const URGENT: ReadonlySet<string> = new Set(["legal_or_safety"]);
const HIGH: ReadonlySet<string> = new Set([
  "outcome_uncertain",
  "refund_failed",
  "refund_appeared",
  "negative_sentiment",
  "complaint",
  "policy_denied_contested",
]);

export function priorityOf(review: {
  readonly kind: ReviewKind;
  readonly reason: string;
  /** Of the action, if there is one. */
  readonly effect: "refund" | "return" | null;
  readonly needsTwoPeople: boolean;
}): Priority {
  if (URGENT.has(review.reason)) return "urgent";
  if (HIGH.has(review.reason) || review.needsTwoPeople) return "high";
  return review.kind === "approval" && review.effect === "return" ? "low" : "normal";
}

/** As it is stored: 1 urgent … 4 low. */
export const priorityRank = (priority: Priority): number => PRIORITIES.indexOf(priority) + 1;
export const priorityAt = (rank: number): Priority => PRIORITIES[rank - 1] ?? "normal";
