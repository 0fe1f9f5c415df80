/**
 * Connector: Stripe, or a server compatible with it, through the official SDK.
 *
 * Promises: what a refund request came to is mapped exactly (`stripe/outcome.ts`), and whatever is not
 * understood is "uncertain", never "no"; nothing is repeated here, because repeating belongs to the
 * reconciliation of actions, which asks first; no key leaves in a log, an error or an outcome.
 *
 * If the process dies during `createRefund`, the refund may or may not exist: it is found again by
 * `metadata.recourse_action_id` among the charge's refunds.
 */
import Stripe from "stripe";
import { assert, ProblemError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { Payments, ProviderRefund } from "../payments.ts";
import { readRefundEvents, verifySignature } from "./stripe/event.ts";
import { isReplay, outcomeOf } from "./stripe/outcome.ts";
import { chargeOf, MalformedAnswer, membersOf, refundOf, whatDiffers } from "./stripe/refund.ts";
import { createWire } from "./stripe/wire.ts";

/** One account for all tenants, or one a tenant. */
export type StripeKeys =
  | { readonly apiKey: string; readonly apiKeyOf?: undefined }
  /** May throw for a tenant without a key: then nothing is sent. */
  | { readonly apiKeyOf: (tenantId: TenantId) => string; readonly apiKey?: undefined };

export type StripeOptions = StripeKeys & {
  /** All are accepted: a secret can be rotated. */
  readonly webhookSecrets: readonly string[];
  /** Another server than Stripe's, such as the sandbox: scheme, host and port. */
  readonly baseUrl?: string | null;
  /** How requests are sent, for a provider in the same process. */
  readonly fetch?: typeof fetch;
  /** Whose time the deadline is. The SDK keeps a timer of its own beside it. */
  readonly clock?: Clock;
  /** For one exchange, from the first byte sent to the last one read. */
  readonly timeoutMs?: number;
  /** Stripe removes keys once they are at least 24 hours old. */
  readonly keyRetentionMs?: number;
};

const KEY_RETENTION_MS = 24 * 3_600_000;
const PAGE = 100;
const IDEMPOTENCY_KEY_CHARS = 255;
/** Clients of keys that were rotated away are forgotten beyond this. */
const CLIENTS_MAX = 1_000;

/** @throws ProblemError `config_invalid` for a base URL or a secret that cannot be right */
export function createStripePayments(options: StripeOptions): Payments {
  const { timeoutMs = LIMITS.paymentTimeoutMs, webhookSecrets } = options;
  const server = serverOf(options.baseUrl ?? null);
  if (webhookSecrets.some((secret) => secret.trim() === "")) {
    throw new ProblemError("config_invalid", "A webhook secret is empty: anyone could sign with it.");
  }
  const wire = createWire({ send: options.fetch ?? fetch, timeoutMs, clock: options.clock });
  const httpClient = Stripe.createFetchHttpClient(wire.fetch);
  const clients = new Map<string, Stripe>();

  const clientOf = (tenantId: TenantId): Stripe => {
    const key = options.apiKeyOf === undefined ? options.apiKey : options.apiKeyOf(tenantId);
    const known = clients.get(key);
    if (known !== undefined) return known;
    if (server?.protocol === "http" && /^[sr]k_live_/.test(key)) {
      throw new ProblemError("config_invalid", "A live key is not sent over an unencrypted connection.");
    }
    const client = new Stripe(key, {
      httpClient,
      maxNetworkRetries: 0,
      timeout: timeoutMs,
      telemetry: false,
      ...server,
    });
    if (clients.size >= CLIENTS_MAX) clients.clear();
    clients.set(key, client);
    return client;
  };
  // One key for all is checked at start, not at the first refund.
  if (options.apiKeyOf === undefined) clientOf("" as TenantId);

  /** A read under the caller's signal. */
  const reading = async <T>(
    tenantId: TenantId,
    signal: AbortSignal | undefined,
    read: (stripe: Stripe) => Promise<T>,
  ): Promise<T> => {
    try {
      signal?.throwIfAborted();
      return await wire.call(signal, () => read(clientOf(tenantId)));
    } catch (error) {
      throw new ProblemError("provider_unavailable", undefined, { cause: safeCause(error) });
    }
  };

  /** Null when Stripe itself says that there is no such thing; a proxy's 404 is no answer. */
  const orNull = async <T>(found: Promise<T>): Promise<T | null> => {
    try {
      return await found;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError && error.code === "resource_missing") return null;
      throw error;
    }
  };

  return {
    keyRetentionMs: options.keyRetentionMs ?? KEY_RETENTION_MS,

    async createRefund(wanted, signal) {
      assert(Number.isSafeInteger(wanted.amountMinor) && wanted.amountMinor > 0, "a refund has an amount");
      assert(
        wanted.idempotencyKey.length <= IDEMPOTENCY_KEY_CHARS,
        "the provider takes keys of 255 characters",
      );
      if (signal?.aborted)
        return { kind: "not_accepted", cause: "given up before it was sent", retryAfterMs: null };
      let stripe: Stripe;
      try {
        stripe = clientOf(wanted.tenantId);
      } catch {
        return { kind: "not_accepted", cause: "no usable key for this tenant", retryAfterMs: null };
      }
      try {
        const answer = await wire.call(signal, () =>
          stripe.refunds.create(
            {
              charge: wanted.chargeId,
              amount: wanted.amountMinor,
              metadata: { recourse_action_id: wanted.actionId, recourse_tenant: wanted.tenantId },
            },
            { idempotencyKey: wanted.idempotencyKey },
          ),
        );
        const replayed = isReplay(answer.lastResponse?.headers);
        const refund = refundOf(answer);
        const mismatch = whatDiffers(refund, wanted);
        return mismatch === null
          ? { kind: "accepted", refund, replayed }
          : { kind: "uncertain", cause: mismatch, replayed };
      } catch (error) {
        return outcomeOf(error);
      }
    },

    charge: (tenantId, chargeId, signal) =>
      reading(tenantId, signal, async (stripe) => {
        const charge = await orNull(stripe.charges.retrieve(chargeId));
        return charge === null ? null : chargeOf(charge);
      }),

    /** A charge that this account does not have is no answer either: it must not read as "no refunds". */
    refundsOf: (tenantId, chargeId, signal) =>
      reading(tenantId, signal, async (stripe) => {
        const all = new Map<string, ProviderRefund>();
        let after: string | undefined;
        for (let page = 0; page < LIMITS.refundPages; page += 1) {
          const list = membersOf(
            await stripe.refunds.list({
              charge: chargeId,
              limit: PAGE,
              ...(after === undefined ? {} : { starting_after: after }),
            }),
            "list",
          );
          if (!Array.isArray(list.data)) throw new MalformedAnswer("the list has no data");
          const refunds = list.data.map(refundOf);
          if (refunds.some((refund) => refund.chargeId !== chargeId)) {
            throw new MalformedAnswer("the list is about another charge");
          }
          for (const refund of refunds) all.set(refund.id, refund);
          if (list.has_more === false) return [...all.values()];
          after = refunds.at(-1)?.id;
          if (list.has_more !== true || after === undefined) throw new MalformedAnswer("the list has no end");
        }
        throw new MalformedAnswer(`the charge has more than ${LIMITS.refundPages * PAGE} refunds`);
      }),

    refund: (tenantId, refundId, signal) =>
      reading(tenantId, signal, async (stripe) => {
        const refund = await orNull(stripe.refunds.retrieve(refundId));
        return refund === null ? null : refundOf(refund);
      }),

    readEvent(rawBody, header, nowMs) {
      verifySignature(rawBody, header, webhookSecrets, nowMs);
      return readRefundEvents(rawBody);
    },
  };
}

function serverOf(baseUrl: string | null): { host: string; port: number; protocol: "http" | "https" } | null {
  if (baseUrl === null) return null;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === "";
  if (!usable || url.username !== "" || url.password !== "") {
    throw new ProblemError(
      "config_invalid",
      "The payment provider's URL must be scheme, host and port only.",
      {
        next: 'Write it like "https://api.stripe.com", or leave it out.',
      },
    );
  }
  const protocol = url.protocol === "https:" ? "https" : "http";
  return { host: url.hostname, port: Number(url.port || (protocol === "https" ? 443 : 80)), protocol };
}

/** What may be kept of an error: never its request or its headers, which have the key. */
function safeCause(error: unknown): Error {
  if (error instanceof MalformedAnswer) return new Error(error.message);
  if (error instanceof Stripe.errors.StripeError) {
    return new Error([error.type, error.statusCode, error.code, error.requestId].filter(Boolean).join(" "));
  }
  return new Error(error instanceof Error ? error.name : "unknown");
}
