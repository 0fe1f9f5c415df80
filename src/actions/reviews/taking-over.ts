/**
 * A person takes a conversation over, or gives it back. Whoever has one has an open handoff with a claim: a person
 * who goes away leaves it in the queue, where the claim ends by itself and somebody else finds it.
 */
import { type LockedConversation, lockConversation } from "../../conversations/events.ts";
import { giveToPerson, returnToAgent } from "../../conversations/handing-over.ts";
import { appendAudit } from "../../evidence/audit.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { type ConversationId, newId, type ReviewId } from "../../kernel/ids.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import type { Tx } from "../../store/store.ts";
import { resumeWaiting } from "./answers.ts";
import { claimReview, refuseOthersClaim } from "./claims.ts";
import type { DecidingParts } from "./decide.ts";
import { auditDecision, closeReview, keepDecision, sent } from "./kept-decisions.ts";
import { openHandoff } from "./open.ts";
import type { ReviewRow } from "./rows.ts";

/** Answers with the handoff that says whose it is. */
export async function takeOver(
  parts: DecidingParts,
  scope: TenantScope,
  conversationId: string,
  operator: string,
): Promise<ReviewId> {
  const { clock, settingsOf } = parts;
  return parts.store.transact(scope, async (tx) => {
    const conversation = await lockedConversation(tx, conversationId);
    const [known] = await openReviews(tx, conversation, "handoff");
    if (known !== undefined) refuseOthersClaim(known, operator, clock.now());
    const wasWithPerson = conversation.status === "with_person";
    const runs = await giveToPerson(tx, parts, conversation, operator);
    const id =
      known?.id ??
      (await openHandoff(tx, parts, {
        customerId: conversation.customer_id,
        conversationId: conversation.id,
        reason: "taken_over",
        summary: `${operator} took the conversation over.`,
        tried: [],
        recommended: "Answer the customer, then resolve this or give the conversation back to the agent.",
        customer: null,
        clauses: [],
        orderNumber: null,
      }));
    await claimReview(tx, id, operator, settingsOf(scope.tenantId), clock.now());
    if (!wasWithPerson || known === undefined) {
      await appendAudit(tx, clock.now(), [
        {
          kind: "conversation.taken_over",
          subject: conversation.id,
          customerId: conversation.customer_id,
          body: { by: operator, review_id: id },
        },
      ]);
    }
    tx.afterCommit(() => {
      for (const run of runs) parts.cancelRun(run);
    });
    return id;
  });
}

export async function giveBack(
  parts: DecidingParts,
  scope: TenantScope,
  conversationId: string,
  operator: string,
): Promise<void> {
  const { clock, random } = parts;
  await parts.store.transact(scope, async (tx) => {
    const conversation = await lockedConversation(tx, conversationId);
    if (conversation.status !== "with_person") throw new ProblemError("conversation_with_agent");
    const nowMs = clock.now();
    const handoffs = await openReviews(tx, conversation, "handoff");
    for (const review of handoffs) refuseOthersClaim(review, operator, nowMs);
    await returnToAgent(tx, parts, conversation);
    for (const review of handoffs) {
      const decision = sent(
        review.id,
        { decision: "hand_back", argsHash: null, version: review.version, note: null, operator },
        newId("dec", clock, random),
      );
      const record = {
        decision_id: decision.decisionId,
        decision: decision.decision,
        decided_by: operator,
        at: isoInstant(nowMs),
        note: null,
        amount: null,
      };
      await closeReview(tx, review, record, null, nowMs);
      await keepDecision(tx, review, decision, null, nowMs);
      await auditDecision(tx, review, record, "hand_back", nowMs);
    }
    await resumeWaiting(tx, conversation, operator, parts.settingsOf(scope.tenantId), nowMs);
  });
}

/** @throws ProblemError `not_found` */
async function lockedConversation(tx: Tx, conversationId: string): Promise<LockedConversation> {
  const conversation = await lockConversation(tx, conversationId as ConversationId);
  if (conversation === null) throw new ProblemError("not_found");
  return conversation;
}

const openReviews = (
  tx: Tx,
  conversation: LockedConversation,
  kind: ReviewRow["kind"],
): Promise<ReviewRow[]> =>
  tx
    .selectFrom("reviews")
    .selectAll()
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("kind", "=", kind)
    .where("state", "in", ["open", "waiting"])
    .orderBy("created_at_ms")
    .orderBy("id")
    .forUpdate()
    .execute();
