/**
 * Room `sandbox/payments`: a payment server that is compatible with Stripe's API for charges, payment
 * intents, refunds, events and webhooks, with faults on demand: for trying and testing. May import
 * `src/kernel`. Promises: the official SDK talks to it unmodified; its books survive a kill.
 *
 * Order of a request, as at Stripe: authentication, idempotency key, validation, execution, answer; a
 * fault "before accept" strikes before execution, one "after accept" once the books are written.
 */
import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import type { Clock, Random } from "../../src/kernel/ports.ts";
import { type ArmedFault, BrokenConnection, Faults } from "./faults.ts";
import { decodeForm, type Form } from "./form.ts";
import { Ledger } from "./ledger.ts";
import {
  cancelRefund,
  createRefund,
  newStripeId,
  type RefundBooks,
  readMetadata,
  readRefundRequest,
  settleRefund,
} from "./refunds.ts";
import { API_VERSION, type Charge, invalid, missing, StripeError, type StripeEvent } from "./shapes.ts";
import { Webhooks, type WebhookTarget } from "./webhooks.ts";

export const API_KEY = "sk_test_sandbox";
/** Stripe keeps a key for at least 24 hours. */
const KEY_RETENTION_MS = 24 * 3_600_000;
const SLOW_MS = 3_000;

export interface SeededCharge {
  readonly chargeId: string;
  readonly paymentIntentId: string;
  readonly amountMinor: number;
  readonly capturedMinor: number;
  readonly currency: string;
  readonly createdAt: number;
  readonly disputed: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly refunds: readonly {
    readonly amountMinor: number;
    readonly status: "succeeded";
    readonly createdAt: number;
  }[];
}

export interface PaymentSandbox {
  readonly app: Hono;
  /** Adds charges that are not there yet; a restart keeps what has happened to them. */
  seedCharges(charges: readonly SeededCharge[]): void;
  setWebhook(target: WebhookTarget): void;
  stop(): Promise<void>;
}

export interface PaymentSandboxOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Path of its SQLite file, or `:memory:`. */
  readonly storage: string;
  readonly keyRetentionMs?: number;
  /** How webhooks are sent. */
  readonly fetch?: typeof fetch;
}

