/**
 * A policy version, as read from its document, and what evaluating it answers.
 *
 * One document is both what customers are told and what is enforced: prose with `{{limits.…}}`
 * placeholders, and a ```cedar block beside each clause.
 */
import type { Language } from "../../kernel/language.ts";
import type { Currency } from "../../kernel/money.ts";

export interface PolicyVersion {
  readonly tenant: string;
  readonly id: string;
  readonly version: string;
  /** Calendar date in the merchant's time zone, from whose start this version governs. */
  readonly effectiveFrom: string;
  /** Which date decides what version governs a request. */
  readonly governedBy: "order_placed" | "request_made";
  readonly title: string;
  /** What it is written in. */
  readonly language: Language;
  /** The tenant's own: that of `highValueLifetimeSpendMinor`, and what prose shows of lists of amounts. */
  readonly currency: Currency;
  readonly limits: PolicyLimits;
  /** In document order. */
  readonly clauses: readonly PolicyClause[];
  /** The Cedar statements of all clauses, in document order. */
  readonly statements: readonly PolicyStatement[];
  /** SHA-256 of the document's bytes. */
  readonly hash: string;
  readonly source: string;
}

/** One rule; `line` and `column` (1-based) are where its text starts in the document. */
export interface PolicyStatement {
  /** `clause#n`: the n-th rule of its clause. */
  readonly id: string;
  readonly clauseId: string;
  readonly text: string;
  readonly line: number;
  readonly column: number | null;
}

export interface PolicyLimits {
  readonly returnWindowDays: number;
  /** Above it a person approves. Minor units per currency; a currency that is absent is never unattended. */
  readonly unattendedMaxMinor: Readonly<Record<Currency, number>>;
  /** From this lifetime spend (tenant's currency, minor units) a person decides. */
  readonly highValueLifetimeSpendMinor: number;
  readonly refundLimit: {
    readonly windowDays: number;
    readonly maxCount: number;
    /** Per currency, minor units; a currency that is absent has no amount limit but the count limit. */
    readonly maxAmountMinor: Readonly<Record<Currency, number>>;
  };
}

/** One heading with its prose and its rules. `prose` has the limits' values filled in. */
export interface PolicyClause {
  readonly id: string;
  readonly title: string;
  readonly prose: string;
  /** First sentence(s) for a customer to whom this clause says no or not yet, in the policy's language. */
  readonly customerText: string;
  /** The same in other languages. */
  readonly translations: Readonly<Partial<Record<Language, string>>>;
  readonly line: number;
}

/** `refund` and `return`: may it happen at all. `.unattended`: may it happen without a person. */
export type PolicyAction = "refund" | "return";

export interface Verdict {
  readonly decision: "allow" | "deny" | "needs_approval";
  /** The clauses that decided: those that forbid, or for an allow those that permit. Never empty. */
  readonly clauses: readonly DecidingClause[];
  readonly policyId: string;
  readonly policyVersion: string;
  readonly policyHash: string;
  /** Errors of evaluation; any makes the decision a deny. */
  readonly errors: readonly string[];
}

export interface DecidingClause {
  readonly clauseId: string;
  readonly title: string;
  readonly customerText: string;
}
