/** What Stripe does when a refund is asked for: the checks, the books, the events. */
import type { Clock, Random } from "../../src/kernel/ports.ts";
import type { ArmedFault } from "./faults.ts";
import type { Form } from "./form.ts";
import type { Ledger } from "./ledger.ts";
import { type Charge, invalid, missing, type Refund, type RefundStatus, StripeError } from "./shapes.ts";

const CREATE_FIELDS = [
  "charge",
  "payment_intent",
  "amount",
  "reason",
  "metadata",
  "expand",
  "currency",
  "instructions_email",
];
const REASONS = ["duplicate", "fraudulent", "requested_by_customer"];
const PENDING_FOR_MS = 3_000;
const METADATA_KEYS_MAX = 50;

export interface RefundBooks {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly random: Random;
  /** Records an event about an object, in the same transaction. */
  readonly emit: (type: string, object: unknown) => void;
}

export const newStripeId = (random: Random, prefix: string): string =>
  `${prefix}_${Buffer.from(random.bytes(12)).toString("hex")}`;

/** The checks that come before anything is done; their failures are not kept under the key. */
export function readRefundRequest(form: Form): {
  charge: string | null;
  paymentIntent: string | null;
  amount: number | null;
  reason: string | null;
  metadata: Record<string, string>;
} {
  for (const field of Object.keys(form)) {
    if (!CREATE_FIELDS.includes(field))
      throw invalid(`Received unknown parameter: ${field}`, { code: "parameter_unknown", param: field });
  }
  const text = (field: string): string | null =>
    typeof form[field] === "string" && form[field] !== "" ? form[field] : null;
  const charge = text("charge");
  const paymentIntent = text("payment_intent");
  if (charge === null && paymentIntent === null) {
    throw invalid(
      "One of the following params should be provided for this request: payment_intent or charge.",
    );
  }
  const amountText = text("amount");
  if (amountText !== null && !/^-?\d+$/.test(amountText)) {
    throw invalid(`Invalid integer: ${amountText}`, { code: "parameter_invalid_integer", param: "amount" });
  }
  const amount = amountText === null ? null : Number(amountText);
  if (amount !== null && amount < 1) {
    throw invalid("This value must be greater than or equal to 1.", {
      code: "parameter_invalid_integer",
      param: "amount",
    });
  }
  const reason = text("reason");
  if (reason !== null && !REASONS.includes(reason)) {
    throw invalid(`Invalid reason: must be one of ${REASONS.join(", ")}`, { param: "reason" });
  }
  return { charge, paymentIntent, amount, reason, metadata: readMetadata(form.metadata) };
}

export function readMetadata(value: Form[string] | undefined): Record<string, string> {
  if (value === undefined || typeof value === "string") return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  if (entries.length > METADATA_KEYS_MAX) throw invalid("Too many metadata keys.", { param: "metadata" });
  return Object.fromEntries(entries);
}

export function createRefund(
  books: RefundBooks,
  wanted: ReturnType<typeof readRefundRequest>,
  fault: ArmedFault | null,
): Refund {
  const { ledger, clock, random } = books;
  const charge =
    wanted.charge === null
      ? ledger.charges().find((candidate) => candidate.payment_intent === wanted.paymentIntent)
      : ledger.charge(wanted.charge);
  if (!charge) {
    throw wanted.charge === null
      ? missing("payment_intent", wanted.paymentIntent ?? "", "payment_intent")
      : missing("charge", wanted.charge, "charge");
  }
  if (charge.disputed) {
    throw invalid("This charge has been charged back and cannot be refunded.", { code: "charge_disputed" });
  }
  const left = charge.amount_captured - charge.amount_refunded;
  if (left <= 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
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
      message: "The refund was declined.",
    });
  }
  const pending = fault?.fault === "pending_then_succeeded" || fault?.fault === "pending_then_failed";
  const nowMs = clock.now();
  const refund: Refund = {
    id: newStripeId(random, "re"),
    object: "refund",
    amount,
    balance_transaction: newStripeId(random, "txn"),
    charge: charge.id,
    created: Math.floor(nowMs / 1000),
    currency: charge.currency,
    destination_details: null,
    metadata: wanted.metadata,
    payment_intent: charge.payment_intent,
    reason: wanted.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: pending ? "pending" : "succeeded",
    transfer_reversal: null,
  };
  ledger.addRefund(refund);
  applyToCharge(books, charge, amount);
  if (pending) {
    ledger.setOutcome(
      refund.id,
      fault.fault === "pending_then_failed" ? "failed" : "succeeded",
      nowMs + (fault.delayMs ?? PENDING_FOR_MS),
    );
  }
  books.emit("refund.created", refund);
  books.emit("charge.refunded", ledger.charge(charge.id));
  return refund;
}

/** Settles a pending refund, or fails a succeeded one (a bank sent the money back). */
export function settleRefund(
  books: RefundBooks,
  id: string,
  status: Exclude<RefundStatus, "pending">,
): Refund {
  const { ledger, random } = books;
  const refund = ledger.refund(id);
  if (refund === null) throw missing("refund", id);
  if (refund.status === status || refund.status === "failed" || refund.status === "canceled") return refund;
  const settled: Refund = { ...refund, status };
  if (status !== "succeeded") {
    settled.failure_reason = status === "failed" ? "lost_or_stolen_card" : "merchant_request";
    settled.failure_balance_transaction = newStripeId(random, "txn");
    const charge = ledger.charge(refund.charge);
    if (charge !== null) applyToCharge(books, charge, -refund.amount);
  }
  ledger.saveRefund(settled);
  ledger.clearOutcome(id);
  books.emit("refund.updated", settled);
  books.emit("charge.refund.updated", settled);
  if (status === "failed") books.emit("refund.failed", settled);
  return settled;
}

export function cancelRefund(books: RefundBooks, id: string): Refund {
  const refund = books.ledger.refund(id);
  if (refund === null) throw missing("refund", id);
  if (refund.status !== "pending")
    throw invalid(`Refund ${id} has status ${refund.status} and cannot be canceled.`);
  return settleRefund(books, id, "canceled");
}

function applyToCharge({ ledger }: RefundBooks, charge: Charge, amount: number): void {
  const refundedMinor = charge.amount_refunded + amount;
  ledger.saveCharge({
    ...charge,
    amount_refunded: refundedMinor,
    refunded: refundedMinor >= charge.amount_captured,
  });
}

const shown = (amount: number, charge: Charge): string => `${amount} ${charge.currency}`;
