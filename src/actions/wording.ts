/**
 * The customer's words for an action: made from its recorded state and nothing else (G2).
 * A sentence says that money moved only in state `succeeded`.
 */

import { unreachable } from "../kernel/errors.ts";
import { formatMoney } from "../kernel/money.ts";
import type { ActionState, ActionSummary } from "../tools/views.ts";

type Spoken = Pick<ActionSummary, "kind" | "state" | "orderNumber" | "amountMinor" | "currency" | "items">;

/** What else is known of a state. */
export interface StateDetail {
  /** Operator's reason of a rejection, written for the customer. */
  readonly note?: string | null;
  readonly instructions?: string | null;
  readonly labelUrl?: string | null;
  /** Why it failed or was cancelled: our own code, see {@link failureWords}. */
  readonly cause?: string | null;
  /** It had succeeded before: a bank sent the money back. */
  readonly returnedByBank?: boolean;
}

/** What may be said of the action now. */
export function actionText(action: Spoken, detail: StateDetail = {}): string {
  return action.kind === "refund" ? refundText(action, detail) : returnText(action, detail);
}

function refundText(action: Spoken, detail: StateDetail): string {
  const refund = `refund of ${formatMoney(action)} for order #${action.orderNumber}`;
  switch (action.state) {
    case "denied":
      return `The ${refund} was not possible under our policy. Nothing was paid out.`;
    case "awaiting_approval":
      return `Your ${refund} (${action.items}) is with a colleague for approval. Nothing has been paid out yet; I will write here as soon as it is decided.`;
    case "rejected":
      return `A colleague has looked at your ${refund} and could not approve it.${detail.note ? ` They wrote: “${detail.note}”` : ""} Nothing was paid out.`;
    case "expired":
      return `Your ${refund} was not decided in time, so the request has ended. Nothing was paid out. Write here if you still want it and I will start again.`;
    case "scheduled":
    case "executing":
      return `Your ${refund} is being sent to the payment provider. It is not confirmed yet; I will write here as soon as it is.`;
    case "cancelled":
      return `Your ${refund} was cancelled before anything was sent to the payment provider. Nothing was paid out.${failureWords(detail.cause)}`;
    case "unknown":
      return `Your ${refund} is still being checked: the payment provider has not given us a clear answer yet. It cannot be paid twice, and I will write here as soon as we know.`;
    case "needs_person":
      return `Your ${refund} is still being checked, now by a colleague together with the payment provider. It cannot be paid twice, and we will write here as soon as we know.`;
    case "pending":
      return `The payment provider has accepted your ${refund} and is processing it. It is not final yet; I will write here when it is.`;
    case "succeeded":
      return `The payment provider has confirmed your ${refund} (${action.items}). It goes back to the way you paid and usually shows on your statement within 5 to 10 days.`;
    case "failed":
      return detail.returnedByBank
        ? `The payment provider has told us that your ${refund} was sent back by the bank, so the money has not reached you. A colleague will contact you to find another way.`
        : `Your ${refund} did not go through and nothing was paid out.${failureWords(detail.cause)} A colleague will look at it.`;
    default:
      return unreachable(action.state);
  }
}

function returnText(action: Spoken, detail: StateDetail): string {
  const what = `return of ${action.items} from order #${action.orderNumber}`;
  switch (action.state) {
    case "denied":
      return `The ${what} was not possible under our policy.`;
    case "awaiting_approval":
      return `Your ${what} is with a colleague for approval. I will write here as soon as it is decided.`;
    case "rejected":
      return `A colleague has looked at your ${what} and could not approve it.${detail.note ? ` They wrote: “${detail.note}”` : ""}`;
    case "expired":
      return `Your ${what} was not decided in time, so the request has ended. Write here if you still want it.`;
    case "scheduled":
    case "executing":
      return `Your ${what} is being registered. I will write here as soon as it is confirmed.`;
    case "cancelled":
      return `Your ${what} was cancelled before it was registered.${failureWords(detail.cause)}`;
    case "unknown":
    case "needs_person":
      return `Your ${what} is still being checked: the shop system has not given us a clear answer yet. It cannot be registered twice, and I will write here as soon as we know.`;
    case "pending":
      return `Your ${what} has been accepted and is being processed.`;
    case "succeeded":
      return [
        `Your ${what} is registered.`,
        detail.instructions ?? "",
        detail.labelUrl ? `Your return label: ${detail.labelUrl}` : "",
        "The refund is decided once the parcel has arrived.",
      ]
        .filter((part) => part !== "")
        .join(" ");
    case "failed":
      return `Your ${what} could not be registered.${failureWords(detail.cause)} A colleague will look at it.`;
    default:
      return unreachable(action.state);
  }
}

function failureWords(cause: string | null | undefined): string {
  switch (cause) {
    case "refunded_elsewhere":
      return " The order has been refunded by other means in the meantime.";
    case "declined":
      return " The payment provider declined it.";
    case "no_longer_permitted":
      return " The order or the policy has changed since you asked.";
    default:
      return "";
  }
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
export function offerText(terms: OfferTerms): string {
  const changed = terms.changed ? "Something about this has changed, so here it is again. " : "";
  if (terms.kind === "return") {
    return `${changed}I can register a return for order #${terms.orderNumber}: ${terms.items}${terms.reason ? ` (reason: ${terms.reason})` : ""}. You will get instructions for sending it back.${terms.needsApproval ? " A colleague has to approve it first." : ""} Shall I go ahead?`;
  }
  const shipping =
    terms.shippingMinor > 0
      ? `, including ${formatMoney({ amountMinor: terms.shippingMinor, currency: terms.currency })} shipping`
      : "";
  const approval = terms.needsApproval
    ? " A colleague has to approve it first. Shall I send it to them?"
    : " Shall I go ahead?";
  return `${changed}I can refund ${formatMoney(terms)} for order #${terms.orderNumber} (${terms.items})${shipping}. The money goes back to the way you paid.${approval}`;
}

/**
 * Groups states that are told with the same words, so that nobody is told twice: while a request is
 * under way and while its answer is unclear the customer hears "still being checked" once.
 */
export function toldAs(state: ActionState): string {
  return state === "executing" || state === "scheduled" ? "unknown" : state;
}
