/** What the steps of a run brought: pure reading of outcomes. */
import type { CallOutcome } from "../agents/agent.ts";

/** Orders and actions in an outcome: what a card may show. */
export function factsOf(outcome: CallOutcome): readonly unknown[] {
  if (outcome.kind === "conflict") return [outcome.action];
  if (outcome.kind !== "result" || outcome.value === null || typeof outcome.value !== "object") return [];
  return Object.values(outcome.value).flat();
}

export function isOutcome(answer: { kind: string }): answer is CallOutcome {
  return ["result", "denied", "invalid", "conflict", "unavailable"].includes(answer.kind);
}

/** One proposal with what came of it. */
export interface Step {
  readonly proposal: unknown;
  readonly outcome: unknown;
}

/** For the person who takes over. */
export function describeStep(step: Step): string {
  const { tool = "say" } = step.proposal as { tool?: string };
  const { kind = "", code = "" } = step.outcome as { kind?: string; code?: string };
  return `${tool}: ${[kind, code].filter((part) => part !== "").join(" ")}`;
}
