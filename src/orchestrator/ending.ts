/**
 * How a run ends: one transaction that compares and sets the run's version (fencing), keeps its steps,
 * appends its answers, and starts the next run for what was written meanwhile. All of it or nothing.
 */
import { sql } from "kysely";
import { appendEvents, type LockedConversation, lockConversation } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import { type CustomerId, newId, type RunId, type TenantId } from "../kernel/ids.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { summarized, type UseSummary } from "../models/use.ts";
import { compiled } from "../store/compiled.ts";
import type { Queue } from "../store/queue.ts";
import type { RunState } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { RECOURSE_VERSION } from "../version.ts";
import { CancelRequested, type ClaimedRun, LeaseLost } from "./claiming.ts";
import type { RunRecord } from "./run-record.ts";
import type { Step } from "./steps.ts";
import { type Answer, type ConversationState, nextFocus, spokenAt } from "./view.ts";

export type Ending = ReturnType<typeof createEnding>;

export function createEnding(parts: {
  queue: Queue;
  hub: Hub;
  clock: Clock;
  random: Random;
  workerId: string;
  agent: { readonly name: string };
}) {
  const { queue, hub, clock, random, workerId } = parts;

  /**
   * Compare-and-set on the run's version, with the run's steps in the same statement: the one write that ends
   * a run. A wish to cancel is heard here at the latest.
   */
  const endRun = async (
    tx: Tx,
    run: ClaimedRun,
    state: RunState,
    answers: number,
    steps: readonly Step[],
    nowMs: number,
  ): Promise<void> => {
    // Attempts do not overwrite each other's steps.
    const numbered = steps.map((step, index) => ({ n: run.attempts * 100 + index + 1, ...step }));
    const record: RunRecord = {
      answers,
      agent: parts.agent.name,
      code: RECOURSE_VERSION,
      claimed_ms: run.claimedMs,
      read_ms: run.readMs,
      times: numbered.map(({ n, times }) => [n, times.askedMs, times.proposedMs, times.endedMs]),
    };
    const [ended] = await endedRun(tx, {
      tenantId: run.scope.tenantId,
      customerId: run.scope.customerId,
      runId: run.id,
      version: run.version,
      workerId,
      state,
      outcome: JSON.stringify(record),
      nowMs,
      ...(summarized(run.modelUses) ?? NO_MODEL),
      steps: JSON.stringify(numbered.map(({ n, proposal, outcome }) => ({ n, proposal, outcome }))),
    });
    if (ended !== undefined) return;
    const own = await tx
      .selectFrom("runs")
      .select("cancel_requested")
      .where("tenant_id", "=", run.scope.tenantId)
      .where("id", "=", run.id)
      .where("version", "=", run.version)
      .where("lease_owner", "=", workerId)
      .executeTakeFirst();
    throw own?.cancel_requested ? new CancelRequested(run.id) : new LeaseLost(run.id);
  };

  /**
   * Writes answers and the end of the run; `viewed` is what they answer. Messages that came meanwhile
   * start the next one, in order.
   */
  const finish = async (
    tx: Tx,
    run: ClaimedRun,
    conversation: LockedConversation,
    viewed: ConversationState,
    answers: readonly Answer[],
    steps: readonly Step[],
    end: { state: RunState; status?: LockedConversation["status"] },
  ): Promise<void> => {
    const nowMs = clock.now();
    await endRun(tx, run, end.state, answers.length, steps, nowMs);
    const spoken = spokenAt(
      viewed,
      Math.max(...answers.map((answer) => answer.focusSeq), viewed.answeredSeq),
    );
    const answeredSeq = Math.max(conversation.answered_seq, ...answers.map((answer) => answer.focusSeq));
    // Nothing was appended since the view was read, and all of it is answered: nothing can be newer.
    const nothingNew = conversation.next_seq === viewed.nextSeq && nextFocus(viewed, answers) === null;
    const newer =
      nothingNew || end.status === "with_person"
        ? undefined
        : await firstUnanswered(tx, conversation, answeredSeq);
    const nextRunId = newer === undefined ? null : newId("run", clock, random);
    await appendEvents(
      tx,
      hub,
      conversation,
      nowMs,
      [
        ...answers.flatMap((answer) => answer.events),
        { type: "run", payload: { run_id: run.id, state: end.state } },
        ...(nextRunId === null
          ? []
          : [{ type: "run" as const, payload: { run_id: nextRunId, state: "queued" } }]),
      ],
      {
        answered_seq: answeredSeq,
        language: spoken.language,
        language_shown: spoken.isShown,
        ...(end.status === undefined ? {} : { status: end.status }),
      },
      nextRunId === null ? null : { id: nextRunId, cause: "message" },
    );
    if (nextRunId !== null)
      await queue.wake(tx, { kind: "run", tenantId: run.scope.tenantId, id: nextRunId });
  };

  const locked = async (tx: Tx, run: ClaimedRun): Promise<LockedConversation> => {
    const conversation = await lockConversation(tx, run.conversationId);
    if (conversation === null) throw new LeaseLost(run.id);
    return conversation;
  };

  return { finish, locked };
}

const NO_MODEL: Readonly<Record<keyof UseSummary, null>> = {
  tier: null,
  model: null,
  promptVersion: null,
  calls: null,
  inputTokens: null,
  outputTokens: null,
  costMicros: null,
};

type ModelSummary = { readonly [Name in keyof UseSummary]: UseSummary[Name] | null };

/** How a run ends, with the tier, model, prompt and cost of one that asked a model. */
interface EndedRun extends ModelSummary {
  readonly tenantId: TenantId;
  readonly customerId: CustomerId;
  readonly runId: RunId;
  readonly version: number;
  readonly workerId: string;
  readonly state: RunState;
  readonly outcome: string;
  readonly nowMs: number;
  /** JSON: each {@link Step} with its `n`. */
  readonly steps: string;
}

/** No row when it was not ended: that rolls back, and its steps with it. */
const endedRun = compiled((db, it: EndedRun) =>
  db
    .with("ended", (inner) =>
      inner
        .updateTable("runs")
        .set((eb) => ({
          state: it.state,
          version: eb("version", "+", 1),
          lease_owner: null,
          lease_until_ms: null,
          outcome: it.outcome,
          updated_at_ms: it.nowMs,
          tier: it.tier,
          model: it.model,
          prompt_version: it.promptVersion,
          model_calls: it.calls,
          input_tokens: it.inputTokens,
          output_tokens: it.outputTokens,
          cost_micros: it.costMicros,
        }))
        .where("tenant_id", "=", it.tenantId)
        .where("id", "=", it.runId)
        .where("version", "=", it.version)
        .where("lease_owner", "=", it.workerId)
        .where(sql<boolean>`(not cancel_requested or ${it.state} = 'cancelled')`)
        .returning("id"),
    )
    .with("kept", (inner) =>
      inner
        .insertInto("steps")
        .columns(["tenant_id", "run_id", "n", "customer_id", "at_ms", "proposal", "outcome"])
        .expression(
          sql`select ${it.tenantId}, ${it.runId}, n, ${it.customerId}, ${it.nowMs}, proposal, outcome
                from jsonb_to_recordset(${it.steps}) as step (n integer, proposal jsonb, outcome jsonb)`,
        ),
    )
    .selectFrom("ended")
    .select("id"),
);

async function firstUnanswered(tx: Tx, conversation: LockedConversation, answeredSeq: number) {
  return tx
    .selectFrom("events")
    .select("seq")
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("author", "=", "customer")
    .where("seq", ">", answeredSeq)
    .limit(1)
    .executeTakeFirst();
}
