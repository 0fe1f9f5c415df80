/**
 * Room `sandbox/payments`: a payment server that is compatible with Stripe's API for charges, payment
 * intents, refunds, events and webhooks, with faults on demand: for trying and testing. May import
 * `src/kernel`. Promises: the official SDK talks to it unmodified; its books survive a kill; with a clock
 * and a random source that repeat, so does everything it says.
 */
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Clock, Random } from "../../src/kernel/ports.ts";
import { BrokenConnection, breakConnection } from "./connection.ts";
import { controlRoutes } from "./control.ts";
import { invalid, StripeError, unauthorized } from "./errors.ts";
import { type ArmedFault, Faults, type Operation } from "./faults.ts";
import { decodeForm, type Form, onlyKnown } from "./form.ts";
import { confirmIntent, createIntent, readConfirmRequest, readIntentRequest } from "./intents.ts";
import { Ledger } from "./ledger.ts";
import { type Kind, listOf, objectOf, readExpand, shownWith } from "./lists.ts";
import {
  type Books,
  cancelRefund,
  createRefund,
  newStripeId,
  readRefundRequest,
  readRefundUpdate,
  settleRefund,
  updateRefund,
} from "./refunds.ts";
import { type SeededCharge, seedCharge } from "./seed.ts";
import { API_VERSION, type Intent, type Refund, type StripeEvent } from "./shapes.ts";
import { Webhooks, type WebhookTarget } from "./webhooks.ts";
import { createWrites, strike } from "./writes.ts";

export { inProcessFetch } from "./connection.ts";
export type { SeededCharge } from "./seed.ts";
export type { WebhookTarget } from "./webhooks.ts";

export const API_KEY = "sk_test_sandbox";

/** Stripe keeps a key for at least 24 hours. */
const KEY_RETENTION_MS = 24 * 3_600_000;
/** Stripe keeps events for 30 days. */
const EVENT_RETENTION_MS = 30 * 24 * 3_600_000;
const PRUNE_EVERY_MS = 3_600_000;
const PENDING_FOR_MS = 3_000;
const BODY_BYTES = 262_144;

type Env = { Variables: { requestId: string } };

export interface PaymentSandbox {
  /** `/v1/*` and `/sandbox/*`: to be served, mounted in another app, or asked in process. */
  readonly app: Hono<Env>;
  /** Adds charges that are not there yet; a restart keeps what has happened to them. */
  seedCharges(charges: readonly SeededCharge[]): void;
  /** The one endpoint, or several, that events are delivered to from now on. */
  setWebhook(...targets: readonly WebhookTarget[]): void;
  /** Ends deliveries and open requests, and closes the books. */
  stop(): Promise<void>;
}

export interface PaymentSandboxOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Path of its SQLite file, or `:memory:`. */
  readonly storage: string;
  readonly keyRetentionMs?: number;
  /** How long a pending refund stays so, unless a fault's `delay_ms` says otherwise. */
  readonly pendingForMs?: number;
  readonly webhooks?: readonly WebhookTarget[];
  /** How webhooks are sent. */
  readonly fetch?: typeof fetch;
}

