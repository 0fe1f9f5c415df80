/**
 * How an agent without state of its own works in several steps: as a generator that yields calls and is
 * replayed from the start each time, with the outcomes that the run has so far. The same view always
 * leads to the same proposal, and a call that has an outcome is never made again in its run.
 */
import { canonicalJson } from "../kernel/canonical.ts";
import type { Call, CallOutcome, Proposal, StepRecord } from "./agent.ts";

/** Yields calls, receives their outcomes, returns what it found. */
export type Flow<T> = Generator<Call, T, CallOutcome>;

const keyOf = ({ tool, args }: Call): string => canonicalJson([tool, args]);

/** The flow's next proposal after `steps`: a call without an outcome so far, or what the flow returns. */
export function advance(flow: Flow<Proposal>, steps: readonly StepRecord[]): Proposal {
  const outcomes = new Map(steps.map(({ call, outcome }) => [keyOf(call), outcome]));
  let at = flow.next();
  while (!at.done) {
    const outcome = outcomes.get(keyOf(at.value));
    if (outcome === undefined) return at.value;
    at = flow.next(outcome);
  }
  return at.value;
}

const EFFECTS = new Set(["process_refund", "initiate_return"]);

/** Runs the reads of a flow, but holds its first effect back and answers with it. */
export function* untilEffect(
  flow: Flow<Proposal>,
): Flow<{ readonly held: Call } | { readonly held: null; readonly said: Proposal }> {
  let at = flow.next();
  while (!at.done) {
    if (EFFECTS.has(at.value.tool)) return { held: at.value };
    at = flow.next(yield at.value);
  }
  return { held: null, said: at.value };
}
