/** Everything that is stored of a run's work, read for its trace and its replay. Nothing is written. */
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { isId, type RunId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Tx } from "../../store/store.ts";
import type { RunRecord } from "../run-record.ts";

export interface RunRecords {
  readonly id: RunId;
  readonly tenantId: string;
  readonly conversationId: string;
  readonly channel: string;
  readonly cause: string;
  readonly state: string;
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly createdMs: number;
  readonly updatedMs: number;
  /** What it kept of itself: parts of it from an earlier version, nothing once erased. */
  readonly record: Partial<RunRecord>;
  readonly tier: string | null;
  readonly model: string | null;
  readonly promptVersion: string | null;
  /** In order. */
  readonly steps: readonly StoredStep[];
  readonly calls: readonly ModelCall[];
  readonly actions: readonly RecordedAction[];
  /** Decisions that were denied, as they were recorded. */
  readonly denials: readonly { readonly kind: string; readonly decision: unknown }[];
}

export interface StoredStep {
  readonly n: number;
  readonly proposal: { readonly type?: string; readonly tool?: string; readonly [name: string]: unknown };
  readonly outcome: { readonly kind?: string; readonly code?: string; readonly [name: string]: unknown };
}

export interface ModelCall {
  readonly at_ms: number;
  readonly tier: string;
  readonly model: string;
  readonly prompt_version: string;
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number;
  readonly outcome: string;
  readonly took_ms: number;
}

export interface RecordedAction {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  /** As it was when the action was recorded: a later check of the same action replaces it in its row only. */
  readonly decision: unknown;
  readonly arrows: readonly { readonly atMs: number; readonly to: string; readonly because: string }[];
}

/** What the list shows of a run. */
export interface RunItem {
  readonly run_id: RunId;
  readonly conversation_id: string;
  readonly cause: string;
  readonly state: string;
  /** RFC 3339. */
  readonly started_at: string;
  /** Null: it has not ended. */
  readonly took_ms: number | null;
  readonly steps: number;
  /** The dearest that was asked; null: none was. */
  readonly model: string | null;
  /** Millionths of US dollars. */
  readonly cost_micros: number;
}

export const ENDED: ReadonlySet<string> = new Set([
  "completed",
  "handed_off",
  "cancelled",
  "expired",
  "failed",
]);

/** Latest first, at most `LIMITS.runsListed`. */
export async function latestRuns(tx: Tx, limit: number): Promise<readonly RunItem[]> {
  const rows = await tx
    .selectFrom("runs")
    .select(["id", "conversation_id", "cause", "state", "created_at_ms", "updated_at_ms", "model"])
    .select("cost_micros")
    .select((eb) =>
      eb
        .selectFrom("steps")
        .whereRef("steps.tenant_id", "=", "runs.tenant_id")
        .whereRef("steps.run_id", "=", "runs.id")
        .select((e) => e.fn.countAll<string | number>().as("count"))
        .as("steps"),
    )
    .where("tenant_id", "=", tx.scope.tenantId)
    // An ID begins with its time.
    .orderBy("id", "desc")
    .limit(Math.min(limit, LIMITS.runsListed))
    .execute();
  return rows.map((row) => ({
    run_id: row.id,
    conversation_id: row.conversation_id,
    cause: row.cause,
    state: row.state,
    started_at: isoInstant(row.created_at_ms),
    took_ms: ENDED.has(row.state) ? row.updated_at_ms - row.created_at_ms : null,
    steps: Number(row.steps ?? 0),
    model: row.model,
    cost_micros: row.cost_micros ?? 0,
  }));
}

/** @throws ProblemError `run_not_found`, for another tenant's too */
export async function readRun(tx: Tx, runId: string): Promise<RunRecords> {
  const { tenantId } = tx.scope;
  const row = isId("run", runId)
    ? await tx
        .selectFrom("runs")
        .innerJoin("conversations as c", (join) =>
          join.onRef("c.tenant_id", "=", "runs.tenant_id").onRef("c.id", "=", "runs.conversation_id"),
        )
        .selectAll("runs")
        .select("c.channel")
        .where("runs.tenant_id", "=", tenantId)
        .where("runs.id", "=", runId)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new ProblemError("run_not_found");
  const steps = await tx
    .selectFrom("steps")
    .select(["n", "proposal", "outcome"])
    .where("tenant_id", "=", tenantId)
    .where("run_id", "=", row.id)
    .orderBy("n")
    .execute();
  const calls = await tx
    .selectFrom("model_calls")
    .select(["at_ms", "tier", "model", "prompt_version", "input_tokens", "cached_tokens", "output_tokens"])
    .select(["cost_micros", "outcome", "took_ms"])
    .where("tenant_id", "=", tenantId)
    .where("run_id", "=", row.id)
    .orderBy("at_ms")
    .orderBy("id")
    .execute();
  const denials = await tx
    .selectFrom("denials")
    .select(["kind", "decision"])
    .where("tenant_id", "=", tenantId)
    .where("run_id", "=", row.id)
    .orderBy("at_ms")
    .execute();
  return {
    id: row.id,
    tenantId,
    conversationId: row.conversation_id,
    channel: row.channel,
    cause: row.cause,
    state: row.state,
    attempts: row.attempts,
    createdMs: row.created_at_ms,
    updatedMs: row.updated_at_ms,
    record: (row.outcome ?? {}) as Partial<RunRecord>,
    tier: row.tier,
    model: row.model,
    promptVersion: row.prompt_version,
    steps: steps.map(({ n, proposal, outcome }) => ({
      n,
      proposal: (proposal ?? {}) as StoredStep["proposal"],
      outcome: (outcome ?? {}) as StoredStep["outcome"],
    })),
    calls,
    denials,
    actions: await actionsOf(tx, row.id),
  };
}

async function actionsOf(tx: Tx, runId: RunId): Promise<readonly RecordedAction[]> {
  const actions = await tx
    .selectFrom("actions")
    .select(["id", "kind", "state", "attempts", "decision"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("run_id", "=", runId)
    .execute();
  if (actions.length === 0) return [];
  const entries = await tx
    .selectFrom("audit")
    .select(["subject", "at_ms", "body"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where(
      "subject",
      "in",
      actions.map(({ id }) => id),
    )
    .where("kind", "like", "action.%")
    .orderBy("n")
    .limit(LIMITS.timelineEntries)
    .execute();
  return actions.map(({ decision, ...action }) => {
    const own = entries
      .filter(({ subject }) => subject === action.id)
      .map(({ at_ms, body }) => ({
        atMs: at_ms,
        body: body as { to?: string; because?: string; decision?: unknown },
      }));
    return {
      ...action,
      decision: own.find(({ body }) => body.decision !== undefined)?.body.decision ?? decision,
      arrows: own.map(({ atMs, body }) => ({ atMs, to: body.to ?? "", because: body.because ?? "" })),
    };
  });
}
