/**
 * What a run does next, pure: `decide(run, event) → {run, effect}`. No clock, no I/O: the worker tells
 * it what happened and carries out the one effect it answers with.
 *
 * Bounds, for each message: at most `stepsPerRun` proposals, at most as many calls in a row that brought nothing
 * new as the tenant's thresholds say; then a person. A deadline or a cancellation ends the run at the next boundary.
 */
import type { Call, Escalate, EscalationReason, Proposal, Say } from "../agents/agent.ts";
import { DEFAULT_THRESHOLDS, type EscalationThresholds } from "../agents/escalation.ts";
import type { GatewayAnswer } from "../gateway/gateway.ts";
import { hashOf } from "../kernel/canonical.ts";
import { unreachable } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

/** The bounded part of a run's memory. */
export interface RunProgress {
  readonly steps: number;
  readonly stalled: number;
  /** Answers that were no proposal. */
  readonly unusable: number;
  /** Hashes of calls with their answers: one that repeats brought nothing new. */
  readonly seen: readonly string[];
  /** Texts for this message that might not leave. */
  readonly withheld: number;
}

export const NO_PROGRESS: RunProgress = { steps: 0, stalled: 0, unusable: 0, seen: [], withheld: 0 };

export type RunEvent =
  | { readonly type: "started" }
  | { readonly type: "proposed"; readonly proposal: Proposal }
  /** What the agent answered with is no proposal. */
  | { readonly type: "malformed" }
  /** What the agent said, or an offer that was made for it, may not leave. */
  | { readonly type: "withheld"; readonly kinds: readonly string[] }
  | { readonly type: "answered"; readonly call: Call; readonly answer: GatewayAnswer }
  /** A person should take over, whatever the agent would say. */
  | { readonly type: "escalated"; readonly escalate: Escalate }
  /** The customer wrote again before the action was recorded: nothing was recorded. */
  | { readonly type: "view_stale" }
  | { readonly type: "agent_failed" }
  | { readonly type: "deadline" }
  | { readonly type: "cancelled" };

export type RunEffect =
  | { readonly type: "ask_agent" }
  | { readonly type: "ask_gateway"; readonly call: Call }
  | { readonly type: "say"; readonly say: Say }
  | {
      readonly type: "offer";
      readonly call: Call;
      readonly answer: Extract<GatewayAnswer, { kind: "offer" }>;
    }
  | { readonly type: "ask_identity"; readonly call: Call }
  | {
      readonly type: "record";
      readonly call: Call;
      readonly answer: Extract<GatewayAnswer, { kind: "prepared" }>;
    }
  /** As the agent, or code that read the messages, worded it. */
  | { readonly type: "handoff"; readonly escalate: Escalate }
  /** The run itself gets no further. `why`: for the person. */
  | { readonly type: "give_up"; readonly reason: EscalationReason; readonly why: string }
  | { readonly type: "stop"; readonly state: "cancelled" | "expired" };

export function decide(
  run: RunProgress,
  event: RunEvent,
  thresholds: Pick<EscalationThresholds, "stalledCalls"> = DEFAULT_THRESHOLDS,
): { run: RunProgress; effect: RunEffect } {
  switch (event.type) {
    case "started":
    case "view_stale":
      return { run, effect: { type: "ask_agent" } };
    case "proposed":
      return proposed(run, event.proposal);
    case "malformed": {
      const next = { ...run, steps: run.steps + 1, unusable: run.unusable + 1 };
      return next.unusable >= LIMITS.unusableAnswersPerMessage
        ? { run: next, effect: giveUp("agent_failed", "The agent's answers were not usable.") }
        : { run: next, effect: { type: "ask_agent" } };
    }
    case "withheld": {
      const next = { ...run, withheld: run.withheld + 1 };
      return next.withheld > LIMITS.withheldTextsPerMessage
        ? {
            run: next,
            effect: giveUp(
              "safety_filter",
              `What the agent wanted to say may not be sent (${event.kinds.join(", ")}).`,
            ),
          }
        : { run: next, effect: { type: "ask_agent" } };
    }
    case "answered":
      return answered(run, event.call, event.answer, thresholds.stalledCalls);
    case "escalated":
      return { run, effect: { type: "handoff", escalate: event.escalate } };
    case "agent_failed":
      return { run, effect: giveUp("agent_failed", "The agent failed on this message.") };
    case "deadline":
      return { run, effect: giveUp("deadline", "No answer was found in time.") };
    case "cancelled":
      return { run, effect: { type: "stop", state: "cancelled" } };
    default:
      return unreachable(event);
  }
}

function proposed(run: RunProgress, proposal: Proposal): { run: RunProgress; effect: RunEffect } {
  const next = { ...run, steps: run.steps + 1 };
  switch (proposal.type) {
    case "say":
      return { run: next, effect: { type: "say", say: proposal } };
    case "escalate":
      return { run: next, effect: { type: "handoff", escalate: proposal } };
    case "call":
      if (next.steps > LIMITS.stepsPerRun) {
        return {
          run: next,
          effect: giveUp("step_limit", `The agent took ${LIMITS.stepsPerRun} steps without an answer.`),
        };
      }
      return { run: next, effect: { type: "ask_gateway", call: proposal } };
    default:
      return unreachable(proposal);
  }
}

function answered(
  run: RunProgress,
  call: Call,
  answer: GatewayAnswer,
  mostStalled: number,
): { run: RunProgress; effect: RunEffect } {
  switch (answer.kind) {
    case "offer":
      return { run, effect: { type: "offer", call, answer } };
    case "prepared":
      return { run, effect: { type: "record", call, answer } };
    case "handoff":
      return { run, effect: giveUp("asked_for_person", answer.summary) };
    case "identity_needed":
      return { run, effect: { type: "ask_identity", call } };
    case "result":
    case "denied":
    case "invalid":
    case "conflict":
    case "unavailable": {
      const fingerprint = hashOf([call.tool, call.args ?? null, answer]);
      const repeated = run.seen.includes(fingerprint);
      const stalled =
        repeated || answer.kind === "invalid" || answer.kind === "unavailable" ? run.stalled + 1 : 0;
      const next = { ...run, stalled, seen: repeated ? run.seen : [...run.seen, fingerprint] };
      if (stalled > mostStalled) {
        return {
          run: next,
          effect: giveUp("no_progress", `The last ${stalled} tool calls brought nothing new.`),
        };
      }
      return { run: next, effect: { type: "ask_agent" } };
    }
    default:
      return unreachable(answer);
  }
}

const giveUp = (reason: EscalationReason, why: string): RunEffect => ({ type: "give_up", reason, why });
