/** What Stripe does when a refund is asked for, changed or settled: the checks, the books, the events. */
import { formatDecimal } from "../../src/kernel/money.ts";
import type { Clock, Random } from "../../src/kernel/ports.ts";
import { invalid, missing, StripeError } from "./errors.ts";
import type { ArmedFault } from "./faults.ts";
import { type Form, integerOf, mergedMetadata, oneOf, onlyKnown, textOf } from "./form.ts";
import type { Ledger } from "./ledger.ts";
import { type Charge, type Refund, type RefundStatus, showCharge, showRefund } from "./shapes.ts";

/** What a write works on; inside one transaction. */
export interface Books {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly random: Random;
  /** How long a pending refund stays so when nothing else is said. */
  readonly pendingForMs: number;
  /** Records an event about an object, and what its changed members were before. */
  readonly emit: (type: string, object: unknown, previous?: Readonly<Record<string, unknown>>) => void;
}

export const newStripeId = (random: Random, prefix: string): string =>
  `${prefix}_${Buffer.from(random.bytes(12)).toString("hex")}`;

const CREATE = [
  "charge",
  "payment_intent",
  "amount",
  "reason",
  "metadata",
  "expand",
  "currency",
  "instructions_email",
];
const REASONS = ["duplicate", "fraudulent", "requested_by_customer"] as const;

