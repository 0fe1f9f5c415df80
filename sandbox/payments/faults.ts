/** Faults on demand: armed by HTTP, used up one by one. They are in memory only: a restart forgets them. */

const TRANSPORT_FAULTS = [
  "timeout_before_accept",
  "timeout_after_accept",
  "reset_before_accept",
  "reset_after_accept",
  "error_500_before_accept",
  "error_500_after_accept",
  "rate_limited",
  "slow",
] as const;
/** What becomes of a refund, rather than of its request. */
const REFUND_FAULTS = [
  "declined",
  "pending_then_succeeded",
  "pending_then_failed",
  "requires_action",
] as const;
const WEBHOOK_FAULTS = ["lost", "duplicated", "reordered"] as const;

export const OPERATIONS = [
  "refund.create",
  "refund.list",
  "refund.retrieve",
  "refund.update",
  "refund.cancel",
  "charge.list",
  "charge.retrieve",
  "payment_intent.create",
  "payment_intent.confirm",
  "payment_intent.list",
  "payment_intent.retrieve",
  "event.list",
  "event.retrieve",
] as const;

export type Operation = (typeof OPERATIONS)[number];
export type RequestFault = (typeof TRANSPORT_FAULTS)[number] | (typeof REFUND_FAULTS)[number];
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

export interface ArmedFault<F extends string = RequestFault | WebhookFault> {
  readonly on: Operation | "webhook" | "*";
  readonly fault: F;
  readonly times: number;
  readonly delayMs: number | null;
}

const TIMES_MAX = 1_000_000;
const DELAY_MAX_MS = 600_000;
const ARMED_MAX = 10_000;

const includes = <T extends string>(values: readonly T[], value: unknown): value is T =>
  (values as readonly unknown[]).includes(value);

export class Faults {
  #armed: ArmedFault[] = [];

  /** Arms a fault; a text says what is wrong with the request. */
  arm(wanted: unknown): string | null {
    if (wanted === null || typeof wanted !== "object" || Array.isArray(wanted)) {
      return 'the body must be JSON such as {"on":"refund.create","fault":"timeout_after_accept","times":1}.';
    }
    const { on, fault, times = 1, delay_ms: delayMs = null, ...others } = wanted as Record<string, unknown>;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) return `${unknown} is not a member; on, fault, times and delay_ms are.`;
    if (typeof times !== "number" || !Number.isInteger(times) || times < 1 || times > TIMES_MAX) {
      return `times must be a whole number from 1 to ${TIMES_MAX}.`;
    }
    if (delayMs !== null && (typeof delayMs !== "number" || !(delayMs >= 0) || delayMs > DELAY_MAX_MS)) {
      return `delay_ms must be a number from 0 to ${DELAY_MAX_MS}.`;
    }
    if (this.#armed.length >= ARMED_MAX) return `at most ${ARMED_MAX} faults can be armed.`;
    const target = on ?? (includes(WEBHOOK_FAULTS, fault) ? "webhook" : "refund.create");
    if (target !== "webhook" && target !== "*" && !includes(OPERATIONS, target)) {
      return `on must be one of ${[...OPERATIONS, "webhook", "*"].join(", ")}.`;
    }
    if (includes(WEBHOOK_FAULTS, fault)) {
      // A delivery is the only thing these can strike, whatever `on` says.
      this.#armed.push({ on: "webhook", fault, times, delayMs });
      return null;
    }
    const mayBe = (REFUND_FAULTS as readonly unknown[]).includes(fault)
      ? target === "refund.create" || target === "*"
      : includes(TRANSPORT_FAULTS, fault) && target !== "webhook";
    if (!includes(TRANSPORT_FAULTS, fault) && !includes(REFUND_FAULTS, fault)) {
      return `fault must be one of ${[...TRANSPORT_FAULTS, ...REFUND_FAULTS, ...WEBHOOK_FAULTS].join(", ")}.`;
    }
    if (!mayBe) return `${fault} cannot happen on ${String(target)}.`;
    this.#armed.push({ on: target, fault, times, delayMs });
    return null;
  }

  /** The next fault for a request, used up once. A replayed answer cannot be given another outcome. */
  take(operation: Operation, replayed = false): ArmedFault<RequestFault> | null {
    const outcomes = operation === "refund.create" && !replayed;
    return this.#take(
      ({ on, fault }) =>
        on !== "webhook" &&
        (on === operation || on === "*") &&
        (outcomes || includes(TRANSPORT_FAULTS, fault)),
    ) as ArmedFault<RequestFault> | null;
  }

  takeForDelivery(): ArmedFault<WebhookFault> | null {
    return this.#take(({ on }) => on === "webhook") as ArmedFault<WebhookFault> | null;
  }

  #take(fits: (armed: ArmedFault) => boolean): ArmedFault | null {
    const index = this.#armed.findIndex(fits);
    const found = this.#armed[index];
    if (found === undefined) return null;
    if (found.times > 1) this.#armed[index] = { ...found, times: found.times - 1 };
    else this.#armed.splice(index, 1);
    return found;
  }

  list(): readonly { on: string; fault: string; times: number; delay_ms: number | null }[] {
    return this.#armed.map(({ on, fault, times, delayMs }) => ({ on, fault, times, delay_ms: delayMs }));
  }

  clear(): void {
    this.#armed = [];
  }
}
