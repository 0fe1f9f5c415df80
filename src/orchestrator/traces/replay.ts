/**
 * Whether a run would be decided the same today, from what is recorded of it. Pure: no agent, shop or provider is asked,
 * and nothing is written. Three things are decided anew:
 *   - the flow: the agent's recorded proposals and the gateway's recorded answers, through today's `decide`;
 *   - the tools: whether today's schema takes the recorded arguments as it did;
 *   - the policy: the recorded facts, by the version that governs such a request today.
 * What a model would propose today is not asked: that its model or prompt is another one now is said instead.
 */
import type { CallOutcome, Escalate, Proposal } from "../../agents/agent.ts";
import type { EscalationThresholds } from "../../agents/escalation.ts";
import { heedingPeople } from "../../gateway/decision.ts";
import type { GatewayAnswer } from "../../gateway/gateway.ts";
import { type CompiledPolicy, evaluate, STANDING_CLAUSES } from "../../gateway/policy/evaluate.ts";
import type { DecisionRecord } from "../../gateway/policy/explain.ts";
import type { Verdict } from "../../gateway/policy/policy.ts";
import { toolNamed } from "../../tools/registry.ts";
import { decide, NO_PROGRESS, type RunEffect, type RunEvent, type RunProgress } from "../decide.ts";
import { isOutcome } from "../steps.ts";
import type { RunRecords, StoredStep } from "./reading.ts";

/** What decides today. */
export interface Today {
  readonly thresholds: Pick<EscalationThresholds, "stalledCalls">;
  readonly code: string;
  /** Null: no model is configured. */
  readonly asks: { readonly prompt: string; readonly models: Readonly<Record<string, string | null>> } | null;
  /** The version that governs a request with these facts today; null when there is none. */
  readonly policyFor: (decision: DecisionRecord) => CompiledPolicy | null;
}

export interface ReplayCheck {
  /** Number of the step; null: the run as a whole. */
  readonly step: number | null;
  readonly what: "flow" | "tool" | "policy";
  readonly was: string;
  readonly would_be: string;
  readonly same: boolean;
}

export interface ReplayDifference {
  readonly what: "policy" | "code" | "model" | "prompt";
  readonly was: string;
  readonly now: string;
}

export interface Replay {
  readonly run_id: string;
  /** Whether every decision that could be replayed comes out the same. */
  readonly same: boolean;
  readonly checks: readonly ReplayCheck[];
  /** What is another one today, whether or not it changes a decision. */
  readonly differences: readonly ReplayDifference[];
  /** Plain sentences: what of this run was not recorded, or is not decided anew. */
  readonly not_replayed: readonly string[];
}

export function replay(run: RunRecords, today: Today): Replay {
  const flow = replayFlow(run.steps, today.thresholds);
  const decided = run.steps.map((step) => ({ step, decision: decisionOf(run, step) }));
  const checks = [
    ...flow,
    ...run.steps.flatMap(replayTool),
    ...decided.flatMap(({ step, decision }) =>
      decision === null ? [] : [replayPolicy(step, decision, today.policyFor(decision))],
    ),
  ].sort((a, b) => (a.step ?? Number.MAX_SAFE_INTEGER) - (b.step ?? Number.MAX_SAFE_INTEGER));
  const decisions = decided.flatMap(({ decision }) => (decision === null ? [] : [decision]));
  return {
    run_id: run.id,
    same: checks.every(({ same }) => same),
    checks,
    differences: differencesOf(run, today, decisions),
    not_replayed: notReplayed(run, decided),
  };
}

/** Today's `decide`, told what the run was told; what it does next is what the run did next, or it is not. */
function replayFlow(steps: readonly StoredStep[], thresholds: Today["thresholds"]): ReplayCheck[] {
  let progress: RunProgress = NO_PROGRESS;
  let effect: RunEffect = { type: "ask_agent" };
  const tell = (event: RunEvent): RunEffect => {
    ({ run: progress, effect } = decide(progress, event, thresholds));
    return effect;
  };
  const checks: ReplayCheck[] = [];
  for (const step of steps) {
    const was = wasOf(step);
    const wouldBe = flowOf(step, effect, tell);
    const same = was === wouldBe;
    checks.push({ step: step.n, what: "flow", was, would_be: wouldBe, same });
    // What would have come after another turn is not recorded.
    if (!same) break;
    if (was === "say" || was === "ask_identity") {
      progress = NO_PROGRESS;
      effect = { type: "ask_agent" };
    }
  }
  return checks;
}

