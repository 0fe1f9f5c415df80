/**
 * Traces of runs, for operators: the latest, one as spans (`trace.ts`), one decided anew (`replay.ts`). All of it only
 * reads: a replay's transaction is one in which the database itself refuses to write.
 */
import { sql } from "kysely";
import type { EscalationThresholds } from "../../agents/escalation.ts";
import { DEFAULT_THRESHOLDS } from "../../agents/escalation.ts";
import { governingPolicy } from "../../gateway/policy/book.ts";
import type { CompiledPolicy } from "../../gateway/policy/evaluate.ts";
import type { DecisionRecord } from "../../gateway/policy/explain.ts";
import { dateIn, startOfDateMs } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import type { Store, Tx } from "../../store/store.ts";
import { RECOURSE_VERSION } from "../../version.ts";
import { ENDED, latestRuns, type RunItem, type RunRecords, readRun } from "./reading.ts";
import { type Replay, replay, type Today } from "./replay.ts";
import { type Trace, traceOf } from "./trace.ts";

export interface Traces {
  /** Latest first. */
  latest(scope: TenantScope, limit: number): Promise<readonly RunItem[]>;
  /** @throws ProblemError `run_not_found` */
  trace(scope: TenantScope, runId: string): Promise<Trace>;
  /** @throws ProblemError `run_not_found`, `run_not_replayable` */
  replay(scope: TenantScope, runId: string): Promise<Replay>;
}

export interface TracesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly timeZoneOf: (tenantId: TenantId) => string;
  readonly thresholdsOf: (tenantId: TenantId) => Partial<EscalationThresholds>;
  /** What models are asked today, and with which prompt. */
  readonly asks: Today["asks"];
}

export function createTraces({ store, clock, timeZoneOf, thresholdsOf, asks }: TracesParts): Traces {
  /** By the document's own rule, which may be the day of the order: its date follows from the recorded facts. */
  const governs = (tx: Tx, { facts, evaluatedAt }: DecisionRecord): Promise<CompiledPolicy | null> => {
    const timeZone = timeZoneOf(tx.scope.tenantId);
    const decidedOn = Date.parse(dateIn(timeZone, evaluatedAt));
    const placedOn = new Date(decidedOn - facts.order.daysSincePlaced * 86_400_000)
      .toISOString()
      .slice(0, 10);
    const when = {
      timeZone,
      orderPlacedAt: startOfDateMs(timeZone, placedOn),
      requestedAt: clock.now(),
    };
    return governingPolicy(tx, when).catch((error: unknown) => {
      if (error instanceof ProblemError && error.code === "policy_missing") return null;
      throw error;
    });
  };

  return {
    latest: (scope, limit) => store.transact(scope, (tx) => latestRuns(tx, limit)),
    trace: (scope, runId) => store.transact(scope, async (tx) => traceOf(await readRun(tx, runId))),
    replay: (scope, runId) =>
      store.transact(scope, async (tx) => {
        await sql`set transaction read only`.execute(tx);
        const run = await readRun(tx, runId);
        if (!isReplayable(run)) throw new ProblemError("run_not_replayable");
        const policies = new Map<string, CompiledPolicy | null>();
        for (const decision of decisionsIn(run)) {
          policies.set(keyOf(decision), await governs(tx, decision));
        }
        return replay(run, {
          thresholds: { ...DEFAULT_THRESHOLDS, ...thresholdsOf(scope.tenantId) },
          code: RECOURSE_VERSION,
          asks,
          policyFor: (decision) => policies.get(keyOf(decision)) ?? null,
        });
      }),
  };
}

const isReplayable = ({ state, steps }: RunRecords): boolean =>
  ENDED.has(state) && steps.length > 0 && !steps.some(({ proposal }) => proposal.type === "erased");

/** What tells which version governs. */
const keyOf = ({ facts, evaluatedAt }: DecisionRecord): string =>
  `${evaluatedAt} ${facts.order.daysSincePlaced}`;

/** Every decision that is recorded with the run. */
const decisionsIn = (run: RunRecords): readonly DecisionRecord[] =>
  [
    ...run.actions.map(({ decision }) => decision),
    ...run.denials.map(({ decision }) => decision),
    ...run.steps.map(({ outcome }) => outcome.decision),
  ].filter(
    (decision): decision is DecisionRecord =>
      (decision as Partial<DecisionRecord> | null | undefined)?.facts?.order !== undefined,
  );
