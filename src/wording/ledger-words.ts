/** What may be said of a refund or a return: offers and outcomes. Said by code alone, from recorded states. */
import type { Language } from "../kernel/language.ts";

export interface RefundSaid {
  /** `24.00 USD`, as the language writes it. */
  readonly amount: string;
  /** `#1042`. */
  readonly order: string;
  readonly items: string;
}
export type ReturnSaid = Omit<RefundSaid, "amount">;

/** Why something failed or was cancelled; each is a sentence that follows another. */
export interface CauseWords {
  readonly refunded_elsewhere: string;
  readonly declined: string;
  readonly no_longer_permitted: string;
  /** The customer took it back. */
  readonly customer_cancelled: string;
  /** A person approved less: another action has its place. */
  readonly amount_changed: string;
  /** A person gave the case back to the agent, which speaks. */
  readonly handed_back: string;
}

/** The reasons for a return that are known by fixed words, by their names in the shop. */
export interface ReasonWords {
  readonly Damaged: string;
  readonly "Not as described": string;
  readonly "Too small": string;
  readonly "Too big": string;
  readonly "Does not fit": string;
  readonly "Arrived too late": string;
  readonly "Changed my mind": string;
  readonly "No reason given": string;
}

export interface LedgerWords {
  readonly language: Language;
  /** `note`: what the colleague wrote, or null. `why`: a sentence of `cause`, or null. */
  readonly refund: {
    denied(it: RefundSaid): string;
    awaitingApproval(it: RefundSaid): string;
    rejected(it: RefundSaid, note: string | null): string;
    expired(it: RefundSaid): string;
    underWay(it: RefundSaid): string;
    cancelled(it: RefundSaid, why: string | null): string;
    unknown(it: RefundSaid): string;
    needsPerson(it: RefundSaid): string;
    pending(it: RefundSaid): string;
    /** The only sentence that says that money moved. */
    succeeded(it: RefundSaid): string;
    failed(it: RefundSaid, why: string | null): string;
    /** It had succeeded before. */
    sentBackByBank(it: RefundSaid): string;
  };
  readonly return: {
    denied(it: ReturnSaid): string;
    awaitingApproval(it: ReturnSaid): string;
    rejected(it: ReturnSaid, note: string | null): string;
    expired(it: ReturnSaid): string;
    underWay(it: ReturnSaid): string;
    cancelled(it: ReturnSaid, why: string | null): string;
    unknown(it: ReturnSaid): string;
    pending(it: ReturnSaid): string;
    /** `instructions` are the shop's own words. */
    succeeded(it: ReturnSaid, instructions: string | null, labelUrl: string | null): string;
    failed(it: ReturnSaid, why: string | null): string;
  };
  readonly cause: CauseWords;
  /** What a refund is for when that is no item. */
  readonly partOfAmount: string;
  readonly restOfOrder: string;
  readonly reasons: ReasonWords;
  /** Each ends in the question that a yes answers. */
  readonly offer: {
    /** Before an offer whose terms are not those of an earlier one. */
    readonly changed: string;
    /** `shipping`: money that is part of the amount, or null. */
    refund(it: RefundSaid & { readonly shipping: string | null; readonly needsApproval: boolean }): string;
    return(it: ReturnSaid & { readonly reason: string | null; readonly needsApproval: boolean }): string;
  };
}
