/**
 * The customer's words for an action: made from its recorded state and nothing else (G2), in any language.
 * A sentence says that money moved only in state `succeeded`.
 */

import { unreachable } from "../kernel/errors.ts";
import type { Language } from "../kernel/language.ts";
import type { ActionState, ActionSummary } from "../tools/views.ts";
import { spokenMoney } from "../wording/forms.ts";
import type { CauseWords, LedgerWords, RefundSaid, ReturnSaid } from "../wording/ledger-words.ts";
import { wordsOf } from "../wording/words.ts";

type Spoken = Pick<ActionSummary, "kind" | "state" | "orderNumber" | "amountMinor" | "currency" | "items">;

/** What else is known of a state. */
export interface StateDetail {
  /** Operator's reason of a rejection, written for the customer. */
  readonly note?: string | null;
  readonly instructions?: string | null;
  readonly labelUrl?: string | null;
  /** Why it failed or was cancelled: our own code, one of {@link CauseWords} or a provider's. */
  readonly cause?: string | null;
  /** It had succeeded before: a bank sent the money back. */
  readonly returnedByBank?: boolean;
}

/** What an action covers when that is no list of titles; as it is stored, and as people of the shop read it. */
export const PART_OF_AMOUNT = "part of the amount";
export const REST_OF_ORDER = "the rest of the order";

/** What may be said of the action now. */
export function actionText(action: Spoken, detail: StateDetail = {}, language: Language = "en"): string {
  const words = wordsOf(language).ledger;
  const said = { order: `#${action.orderNumber}`, items: itemsSaid(action.items, words) };
  return action.kind === "refund"
    ? refundText(action.state, { ...said, amount: spokenMoney(action, language) }, detail, words)
    : returnText(action.state, said, detail, words);
}

function refundText(state: ActionState, it: RefundSaid, detail: StateDetail, words: LedgerWords): string {
  const { refund } = words;
  switch (state) {
    case "denied":
      return refund.denied(it);
    case "awaiting_approval":
      return refund.awaitingApproval(it);
    case "rejected":
      return refund.rejected(it, detail.note || null);
    case "expired":
      return refund.expired(it);
    case "scheduled":
    case "executing":
      return refund.underWay(it);
    case "cancelled":
      return refund.cancelled(it, causeText(detail.cause, words));
    case "unknown":
      return refund.unknown(it);
    case "needs_person":
      return refund.needsPerson(it);
    case "pending":
      return refund.pending(it);
    case "succeeded":
      return refund.succeeded(it);
    case "failed":
      return detail.returnedByBank
        ? refund.sentBackByBank(it)
        : refund.failed(it, causeText(detail.cause, words));
    default:
      return unreachable(state);
  }
}

function returnText(state: ActionState, it: ReturnSaid, detail: StateDetail, words: LedgerWords): string {
  const goods = words.return;
  switch (state) {
    case "denied":
      return goods.denied(it);
    case "awaiting_approval":
      return goods.awaitingApproval(it);
    case "rejected":
      return goods.rejected(it, detail.note || null);
    case "expired":
      return goods.expired(it);
    case "scheduled":
    case "executing":
      return goods.underWay(it);
    case "cancelled":
      return goods.cancelled(it, causeText(detail.cause, words));
    case "unknown":
    case "needs_person":
      return goods.unknown(it);
    case "pending":
      return goods.pending(it);
    case "succeeded":
      return goods.succeeded(it, detail.instructions || null, detail.labelUrl || null);
    case "failed":
      return goods.failed(it, causeText(detail.cause, words));
    default:
      return unreachable(state);
  }
}

/** A cause that only the provider has a name for is not told. */
const causeText = (cause: string | null | undefined, { cause: known }: LedgerWords): string | null =>
  cause != null && Object.hasOwn(known, cause) ? known[cause as keyof CauseWords] : null;

function itemsSaid(items: string, words: LedgerWords): string {
  if (items === PART_OF_AMOUNT) return words.partOfAmount;
  return items === REST_OF_ORDER ? words.restOfOrder : items;
}

/** The exact terms of an offer, as code computed them. */
export interface OfferTerms {
  readonly kind: "refund" | "return";
  readonly orderNumber: string;
  readonly items: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly needsApproval: boolean;
  /** Included shipping, in minor units. */
  readonly shippingMinor: number;
  readonly reason: string | null;
  /** An earlier offer had other terms. */
  readonly changed: boolean;
}

/** Says exactly what is about to happen and asks for a yes. */
export function offerText(terms: OfferTerms, language: Language = "en"): string {
  const words = wordsOf(language).ledger;
  const { needsApproval, currency } = terms;
  const said = { order: `#${terms.orderNumber}`, items: itemsSaid(terms.items, words), needsApproval };
  const money = (amountMinor: number) => spokenMoney({ amountMinor, currency }, language);
  const text =
    terms.kind === "return"
      ? words.offer.return({ ...said, reason: reasonText(terms.reason, words) })
      : words.offer.refund({
          ...said,
          amount: money(terms.amountMinor),
          shipping: terms.shippingMinor > 0 ? money(terms.shippingMinor) : null,
        });
  return terms.changed ? `${words.offer.changed} ${text}` : text;
}

/** A reason is a known one by its name, or the customer's own words. */
function reasonText(reason: string | null, { reasons }: LedgerWords): string | null {
  if (reason === null || reason === "") return null;
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reason;
}

/**
 * Groups states that are told with the same words, so that nobody is told twice: while a request is
 * under way and while its answer is unclear the customer hears "still being checked" once.
 */
export function toldAs(state: ActionState): string {
  return state === "executing" || state === "scheduled" ? "unknown" : state;
}
