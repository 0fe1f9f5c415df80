/**
 * Connector: Stripe, or a server compatible with it, through the official SDK.
 *
 * Retries belong to the reconciliation of actions, which asks before it repeats. The SDK repeats by itself
 * only once, with the same key, when a kept-alive connection turns out to be closed (its fixed behaviour).
 * What an error means is mapped exactly; whatever is not understood is "uncertain", never "no".
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import Stripe from "stripe";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { CreateRefundOutcome, NewRefund, Payments, ProviderRefund, RefundEvents } from "../payments.ts";

export interface StripeOptions {
  readonly apiKey: string;
  /** All are accepted: a secret can be rotated. */
  readonly webhookSecrets: readonly string[];
  /** Another server than Stripe's, such as the sandbox. */
  readonly baseUrl?: string | null;
  /** For use in one process. */
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
  readonly keyRetentionMs?: number;
}

/** Stripe removes keys once they are at least 24 hours old. */
const KEY_RETENTION_MS = 24 * 3_600_000;
/** Stripe's own tolerance for the age of a signature. */
const SIGNATURE_TOLERANCE_MS = 300_000;

export function createStripePayments(options: StripeOptions): Payments {
  const stripe = new Stripe(options.apiKey, {
    maxNetworkRetries: 0,
    timeout: options.timeoutMs ?? LIMITS.paymentTimeoutMs,
    telemetry: false,
    ...(options.fetch === undefined ? {} : { httpClient: Stripe.createFetchHttpClient(options.fetch) }),
    ...serverOf(options.baseUrl ?? null),
  });

  const reading = async <T>(read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return null;
      throw new ProblemError("provider_unavailable", undefined, { cause: safeCause(error) });
    }
  };

  return {
    keyRetentionMs: options.keyRetentionMs ?? KEY_RETENTION_MS,

    async createRefund(wanted) {
      try {
        const refund = await stripe.refunds.create(
          {
            charge: wanted.chargeId,
            amount: wanted.amountMinor,
            metadata: { recourse_action_id: wanted.actionId, recourse_tenant: wanted.tenantId },
          },
          { idempotencyKey: wanted.idempotencyKey },
        );
        const mismatch = whatDiffers(refund, wanted);
        const replayed = headerOf(refund.lastResponse?.headers, "idempotent-replayed") === "true";
        return mismatch === null
          ? { kind: "accepted", refund: refundOf(refund), replayed }
          : { kind: "uncertain", cause: mismatch, replayed };
      } catch (error) {
        return outcomeOf(error);
      }
    },

    charge: (_tenantId, chargeId) =>
      reading(async () => {
        const charge = await stripe.charges.retrieve(chargeId);
        return {
          id: charge.id,
          currency: charge.currency.toUpperCase(),
          capturedMinor: charge.amount_captured,
          refundedMinor: charge.amount_refunded,
          disputed: charge.disputed,
        };
      }),

    async refundsOf(_tenantId, chargeId, signal) {
      const all: ProviderRefund[] = [];
      const found = await reading(async () => {
        for await (const refund of stripe.refunds.list({ charge: chargeId, limit: 100 })) {
          if (signal?.aborted) throw new Error("aborted");
          all.push(refundOf(refund));
        }
        return all;
      });
      return found ?? [];
    },

    refund: (_tenantId, refundId) => reading(async () => refundOf(await stripe.refunds.retrieve(refundId))),

    readEvent(rawBody, header, nowMs) {
      verify(rawBody, header ?? "", options.webhookSecrets, nowMs);
      let event: Stripe.Event;
      try {
        event = JSON.parse(rawBody.toString("utf8")) as Stripe.Event;
      } catch (cause) {
        throw new ProblemError("webhook_payload_invalid", undefined, { cause });
      }
      if (
        typeof event?.id !== "string" ||
        typeof event.type !== "string" ||
        typeof event.created !== "number"
      ) {
        throw new ProblemError("webhook_payload_invalid");
      }
      return refundEvents(event);
    },
  };
}

function serverOf(baseUrl: string | null): { host?: string; port?: number; protocol?: "http" | "https" } {
  if (baseUrl === null) return {};
  const url = new URL(baseUrl);
  const protocol = url.protocol === "https:" ? "https" : "http";
  return { host: url.hostname, port: Number(url.port || (protocol === "https" ? 443 : 80)), protocol };
}

function refundOf(refund: Stripe.Refund): ProviderRefund {
  return {
    id: refund.id,
    chargeId: typeof refund.charge === "string" ? refund.charge : (refund.charge?.id ?? ""),
    amountMinor: refund.amount,
    currency: refund.currency.toUpperCase(),
    // `requires_action` waits for the customer at the bank: not final.
    status:
      refund.status === "succeeded" || refund.status === "failed"
        ? refund.status
        : refund.status === "canceled"
          ? "cancelled"
          : "pending",
    failureReason: refund.failure_reason ?? null,
    actionId: refund.metadata?.recourse_action_id ?? null,
    createdAt: refund.created * 1000,
  };
}

