/**
 * Why a decision waits for a person, as one code for queue, filters and reports. Pure: from the clauses that
 * decided, what their rules read, and the facts; a clause may have any name and any words.
 */
import type { ApprovalReason } from "../../actions/reviews/reviews.ts";
import { contextOf, STANDING_CLAUSES } from "./evaluate.ts";
import { type DecisionRecord, readsOf } from "./explain.ts";
import type { PolicyVersion } from "./policy.ts";

/** The amount before the customer where both want a person; null: none is wanted. */
export function approvalReason(
  { verdict, facts, action }: DecisionRecord,
  policy: PolicyVersion,
): ApprovalReason | null {
  if (verdict.decision !== "needs_approval") return null;
  const { limits } = contextOf(policy, facts);
  const reads = new Set(
    verdict.clauses.flatMap(({ clauseId }) => readsOf(policy, clauseId, [`${action}.unattended`])),
  );
  const decidedBy = (clause: { readonly clauseId: string }) =>
    verdict.clauses.some(({ clauseId }) => clauseId === clause.clauseId);
  const isOverLimit =
    limits.unattendedMaxMinor !== undefined && facts.request.amountMinor > limits.unattendedMaxMinor;
  const isHighValue = facts.customer.lifetimeSpendMinor >= limits.highValueLifetimeSpendMinor;
  // A clause that reads a limit may want a person for another of its rules: the facts say which it was.
  if (isOverLimit && (reads.has("limits.unattendedMaxMinor") || decidedBy(STANDING_CLAUSES.unattendedMax))) {
    return "amount_over_limit";
  }
  if (isHighValue && reads.has("limits.highValueLifetimeSpendMinor")) {
    return "high_value_customer";
  }
  return "approval_needed";
}
