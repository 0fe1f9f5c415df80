/** Stripe's objects, as far as charges, payment intents, refunds and events go. Amounts are minor units, times seconds. */

export interface Charge {
  readonly id: string;
  readonly object: "charge";
  readonly amount: number;
  readonly amount_captured: number;
  amount_refunded: number;
  readonly captured: true;
  readonly created: number;
  readonly currency: string;
  readonly description: string | null;
  disputed: boolean;
  readonly livemode: false;
  readonly metadata: Record<string, string>;
  readonly paid: true;
  readonly payment_intent: string;
  readonly payment_method: string;
  refunded: boolean;
  readonly status: "succeeded";
}

export type RefundStatus = "pending" | "succeeded" | "failed" | "canceled";

export interface Refund {
  readonly id: string;
  readonly object: "refund";
  readonly amount: number;
  readonly balance_transaction: string | null;
  readonly charge: string;
  readonly created: number;
  readonly currency: string;
  destination_details: null;
  failure_balance_transaction?: string;
  failure_reason?: string;
  metadata: Record<string, string>;
  readonly payment_intent: string;
  readonly reason: string | null;
  readonly receipt_number: null;
  readonly source_transfer_reversal: null;
  status: RefundStatus;
  readonly transfer_reversal: null;
}

export interface StripeEvent {
  readonly id: string;
  readonly object: "event";
  readonly api_version: string;
  readonly created: number;
  readonly data: { readonly object: unknown };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: string;
}

export const API_VERSION = "2026-06-24.dahlia";

/** An error in Stripe's shape; thrown by handlers, answered by the app. */
export class StripeError extends Error {
  override readonly name = "StripeError";
  readonly status: number;
  readonly body: { readonly error: Readonly<Record<string, unknown>> };

  constructor(
    status: number,
    error: { type: string; message: string; code?: string; param?: string; [member: string]: unknown },
  ) {
    super(error.message);
    this.status = status;
    this.body = { error };
  }
}

export const invalid = (message: string, extra: { code?: string; param?: string } = {}): StripeError =>
  new StripeError(400, { type: "invalid_request_error", message, ...extra });

export const missing = (kind: string, id: string, param = "id"): StripeError =>
  new StripeError(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param,
  });
