/** A served payment sandbox with a clock that the test moves, and the official SDK as anyone would set it up. */
import Stripe from "stripe";
import {
  createPaymentSandbox,
  type PaymentSandbox,
  type PaymentSandboxOptions,
  type SeededCharge,
} from "../../../sandbox/payments/app.ts";
import { type ServedPayments, servePayments } from "../../../sandbox/payments/serve.ts";
import { seededRandom } from "../../../src/kernel/ports.ts";
import { turns, VirtualClock } from "../../kit/virtual-clock.ts";

export const START_MS = Date.parse("2026-12-01T15:00:00Z");
export const KEY = "sk_test_sandbox";

export const charge = (
  number: string,
  amountMinor: number,
  more: Partial<SeededCharge> = {},
): SeededCharge => ({
  chargeId: `ch_${number}`,
  paymentIntentId: `pi_${number}`,
  amountMinor,
  currency: "USD",
  createdAt: START_MS - 86_400_000,
  metadata: { order_number: number, tenant: "northwind" },
  ...more,
});

export interface Fixture {
  readonly clock: VirtualClock;
  readonly sandbox: PaymentSandbox;
  readonly served: ServedPayments;
  readonly stripe: Stripe;
  fault(body: Record<string, unknown>): Promise<Response>;
  state(): Promise<Record<string, unknown>>;
  post(path: string, body: string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

export const SEEDS: readonly SeededCharge[] = [
  charge("1042", 11_300),
  charge("1043", 6_400),
  charge("1050", 5_000, { disputed: true }),
  charge("1060", 5_800, { currency: "JPY" }),
  charge("1070", 9_000, {
    refunds: [{ amountMinor: 9_000, status: "succeeded", createdAt: START_MS - 3_600_000 }],
  }),
];

export async function start(options: Partial<PaymentSandboxOptions> = {}): Promise<Fixture> {
  const clock = new VirtualClock(START_MS);
  const sandbox = createPaymentSandbox({ clock, random: seededRandom(7), storage: ":memory:", ...options });
  sandbox.seedCharges(SEEDS);
  const served = await servePayments(sandbox);
  const json = { "content-type": "application/json" };
  return {
    clock,
    sandbox,
    served,
    stripe: sdk(served.port),
    fault: (body) =>
      fetch(`${served.url}/sandbox/faults`, { method: "POST", headers: json, body: JSON.stringify(body) }),
    state: async () =>
      (await fetch(`${served.url}/sandbox/state`)).json() as Promise<Record<string, unknown>>,
    post: (path, body, headers = {}) =>
      fetch(`${served.url}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${KEY}`,
          "content-type": "application/x-www-form-urlencoded",
          ...headers,
        },
        body,
      }),
    stop: () => served.stop(),
  };
}

export const sdk = (port: number, more: Stripe.StripeConfig = {}): Stripe =>
  new Stripe(KEY, {
    host: "127.0.0.1",
    port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: 2_000,
    ...more,
  });

/** Waits, in turns of the event loop, until a condition holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 20_000; turn += 1) {
    if (await holds()) return;
    await turns(1);
  }
  throw new Error(`never: ${what}`);
}

/** The error that a call was refused with. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
