/**
 * Takes a decision back before it has had an effect: the review is open again, at a new version, and the action
 * waits for an approval as before. Nothing is reversed, for nothing was done. Whoever comes after the time, or
 * after a worker has begun, is told so.
 */
import { lockConversation } from "../../conversations/events.ts";
import type { Hub } from "../../conversations/hub.ts";
import { appendAudit } from "../../evidence/audit.ts";
import { assert, ProblemError } from "../../kernel/errors.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { Tx } from "../../store/store.ts";
import { moveAction, readAction } from "../ledger.ts";
import type { ReviewDecisionRecord } from "./reviews.ts";
import { firstApprovalOf, type ReviewRow, readReview } from "./rows.ts";
import { reopenReview } from "./taking-effect.ts";

export async function undoDecision(
  tx: Tx,
  parts: { hub: Hub; clock: Clock },
  reviewId: string,
  undo: { decisionId: string; operator: string },
): Promise<void> {
  const seen = await readReview(tx, reviewId);
  if (seen === undefined) throw new ProblemError("not_found");
  await lockConversation(tx, seen.conversation_id);
  const review = await readReview(tx, reviewId, true);
  assert(review !== undefined, "a review is never deleted");
  const decision = await tx
    .selectFrom("review_decisions")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", undo.decisionId)
    .where("review_id", "=", review.id)
    .executeTakeFirst();
  if (decision === undefined) throw new ProblemError("not_found");
  if (decision.undone_at_ms !== null) return;
  const nowMs = parts.clock.now();
  const counts = review.decision as ReviewDecisionRecord | null;
  const isFirstOfTwo =
    firstApprovalOf(review)?.by === decision.operator && decision.version === review.version;
  if (isFirstOfTwo) await withdrawFirst(tx, review, undo.operator, nowMs);
  else {
    const mayStill =
      review.state === "decided" &&
      counts?.decision_id === decision.id &&
      decision.effective_at_ms !== null &&
      nowMs < decision.effective_at_ms;
    if (!mayStill) throw tooLate(review, counts);
    const action = review.action_id === null ? null : await readAction(tx, review.action_id, { lock: true });
    if (action === null) throw tooLate(review, counts);
    if (action.state === "scheduled") {
      const moved = await moveAction(tx, parts.hub, nowMs, action, {
        to: "awaiting_approval",
        because: "undone",
        by: undo.operator,
        isQuiet: true,
        patch: { approved_by: null },
      });
      await reopenReview(tx, review, moved, nowMs, { what: "undone", by: undo.operator });
    } else if (action.state === "awaiting_approval") {
      await reopenReview(tx, review, action, nowMs, { what: "undone", by: undo.operator });
    } else throw tooLate(review, counts, action.state);
  }
  await tx
    .updateTable("review_decisions")
    .set({ undone_at_ms: nowMs, undone_by: undo.operator })
    .where("tenant_id", "=", decision.tenant_id)
    .where("id", "=", decision.id)
    .execute();
}

async function withdrawFirst(tx: Tx, review: ReviewRow, operator: string, nowMs: number): Promise<void> {
  await tx
    .updateTable("reviews")
    .set({ first_approval: null, updated_at_ms: nowMs })
    .where("tenant_id", "=", review.tenant_id)
    .where("id", "=", review.id)
    .execute();
  await appendAudit(tx, nowMs, [
    {
      kind: "review.undone",
      subject: review.id,
      customerId: review.customer_id,
      body: { version: review.version, by: operator, first_of_two: true },
    },
  ]);
}

const tooLate = (review: ReviewRow, counts: ReviewDecisionRecord | null, actionState?: string) =>
  new ProblemError("undo_too_late", undefined, {
    details: {
      version: review.version,
      state: review.state,
      decision: counts,
      ...(actionState === undefined ? {} : { action_state: actionState }),
    },
  });
