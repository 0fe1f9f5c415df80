/** The shop's faults on demand: armed by HTTP, used up one by one. In memory only: a restart forgets them. */
import { z } from "zod";

export const OPERATIONS = ["orders.read", "returns.create"] as const;
export const FAULTS = [
  /** Nothing was done. */
  "error_500",
  /** These were done; only the answer is lost. */
  "error_500_after_accept",
  "timeout_after_accept",
  "reset_after_accept",
  /** Done and answered, after `delay_ms`. */
  "slow",
] as const;

export type Operation = (typeof OPERATIONS)[number];
export type FaultName = (typeof FAULTS)[number];

const ARMED_MAX = 10_000;
const SLOW_MS = 2_000;

const armed = z.strictObject({
  on: z.enum(OPERATIONS),
  fault: z.enum(FAULTS),
  times: z.int().min(1).max(1_000_000).default(1),
  delay_ms: z.int().min(0).max(600_000).default(SLOW_MS),
});
export type ArmedFault = z.infer<typeof armed>;

export class Faults {
  #armed: ArmedFault[] = [];

  /** Arms a fault; a text says what is wrong with the request. */
  arm(wanted: unknown): string | null {
    const parsed = armed.safeParse(wanted);
    if (!parsed.success) return z.prettifyError(parsed.error);
    if (this.#armed.length >= ARMED_MAX) return `at most ${ARMED_MAX} faults can be armed.`;
    this.#armed.push(parsed.data);
    return null;
  }

  /** The next fault for a request, used up once. */
  take(operation: Operation): ArmedFault | null {
    const index = this.#armed.findIndex(({ on }) => on === operation);
    const found = this.#armed[index];
    if (found === undefined) return null;
    if (found.times > 1) this.#armed[index] = { ...found, times: found.times - 1 };
    else this.#armed.splice(index, 1);
    return found;
  }

  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  clear(): void {
    this.#armed = [];
  }
}
