/** The connector before a served sandbox, or before a server that answers whatever a test wants. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createPaymentSandbox, type SeededCharge } from "../../sandbox/payments/app.ts";
import { servePayments } from "../../sandbox/payments/serve.ts";
import { createStripePayments, type StripeOptions } from "../../src/commerce/connectors/stripe.ts";
import type { NewRefund, Payments } from "../../src/commerce/payments.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { seededRandom } from "../../src/kernel/ports.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

export const START_MS = Date.parse("2026-12-01T15:00:00Z");
export const TENANT = "northwind" as TenantId;
export const KEY = "sk_test_sandbox";
export const SECRET = "whsec_sandbox";

export const WANTED: NewRefund = {
  tenantId: TENANT,
  chargeId: "ch_1042",
  amountMinor: 2_400,
  currency: "USD",
  idempotencyKey: "key-1",
  actionId: "act_1",
};

export function connect(baseUrl: string | null, more: Partial<StripeOptions> = {}): Payments {
  const options = { apiKey: KEY, webhookSecrets: [SECRET], baseUrl, timeoutMs: 200, ...more };
  return createStripePayments(options as StripeOptions);
}

export const CHARGE: SeededCharge = {
  chargeId: "ch_1042",
  paymentIntentId: "pi_1042",
  amountMinor: 11_300,
  currency: "USD",
  createdAt: START_MS - 86_400_000,
  metadata: { order_number: "1042" },
};

export async function withSandbox(charges: readonly SeededCharge[] = [CHARGE]) {
  const clock = new VirtualClock(START_MS);
  const sandbox = createPaymentSandbox({ clock, random: seededRandom(3), storage: ":memory:" });
  sandbox.seedCharges(charges);
  const served = await servePayments(sandbox);
  onTestFinished(() => served.stop());
  const post = (path: string, body: unknown) =>
    fetch(`${served.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  return {
    clock,
    sandbox,
    served,
    // Long enough for the first exchange on a busy machine, short enough to wait for silence.
    payments: connect(served.url, { timeoutMs: 1_500 }),
    fault: (fault: string, more: Record<string, unknown> = {}) => post("/sandbox/faults", { fault, ...more }),
    outage: (down: boolean) => post("/sandbox/outage", { down }),
    /** How many refunds the provider holds for the charge. */
    async held(charge = "ch_1042"): Promise<number> {
      const state = (await (await fetch(`${served.url}/sandbox/state`)).json()) as {
        refunds_by_charge: Record<string, number>;
      };
      return state.refunds_by_charge[charge] ?? 0;
    },
  };
}

export interface Stub {
  readonly url: string;
  readonly requests: { readonly method: string; readonly url: string; readonly body: string }[];
}

/** A server that answers as `answer` does, and counts what it was sent. */
export async function withServer(
  answer: (request: IncomingMessage, response: ServerResponse, n: number) => void,
): Promise<Stub> {
  const requests: Stub["requests"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      requests.push({ method: request.method ?? "", url: request.url ?? "", body });
      answer(request, response, requests.length);
    });
    request.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** A whole answer. */
export const says =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** A refund as Stripe shows it, for {@link WANTED}. */
export const refund = (more: Record<string, unknown> = {}) => ({
  id: "re_1",
  object: "refund",
  amount: 2_400,
  balance_transaction: "txn_1",
  charge: "ch_1042",
  created: START_MS / 1000,
  currency: "usd",
  metadata: { recourse_action_id: "act_1" },
  payment_intent: "pi_1042",
  reason: null,
  status: "succeeded",
  ...more,
});

export const error = (type: string, more: Record<string, unknown> = {}) => ({
  error: { type, message: "a sentence", ...more },
});
