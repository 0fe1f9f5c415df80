/**
 * A person asks the customer: the question is a message of theirs, the conversation is with a person until the
 * answer is there, and the review waits. The customer's next message is the answer: the review comes back with
 * it, the clock goes on, and the conversation is whose it was before.
 */
import { appendEvents, type LockedConversation, lockConversation } from "../../conversations/events.ts";
import type { Hub } from "../../conversations/hub.ts";
import { appendAudit } from "../../evidence/audit.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import type { ConversationId, TenantId } from "../../kernel/ids.ts";
import { afterOpenTime, openTimeBetween } from "../../kernel/opening-time.ts";
import type { Tx } from "../../store/store.ts";
import { transcriptOf } from "./open.ts";
import type { ReviewPacket } from "./reviews.ts";
import { type Asked, type ReviewRow, withChange } from "./rows.ts";
import type { ReviewSettings } from "./settings.ts";

/** The columns of a review that begins to wait. */
export function waitingColumns(
  row: ReviewRow,
  question: { text: string; by: string; seq: number; status: LockedConversation["status"] },
  settings: ReviewSettings,
  nowMs: number,
) {
  const asked: Asked = {
    question: question.text,
    by: question.by,
    at: isoInstant(nowMs),
    seq: question.seq,
    status: question.status,
    answer: null,
    answered_at: null,
  };
  return {
    state: "waiting" as const,
    asked: JSON.stringify(asked),
    sla_left_ms: openTimeBetween(settings.openingHours, settings.timeZone, nowMs, row.due_at_ms),
    claimed_by: null,
    claimed_until_ms: null,
    first_approval: null,
    changes: withChange(row, { what: "asked", by: question.by }, nowMs),
  };
}

/**
 * Leaves a conversation to the agent when no person has it any more: what was asked is decided, withdrawn or over,
 * and nobody took the conversation over. Otherwise its customer would wait for somebody whom nothing reminds.
 */
export async function leaveToAgent(
  tx: Tx,
  hub: Hub,
  conversationId: ConversationId,
  nowMs: number,
): Promise<void> {
  const conversation = await lockConversation(tx, conversationId);
  if (conversation?.status !== "with_person" || (await personHas(tx, conversation))) return;
  await appendEvents(tx, hub, conversation, nowMs, [], { status: "open" });
}

/** A person has a conversation while its handoff is open, or the answer to a question is waited for. */
async function personHas(tx: Tx, conversation: LockedConversation): Promise<boolean> {
  const review = await tx
    .selectFrom("reviews")
    .select("id")
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where((eb) =>
      eb.or([eb("state", "=", "waiting"), eb.and([eb("kind", "=", "handoff"), eb("state", "=", "open")])]),
    )
    .limit(1)
    .executeTakeFirst();
  return review !== undefined;
}

/** The columns of a review that goes on. */
export function resumedColumns(row: ReviewRow, settings: ReviewSettings, nowMs: number) {
  const { openingHours, timeZone } = settings;
  // What was overdue when it was asked is due again at once.
  const leftMs = Math.max(0, row.sla_left_ms ?? 0);
  return {
    state: "open" as const,
    due_at_ms: afterOpenTime(openingHours, timeZone, nowMs, leftMs),
    sla_left_ms: null,
  };
}

/**
 * A customer wrote while a person has the conversation: takes it as the answer to what was asked, if something
 * was. Answers with the status that the conversation goes back to, or null when nothing waited for an answer.
 */
export async function takeAnswer(
  tx: Tx,
  conversation: LockedConversation,
  text: string,
  settingsOf: (tenantId: TenantId) => ReviewSettings,
  nowMs: number,
): Promise<LockedConversation["status"] | null> {
  const waiting = await waitingIn(tx, conversation);
  if (waiting.length === 0) return null;
  const settings = settingsOf(conversation.tenant_id);
  const transcript = await transcriptOf(tx, conversation.id);
  const answer = { author: "customer", text, at: isoInstant(nowMs) };
  for (const row of waiting) {
    const asked: Asked = { ...(row.asked as Asked), answer: text, answered_at: isoInstant(nowMs) };
    const packet: ReviewPacket = { ...row.packet, transcript: [...transcript, answer] };
    await tx
      .updateTable("reviews")
      .set({
        ...resumedColumns(row, settings, nowMs),
        version: row.version + 1,
        asked: JSON.stringify(asked),
        packet: JSON.stringify(packet),
        changes: withChange(
          row,
          { what: "answered", by: "customer", fields: [{ field: "answer", seen: null, now: text }] },
          nowMs,
        ),
        updated_at_ms: nowMs,
      })
      .where("tenant_id", "=", row.tenant_id)
      .where("id", "=", row.id)
      .execute();
  }
  await appendAudit(
    tx,
    nowMs,
    waiting.map((row) => ({
      kind: "review.answered",
      subject: row.id,
      customerId: row.customer_id,
      body: { version: row.version + 1 },
    })),
  );
  // Somebody may have taken the conversation over since the question.
  if (await personHas(tx, conversation)) return "with_person";
  // Who asked while another question was open found the conversation with a person: it goes back to before both.
  return waiting.map((row) => (row.asked as Asked).status).find((it) => it !== "with_person") ?? "open";
}

/** Nobody reads an answer for the person any more: what waits for one is to be decided without it. */
export async function resumeWaiting(
  tx: Tx,
  conversation: LockedConversation,
  operator: string,
  settings: ReviewSettings,
  nowMs: number,
): Promise<void> {
  const waiting = await waitingIn(tx, conversation);
  for (const row of waiting) {
    await tx
      .updateTable("reviews")
      .set({
        ...resumedColumns(row, settings, nowMs),
        version: row.version + 1,
        changes: withChange(row, { what: "reopened", by: operator }, nowMs),
        updated_at_ms: nowMs,
      })
      .where("tenant_id", "=", row.tenant_id)
      .where("id", "=", row.id)
      .execute();
  }
}

const waitingIn = (tx: Tx, conversation: LockedConversation): Promise<ReviewRow[]> =>
  tx
    .selectFrom("reviews")
    .selectAll()
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("state", "=", "waiting")
    .orderBy("created_at_ms")
    .orderBy("id")
    .forUpdate()
    .execute();
