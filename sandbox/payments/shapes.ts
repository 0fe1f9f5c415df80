/**
 * Stripe's objects as far as charges, payment intents, refunds and events go. What is kept is a small
 * record; what is shown is the whole object, checked by the compiler against the official SDK's types.
 * Amounts are in the currency's smallest unit, times are seconds.
 */
import type Stripe from "stripe";

/** The API version whose shapes these are: the one that the SDK pins. */
export const API_VERSION = "2026-10-28.endive";

export interface Charge {
  readonly id: string;
  readonly amount: number;
  readonly amount_captured: number;
  readonly amount_refunded: number;
  readonly created: number;
  readonly currency: string;
  readonly description: string | null;
  readonly disputed: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly payment_intent: string;
  readonly payment_method: string;
  readonly refunded: boolean;
}

export type RefundStatus = "pending" | "requires_action" | "succeeded" | "failed" | "canceled";

export interface Refund {
  readonly id: string;
  readonly amount: number;
  readonly balance_transaction: string | null;
  readonly charge: string;
  readonly created: number;
  readonly currency: string;
  readonly failure_balance_transaction?: string;
  readonly failure_reason?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly payment_intent: string;
  readonly pending_reason?: "processing";
  readonly reason: string | null;
  readonly status: RefundStatus;
}

export interface Intent {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
  readonly currency: string;
  readonly description: string | null;
  readonly latest_charge: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly payment_method: string | null;
  readonly status: "requires_payment_method" | "requires_confirmation" | "succeeded";
}

export interface StripeEvent {
  readonly id: string;
  readonly object: "event";
  readonly api_version: string;
  readonly created: number;
  readonly data: { readonly object: unknown; readonly previous_attributes?: unknown };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: string;
}

export function showCharge(charge: Charge): Stripe.Charge {
  return {
    id: charge.id,
    object: "charge",
    amount: charge.amount,
    amount_captured: charge.amount_captured,
    amount_refunded: charge.amount_refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: charge.id.replace(/^(ch|py)_/, "txn_"),
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: "RECOURSE SANDBOX",
    captured: charge.amount_captured > 0,
    created: charge.created,
    currency: charge.currency,
    customer: null,
    description: charge.description,
    disputed: charge.disputed,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: { ...charge.metadata },
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: "approved_by_network",
      reason: null,
      risk_level: "normal",
      risk_score: 20,
      seller_message: "Payment complete.",
      type: "authorized",
    },
    paid: true,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    payment_method_details: { type: "card" },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: charge.refunded,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
    transfer_data: null,
    transfer_group: null,
  };
}

export function showRefund(refund: Refund): Stripe.Refund {
  return {
    id: refund.id,
    object: "refund",
    amount: refund.amount,
    balance_transaction: refund.balance_transaction,
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { reference_status: "pending", type: "refund" }, type: "card" },
    ...(refund.failure_balance_transaction === undefined
      ? {}
      : { failure_balance_transaction: refund.failure_balance_transaction }),
    ...(refund.failure_reason === undefined ? {} : { failure_reason: refund.failure_reason }),
    metadata: { ...refund.metadata },
    payment_intent: refund.payment_intent,
    payment_method: null,
    ...(refund.status === "pending" ? { pending_reason: refund.pending_reason ?? "processing" } : {}),
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  };
}

export function showIntent(intent: Intent): Stripe.PaymentIntent {
  return {
    id: intent.id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: intent.amount,
    amount_capturable: 0,
    amount_received: intent.status === "succeeded" ? intent.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: `${intent.id}_secret_sandbox`,
    confirmation_method: "automatic",
    created: intent.created,
    currency: intent.currency,
    customer: null,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: intent.latest_charge,
    livemode: false,
    managed_payments: null,
    metadata: { ...intent.metadata },
    next_action: null,
    on_behalf_of: null,
    payment_method: intent.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_group: null,
  };
}
