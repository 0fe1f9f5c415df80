/**
 * What an error of the SDK means for a refund that was to be created: pure, one row an error.
 *
 * | what came back | meaning | why |
 * | --- | --- | --- |
 * | no connection was made (refused, no such host) | not accepted | nothing was sent |
 * | reset, time-out, cut or unreadable answer | uncertain | it may have been carried out |
 * | 429, `lock_timeout`; 409 | not accepted | Stripe says that it did not start; later, with the same key |
 * | 401, 403 | not accepted | our configuration is wrong; that says nothing about the refund |
 * | 400 `idempotency_error` | uncertain | another request used our key: what that did must be looked up |
 * | 400, 402, 404 in Stripe's own words | refused | final |
 * | everything else: 5xx, 424, a proxy's 404, … | uncertain | what is not understood is never a no |
 */
import Stripe from "stripe";
import { LIMITS } from "../../../kernel/limits.ts";
import type { CreateRefundOutcome } from "../../payments.ts";
import { MalformedAnswer } from "./refund.ts";
import { WireFailure } from "./wire.ts";

/** Errors by which Stripe itself says no. Another `type` with the same status is not Stripe speaking. */
const REFUSALS = new Set(["invalid_request_error", "card_error"]);

export function outcomeOf(error: unknown): CreateRefundOutcome {
  if (error instanceof MalformedAnswer) return uncertain(error.message);
  if (!(error instanceof Stripe.errors.StripeError)) return uncertain("the answer could not be read");
  const replayed = isReplay(error.headers);
  const { statusCode: status, rawType, code } = error;
  if (status === undefined) {
    const wire: unknown = error.detail;
    if (wire instanceof WireFailure) return wire.sent ? uncertain(wire.message) : later(wire.message);
    return uncertain("no usable answer", replayed);
  }
  if (rawType === "idempotency_error" && status !== 409) {
    return uncertain("the key was used with other parameters", replayed);
  }
  if (status === 429 || code === "rate_limit" || code === "lock_timeout") {
    return later("rate limited", retryAfterOf(error.headers));
  }
  if (status === 409) return later("the key is in use", retryAfterOf(error.headers));
  if (status === 401 || status === 403) return later(`the provider answered ${status}`);
  if ((status === 400 || status === 402 || status === 404) && REFUSALS.has(String(rawType))) {
    return { kind: "refused", code: code || String(rawType), message: withoutSecrets(error.message) };
  }
  return uncertain(`the provider answered ${status}`, replayed);
}

const uncertain = (cause: string, replayed = false): CreateRefundOutcome => ({
  kind: "uncertain",
  cause,
  replayed,
});
const later = (cause: string, retryAfterMs: number | null = null): CreateRefundOutcome => ({
  kind: "not_accepted",
  cause,
  retryAfterMs,
});

export function isReplay(headers: unknown): boolean {
  return headerOf(headers, "idempotent-replayed") === "true";
}

/** `Retry-After` in seconds; the form with a date is not used by Stripe and counts as absent. */
function retryAfterOf(headers: unknown): number | null {
  const text = headerOf(headers, "retry-after") ?? "";
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text) * 1000, LIMITS.providerRetryAfterMs) : null;
}

/** Headers come as a record with an error, and as `Headers` with an answer. */
function headerOf(headers: unknown, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = (headers as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof value === "string" ? value : null;
}

const MESSAGE_CHARS = 300;

/** Stripe's sentence is kept as evidence; should it ever repeat a key or a card number, those are not. */
function withoutSecrets(message: string): string {
  return message
    .replace(/\b(?:sk|rk|pk|whsec)_\w+/g, "[key]")
    .replace(/\b\d(?:[ -]?\d){11,18}\b/g, "[number]")
    .slice(0, MESSAGE_CHARS);
}
