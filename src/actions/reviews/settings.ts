/**
 * What a tenant decides about its reviews: how fast, how long a decision can be taken back, and from which
 * amount two people are needed.
 */
import { LIMITS } from "../../kernel/limits.ts";
import { type Currency, type Money, parseAmount } from "../../kernel/money.ts";
import type { OpeningHours } from "../../kernel/opening-hours.ts";
import type { ReviewKind } from "../../store/review-tables.ts";
import { PACE, type Priority } from "./priority.ts";

export interface ReviewRules {
  /** How long a decision can be undone before it takes effect; 0: it takes effect at once. */
  readonly undoMs: number;
  /** How long a claim holds without being renewed. */
  readonly claimMs: number;
  /**
   * The second limit, decimal text in the tenant's currency: above it two different people approve, and so they do
   * for any amount of another currency. Null: one person is enough.
   */
  readonly secondLimit: string | null;
  /** Opening time within which a person should have decided, by kind. */
  readonly slaMs: Readonly<Record<ReviewKind, number>>;
}

export const DEFAULT_RULES: ReviewRules = {
  undoMs: LIMITS.undoMs,
  claimMs: LIMITS.claimMs,
  secondLimit: null,
  slaMs: { approval: 60 * 60_000, handoff: 15 * 60_000, uncertain: 240 * 60_000 },
};

/** A tenant's rules with what they are applied by. */
export interface ReviewSettings extends ReviewRules {
  readonly currency: Currency;
  readonly timeZone: string;
  /** Null: somebody is always there. */
  readonly openingHours: OpeningHours | null;
  /** What texts to customers may link to and name, see `safety/may-leave.ts`. */
  readonly linkHosts: readonly string[];
  readonly contacts: readonly string[];
}

/** What is known of a tenant, as far as reviews need it. */
export interface TenantReviewing {
  readonly currency: Currency;
  readonly timeZone: string;
  readonly openingHours?: OpeningHours;
  readonly linkHosts?: readonly string[];
  readonly contacts?: readonly string[];
  readonly reviews?: Partial<ReviewRules>;
}

export function reviewSettings(tenant: TenantReviewing): ReviewSettings {
  return {
    ...DEFAULT_RULES,
    ...tenant.reviews,
    currency: tenant.currency,
    timeZone: tenant.timeZone,
    openingHours: tenant.openingHours ?? null,
    linkHosts: tenant.linkHosts ?? [],
    contacts: tenant.contacts ?? [],
  };
}

export function needsTwoPeople(settings: ReviewSettings, amount: Money): boolean {
  const { secondLimit, currency } = settings;
  if (secondLimit === null || amount.amountMinor === 0) return false;
  return amount.currency !== currency || amount.amountMinor > parseAmount(secondLimit, currency);
}

/** Opening time that a review of this kind and priority gets. */
export const dueWithinMs = (settings: ReviewRules, kind: ReviewKind, priority: Priority): number =>
  Math.round(settings.slaMs[kind] * PACE[priority]);
