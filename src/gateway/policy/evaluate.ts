/**
 * Evaluates a compiled policy on facts: pure, under a millisecond.
 *
 * Two questions: may it happen at all (`refund`), and may it happen without a person
 * (`refund.unattended`). Cedar denies by default and skips a statement that errors; a skipped `forbid`
 * would open the door, so any error of evaluation is a deny here, facts that do not fit included.
 *
 * Two rules stand in code as well, whatever a document says or forgets: no refund above the unattended
 * limit of its currency, or in a currency without one, goes out without a person; and nothing does when
 * an order counts as delivered but nobody knows since when, for then no window can be kept.
 */
import { type Authorizer, createAuthorizer } from "./cedar.ts";
import type { PolicyFacts } from "./facts.ts";
import type { DecidingClause, PolicyAction, PolicyVersion, Verdict } from "./policy.ts";
import { factFaults } from "./schema.ts";

export interface CompiledPolicy {
  readonly version: PolicyVersion;
  readonly authorize: Authorizer;
}

/** Readies a version for evaluation; its rules were validated when the document was parsed. */
export function compilePolicy(version: PolicyVersion): CompiledPolicy {
  return { version, authorize: createAuthorizer(version) };
}

export function evaluate(policy: CompiledPolicy, action: PolicyAction, facts: PolicyFacts): Verdict {
  const { version } = policy;
  const named = (clauseIds: readonly string[]): DecidingClause[] =>
    version.clauses
      .filter((clause) => clauseIds.includes(clause.id))
      .map((clause) => ({ clauseId: clause.id, title: clause.title, customerText: clause.customerText }));
  const verdict = (
    decision: Verdict["decision"],
    clauses: readonly DecidingClause[],
    errors: readonly string[] = [],
  ): Verdict => ({
    decision,
    clauses,
    policyId: version.id,
    policyVersion: version.version,
    policyHash: version.hash,
    errors,
  });
  const failed = (errors: readonly string[]) => verdict("deny", [STANDING_CLAUSES.evaluationFailed], errors);

  const faults = factFaults(facts);
  if (faults.length > 0) return failed(faults);
  const context = contextOf(version, facts);
  const atAll = policy.authorize(action, context);
  if (atAll.errors.length > 0) return failed(atAll.errors);
  if (!atAll.allowed)
    return verdict("deny", orElse(named(atAll.clauseIds), STANDING_CLAUSES.noClausePermits));
  const unattended = policy.authorize(`${action}.unattended`, context);
  if (unattended.errors.length > 0) return failed(unattended.errors);
  const standing = standingObjections(version, action, facts);
  if (unattended.allowed && standing.length === 0) return verdict("allow", named(unattended.clauseIds));
  // The document's own clauses speak first; code speaks where the document is silent.
  const objecting = unattended.allowed ? standing : named(unattended.clauseIds);
  return verdict("needs_approval", orElse(objecting, STANDING_CLAUSES.noneUnattended));
}

const orElse = (clauses: readonly DecidingClause[], otherwise: DecidingClause): readonly DecidingClause[] =>
  clauses.length > 0 ? clauses : [otherwise];

/** What decides when no clause of the document does: in every policy, and in no document. */
export const STANDING_CLAUSES = {
  noClausePermits: {
    clauseId: "no-clause-permits",
    title: "No clause permits this",
    customerText: "Our policy does not provide for this.",
  },
  noneUnattended: {
    clauseId: "no-clause-permits-unattended",
    title: "No clause permits this without a person",
    customerText: "A colleague decides about this.",
  },
  evaluationFailed: {
    clauseId: "evaluation-failed",
    title: "The policy could not be evaluated",
    customerText: "I could not check this against our policy, so I cannot do it here.",
  },
  unattendedMax: {
    clauseId: "unattended-max",
    title: "Above what goes out without a person",
    customerText: "Refunds of this size are approved by a colleague.",
  },
  noLimitInCurrency: {
    clauseId: "no-limit-in-currency",
    title: "No limit in this currency",
    customerText: "Refunds in this currency are approved by a colleague.",
  },
  stopped: {
    clauseId: "kill-switch",
    title: "Nothing goes out without a person at the moment",
    customerText: "A colleague decides about this.",
  },
  refusedByPerson: {
    clauseId: "refused-by-person",
    title: "A person has turned a refund of this order down, or approved less",
    customerText: "A colleague has decided about this order before, so a colleague decides about this too.",
  },
  refundedElsewhere: {
    clauseId: "refunded-elsewhere",
    title: "Money of this order was refunded elsewhere, and nobody knows for which items",
    customerText: "Money for this order was refunded before, so a colleague checks what it was for.",
  },
  deliveryDateUnknown: {
    clauseId: "delivery-date-unknown",
    title: "Delivered, but nobody knows when",
    customerText: "A colleague checks when this order was delivered.",
  },
} as const satisfies Record<string, DecidingClause>;

function standingObjections(
  { limits }: PolicyVersion,
  action: PolicyAction,
  { order, request }: PolicyFacts,
): DecidingClause[] {
  const max = own(limits.unattendedMaxMinor, order.currency);
  const found: DecidingClause[] = [];
  if (action === "refund" && max === undefined) found.push(STANDING_CLAUSES.noLimitInCurrency);
  if (action === "refund" && max !== undefined && request.amountMinor > max)
    found.push(STANDING_CLAUSES.unattendedMax);
  if (order.state === "delivered" && order.daysSinceDelivery < 0)
    found.push(STANDING_CLAUSES.deliveryDateUnknown);
  return found;
}

/** Facts and the limits of the order's currency, as Cedar sees them. A limit that a currency lacks is absent. */
export function contextOf(version: PolicyVersion, facts: PolicyFacts) {
  const { limits } = version;
  const { currency } = facts.order;
  const unattendedMaxMinor = own(limits.unattendedMaxMinor, currency);
  const refundLimitMaxAmountMinor = own(limits.refundLimit.maxAmountMinor, currency);
  return {
    ...facts,
    limits: {
      returnWindowDays: limits.returnWindowDays,
      highValueLifetimeSpendMinor: limits.highValueLifetimeSpendMinor,
      refundLimitMaxCount: limits.refundLimit.maxCount,
      ...(unattendedMaxMinor === undefined ? {} : { unattendedMaxMinor }),
      ...(refundLimitMaxAmountMinor === undefined ? {} : { refundLimitMaxAmountMinor }),
    },
  };
}

const own = (amounts: Readonly<Record<string, number>>, currency: string): number | undefined =>
  Object.hasOwn(amounts, currency) ? amounts[currency] : undefined;
