/**
 * Deliveries of events: signed as Stripe signs them, retried with growing pauses until answered with 2xx,
 * and lost, doubled or out of order on demand.
 *
 * What happens if it dies here: what is to be delivered is written with the event, and taken off only once
 * it was answered, so a restart delivers it (again). Deliveries go out one after the other.
 */
import { createHmac } from "node:crypto";
import type { Clock } from "../../src/kernel/ports.ts";
import type { Faults } from "./faults.ts";
import type { Delivery, Ledger } from "./ledger.ts";
import type { StripeEvent } from "./shapes.ts";

export interface WebhookTarget {
  readonly url: string;
  /** Several while a secret is rotated: every delivery is then signed with each. */
  readonly secret: string | readonly string[];
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** Three days and more, as Stripe keeps trying. */
const ATTEMPTS_MAX = 5_000;
const ANSWER_WITHIN_MS = 10_000;
/** How late an out-of-order event is. */
const LATE_MS = 2_000;

export interface WebhookParts {
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly send: typeof fetch;
}

export class Webhooks {
  readonly #parts: WebhookParts;
  #targets: readonly WebhookTarget[] = [];
  #cancel = () => {};
  #running: Promise<void> | null = null;
  readonly #stopping = new AbortController();

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  set targets(targets: readonly WebhookTarget[]) {
    this.#targets = targets;
    this.wake();
  }

  /** How many endpoints an event goes to. With none configured yet, it waits for the first. */
  get endpoints(): number {
    return Math.max(1, this.#targets.length);
  }

  /** Plans the delivery of an event; call inside the transaction that records it. */
  plan(event: StripeEvent): void {
    const { ledger, clock, faults } = this.#parts;
    for (let endpoint = 0; endpoint < this.endpoints; endpoint += 1) {
      const fault = faults.takeForDelivery();
      if (fault?.fault === "lost") continue;
      const lateMs = fault?.fault === "reordered" ? (fault.delayMs ?? LATE_MS) : 0;
      const delivery = { eventId: event.id, endpoint, attempt: 1, dueMs: clock.now() + lateMs };
      ledger.addDelivery(delivery);
      if (fault?.fault === "duplicated") {
        ledger.addDelivery({ ...delivery, dueMs: delivery.dueMs + (fault.delayMs ?? 0) });
      }
    }
  }

  /** Delivers what is due, and sees to it that the rest is delivered when it is. */
  wake(): void {
    if (this.#stopping.signal.aborted || this.#targets.length === 0) return;
    this.#cancel();
    this.#cancel = this.#parts.clock.after(0, () => {
      this.#running ??= this.#deliverDue().finally(() => {
        this.#running = null;
        this.#wait();
      });
    });
  }

  #wait(): void {
    if (this.#stopping.signal.aborted) return;
    const { ledger, clock } = this.#parts;
    const next = ledger.deliveries().find(({ endpoint }) => endpoint < this.#targets.length);
    if (next === undefined) return;
    this.#cancel();
    this.#cancel = clock.after(Math.max(5, next.dueMs - clock.now()), () => this.wake());
  }

  async #deliverDue(): Promise<void> {
    const { ledger, clock } = this.#parts;
    for (const delivery of ledger.deliveries()) {
      if (delivery.dueMs > clock.now()) return;
      const target = this.#targets[delivery.endpoint];
      if (target === undefined) continue;
      const event = ledger.event(delivery.eventId);
      const delivered = event === null || (await this.#deliver(event, target));
      if (this.#stopping.signal.aborted) return;
      this.#settle(delivery, delivered);
    }
  }

  #settle(delivery: Delivery, delivered: boolean): void {
    const { ledger, clock } = this.#parts;
    ledger.atomically(() => {
      ledger.takeDelivery(delivery.id);
      if (delivered || delivery.attempt >= ATTEMPTS_MAX) return;
      const pauseMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(delivery.attempt - 1, 10));
      ledger.addDelivery({ ...delivery, attempt: delivery.attempt + 1, dueMs: clock.now() + pauseMs });
    });
  }

  /** True when it was answered with 2xx in time. */
  async #deliver(event: StripeEvent, target: WebhookTarget): Promise<boolean> {
    const { clock, send } = this.#parts;
    const body = JSON.stringify(event, null, 2);
    const late = new AbortController();
    const cancel = clock.after(ANSWER_WITHIN_MS, () => late.abort());
    try {
      const response = await send(target.url, {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "user-agent": "Stripe/1.0 (sandbox)",
          "stripe-signature": signature(body, target.secret, Math.floor(clock.now() / 1000)),
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([late.signal, this.#stopping.signal]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    } finally {
      cancel();
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#running;
  }
}

/** `Stripe-Signature`: HMAC-SHA256 over `timestamp.body`, once for each secret. */
export function signature(body: string, secret: string | readonly string[], timestamp: number): string {
  const signed = [secret].flat().map((one) => {
    const digest = createHmac("sha256", one).update(`${timestamp}.${body}`).digest("hex");
    return `v1=${digest}`;
  });
  return [`t=${timestamp}`, ...signed].join(",");
}
