/**
 * Applies a person's decision, once (G6). A decision names the version and the arguments' hash that
 * the person saw; anything else is a conflict that says what is there now. Approval only schedules:
 * everything is evaluated again when the action is executed.
 */
import { appendEvents, lockConversation } from "../../conversations/events.ts";
import type { Hub } from "../../conversations/hub.ts";
import { appendAudit } from "../../evidence/audit.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { assert, ProblemError } from "../../kernel/errors.ts";
import type { ReviewId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import { storableText } from "../../kernel/text.ts";
import type { Queue } from "../../store/queue.ts";
import type { Store, Tx } from "../../store/store.ts";
import { moveAction, readAction } from "../ledger.ts";
import type { Decision, ReviewDecisionRecord, Reviews, ReviewView } from "./reviews.ts";

export function createReviews(parts: { store: Store; queue: Queue; hub: Hub; clock: Clock }): Reviews {
  const { store, queue, hub, clock } = parts;

  const view = (scope: TenantScope, reviewId: string) =>
    store.transact(scope, async (tx) => {
      const row = await readReview(tx, reviewId);
      if (row === undefined) throw new ProblemError("not_found");
      return reviewView(row);
    });

  return {
    view,
    list: (scope, filter) =>
      store.transact(scope, async (tx) => {
        let query = tx.selectFrom("reviews").selectAll().where("tenant_id", "=", scope.tenantId);
        if (filter.state !== "all") query = query.where("state", "=", filter.state);
        const rows = await query.orderBy("created_at_ms").limit(filter.limit).execute();
        return rows.map(reviewView);
      }),
    async decide(scope, reviewId, wanted) {
      const decision = { ...wanted, note: wanted.note === null ? null : storableText(wanted.note) };
      await store.transact(scope, async (tx) => {
        const seen = await readReview(tx, reviewId);
        if (seen === undefined) throw new ProblemError("not_found");
        const conversation = await lockConversation(tx, seen.conversation_id);
        assert(conversation !== null, "a review's conversation exists");
        const review = await readReview(tx, reviewId, true);
        assert(review !== undefined, "a review is never deleted");
        check(reviewView(review), decision);
        const nowMs = clock.now();
        const record: ReviewDecisionRecord = {
          decision: decision.decision,
          decided_by: decision.operator,
          at: isoInstant(nowMs),
          note: decision.note,
        };
        if (review.kind === "approval") {
          const action =
            review.action_id === null ? null : await readAction(tx, review.action_id, { lock: true });
          if (action?.state !== "awaiting_approval") throw new ProblemError("review_changed");
          const approve = decision.decision === "approve";
          const moved = await moveAction(tx, hub, nowMs, action, {
            to: approve ? "scheduled" : "rejected",
            because: approve ? "approved" : "rejected",
            by: decision.operator,
            patch: approve
              ? { approved_by: decision.operator, next_attempt_ms: nowMs }
              : { next_attempt_ms: null, evidence: { detail: { note: decision.note } } },
          });
          if (approve) await queue.wake(tx, { kind: "action", tenantId: moved.tenant_id, id: moved.id });
        } else if (review.kind === "handoff" && decision.note !== null) {
          await appendEvents(
            tx,
            hub,
            conversation,
            nowMs,
            [{ type: "message", author: "operator", payload: { text: decision.note } }],
            { status: "open", answered_seq: conversation.next_seq - 1 },
          );
        } else if (review.kind === "handoff") {
          await appendEvents(tx, hub, conversation, nowMs, [], {
            status: "open",
            answered_seq: conversation.next_seq - 1,
          });
        }
        const { numUpdatedRows } = await tx
          .updateTable("reviews")
          .set({
            state: "decided",
            version: review.version + 1,
            decision: JSON.stringify(record),
            updated_at_ms: nowMs,
          })
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", review.id)
          .where("version", "=", review.version)
          .where("state", "=", "open")
          .executeTakeFirstOrThrow();
        assert(numUpdatedRows === 1n, "a locked open review takes one decision");
        await appendAudit(tx, nowMs, [
          {
            kind: `review.${decision.decision}`,
            subject: review.id,
            customerId: review.customer_id,
            body: {
              ...record,
              action_id: review.action_id,
              args_hash: review.args_hash,
              version: review.version,
            },
          },
        ]);
      });
      return view(scope, reviewId);
    },
  };
}

/** What the decision must fit, in the order in which a person wants to hear of it. */
function check(review: ReviewView, decision: Decision): void {
  if (review.state === "decided") {
    throw new ProblemError(
      "already_decided",
      `${review.decision?.decided_by} decided this at ${review.decision?.at}: ${review.decision?.decision}.`,
      {
        details: { decision: review.decision },
      },
    );
  }
  if (review.state === "expired") throw new ProblemError("review_expired");
  if (review.state === "withdrawn" || review.version !== decision.version) {
    throw new ProblemError("review_changed", undefined, {
      details: { version: review.version, state: review.state },
    });
  }
  if (review.kind === "approval") {
    if (decision.decision === "resolve") {
      throw new ProblemError("decision_invalid", "An approval is approved or rejected, not resolved.");
    }
    if (decision.argsHash !== review.args_hash) {
      throw new ProblemError(
        "review_changed",
        "The arguments that you saw are not the ones to be approved.",
        {
          details: { args_hash: review.args_hash },
        },
      );
    }
    if (decision.decision === "reject" && (decision.note ?? "").trim() === "") {
      throw new ProblemError(
        "decision_invalid",
        "A rejection needs a note: the customer reads it as the reason.",
      );
    }
  } else if (decision.decision !== "resolve") {
    throw new ProblemError("decision_invalid", `A ${review.kind} is resolved, not approved or rejected.`);
  }
  if ((decision.note ?? "").length > LIMITS.noteChars) {
    throw new ProblemError("decision_invalid", `The note is longer than ${LIMITS.noteChars} characters.`);
  }
}

async function readReview(tx: Tx, reviewId: string, lock = false) {
  const query = tx
    .selectFrom("reviews")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", reviewId as ReviewId);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

function reviewView(row: NonNullable<Awaited<ReturnType<typeof readReview>>>): ReviewView {
  return {
    review_id: row.id,
    kind: row.kind,
    state: row.state,
    version: row.version,
    reason: row.reason,
    conversation_id: row.conversation_id,
    customer_id: row.customer_id,
    action_id: row.action_id,
    args_hash: row.args_hash,
    packet: row.packet,
    decision: row.decision,
    created_at: isoInstant(row.created_at_ms),
    expires_at: row.expires_at_ms === null ? null : isoInstant(row.expires_at_ms),
  };
}
