/**
 * Port: the payment provider. Refunds are the only thing that is ever written there.
 *
 * The outcome types keep apart what must never be mixed up: a refund that the provider refused
 * (nothing happened), one it accepted, and one whose fate is not known.
 */

import type { TenantId } from "../kernel/ids.ts";
import type { Currency } from "../kernel/money.ts";

export interface NewRefund {
  readonly tenantId: TenantId;
  readonly chargeId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** One per action, for ever: every attempt of the action sends the same key and the same body. */
  readonly idempotencyKey: string;
  /** Becomes `metadata.recourse_action_id`, by which an uncertain refund is found again. */
  readonly actionId: string;
}

export interface ProviderRefund {
  readonly id: string;
  readonly chargeId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly status: "pending" | "succeeded" | "failed" | "cancelled";
  readonly failureReason: string | null;
  /** Our action, when it was made through this port. */
  readonly actionId: string | null;
  readonly createdAt: number;
}

export interface ProviderCharge {
  readonly id: string;
  readonly currency: Currency;
  readonly capturedMinor: number;
  /** What the provider counts as refunded: pending and succeeded refunds. */
  readonly refundedMinor: number;
  readonly disputed: boolean;
}

export type CreateRefundOutcome =
  /** The provider has it; its own status may still be pending. */
  | { readonly kind: "accepted"; readonly refund: ProviderRefund; readonly replayed: boolean }
  /** A final no: nothing was refunded and the same key will say the same again. `code` is the provider's. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** Nothing reached the provider, or it said that it did not start (rate limit, key in flight): later, same key. */
  | { readonly kind: "not_accepted"; readonly cause: string; readonly retryAfterMs: number | null }
  /** It may or may not have happened (timeout, reset, a server error): look it up before anything else. */
  /** `replayed`: the provider repeated a stored error for this key, it did not try again. */
  | { readonly kind: "uncertain"; readonly cause: string; readonly replayed: boolean };

/** Reads throw ProblemError `provider_unavailable` when there is no usable answer. */
export interface Payments {
  /** How long the provider remembers an idempotency key. Stripe: at least 24 hours. */
  readonly keyRetentionMs: number;
  createRefund(wanted: NewRefund, signal?: AbortSignal): Promise<CreateRefundOutcome>;
  charge(tenantId: TenantId, chargeId: string, signal?: AbortSignal): Promise<ProviderCharge | null>;
  /** All refunds of a charge, ours and others', every page. */
  refundsOf(tenantId: TenantId, chargeId: string, signal?: AbortSignal): Promise<readonly ProviderRefund[]>;
  refund(tenantId: TenantId, refundId: string, signal?: AbortSignal): Promise<ProviderRefund | null>;
  /**
   * Verifies the signature over the raw body and reads the event; null for events that are about no refund.
   * @throws ProblemError `webhook_signature_invalid`, `webhook_payload_invalid`
   */
  readEvent(rawBody: Buffer, signatureHeader: string | undefined, nowMs: number): RefundEvents | null;
}

/** One delivery can speak of several refunds (`charge.refunded` carries a list). */
export interface RefundEvents {
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: number;
  readonly chargeId: string | null;
  readonly refunds: readonly ProviderRefund[];
}
