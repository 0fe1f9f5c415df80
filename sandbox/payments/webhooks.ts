/**
 * Deliveries of events: signed as Stripe signs them, retried with growing pauses until answered with 2xx,
 * and lost, doubled or out of order on demand. What is to be delivered is kept, so a restart goes on.
 */
import { createHmac } from "node:crypto";
import type { Clock } from "../../src/kernel/ports.ts";
import type { Faults } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import type { StripeEvent } from "./shapes.ts";

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
const ATTEMPTS_MAX = 200;
const ANSWER_WITHIN_MS = 10_000;
/** How late an out-of-order event is. */
const LATE_MS = 2_000;

export class Webhooks {
  target: WebhookTarget | null = null;
  readonly #ledger: Ledger;
  readonly #faults: Faults;
  readonly #clock: Clock;
  readonly #send: typeof fetch;
  #cancel = () => {};
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(parts: { ledger: Ledger; faults: Faults; clock: Clock; send: typeof fetch }) {
    this.#ledger = parts.ledger;
    this.#faults = parts.faults;
    this.#clock = parts.clock;
    this.#send = parts.send;
  }

  /** Plans the delivery of an event; call inside the transaction that records it. */
  plan(event: StripeEvent): void {
    const fault = this.#faults.take("webhook")?.fault;
    const nowMs = this.#clock.now();
    if (fault === "lost") return;
    this.#ledger.addDelivery(event.id, fault === "reordered" ? nowMs + LATE_MS : nowMs);
    if (fault === "duplicated") this.#ledger.addDelivery(event.id, nowMs);
  }

  /** Delivers what is due, and sees to it that the rest is delivered when it is. */
  wake(): void {
    if (this.#stopped || this.target === null) return;
    this.#cancel();
    this.#cancel = this.#clock.after(0, () => {
      this.#running ??= this.#deliverDue().finally(() => {
        this.#running = null;
        this.#wait();
      });
    });
  }

  #wait(): void {
    const [next] = this.#stopped ? [] : this.#ledger.deliveries();
    if (next === undefined) return;
    this.#cancel();
    this.#cancel = this.#clock.after(Math.max(5, next.dueMs - this.#clock.now()), () => this.wake());
  }

  async #deliverDue(): Promise<void> {
    for (const delivery of this.#ledger.deliveries()) {
      if (this.#stopped || delivery.dueMs > this.#clock.now()) return;
      const event = this.#ledger.event(delivery.eventId);
      const delivered = event === null || (await this.#deliver(event));
      if (this.#stopped) return;
      this.#ledger.atomically(() => {
        this.#ledger.takeDelivery(delivery.id);
        if (delivered || delivery.attempt >= ATTEMPTS_MAX) return;
        const pauseMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(delivery.attempt - 1, 10));
        this.#ledger.addDelivery(delivery.eventId, this.#clock.now() + pauseMs, delivery.attempt + 1);
      });
    }
  }

  async #deliver(event: StripeEvent): Promise<boolean> {
    const { target } = this;
    if (target === null) return true;
    const body = JSON.stringify(event, null, 2);
    const timeout = new AbortController();
    const cancel = this.#clock.after(ANSWER_WITHIN_MS, () => timeout.abort());
    try {
      const response = await this.#send(target.url, {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": signature(body, target.secret, Math.floor(this.#clock.now() / 1000)),
        },
        body,
        signal: timeout.signal,
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    } finally {
      cancel();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }
}

/** `Stripe-Signature`: HMAC-SHA256 over `timestamp.body`. */
export function signature(body: string, secret: string, timestamp: number): string {
  return `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}