/** An answer that is not about what was asked must not count as its success. */
function whatDiffers(refund: Stripe.Refund, wanted: NewRefund): string | null {
  const got = refundOf(refund);
  if (got.chargeId !== wanted.chargeId) return "the answer is about another charge";
  if (got.amountMinor !== wanted.amountMinor)
    return `the answer says ${got.amountMinor}, not ${wanted.amountMinor}`;
  if (got.currency !== wanted.currency) return `the answer says ${got.currency}, not ${wanted.currency}`;
  return null;
}

function outcomeOf(error: unknown): CreateRefundOutcome {
  if (!(error instanceof Stripe.errors.StripeError))
    return { kind: "uncertain", cause: "the SDK failed", replayed: false };
  const replayed = headerOf(error.headers, "idempotent-replayed") === "true";
  const status = error.statusCode;
  if (status === undefined) {
    return neverSent(error)
      ? { kind: "not_accepted", cause: "connection refused", retryAfterMs: null }
      : { kind: "uncertain", cause: "no answer", replayed };
  }
  if (status === 429)
    return { kind: "not_accepted", cause: "rate limited", retryAfterMs: retryAfterOf(error) };
  if (status === 409)
    return { kind: "not_accepted", cause: "the key is in use", retryAfterMs: retryAfterOf(error) };
  // A wrong key of ours says nothing about the customer's refund.
  if (status === 401 || status === 403)
    return { kind: "not_accepted", cause: `the provider answered ${status}`, retryAfterMs: null };
  if (error.rawType === "idempotency_error")
    return { kind: "uncertain", cause: "the key was used with other parameters", replayed };
  if (status === 400 || status === 402 || status === 404) {
    return { kind: "refused", code: error.code ?? error.rawType ?? "refused", message: error.message };
  }
  return { kind: "uncertain", cause: `the provider answered ${status}`, replayed };
}

/** The connection could not be made at all, so nothing was sent. */
function neverSent(error: Stripe.errors.StripeError): boolean {
  let cause: unknown = error;
  for (let depth = 0; depth < 6 && cause !== null && typeof cause === "object"; depth += 1) {
    const { code, detail, cause: next } = cause as { code?: unknown; detail?: unknown; cause?: unknown };
    if (["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(String(code)))
      return true;
    cause = next ?? detail;
  }
  return false;
}

function retryAfterOf(error: Stripe.errors.StripeError): number | null {
  const seconds = Number(headerOf(error.headers, "retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) * 1000 : null;
}

function headerOf(headers: unknown, name: string): string | undefined {
  const value = (headers as Record<string, unknown> | undefined)?.[name];
  return typeof value === "string" ? value : undefined;
}

/** What may be kept of an SDK's error: never its request, which has the key. */
function safeCause(error: unknown): Error {
  if (error instanceof Stripe.errors.StripeError) {
    return new Error(
      `${error.type} ${error.statusCode ?? "without an answer"} ${error.requestId ?? ""}`.trim(),
    );
  }
  return new Error(error instanceof Error ? error.name : "unknown");
}

/**
 * HMAC-SHA256 over `timestamp.body` with the raw bytes, in constant time (Stripe's scheme v1).
 * @throws ProblemError `webhook_signature_invalid`
 */
function verify(rawBody: Buffer, header: string, secrets: readonly string[], nowMs: number): void {
  const parts = header.split(",").map((part) => part.trim().split("=", 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  const given = parts.filter(([name]) => name === "v1").map(([, value]) => Buffer.from(value ?? "", "hex"));
  const fresh =
    /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp) * 1000) <= SIGNATURE_TOLERANCE_MS;
  let valid = false;
  for (const secret of secrets) {
    const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(rawBody).digest();
    for (const candidate of given) {
      if (candidate.length === expected.length && timingSafeEqual(candidate, expected)) valid = true;
    }
  }
  if (!valid || !fresh) throw new ProblemError("webhook_signature_invalid");
}

function refundEvents(event: Stripe.Event): RefundEvents | null {
  const base = { eventId: event.id, type: event.type, createdAt: event.created * 1000 };
  const object = event.data?.object as
    | { object?: string; id?: string; refunds?: { data?: Stripe.Refund[] } }
    | undefined;
  if (object?.object === "refund") {
    const refund = refundOf(object as Stripe.Refund);
    return { ...base, chargeId: refund.chargeId, refunds: [refund] };
  }
  if (event.type === "charge.refunded" && object?.object === "charge") {
    return { ...base, chargeId: object.id ?? null, refunds: (object.refunds?.data ?? []).map(refundOf) };
  }
  return null;
}
