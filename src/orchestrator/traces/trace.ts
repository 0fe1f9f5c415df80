/**
 * A run's records as a tree of spans, named as OpenTelemetry's conventions for generative AI name them. Pure.
 *
 * No message text and nobody's data: every attribute is a number, an ID of ours, a name from code or from the
 * configuration, or a clause of the policy. What an agent wrote (a tool's name, arguments, texts) is never copied.
 */
import { isoInstant } from "../../kernel/calendar.ts";
import { toolNamed } from "../../tools/registry.ts";
import { ENDED, type ModelCall, type RecordedAction, type RunRecords, type StoredStep } from "./reading.ts";

export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface Span {
  /** Unique in its trace, and the same each time the trace is made. */
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
  /** RFC 3339; null: not recorded, or not reached. */
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly attributes: Attributes;
  /** A code of ours, when it failed. */
  readonly error: string | null;
}

export interface Trace {
  readonly run_id: string;
  readonly conversation_id: string;
  readonly state: string;
  /** Parents before their children, in order of time. */
  readonly spans: readonly Span[];
}

const ROOT = "run";
const FAILED_OUTCOMES: ReadonlySet<string> = new Set(["invalid", "unavailable"]);
const SETTLED: ReadonlySet<string> = new Set([
  "succeeded",
  "failed",
  "cancelled",
  "expired",
  "rejected",
  "denied",
]);

export function traceOf(run: RunRecords): Trace {
  const { record } = run;
  const timesOf = new Map((record.times ?? []).map(([n, ...times]) => [n, times] as const));
  const spans = [
    root(run),
    ...phase("claim", run.createdMs, record.claimed_ms, {}),
    ...phase("context", record.claimed_ms, record.read_ms, { "recourse.channel": run.channel }),
    ...run.calls.map(chat),
    ...run.steps.flatMap((step) => stepSpans(run, step, timesOf.get(step.n))),
  ];
  return {
    run_id: run.id,
    conversation_id: run.conversationId,
    state: run.state,
    spans: inOrder(spans),
  };
}

function root(run: RunRecords): Span {
  const sum = (of: (call: ModelCall) => number) => run.calls.reduce((total, call) => total + of(call), 0);
  const agent = run.record.agent ?? "recourse";
  const reason = run.steps.findLast(({ outcome }) => outcome.kind === "handed_off")?.proposal.reason;
  return {
    id: ROOT,
    parent: null,
    name: `invoke_agent ${agent}`,
    started_at: isoInstant(run.createdMs),
    ended_at: ENDED.has(run.state) ? isoInstant(run.updatedMs) : null,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": agent,
      "gen_ai.conversation.id": run.conversationId,
      "gen_ai.usage.input_tokens": sum((call) => call.input_tokens),
      "gen_ai.usage.output_tokens": sum((call) => call.output_tokens),
      "recourse.run.id": run.id,
      "recourse.tenant": run.tenantId,
      "recourse.run.cause": run.cause,
      "recourse.run.state": run.state,
      "recourse.run.attempts": run.attempts,
      "recourse.cost_micros": sum((call) => call.cost_micros),
      ...(run.record.code === undefined ? {} : { "recourse.code.version": run.record.code }),
      ...(typeof reason === "string" ? { "recourse.handoff.reason": reason } : {}),
    },
    error: run.state === "failed" || run.state === "expired" ? run.state : null,
  };
}

function phase(
  name: string,
  fromMs: number | undefined,
  toMs: number | undefined,
  attributes: Attributes,
): readonly Span[] {
  if (fromMs === undefined || toMs === undefined) return [];
  return [{ id: name, parent: ROOT, name, ...during(fromMs, toMs), attributes, error: null }];
}

function chat(call: ModelCall, index: number): Span {
  const [provider, ...rest] = call.model.split("/");
  return {
    id: `chat-${index + 1}`,
    parent: ROOT,
    name: `chat ${rest.join("/")}`,
    ...during(call.at_ms - call.took_ms, call.at_ms),
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider ?? "",
      "gen_ai.request.model": rest.join("/"),
      "gen_ai.usage.input_tokens": call.input_tokens,
      "gen_ai.usage.cache_read.input_tokens": call.cached_tokens,
      "gen_ai.usage.output_tokens": call.output_tokens,
      "recourse.tier": call.tier,
      "recourse.prompt.version": call.prompt_version,
      "recourse.cost_micros": call.cost_micros,
      "recourse.outcome": call.outcome,
    },
    error: call.outcome === "answered" ? null : call.outcome,
  };
}

type Times = readonly [askedMs: number, proposedMs: number, endedMs: number];