export function createPaymentSandbox(options: PaymentSandboxOptions): PaymentSandbox {
  const { clock, random, keyRetentionMs = KEY_RETENTION_MS, pendingForMs = PENDING_FOR_MS } = options;
  const ledger = new Ledger(options.storage);
  const faults = new Faults();
  const outage = { down: false };
  const stopping = new AbortController();
  const webhooks = new Webhooks({ ledger, faults, clock, send: options.fetch ?? fetch });
  const striking = { faults, clock, stopping: stopping.signal };
  const write = createWrites({ ...striking, ledger, keyRetentionMs });
  let cancelOutcomes = () => {};
  let prunedMs = Number.NEGATIVE_INFINITY;

  /** The books as one request, or the passing of time, writes to them. */
  const booksFor = (request: StripeEvent["request"]): Books => ({
    ledger,
    clock,
    random,
    pendingForMs,
    emit(type, object, previous) {
      const event: StripeEvent = {
        id: newStripeId(random, "evt"),
        object: "event",
        api_version: API_VERSION,
        created: Math.floor(clock.now() / 1000),
        data: previous === undefined ? { object } : { object, previous_attributes: previous },
        livemode: false,
        pending_webhooks: webhooks.endpoints,
        request,
        type,
      };
      ledger.addEvent(event);
      webhooks.plan(event);
    },
  });
  const ownBooks = booksFor({ id: null, idempotency_key: null });

  /** After every write: settles refunds whose time has come, waits for the next, delivers, tidies up. */
  const afterWrite = (): void => {
    if (stopping.signal.aborted) return;
    cancelOutcomes();
    const nowMs = clock.now();
    for (const { refund, status, dueMs } of ledger.outcomes()) {
      if (dueMs <= nowMs) ledger.atomically(() => settleRefund(ownBooks, refund, status));
    }
    const [next] = ledger.outcomes();
    if (next !== undefined) cancelOutcomes = clock.after(Math.max(1, next.dueMs - nowMs), afterWrite);
    if (nowMs - prunedMs >= PRUNE_EVERY_MS) {
      prunedMs = nowMs;
      ledger.prune(nowMs - keyRetentionMs, nowMs - EVENT_RETENTION_MS);
    }
    webhooks.wake();
  };

  const app = new Hono<Env>();

  app.onError((error, c) => {
    if (error instanceof BrokenConnection) return breakConnection(c, error.how, stopping.signal);
    if (error instanceof StripeError) {
      for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
      return c.json(error.body, error.status as 400);
    }
    return c.json({ error: { type: "api_error", message: `The sandbox failed: ${error.message}` } }, 500);
  });

  app.use("/v1/*", async (c, next) => {
    if (outage.down) throw new BrokenConnection("reset");
    const requestId = newStripeId(random, "req");
    c.set("requestId", requestId);
    c.header("Request-Id", requestId);
    c.header("Stripe-Version", c.req.header("stripe-version") ?? API_VERSION);
    const token = keyIn(c.req.header("authorization"));
    if (token !== API_KEY) throw unauthorized(token);
    await next();
  });
  const limited = bodyLimit({
    maxSize: BODY_BYTES,
    onError: () => {
      throw new StripeError(413, {
        type: "invalid_request_error",
        message: `A request body can have at most ${BODY_BYTES} bytes.`,
      });
    },
  });
  app.use("/v1/*", limited);
  app.use("/sandbox/*", limited);

  const reads = (path: string, kind: Kind) => {
    const struck = async (operation: Operation) => {
      const fault = faults.take(operation);
      await strike(striking, fault, "before");
      await strike(striking, fault, "after");
    };
    app.get(path, async (c) => {
      await struck(`${kind}.list`);
      return c.json(listOf(ledger, kind, queryOf(c.req.url), path));
    });
    app.get(`${path}/:id`, async (c) => {
      await struck(`${kind}.retrieve`);
      return c.json(objectOf(ledger, kind, c.req.param("id"), queryOf(c.req.url)));
    });
  };
  reads("/v1/charges", "charge");
  reads("/v1/payment_intents", "payment_intent");
  reads("/v1/refunds", "refund");
  reads("/v1/events", "event");
  /** Where a charge's own list of refunds goes on. */
  app.get("/v1/charges/:id/refunds", async (c) => {
    const charge = c.req.param("id");
    objectOf(ledger, "charge", charge, {});
    const form = { ...queryOf(c.req.url), charge };
    return c.json(listOf(ledger, "refund", form, `/v1/charges/${charge}/refunds`));
  });

  /** `read` checks the parameters; what it answers is carried out in the transaction, on the books. */
  const writes = (
    path: string,
    kind: Kind,
    operation: Operation,
    read: (form: Form, id: string) => (books: Books, fault: ArmedFault | null) => Refund | Intent,
  ) =>
    app.post(path, async (c) => {
      const key = c.req.header("idempotency-key") ?? null;
      const books = booksFor({ id: c.get("requestId"), idempotency_key: key });
      const body = await c.req.text();
      if (key !== null) c.header("Idempotency-Key", key);
      try {
        const answer = await write({ operation, key, path: c.req.path, body }, (form) => {
          const perform = read(form, c.req.param("id") ?? "");
          readExpand(kind, form);
          return (fault) => shownWith(ledger, kind, perform(books, fault), form);
        });
        if (answer.replayed) c.header("Idempotent-Replayed", "true");
        return c.json(answer.body as object, answer.status as 200);
      } finally {
        afterWrite();
      }
    });

  writes("/v1/refunds", "refund", "refund.create", (form) => {
    const wanted = readRefundRequest(form);
    return (books, fault) => createRefund(books, wanted, fault);
  });
  writes("/v1/refunds/:id", "refund", "refund.update", (form, id) => {
    readRefundUpdate(form);
    return (books) => updateRefund(books, id, form);
  });
  writes("/v1/refunds/:id/cancel", "refund", "refund.cancel", (form, id) => {
    onlyKnown(form, ["expand"]);
    return (books) => cancelRefund(books, id);
  });
  writes("/v1/payment_intents", "payment_intent", "payment_intent.create", (form) => {
    const wanted = readIntentRequest(form);
    return (books) => createIntent(books, wanted);
  });
  writes("/v1/payment_intents/:id/confirm", "payment_intent", "payment_intent.confirm", (form, id) => {
    const method = readConfirmRequest(form);
    return (books) => confirmIntent(books, id, method);
  });

  app.all("/v1/*", (c) => {
    throw new StripeError(404, {
      type: "invalid_request_error",
      message: `Unrecognized request URL (${c.req.method}: ${c.req.path}). This sandbox has charges, payment intents, refunds and events.`,
    });
  });

  const failRefund = (id: string) => {
    const failed = ledger.atomically(() => settleRefund(ownBooks, id, "failed"));
    afterWrite();
    return failed;
  };
  app.route("/", controlRoutes({ ledger, faults, outage, failRefund }));

  webhooks.targets = options.webhooks ?? [];
  afterWrite();
  return {
    app,
    seedCharges(charges) {
      ledger.atomically(() => {
        for (const wanted of charges) seedCharge(ledger, random, wanted);
      });
    },
    setWebhook(...targets) {
      webhooks.targets = targets;
    },
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      cancelOutcomes();
      await webhooks.stop();
      ledger.close();
    },
  };
}

/** The key of `Authorization: Bearer`, or the user name of `Basic`. */
function keyIn(header: string | undefined): string {
  const [, scheme = "", credentials = ""] = /^(\w+) +(.*)$/.exec(header ?? "") ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return credentials.trim();
    case "basic":
      return Buffer.from(credentials, "base64").toString().split(":")[0] ?? "";
    default:
      return "";
  }
}

function queryOf(url: string): Form {
  const { search } = new URL(url);
  if (search.length > BODY_BYTES) throw invalid("The query is too long.");
  return decodeForm(search.slice(1));
}