export interface RefundRequest {
  readonly charge: string | null;
  readonly paymentIntent: string | null;
  readonly amount: number | null;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The checks that need no books; what they refuse is not kept under the idempotency key. */
export function readRefundRequest(form: Form): RefundRequest {
  onlyKnown(form, CREATE);
  const charge = textOf(form, "charge");
  const paymentIntent = textOf(form, "payment_intent");
  if (charge !== null && paymentIntent !== null) {
    throw invalid("You may only specify one of these parameters: charge, payment_intent.");
  }
  if (charge === null && paymentIntent === null) {
    throw invalid(
      "One of the following params should be provided for this request: payment_intent or charge.",
    );
  }
  return {
    charge,
    paymentIntent,
    amount: integerOf(form, "amount", 1),
    reason: oneOf(form, "reason", REASONS),
    metadata: mergedMetadata(form, {}),
  };
}

/** Cards of Stripe's test mode whose refunds go another way than at once. */
const PENDING_CARD = "pm_card_pendingRefund";
const FAILING_CARD = "pm_card_refundFail";

export function createRefund(books: Books, wanted: RefundRequest, fault: ArmedFault | null): Refund {
  const { ledger, clock, random } = books;
  const charge = chargeFor(ledger, wanted);
  if (charge.disputed) {
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  }
  const left = charge.amount_captured - charge.amount_refunded;
  if (left <= 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  }
  const amount = wanted.amount ?? left;
  if (amount > left) {
    throw invalid(
      `Refund amount (${shown(amount, charge)}) is greater than unrefunded amount on charge (${shown(left, charge)})`,
      { param: "amount" },
    );
  }
  if (fault?.fault === "declined") {
    throw new StripeError(402, {
      type: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      message: "The refund was declined.",
    });
  }
  const refund: Refund = {
    id: newStripeId(random, "re"),
    amount,
    balance_transaction: newStripeId(random, "txn"),
    charge: charge.id,
    created: Math.floor(clock.now() / 1000),
    currency: charge.currency,
    metadata: wanted.metadata,
    payment_intent: charge.payment_intent,
    reason: wanted.reason,
    status: firstStatus(charge, fault),
  };
  ledger.addRefund(refund);
  const then = laterStatus(charge, fault);
  if (then !== null) {
    const dueMs = clock.now() + (fault?.delayMs ?? books.pendingForMs);
    ledger.setOutcome({ refund: refund.id, status: then, dueMs });
  }
  books.emit("refund.created", showRefund(refund));
  addToCharge(books, charge, amount);
  return refund;
}

function chargeFor(ledger: Ledger, { charge, paymentIntent }: RefundRequest): Charge {
  if (charge !== null) {
    const found = ledger.charge(charge);
    if (found === null) throw missing("charge", charge, "charge");
    return found;
  }
  const id = paymentIntent ?? "";
  if (ledger.intent(id) === null) throw missing("payment_intent", id, "payment_intent");
  const found = ledger.chargeOfIntent(id);
  if (found === null) {
    throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`, {
      param: "payment_intent",
    });
  }
  return found;
}

function firstStatus(charge: Charge, fault: ArmedFault | null): RefundStatus {
  switch (fault?.fault) {
    case "pending_then_succeeded":
    case "pending_then_failed":
      return "pending";
    case "requires_action":
      return "requires_action";
    default:
      return charge.payment_method === PENDING_CARD ? "pending" : "succeeded";
  }
}

function laterStatus(charge: Charge, fault: ArmedFault | null): "succeeded" | "failed" | null {
  switch (fault?.fault) {
    case "pending_then_succeeded":
      return "succeeded";
    case "pending_then_failed":
      return "failed";
    case "requires_action":
      return null;
    default:
      if (charge.payment_method === PENDING_CARD) return "succeeded";
      return charge.payment_method === FAILING_CARD ? "failed" : null;
  }
}

export function readRefundUpdate(form: Form): Form {
  onlyKnown(form, ["metadata", "expand"]);
  mergedMetadata(form, {});
  return form;
}

export function updateRefund(books: Books, id: string, form: Form): Refund {
  const refund = found(books, id);
  const updated: Refund = { ...refund, metadata: mergedMetadata(form, refund.metadata) };
  books.ledger.saveRefund(updated);
  books.emit("refund.updated", showRefund(updated), { metadata: refund.metadata });
  return updated;
}

/** Stripe cancels only what still waits for the customer. */
export function cancelRefund(books: Books, id: string): Refund {
  const refund = found(books, id);
  if (refund.status !== "requires_action") {
    throw invalid(
      `You cannot cancel this refund because it has a status of ${refund.status}. Only a refund with the status requires_action can be canceled.`,
    );
  }
  return settleRefund(books, id, "canceled");
}

/**
 * Gives a refund its outcome. A succeeded one can still fail: the bank sends the money back. What is final
 * stays as it is.
 */
export function settleRefund(books: Books, id: string, status: "succeeded" | "failed" | "canceled"): Refund {
  const { ledger, random } = books;
  const refund = found(books, id);
  ledger.clearOutcome(id);
  const open = refund.status === "pending" || refund.status === "requires_action";
  if (!open && !(refund.status === "succeeded" && status === "failed")) return refund;
  const settled: Refund =
    status === "succeeded"
      ? { ...refund, status }
      : {
          ...refund,
          status,
          failure_balance_transaction: newStripeId(random, "txn"),
          failure_reason: status === "failed" ? "lost_or_stolen_card" : "merchant_request",
        };
  ledger.saveRefund(settled);
  const previous = { status: refund.status };
  books.emit("refund.updated", showRefund(settled), previous);
  books.emit("charge.refund.updated", showRefund(settled), previous);
  if (status === "failed") books.emit("refund.failed", showRefund(settled), previous);
  const charge = ledger.charge(refund.charge);
  if (status !== "succeeded" && charge !== null) addToCharge(books, charge, -refund.amount);
  return settled;
}

function found({ ledger }: Books, id: string): Refund {
  const refund = ledger.refund(id);
  if (refund === null) throw missing("refund", id);
  return refund;
}

function addToCharge({ ledger, emit }: Books, charge: Charge, amount: number): void {
  const refunded = charge.amount_refunded + amount;
  const changed: Charge = {
    ...charge,
    amount_refunded: refunded,
    refunded: refunded >= charge.amount_captured,
  };
  ledger.saveCharge(changed);
  emit(amount > 0 ? "charge.refunded" : "charge.updated", showCharge(changed), {
    amount_refunded: charge.amount_refunded,
    ...(changed.refunded === charge.refunded ? {} : { refunded: charge.refunded }),
  });
}

function shown(amountMinor: number, { currency: code }: Charge): string {
  const currency = code.toUpperCase();
  const amount = Number(formatDecimal({ amountMinor, currency }));
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount);
}
