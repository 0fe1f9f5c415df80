/**
 * Stripe's objects as the port's, strictly: an answer that lacks what it must have is no answer. A proxy
 * that says 200 with a page of its own must never be read as "refunded" or as "there are no refunds".
 */
import type { NewRefund, ProviderCharge, ProviderRefund } from "../../payments.ts";

/** The answer is not what Stripe says. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
}

type Members = Readonly<Record<string, unknown>>;

export function membersOf(value: unknown, object: string): Members {
  const members = value !== null && typeof value === "object" ? (value as Members) : {};
  if (members.object !== object) throw new MalformedAnswer(`the answer is not a ${object}`);
  return members;
}

export function refundOf(value: unknown): ProviderRefund {
  const refund = membersOf(value, "refund");
  const metadata = (refund.metadata ?? {}) as Members;
  return {
    id: textOf(refund, "id"),
    chargeId: idOf(refund.charge) ?? "",
    amountMinor: wholeOf(refund, "amount"),
    currency: textOf(refund, "currency").toUpperCase(),
    status: statusOf(refund.status),
    failureReason: typeof refund.failure_reason === "string" ? refund.failure_reason : null,
    actionId: typeof metadata.recourse_action_id === "string" ? metadata.recourse_action_id : null,
    createdAt: wholeOf(refund, "created") * 1000,
  };
}

export function chargeOf(value: unknown): ProviderCharge {
  const charge = membersOf(value, "charge");
  if (typeof charge.disputed !== "boolean") throw new MalformedAnswer("the answer has no disputed");
  return {
    id: textOf(charge, "id"),
    currency: textOf(charge, "currency").toUpperCase(),
    capturedMinor: wholeOf(charge, "amount_captured"),
    refundedMinor: wholeOf(charge, "amount_refunded"),
    disputed: charge.disputed,
  };
}

/** What an answer says differently from what was asked; null when it is about exactly that. */
export function whatDiffers(refund: ProviderRefund, wanted: NewRefund): string | null {
  if (refund.chargeId !== wanted.chargeId) return "the answer is about another charge";
  if (refund.amountMinor !== wanted.amountMinor) {
    return `the answer says ${refund.amountMinor}, not ${wanted.amountMinor}`;
  }
  if (refund.currency !== wanted.currency.toUpperCase()) {
    return `the answer says ${refund.currency}, not ${wanted.currency}`;
  }
  if (refund.actionId !== wanted.actionId) return "the answer is about another action";
  return null;
}

/** `requires_action` waits for the customer at the bank, and what we do not know is not final either. */
function statusOf(status: unknown): ProviderRefund["status"] {
  switch (status) {
    case "succeeded":
    case "failed":
      return status;
    case "canceled":
      return "cancelled";
    default:
      return "pending";
  }
}

/** An ID, or the object in its place when it was expanded. */
function idOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  const id = (value as Members | null | undefined)?.id;
  return typeof id === "string" ? id : null;
}

function textOf(members: Members, name: string): string {
  const value = members[name];
  if (typeof value !== "string" || value === "") throw new MalformedAnswer(`the answer has no ${name}`);
  return value;
}

function wholeOf(members: Members, name: string): number {
  const value = members[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new MalformedAnswer(`the answer has no whole ${name}`);
  }
  return value;
}
