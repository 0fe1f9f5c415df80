/**
 * Whose a conversation is: the agent's or a person's. Each is a change under the conversation's lock.
 *
 * While a person has it no run starts, and one that is under way writes nothing more (the orchestrator looks at
 * the status before it commits). Given back, the agent answers what nobody has answered.
 */
import { type ConversationId, newId, type RunId } from "../kernel/ids.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import type { Queue } from "../store/queue.ts";
import type { Tx } from "../store/store.ts";
import { appendEvents, type LockedConversation } from "./events.ts";
import type { Hub } from "./hub.ts";
import { liveRunOf } from "./live-run.ts";

/** Gives a locked conversation to a person: live runs are asked to stop. Answers with their IDs. */
export async function giveToPerson(
  tx: Tx,
  parts: { hub: Hub; clock: Clock },
  conversation: LockedConversation,
  operator: string,
): Promise<readonly RunId[]> {
  const nowMs = parts.clock.now();
  const live = await tx
    .updateTable("runs")
    .set({ cancel_requested: true, updated_at_ms: nowMs })
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("state", "in", ["queued", "running"])
    .returning("id")
    .execute();
  if (conversation.status !== "with_person") {
    await appendEvents(tx, parts.hub, conversation, nowMs, [], { status: "with_person" });
  }
  await assign(tx, conversation.id, operator, nowMs);
  return live.map(({ id }) => id);
}

/** Who works on a conversation; null: nobody in particular. */
export async function assign(
  tx: Tx,
  conversationId: ConversationId,
  operator: string | null,
  nowMs: number,
): Promise<void> {
  const columns = { assignee: operator, assigned_at_ms: operator === null ? null : nowMs };
  await tx
    .insertInto("conversation_desk")
    .values({ tenant_id: tx.scope.tenantId, conversation_id: conversationId, ...columns })
    .onConflict((conflict) => conflict.columns(["tenant_id", "conversation_id"]).doUpdateSet(columns))
    .execute();
}

/** Gives a locked conversation back to the agent, with a run for what was written meanwhile and has no answer. */
export async function returnToAgent(
  tx: Tx,
  parts: { hub: Hub; queue: Queue; clock: Clock; random: Random },
  conversation: LockedConversation,
): Promise<void> {
  const { hub, queue, clock, random } = parts;
  const nowMs = clock.now();
  const waiting = await tx
    .selectFrom("events")
    .select("seq")
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("author", "=", "customer")
    .where("seq", ">", conversation.answered_seq)
    .limit(1)
    .executeTakeFirst();
  const live = await liveRunOf(tx, conversation);
  const runId = waiting === undefined || live !== null ? null : newId("run", clock, random);
  await appendEvents(
    tx,
    hub,
    conversation,
    nowMs,
    runId === null ? [] : [{ type: "run", payload: { run_id: runId, state: "queued" } }],
    { status: waiting === undefined ? "open" : "with_agent" },
    runId === null ? null : { id: runId, cause: "message" },
  );
  if (runId !== null) await queue.wake(tx, { kind: "run", tenantId: conversation.tenant_id, id: runId });
  await assign(tx, conversation.id, null, nowMs);
}