/** What the run did with a step, in the words of `decide`. */
function wasOf({ proposal, outcome }: StoredStep): string {
  switch (outcome.kind) {
    case "said":
      return "say";
    case "offered":
      return "offer";
    case "recorded":
    case "existing":
      return "record";
    case "identity_needed":
      return "ask_identity";
    case "handed_off":
      return `hand over: ${String(proposal.reason)}`;
    default:
      return `${outcome.kind}, then go on`;
  }
}

function flowOf(step: StoredStep, before: RunEffect, tell: (event: RunEvent) => RunEffect): string {
  const proposal = step.proposal as unknown as Proposal;
  if (step.outcome.kind === "handed_off") {
    return named(before.type === "give_up" ? before : tell(endOf(proposal as Escalate, step.outcome.how)));
  }
  if (before.type !== "ask_agent") return named(before);
  const isHeld = step.outcome.kind === "withheld";
  const isText = proposal.type === "say" && isHeld;
  let next = tell({ type: "proposed", proposal: isText ? { type: "say", text: "" } : proposal });
  if (next.type === "ask_gateway") {
    const answer = gatewayAnswer(step);
    next = tell({ type: "answered", call: next.call, answer });
    // A limit that is reached here shows in the next step.
    if (isOutcome(answer)) return `${answer.kind}, then go on`;
  }
  if (!isHeld || (next.type !== "say" && next.type !== "offer")) return named(next);
  const findings = (step.outcome.findings ?? []) as readonly { kind: string }[];
  tell({ type: "withheld", kinds: findings.map(({ kind }) => kind) });
  return "withheld, then go on";
}

/** What ended a run that a person has now. Limits are asked again; what the agent itself wanted is as it was. */
function endOf(proposal: Escalate, how: unknown): RunEvent {
  if (how !== "give_up") return { type: "proposed", proposal };
  switch (proposal.reason) {
    case "deadline":
      return { type: "deadline" };
    case "agent_failed":
      return { type: "agent_failed" };
    // The call that was one too many is not recorded; any call would do.
    case "step_limit":
      return { type: "proposed", proposal: { type: "call", tool: "", args: null } };
    // A tool of the agent's asks for a person.
    case "asked_for_person":
      return { type: "proposed", proposal };
    // A limit that was reached before, and is not today.
    default:
      return { type: "started" };
  }
}

/** As far as `decide` reads it. */
function gatewayAnswer({ outcome }: StoredStep): GatewayAnswer {
  switch (outcome.kind) {
    case "offered":
    case "withheld":
      return { kind: "offer" } as GatewayAnswer;
    case "recorded":
    case "existing":
      return { kind: "prepared" } as GatewayAnswer;
    default:
      return outcome as unknown as CallOutcome;
  }
}

function named(effect: RunEffect): string {
  switch (effect.type) {
    case "handoff":
      return `hand over: ${effect.escalate.reason}`;
    case "give_up":
      return `hand over: ${effect.reason}`;
    default:
      return effect.type;
  }
}

/** Whether today's tools take the recorded arguments as those of then did. */
function replayTool({ n, proposal, outcome }: StoredStep): ReplayCheck[] {
  if (typeof proposal.tool !== "string" || outcome.kind === "identity_needed") return [];
  const code = outcome.kind === "invalid" ? outcome.code : undefined;
  const was = code === "tool_unknown" || code === "tool_arguments_invalid" ? code : "arguments taken";
  const tool = toolNamed(proposal.tool);
  const wouldBe =
    tool === null
      ? "tool_unknown"
      : tool.schema.safeParse(proposal.args).success
        ? "arguments taken"
        : "tool_arguments_invalid";
  return [{ step: n, what: "tool", was, would_be: wouldBe, same: was === wouldBe }];
}

