/** Charges that exist before anyone asks: those of the sandbox's shop. */
import type { Random } from "../../src/kernel/ports.ts";
import type { Ledger } from "./ledger.ts";
import { newStripeId } from "./refunds.ts";
import type { RefundStatus } from "./shapes.ts";

/** Amounts are in the currency's smallest unit, instants in ms. */
export interface SeededCharge {
  readonly chargeId: string;
  readonly paymentIntentId: string;
  readonly amountMinor: number;
  /** All of it when left out. */
  readonly capturedMinor?: number;
  readonly currency: string;
  readonly createdAt: number;
  readonly disputed?: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** A test card of Stripe's, such as `pm_card_pendingRefund`. */
  readonly paymentMethod?: string;
  readonly refunds?: readonly {
    readonly amountMinor: number;
    readonly status: Exclude<RefundStatus, "requires_action">;
    readonly createdAt: number;
    readonly metadata?: Readonly<Record<string, string>>;
  }[];
}

/** Adds a charge with its intent and refunds, unless it is there: what has happened to it since stays. */
export function seedCharge(ledger: Ledger, random: Random, wanted: SeededCharge): void {
  const { refunds = [], capturedMinor = wanted.amountMinor, paymentMethod = "pm_card_visa" } = wanted;
  const currency = wanted.currency.toLowerCase();
  const created = Math.floor(wanted.createdAt / 1000);
  const metadata = { ...wanted.metadata };
  const refundedMinor = refunds
    .filter(({ status }) => status === "succeeded" || status === "pending")
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  ledger.addIntent({
    id: wanted.paymentIntentId,
    amount: wanted.amountMinor,
    created,
    currency,
    description: null,
    latest_charge: wanted.chargeId,
    metadata,
    payment_method: paymentMethod,
    status: "succeeded",
  });
  const isNew = ledger.addCharge({
    id: wanted.chargeId,
    amount: wanted.amountMinor,
    amount_captured: capturedMinor,
    amount_refunded: refundedMinor,
    created,
    currency,
    description: null,
    disputed: wanted.disputed ?? false,
    metadata,
    payment_intent: wanted.paymentIntentId,
    payment_method: paymentMethod,
    refunded: refundedMinor > 0 && refundedMinor >= capturedMinor,
  });
  if (!isNew) return;
  for (const refund of refunds) {
    ledger.addRefund({
      id: newStripeId(random, "re"),
      amount: refund.amountMinor,
      balance_transaction: newStripeId(random, "txn"),
      charge: wanted.chargeId,
      created: Math.floor(refund.createdAt / 1000),
      currency,
      ...(refund.status === "failed" ? { failure_reason: "lost_or_stolen_card" } : {}),
      metadata: { ...refund.metadata },
      payment_intent: wanted.paymentIntentId,
      reason: null,
      status: refund.status,
    });
  }
}
