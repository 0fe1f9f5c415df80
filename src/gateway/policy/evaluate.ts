/**
 * Evaluates a compiled policy on facts: pure, under a millisecond.
 *
 * Two questions: may it happen at all (`refund`), and may it happen without a person
 * (`refund.unattended`). Cedar denies by default and skips a statement that errors; a skipped `forbid`
 * would open the door, so any error of evaluation is a deny here.
 */

import { type Authorizer, createAuthorizer } from "./cedar.ts";
import type { PolicyFacts } from "./facts.ts";
import type { DecidingClause, PolicyAction, PolicyVersion, Verdict } from "./policy.ts";

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
  const context = contextOf(version, facts);
  const named = (clauseIds: readonly string[]): DecidingClause[] =>
    version.clauses
      .filter((clause) => clauseIds.includes(clause.id))
      .map((clause) => ({ clauseId: clause.id, title: clause.title, customerText: clause.customerText }));
  const verdict = (
    decision: Verdict["decision"],
    clauses: readonly DecidingClause[],
    errors: readonly string[],
  ): Verdict => ({
    decision,
    clauses: clauses.length > 0 ? clauses : [NO_CLAUSE],
    policyId: version.id,
    policyVersion: version.version,
    policyHash: version.hash,
    errors,
  });

  const atAll = policy.authorize(action, context);
  if (atAll.errors.length > 0 || !atAll.allowed)
    return verdict("deny", atAll.allowed ? [] : named(atAll.clauseIds), atAll.errors);
  const unattended = policy.authorize(`${action}.unattended`, context);
  if (unattended.errors.length > 0) return verdict("deny", [], unattended.errors);
  return unattended.allowed
    ? verdict("allow", named(unattended.clauseIds), [])
    : verdict("needs_approval", named(unattended.clauseIds), []);
}

/** What decides when no clause permits, or when a rule failed: fail closed. */
const NO_CLAUSE: DecidingClause = {
  clauseId: "no-clause-permits",
  title: "No clause permits this",
  customerText: "Our policy does not provide for this.",
};

/** Facts and the limits of the order's currency, as Cedar sees them. A limit that a currency lacks is absent. */
function contextOf(version: PolicyVersion, facts: PolicyFacts) {
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
