/** What the steps of a run brought: pure reading of outcomes. */
import type { Call, CallOutcome, StepRecord } from "../agents/agent.ts";
import type { Denial } from "../agents/escalation.ts";

/** Orders and actions in an outcome: what a card may show. */
export function factsOf(outcome: CallOutcome): readonly unknown[] {
  if (outcome.kind === "conflict") return [outcome.action];
  if (outcome.kind !== "result" || outcome.value === null || typeof outcome.value !== "object") return [];
  return Object.values(outcome.value).flat();
}

export function isOutcome(answer: { kind: string }): answer is CallOutcome {
  return ["result", "denied", "invalid", "conflict", "unavailable"].includes(answer.kind);
}

export const isIdentityNeeded = (outcome: unknown): boolean =>
  (outcome as { kind?: string }).kind === "identity_needed";

/** One proposal with what came of it. */
export interface Step {
  readonly proposal: unknown;
  readonly outcome: unknown;
  readonly times: StepTimes;
}

/** Epoch milliseconds. */
export interface StepTimes {
  /** When the agent was asked. */
  readonly askedMs: number;
  /** When it had proposed. */
  readonly proposedMs: number;
  /** When it was known what came of it. */
  readonly endedMs: number;
}

/** For the person who takes over: what was tried and, where it did not work, why. */
export function describeStep(step: Omit<Step, "times">): string {
  const { tool = "say", args } = step.proposal as { tool?: string; args?: unknown };
  const {
    kind = "",
    code = "",
    message,
    explanation,
    asWritten,
    findings,
  } = step.outcome as {
    kind?: string;
    code?: string;
    message?: string;
    explanation?: string;
    asWritten?: string;
    findings?: readonly { kind: string }[];
  };
  const { order_id: order, amount } = (args ?? {}) as { order_id?: unknown; amount?: unknown };
  const what = [order, amount].filter((part) => typeof part === "string").join(", ");
  const why = asWritten ?? explanation ?? message ?? findings?.map((finding) => finding.kind).join(", ");
  return `${tool}${what === "" ? "" : ` (${what})`}: ${[kind, code].filter((part) => part !== "").join(" ")}${why ? `: ${why}` : ""}`;
}

/** The policy clauses that said no in this run, for the person who takes over. */
export function clausesIn(steps: readonly Omit<Step, "times">[]) {
  const denials = steps.map((step) => step.outcome as CallOutcome).filter((it) => it.kind === "denied");
  return denials.flatMap(({ clauses, explanation, asWritten }) =>
    clauses.map((clause) => ({
      clause_id: clause.clauseId ?? "",
      title: clause.title,
      text: asWritten ?? explanation,
      policy: clause.policyId ?? clause.documentId ?? "",
      version: clause.version,
    })),
  );
}

/** The number of the order that the run was about: the one it acted on, else the only one it read. */
export function orderIn(steps: readonly Omit<Step, "times">[]): string | null {
  const orders = steps
    .flatMap(({ outcome }) => (isOutcome(outcome as { kind: string }) ? factsOf(outcome as CallOutcome) : []))
    .filter((fact): fact is { orderId?: unknown; number?: unknown; orderNumber?: unknown } => !!fact);
  const acted = steps
    .map(({ proposal }) => (proposal as { args?: { order_id?: unknown } | null }).args?.order_id)
    .findLast((order) => typeof order === "string");
  const named = orders.find(
    ({ orderId, number }) => acted !== undefined && (orderId === acted || number === acted),
  );
  const numbers = new Set(
    orders.map((it) => it.number ?? it.orderNumber).filter((it) => typeof it === "string"),
  );
  const found = named?.number ?? (numbers.size === 1 ? [...numbers][0] : null);
  return typeof found === "string" ? found : null;
}

/** A denial as it stays with the message that told it, for the person whom the customer may ask next. */
export interface ToldDenial extends Denial {
  readonly clauses: ReturnType<typeof clausesIn>;
  readonly orderNumber: string | null;
}

/** The last denial of these steps. */
export function toldDenial(records: readonly StepRecord[]): ToldDenial | null {
  const record = records.findLast((each) => denialOf(each) !== null);
  const denial = record === undefined ? null : denialOf(record);
  if (record === undefined || denial === null) return null;
  const steps = records.map(({ call, outcome }) => ({ proposal: call, outcome }));
  return {
    ...denial,
    clauses: clausesIn([{ proposal: record.call, outcome: record.outcome }]),
    orderNumber: orderIn(steps),
  };
}

/** As it was kept, perhaps by an earlier version, which kept no clauses. */
export const readDenial = (kept: unknown): ToldDenial | null =>
  kept === null || typeof kept !== "object"
    ? null
    : ({ clauses: [], orderNumber: null, ...kept } as unknown as ToldDenial);

/** What was denied, when the call was. */
export function denialOf(step: { call: Call; outcome: { kind: string } }): Denial | null {
  if (step.outcome.kind !== "denied") return null;
  const { code } = step.outcome as Extract<CallOutcome, { kind: "denied" }>;
  const { order_id: order } = (step.call.args ?? {}) as { order_id?: unknown };
  return { tool: step.call.tool, code, order: typeof order === "string" ? order : null };
}
