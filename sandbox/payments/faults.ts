/** Faults on demand: armed by HTTP, used up one by one, forgotten with the process. */

export const FAULTS = [
  "timeout_before_accept",
  "timeout_after_accept",
  "reset_before_accept",
  "reset_after_accept",
  "error_500_before_accept",
  "error_500_after_accept",
  "rate_limited",
  "declined",
  "pending_then_succeeded",
  "pending_then_failed",
  "slow",
] as const;
export const WEBHOOK_FAULTS = ["lost", "duplicated", "reordered"] as const;
export const TARGETS = [
  "refund.create",
  "refund.list",
  "refund.retrieve",
  "charge.retrieve",
  "webhook",
  "*",
] as const;

export type Fault = (typeof FAULTS)[number];
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

export interface ArmedFault {
  readonly on: string;
  readonly fault: Fault | WebhookFault;
  times: number;
  readonly delayMs: number | null;
}

const MOST_TIMES = 1_000_000;

export class Faults {
  #armed: ArmedFault[] = [];

  /** Arms a fault; a text says what is wrong with the request. */
  arm(wanted: Record<string, unknown>): string | null {
    const { fault, times = 1, delay_ms: delayMs = null } = wanted;
    const webhook = (WEBHOOK_FAULTS as readonly unknown[]).includes(fault);
    const on = webhook ? "webhook" : (wanted.on ?? "refund.create");
    if (!webhook && !(FAULTS as readonly unknown[]).includes(fault)) {
      return `fault must be one of ${[...FAULTS, ...WEBHOOK_FAULTS].join(", ")}.`;
    }
    if (!(TARGETS as readonly unknown[]).includes(on)) return `on must be one of ${TARGETS.join(", ")}.`;
    if (typeof times !== "number" || !Number.isInteger(times) || times < 1 || times > MOST_TIMES) {
      return `times must be a whole number from 1 to ${MOST_TIMES}.`;
    }
    if (delayMs !== null && (typeof delayMs !== "number" || delayMs < 0 || delayMs > 600_000)) {
      return "delay_ms must be from 0 to 600000.";
    }
    this.#armed.push({ on: on as string, fault: fault as Fault, times, delayMs });
    return null;
  }

  /** The next fault for this operation, used up once. */
  take(on: string): ArmedFault | null {
    const found = this.#armed.find(
      (armed) => armed.times > 0 && (armed.on === on || (armed.on === "*" && on !== "webhook")),
    );
    if (found === undefined) return null;
    found.times -= 1;
    this.#armed = this.#armed.filter((armed) => armed.times > 0);
    return { ...found };
  }

  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  clear(): void {
    this.#armed = [];
  }
}

/** The transport has to break the connection, or to say nothing for ever. */
export class BrokenConnection extends Error {
  override readonly name = "BrokenConnection";
  readonly how: "reset" | "silence";
  constructor(how: "reset" | "silence") {
    super(how);
    this.how = how;
  }
}