export function createPaymentSandbox(options: PaymentSandboxOptions): PaymentSandbox {
  const { clock, random, keyRetentionMs = KEY_RETENTION_MS } = options;
  const ledger = new Ledger(options.storage);
  const faults = new Faults();
  const webhooks = new Webhooks({ ledger, faults, clock, send: options.fetch ?? fetch });
  const inFlight = new Set<string>();
  let down = false;
  let stopped = false;
  let cancelOutcomes = () => {};

  const books: RefundBooks = {
    ledger,
    clock,
    random,
    emit(type, object) {
      const event: StripeEvent = {
        id: newStripeId(random, "evt"),
        object: "event",
        api_version: API_VERSION,
        created: Math.floor(clock.now() / 1000),
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      ledger.addEvent(event);
      webhooks.plan(event);
    },
  };

  /** Settles pending refunds whose time has come, then waits for the next. */
  const settleDue = (): void => {
    if (stopped) return;
    cancelOutcomes();
    for (const { refund, status, dueMs } of ledger.outcomes()) {
      if (dueMs <= clock.now()) ledger.atomically(() => settleRefund(books, refund, status));
    }
    const [next] = ledger.outcomes();
    if (next !== undefined) cancelOutcomes = clock.after(Math.max(1, next.dueMs - clock.now()), settleDue);
    webhooks.wake();
  };

  const app = new Hono();

  app.use("/v1/*", async (c, next) => {
    if (down) return broken(c, "reset");
    c.header("Request-Id", newStripeId(random, "req"));
    const token = bearer(c.req.header("authorization"));
    if (token !== API_KEY) {
      return c.json(
        {
          error: {
            type: "invalid_request_error",
            message: token === "" ? "You did not provide an API key." : "Invalid API Key provided.",
          },
        },
        401,
      );
    }
    await next();
  });

  app.onError((error, c) => {
    if (error instanceof StripeError) return c.json(error.body, error.status as 400);
    if (error instanceof BrokenConnection) return broken(c, error.how);
    return c.json({ error: { type: "api_error", message: error.message } }, 500);
  });

  /** Faults of reads. */
  const read = async (operation: string): Promise<void> => {
    const fault = faults.take(operation);
    if (fault !== null) await strike(fault, "before");
  };

  const strike = async (fault: ArmedFault, when: "before" | "after"): Promise<void> => {
    switch (fault.fault) {
      case `timeout_${when}_accept`:
        throw new BrokenConnection("silence");
      case `reset_${when}_accept`:
        throw new BrokenConnection("reset");
      case `error_500_${when}_accept`:
        throw new StripeError(500, { type: "api_error", message: "An unknown error occurred" });
      case "rate_limited":
        if (when === "before") {
          throw new StripeError(429, {
            type: "invalid_request_error",
            code: "rate_limit",
            message: "Too many requests.",
          });
        }
        return;
      case "slow":
        if (when === "before") await clock.sleep(fault.delayMs ?? SLOW_MS);
        return;
      default:
        return;
    }
  };

  /** A write under its idempotency key: once, and the same answer afterwards. */
  const write = async (
    c: Context,
    operation: string,
    execute: (form: Form, fault: ArmedFault | null) => unknown,
    validate?: (form: Form) => void,
  ) => {
    const text = await c.req.text();
    const key = c.req.header("idempotency-key");
    const fingerprint = createHash("sha256").update(`${c.req.path}\n${text}`).digest("hex");
    if (key !== undefined) {
      if (inFlight.has(key)) {
        throw new StripeError(409, {
          type: "idempotency_error",
          code: "idempotency_key_in_use",
          message: "There is currently another in-progress request using this Stripe idempotency key.",
        });
      }
      const kept = ledger.key(key);
      if (kept !== null && clock.now() - kept.createdMs < keyRetentionMs) {
        if (kept.fingerprint !== fingerprint) {
          throw new StripeError(400, {
            type: "idempotency_error",
            message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
          });
        }
        const fault = faults.take(operation);
        if (fault !== null) await strike(fault, "before");
        c.header("Idempotent-Replayed", "true");
        if (fault !== null) await strike(fault, "after");
        return c.json(JSON.parse(kept.body), kept.status as 200);
      }
      inFlight.add(key);
    }
    const keep = (status: number, body: unknown) => {
      if (key !== undefined)
        ledger.saveKey(key, { fingerprint, status, body: JSON.stringify(body), createdMs: clock.now() });
    };
    try {
      const form = decodeForm(text);
      validate?.(form);
      const fault = faults.take(operation);
      if (fault !== null) {
        try {
          await strike(fault, "before");
        } catch (error) {
          // Execution had begun: Stripe keeps its own errors under the key; a rate limit comes earlier.
          if (error instanceof StripeError && error.status === 500) keep(500, error.body);
          throw error;
        }
      }
      const after = fault?.fault === "error_500_after_accept" ? fault : null;
      const answer = ledger.atomically(() => {
        try {
          const body = execute(form, fault);
          const shown =
            after === null
              ? { status: 200, body }
              : { status: 500, body: { error: { type: "api_error", message: "An unknown error occurred" } } };
          keep(shown.status, shown.body);
          return shown;
        } catch (error) {
          if (!(error instanceof StripeError)) throw error;
          keep(error.status, error.body);
          return { status: error.status, body: error.body };
        }
      });
      settleDue();
      if (fault !== null && after === null) await strike(fault, "after");
      return c.json(answer.body as object, answer.status as 200);
    } finally {
      if (key !== undefined) inFlight.delete(key);
    }
  };

  app.get("/v1/charges", (c) =>
    c.json(
      page(
        c,
        ledger
          .charges()
          .filter((charge) => matches(c, "payment_intent", charge.payment_intent))
          .map((charge) => expanded(c, charge)),
        "/v1/charges",
      ),
    ),
  );
  app.get("/v1/charges/:id", async (c) => {
    await read("charge.retrieve");
    const charge = ledger.charge(c.req.param("id"));
    if (charge === null) throw missing("charge", c.req.param("id"));
    return c.json(expanded(c, charge));
  });
  app.get("/v1/payment_intents", (c) =>
    c.json(page(c, ledger.charges().map(intentOf), "/v1/payment_intents")),
  );
  app.get("/v1/payment_intents/:id", (c) => {
    const charge = ledger.charges().find((candidate) => candidate.payment_intent === c.req.param("id"));
    if (charge === undefined) throw missing("payment_intent", c.req.param("id"), "intent");
    return c.json(intentOf(charge));
  });

  app.post("/v1/refunds", (c) =>
    write(
      c,
      "refund.create",
      (form, fault) => createRefund(books, readRefundRequest(form), fault),
      (form) => void readRefundRequest(form),
    ),
  );
  app.get("/v1/refunds", async (c) => {
    await read("refund.list");
    const refunds = ledger
      .refunds(c.req.query("charge"))
      .filter((refund) => matches(c, "payment_intent", refund.payment_intent));
    return c.json(page(c, refunds, "/v1/refunds"));
  });
  app.get("/v1/refunds/:id", async (c) => {
    await read("refund.retrieve");
    const refund = ledger.refund(c.req.param("id"));
    if (refund === null) throw missing("refund", c.req.param("id"));
    return c.json(refund);
  });
  app.post("/v1/refunds/:id", (c) =>
    write(c, "refund.update", (form) => {
      const refund = ledger.refund(c.req.param("id") ?? "");
      if (refund === null) throw missing("refund", c.req.param("id") ?? "");
      const updated = { ...refund, metadata: { ...refund.metadata, ...readMetadata(form.metadata) } };
      ledger.saveRefund(updated);
      return updated;
    }),
  );
  app.post("/v1/refunds/:id/cancel", (c) =>
    write(c, "refund.cancel", () => cancelRefund(books, c.req.param("id") ?? "")),
  );

  app.get("/v1/events", (c) =>
    c.json(
      page(
        c,
        ledger.events().filter((event) => matches(c, "type", event.type)),
        "/v1/events",
      ),
    ),
  );
  app.get("/v1/events/:id", (c) => {
    const event = ledger.event(c.req.param("id"));
    if (event === null) throw missing("event", c.req.param("id"));
    return c.json(event);
  });
  app.all("/v1/*", (c) => {
    throw new StripeError(404, {
      type: "invalid_request_error",
      message: `Unrecognized request URL (${c.req.method}: ${c.req.path}).`,
    });
  });

  const jsonBody = async (c: Context): Promise<Record<string, unknown>> => {
    const body: unknown = await c.req.json().catch(() => null);
    return body !== null && typeof body === "object" ? (body as Record<string, unknown>) : {};
  };
  app.post("/sandbox/faults", async (c) => {
    const problem = faults.arm(await jsonBody(c));
    return problem === null ? c.json({ faults: faults.list() }) : c.json({ error: problem }, 400);
  });
  app.get("/sandbox/faults", (c) => c.json({ faults: faults.list() }));
  app.delete("/sandbox/faults", (c) => {
    faults.clear();
    down = false;
    return c.json({ faults: [] });
  });
  app.post("/sandbox/outage", async (c) => {
    down = (await jsonBody(c)).down === true;
    return c.json({ down });
  });
  /** A bank sends a succeeded refund's money back. */
  app.post("/sandbox/refunds/:id/fail", (c) => {
    const failed = ledger.atomically(() => settleRefund(books, c.req.param("id"), "failed"));
    webhooks.wake();
    return c.json(failed);
  });
  app.get("/sandbox/state", (c) => {
    const refunds = ledger.refunds();
    const count = (of: (refund: (typeof refunds)[number]) => string | undefined) => {
      const counts: Record<string, number> = {};
      for (const refund of refunds) {
        const name = of(refund);
        if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    };
    return c.json({
      charges: ledger.charges().length,
      refunds: refunds.length,
      refunds_by_action: count((refund) => refund.metadata.recourse_action_id),
      refunds_by_order: count((refund) => ledger.charge(refund.charge)?.metadata.order_number),
    });
  });

  const expanded = (c: Context, charge: Charge) => {
    const expand = [...(c.req.queries("expand[]") ?? []), ...(c.req.queries("expand[0]") ?? [])];
    return expand.includes("refunds") || expand.includes("data.refunds")
      ? {
          ...charge,
          refunds: {
            object: "list",
            data: ledger.refunds(charge.id).slice(0, 10),
            has_more: ledger.refunds(charge.id).length > 10,
            url: `/v1/charges/${charge.id}/refunds`,
          },
        }
      : charge;
  };

  settleDue();
  return {
    app,
    seedCharges(charges) {
      ledger.atomically(() => {
        for (const wanted of charges) seed(ledger, random, wanted);
      });
    },
    setWebhook(target) {
      webhooks.target = target;
      webhooks.wake();
    },
    async stop() {
      stopped = true;
      cancelOutcomes();
      await webhooks.stop();
      ledger.close();
    },
  };
}

/** `fetch` for a sandbox in the same process: broken connections are what they would be over a socket. */
export function inProcessFetch(app: Hono): typeof fetch {
  return async (input, init) => {
    const request = new Request(input as string, init);
    const response = await app.fetch(request);
    const how = response.headers.get("x-sandbox-broken");
    if (how === null) return response;
    if (how === "reset")
      throw Object.assign(new TypeError("fetch failed"), {
        cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
      });
    return new Promise((_resolve, reject) => {
      const abort = () => reject(request.signal.reason ?? new DOMException("aborted", "AbortError"));
      if (request.signal.aborted) abort();
      request.signal.addEventListener("abort", abort, { once: true });
    });
  };
}

/** Over a socket it is destroyed or left silent; in process the answer says so. */
function broken(c: Context, how: "reset" | "silence"): Response | Promise<Response> {
  const outgoing = (c.env as { outgoing?: { destroy(): void } } | undefined)?.outgoing;
  if (outgoing === undefined)
    return new Response(null, { status: 599, headers: { "x-sandbox-broken": how } });
  if (how === "reset") {
    outgoing.destroy();
    return new Response(null);
  }
  return new Promise<Response>((resolve) => {
    c.req.raw.signal.addEventListener("abort", () => resolve(new Response(null)), { once: true });
  });
}

function seed(ledger: Ledger, random: Random, wanted: SeededCharge): void {
  const refunded = wanted.refunds.reduce((sum, refund) => sum + refund.amountMinor, 0);
  const isNew = ledger.addCharge({
    id: wanted.chargeId,
    object: "charge",
    amount: wanted.amountMinor,
    amount_captured: wanted.capturedMinor,
    amount_refunded: refunded,
    captured: true,
    created: Math.floor(wanted.createdAt / 1000),
    currency: wanted.currency.toLowerCase(),
    description: null,
    disputed: wanted.disputed,
    livemode: false,
    metadata: { ...wanted.metadata },
    paid: true,
    payment_intent: wanted.paymentIntentId,
    payment_method: "pm_card_visa",
    refunded: refunded >= wanted.capturedMinor,
    status: "succeeded",
  });
  if (!isNew) return;
  for (const refund of wanted.refunds) {
    ledger.addRefund({
      id: newStripeId(random, "re"),
      object: "refund",
      amount: refund.amountMinor,
      balance_transaction: newStripeId(random, "txn"),
      charge: wanted.chargeId,
      created: Math.floor(refund.createdAt / 1000),
      currency: wanted.currency.toLowerCase(),
      destination_details: null,
      metadata: {},
      payment_intent: wanted.paymentIntentId,
      reason: null,
      receipt_number: null,
      source_transfer_reversal: null,
      status: refund.status,
      transfer_reversal: null,
    });
  }
}

function bearer(header: string | undefined): string {
  if (header === undefined) return "";
  if (header.startsWith("Bearer ")) return header.slice(7);
  if (header.startsWith("Basic "))
    return Buffer.from(header.slice(6), "base64").toString().split(":")[0] ?? "";
  return "";
}

function matches(c: Context, parameter: string, value: string): boolean {
  const wanted = c.req.query(parameter);
  return wanted === undefined || wanted === value;
}

function intentOf(charge: Charge) {
  return {
    id: charge.payment_intent,
    object: "payment_intent",
    amount: charge.amount,
    amount_received: charge.amount_captured,
    created: charge.created,
    currency: charge.currency,
    latest_charge: charge.id,
    livemode: false,
    metadata: charge.metadata,
    status: "succeeded",
  };
}

/** Cursor pagination as Stripe's: `limit` 1 to 100, `starting_after` or `ending_before` an ID of the list. */
function page<T extends { id: string; created: number }>(c: Context, all: readonly T[], url: string) {
  const limitText = c.req.query("limit") ?? "10";
  const limit = Number(limitText);
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > 100) {
    throw invalid(`Invalid integer: ${limitText}`, { code: "parameter_invalid_integer", param: "limit" });
  }
  const after = c.req.query("starting_after");
  const before = c.req.query("ending_before");
  const from = Number(c.req.query("created[gte]") ?? c.req.query("created[gt]") ?? 0);
  const until = Number(c.req.query("created[lte]") ?? c.req.query("created[lt]") ?? Number.MAX_SAFE_INTEGER);
  const list = all.filter((item) => item.created >= from && item.created <= until);
  const indexOf = (id: string, param: string): number => {
    const index = list.findIndex((item) => item.id === id);
    if (index === -1) throw missing("object", id, param);
    return index;
  };
  const start = after === undefined ? 0 : indexOf(after, "starting_after") + 1;
  if (before !== undefined) {
    const end = indexOf(before, "ending_before");
    const first = Math.max(0, end - limit);
    return { object: "list", data: list.slice(first, end), has_more: first > 0, url };
  }
  return {
    object: "list",
    data: list.slice(start, start + limit),
    has_more: start + limit < list.length,
    url,
  };
}
