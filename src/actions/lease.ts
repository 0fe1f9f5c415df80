/** The columns that say whose an action is and since when it is under way. */
import { LIMITS } from "../kernel/limits.ts";
import type { ActionRow } from "./ledger.ts";

/** What the row must say before anything is sent (G4): key and first attempt stay, lease and count move. */
export function executingColumns(
  current: Pick<ActionRow, "attempts" | "first_attempt_ms">,
  workerId: string,
  nowMs: number,
) {
  return {
    attempts: current.attempts + 1,
    first_attempt_ms: current.first_attempt_ms ?? nowMs,
    lease_owner: workerId,
    lease_until_ms: nowMs + LIMITS.leaseMs,
    // If this worker dies, the sweep finds the action by this time once its lease is over.
    next_attempt_ms: nowMs,
  };
}
