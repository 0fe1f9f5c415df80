/**
 * What a run keeps of itself when it ends, beside its steps: `runs.outcome`. No text and nobody's data. Runs of earlier
 * versions have `answers` only; an erased one has none of it.
 */
export interface RunRecord {
  /** How many messages it answered. */
  readonly answers: number;
  /** The agent's name in code. */
  readonly agent: string;
  /** The version of Recourse that it ran. */
  readonly code: string;
  /** Epoch milliseconds: claimed by its worker; conversation read. */
  readonly claimed_ms: number;
  readonly read_ms: number;
  /** Of each step: its number, when the agent was asked, when it had proposed, when what came of it was known. */
  readonly times: readonly (readonly [n: number, askedMs: number, proposedMs: number, endedMs: number])[];
}