function stepSpans(run: RunRecords, { n, proposal, outcome }: StoredStep, times: Times | undefined): Span[] {
  const [, proposedMs, endedMs] = times ?? [];
  const kind = outcome.kind ?? "unknown";
  const id = `step-${n}`;
  const when =
    proposedMs === undefined || endedMs === undefined
      ? { started_at: null, ended_at: null }
      : during(proposedMs, endedMs);
  const filtered: Span[] = [];
  if (kind === "said" || kind === "offered" || kind === "withheld") {
    const isHeld = kind === "withheld";
    filtered.push({
      id: `${id}-filter`,
      parent: proposal.tool === undefined ? ROOT : id,
      name: "filter",
      started_at: when.ended_at,
      ended_at: when.ended_at,
      attributes: {
        "recourse.filter.verdict": isHeld ? "withheld" : "passed",
        ...(isHeld ? { "recourse.filter.findings": findingKinds(outcome.findings) } : {}),
      },
      error: null,
    });
  }
  if (proposal.tool === undefined) return filtered;
  const tool = toolNamed(proposal.tool)?.name ?? "unknown";
  const action = run.actions.find((each) => each.id === outcome.action_id);
  const code = codeIn(outcome.code);
  return [
    {
      id,
      parent: ROOT,
      name: `execute_tool ${tool}`,
      ...when,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "recourse.gateway.verdict": kind,
        ...(code === null ? {} : { "recourse.gateway.code": code }),
        ...policyOf(outcome, action),
      },
      error: FAILED_OUTCOMES.has(kind) ? (code ?? kind) : null,
    },
    ...filtered,
    ...(action === undefined ? [] : actionSpans(id, action)),
  ];
}

/** Decision, clauses and version: from the recorded decision, or from a denial's citations. */
function policyOf(outcome: StoredStep["outcome"], action: RecordedAction | undefined): Attributes {
  const decision = (action?.decision ?? outcome.decision) as
    | {
        verdict?: {
          decision: string;
          policyId: string;
          policyVersion: string;
          clauses: { clauseId: string }[];
        };
      }
    | undefined;
  const verdict = decision?.verdict;
  if (verdict !== undefined) {
    return {
      "recourse.policy.decision": verdict.decision,
      "recourse.policy.id": verdict.policyId,
      "recourse.policy.version": verdict.policyVersion,
      "recourse.policy.clauses": verdict.clauses.map(({ clauseId }) => clauseId),
    };
  }
  const cited = Array.isArray(outcome.clauses)
    ? (outcome.clauses as { policyId?: string; version?: string; clauseId?: string }[])
    : [];
  const [first] = cited;
  if (first === undefined || outcome.kind !== "denied") return {};
  return {
    "recourse.policy.decision": "deny",
    ...(first.policyId === undefined ? {} : { "recourse.policy.id": first.policyId }),
    ...(first.version === undefined ? {} : { "recourse.policy.version": first.version }),
    "recourse.policy.clauses": cited.flatMap(({ clauseId }) => (clauseId === undefined ? [] : [clauseId])),
  };
}

/** What became of the action: the wait for a person, then the provider's work, until its outcome was known. */
function actionSpans(parent: string, action: RecordedAction): Span[] {
  const { arrows } = action;
  const last = arrows.at(-1);
  const attributes = {
    "recourse.action.id": action.id,
    "recourse.action.state": action.state,
    "recourse.action.attempts": action.attempts,
    ...(last === undefined ? {} : { "recourse.action.because": codeIn(last.because) ?? "other" }),
  };
  const span = (
    name: string,
    from: number,
    endMs: number | undefined,
    about: Attributes,
    error: string | null,
  ) => ({
    id: `${parent}-${name}`,
    parent,
    name: `${name} ${action.kind}`,
    started_at: isoInstant(arrows[from]?.atMs ?? 0),
    ended_at: endMs === undefined ? null : isoInstant(endMs),
    attributes: about,
    error,
  });
  const waits = arrows.findIndex(({ to }) => to === "awaiting_approval");
  const starts = arrows.findIndex(({ to }) => to === "executing");
  const error = action.state === "failed" || action.state === "unknown" ? action.state : null;
  const settledMs = SETTLED.has(action.state) ? last?.atMs : undefined;
  return [
    ...(waits < 0
      ? []
      : [span("review", waits, arrows[waits + 1]?.atMs, starts < 0 ? attributes : {}, null)]),
    ...(starts < 0 ? [] : [span("provider", starts, settledMs, attributes, error)]),
  ];
}

/** A code of ours: such a text has no spaces, and so no words of anybody's. */
const codeIn = (text: unknown): string | null =>
  typeof text === "string" && /^[\w.-]{1,80}$/.test(text) ? text : null;

const findingKinds = (findings: unknown): readonly string[] =>
  Array.isArray(findings) ? [...new Set(findings.map(({ kind }: { kind: string }) => kind))] : [];

const during = (fromMs: number, toMs: number) => ({
  started_at: isoInstant(fromMs),
  ended_at: isoInstant(Math.max(fromMs, toMs)),
});

/** By start, each with its children behind it; what has no time stays where it was recorded, behind what has one. */
function inOrder(spans: readonly Span[]): readonly Span[] {
  const below = (parent: string | null): readonly Span[] =>
    spans
      .map((span, index) => ({ span, index }))
      .filter(({ span }) => span.parent === parent)
      .sort((a, b) => startOf(a.span) - startOf(b.span) || a.index - b.index)
      .flatMap(({ span }) => [span, ...below(span.id)]);
  return below(null);
}

const startOf = ({ started_at }: Span): number =>
  started_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(started_at);
