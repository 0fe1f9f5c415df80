/**
 * How a run ends: one transaction that compares and sets the run's version (fencing), keeps its steps,
 * appends its answers, and starts the next run for what was written meanwhile. All of it or nothing.
 */

import { appendEvents, type LockedConversation, lockConversation } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import { queuedRun } from "../conversations/queued-run.ts";
import { newId } from "../kernel/ids.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { summarized } from "../models/use.ts";
import type { Queue } from "../store/queue.ts";
import type { RunState } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { CancelRequested, type ClaimedRun, LeaseLost } from "./claiming.ts";
import type { Step } from "./steps.ts";
import { type Answer, type ConversationState, nextFocus, spokenAt } from "./view.ts";

export type Ending = ReturnType<typeof createEnding>;

export function createEnding(parts: {
  queue: Queue;
  hub: Hub;
  clock: Clock;
  random: Random;
  workerId: string;
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
    outcome: unknown,
    steps: readonly Step[],
    nowMs: number,
  ): Promise<void> => {
    const ending = tx
      .updateTable("runs")
      .set({
        state,
        version: run.version + 1,
        lease_owner: null,
        lease_until_ms: null,
        outcome: JSON.stringify(outcome),
        updated_at_ms: nowMs,
        ...modelColumns(run),
      })
      .where("tenant_id", "=", run.scope.tenantId)
      .where("id", "=", run.id)
      .where("version", "=", run.version)
      .where("lease_owner", "=", workerId)
      .where((eb) => (state === "cancelled" ? eb.lit(true) : eb("cancel_requested", "=", false)))
      .returning("id");
    const ended =
      steps.length === 0
        ? await ending.executeTakeFirst()
        : await tx
            .with("ended", () => ending)
            // A run that was not ended rolls back, and its steps with it.
            .with("kept", (db) =>
              db
                .insertInto("steps")
                .values(stepRows(run, steps, nowMs))
                .returning("n"),
            )
            .selectFrom("ended")
            .select("id")
            .executeTakeFirst();
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
    await endRun(tx, run, end.state, { answers: answers.length }, steps, nowMs);
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
      nextRunId === null ? null : queuedRun(conversation, nextRunId, "message", nowMs),
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

/** The tier, model, prompt and cost of a run that asked a model; nothing for one that did not. */
function modelColumns(run: ClaimedRun) {
  const used = summarized(run.modelUses);
  if (used === null) return {};
  return {
    tier: used.tier,
    model: used.model,
    prompt_version: used.promptVersion,
    model_calls: used.calls,
    input_tokens: used.inputTokens,
    output_tokens: used.outputTokens,
    cost_micros: used.costMicros,
  };
}

function stepRows(run: ClaimedRun, steps: readonly Step[], nowMs: number) {
  return steps.map((step, index) => ({
    tenant_id: run.scope.tenantId,
    run_id: run.id,
    // Attempts do not overwrite each other's steps.
    n: run.attempts * 100 + index + 1,
    customer_id: run.scope.customerId,
    at_ms: nowMs,
    proposal: JSON.stringify(step.proposal),
    outcome: JSON.stringify(step.outcome),
  }));
}

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