/** The decision that a step rests on, when it was recorded. */
function decisionOf(run: RunRecords, { outcome }: StoredStep): DecisionRecord | null {
  const found =
    outcome.kind === "recorded" || outcome.kind === "existing"
      ? run.actions.find(({ id }) => id === outcome.action_id)?.decision
      : outcome.kind === "denied"
        ? run.denials.find(({ decision }) => clausesOf(decision)[0] === outcome.code)?.decision
        : outcome.decision;
  const record = found as Partial<DecisionRecord> | null | undefined;
  return record?.verdict === undefined || record.facts === undefined ? null : (record as DecisionRecord);
}

const clausesOf = (decision: unknown): readonly string[] =>
  ((decision as Partial<DecisionRecord> | null)?.verdict?.clauses ?? []).map(({ clauseId }) => clauseId);

function replayPolicy(
  { n }: StoredStep,
  decision: DecisionRecord,
  policy: CompiledPolicy | null,
): ReplayCheck {
  const was = inWords(decision.verdict);
  const had = new Set(clausesOf(decision));
  const wouldBe =
    policy === null
      ? "no version governs it"
      : inWords(
          // What people had stopped or refused then counts as it did then.
          heedingPeople(evaluate(policy, decision.action, decision.facts), {
            isStopped: had.has(STANDING_CLAUSES.stopped.clauseId),
            refusedByPerson: had.has(STANDING_CLAUSES.refusedByPerson.clauseId),
            refundedElsewhere: had.has(STANDING_CLAUSES.refundedElsewhere.clauseId),
          }),
        );
  return { step: n, what: "policy", was, would_be: wouldBe, same: was === wouldBe };
}

const inWords = ({ decision, clauses }: Verdict): string =>
  `${decision} (${clauses
    .map(({ clauseId }) => clauseId)
    .sort()
    .join(", ")})`;

function differencesOf(
  run: RunRecords,
  { code, asks, policyFor }: Today,
  decisions: readonly DecisionRecord[],
): ReplayDifference[] {
  const differences: ReplayDifference[] = [];
  const compare = (what: ReplayDifference["what"], was: string, now: string) => {
    const isKnown = differences.some((each) => each.what === what && each.was === was && each.now === now);
    if (was !== now && !isKnown) differences.push({ what, was, now });
  };
  for (const decision of decisions) {
    const now = policyFor(decision)?.version;
    const { policyId, policyVersion, policyHash } = decision.verdict;
    if (now?.hash === policyHash) continue;
    compare(
      "policy",
      `${policyId} version ${policyVersion}`,
      now === undefined ? "none" : `${now.id} version ${now.version}`,
    );
  }
  if (run.record.code !== undefined) compare("code", run.record.code, code);
  if (run.tier !== null && run.model !== null) compare("model", run.model, asks?.models[run.tier] ?? "none");
  if (run.promptVersion !== null) compare("prompt", run.promptVersion, asks?.prompt ?? "none");
  return differences;
}

function notReplayed(
  run: RunRecords,
  decided: readonly { readonly step: StoredStep; readonly decision: DecisionRecord | null }[],
): string[] {
  const without = decided
    .filter(
      ({ step, decision }) =>
        decision === null && ["offered", "recorded", "existing", "denied"].includes(step.outcome.kind ?? ""),
    )
    .map(({ step }) => step.n);
  const read = run.steps.filter(({ outcome }) => outcome.kind === "result").map(({ n }) => n);
  const said = run.steps.some(({ outcome }) => ["said", "offered", "withheld"].includes(outcome.kind ?? ""));
  return [
    ...(without.length === 0
      ? []
      : [`The facts of the decision at step ${without.join(", ")} were not recorded.`]),
    ...(run.record.code === undefined ? ["The code's version was not recorded."] : []),
    ...(run.state === "cancelled" || run.state === "expired"
      ? ["The run was stopped from outside; when is not decided anew."]
      : []),
    ...(read.length === 0 ? [] : [`What the tools read at step ${read.join(", ")} is taken as it was then.`]),
    ...(said
      ? ["The safety filter's verdicts are taken as they were: not all that it reads is recorded."]
      : []),
    run.calls.length > 0
      ? "The model was not asked again: its proposals are those of then."
      : "The agent was not asked again: its proposals are those of then.",
  ];
}
