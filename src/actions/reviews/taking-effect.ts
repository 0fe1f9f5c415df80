/**
 * What a decision does once it can no longer be undone, for all that leave the asked-for action behind: a
 * rejection, a return to the agent, an approval of another amount. (An approval as it was asked for only
 * schedules: `execution.ts` begins it when it is due.) Also the end of an approval that nobody gave.
 *
 * An approval of another amount is one transaction: the old action is withdrawn and the new one is recorded, or
 * neither. If the process dies before it, the sweep comes back; after it, the new action's row says what is to
 * be done.
 */
import { appendEvents, lockConversation } from "../../conversations/events.ts";
import type { Hub } from "../../conversations/hub.ts";
import { appendAudit } from "../../evidence/audit.ts";
import { assert, ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Boundary } from "../../kernel/ports.ts";
import { customerScope } from "../../kernel/scope.ts";
import type { Store, Tx } from "../../store/store.ts";
import { type ActionRow, actionEvent, moveAction, readAction } from "../ledger.ts";
import { lockCustomer, recordAction } from "../record.ts";
import type { ChangedStop, PrepareChanged } from "./changed-amount.ts";
import type { ReviewPorts } from "./open.ts";
import type { FieldChange, ReviewDecisionRecord } from "./reviews.ts";
import { type ReviewRow, withChange } from "./rows.ts";
import { withdrawReviewOf } from "./withdrawing.ts";

export interface TakingEffectParts extends ReviewPorts {
  readonly store: Store;
  readonly hub: Hub;
  readonly boundary: Boundary;
  readonly workerId: string;
  readonly prepareChanged: PrepareChanged;
  /** Shop or provider cannot be read: later. */
  readonly postpone: (action: ActionRow) => Promise<unknown>;
}

/**
 * Attends to an action that waits for an approval and is due, under its claim. Answers with the action that is
 * to be carried out now, if there is one.
 */
export function createTakingEffect(
  parts: TakingEffectParts,
): (action: ActionRow) => Promise<ActionRow | null> {
  const { store, hub, clock, boundary, workerId } = parts;

  return async (action) => {
    const scope = customerScope(action.tenant_id, action.customer_id);
    const decided = await store.transact(scope, (tx) => decidedReview(tx, action));
    const record = (decided?.decision ?? null) as ReviewDecisionRecord | null;
    if (record?.decision === "approve_changed") return change(action, record);
    const leaves = record?.decision === "reject" || record?.decision === "hand_back";
    return store.transact(scope, async (tx) => {
      await lockConversation(tx, action.conversation_id);
      const current = await readAction(tx, action.id, { lock: true });
      // Undone, cancelled or taken by another worker meanwhile.
      if (current?.state !== "awaiting_approval" || current.version !== action.version) return null;
      if (leaves && record !== null) {
        await withdrawAction(tx, hub, clock.now(), current, record);
      } else if (record === null) {
        const moved = await moveAction(tx, hub, clock.now(), current, {
          to: "expired",
          because: "nobody_decided",
          by: workerId,
          patch: { next_attempt_ms: null, lease_owner: null, lease_until_ms: null },
        });
        await withdrawReviewOf(tx, hub, moved, current.state, clock.now(), "expired");
      }
      return null;
    });
  };

  async function change(action: ActionRow, record: ReviewDecisionRecord): Promise<ActionRow | null> {
    let answer: Awaited<ReturnType<PrepareChanged>>;
    try {
      answer = await parts.prepareChanged(action, record.amount ?? "");
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      await parts.postpone(action);
      return null;
    }
    const scope = customerScope(action.tenant_id, action.customer_id);
    try {
      if ("stop" in answer) throw new Stopped(answer.stop);
      const { prepared } = answer;
      await boundary("review.before-change-commit");
      const changed = await store.transact(scope, async (tx) => {
        const conversation = await lockConversation(tx, action.conversation_id);
        assert(conversation !== null, "an action's conversation exists");
        await lockCustomer(tx, conversation);
        const current = await readAction(tx, action.id, { lock: true });
        if (current?.state !== "awaiting_approval" || current.version !== action.version) return null;
        await moveAction(tx, hub, clock.now(), current, {
          to: "cancelled",
          because: "amount_changed",
          by: record.decided_by,
          // The customer hears of the new action's outcome, and of nothing else.
          isSilent: true,
          patch: {
            next_attempt_ms: null,
            lease_owner: null,
            lease_until_ms: null,
            evidence: { detail: { cause: "amount_changed" } },
          },
        });
        const recorded = await recordAction(tx, parts, conversation, prepared, {
          runId: action.run_id,
          proposedBy: `operator:${record.decided_by}`,
          approvedBy: approversOf(await decidedReview(tx, action), record),
        });
        if (recorded.kind === "stopped") throw new Stopped(recorded.stop);
        // The withdrawal has appended too: the log goes on from there.
        const grown = await lockConversation(tx, action.conversation_id);
        assert(grown !== null, "a locked conversation stays");
        await appendEvents(tx, hub, grown, clock.now(), [actionEvent(recorded.action, grown.language)]);
        return recorded.action;
      });
      await boundary("review.after-change-commit");
      return changed?.state === "executing" ? changed : null;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      // Not possible any more: a person decides again, and nothing was done.
      await store.transact(scope, (tx) => reopen(tx, action, error.stop));
      return null;
    }
  }

  async function reopen(tx: Tx, action: ActionRow, stop: ChangedStop): Promise<void> {
    const nowMs = clock.now();
    await lockConversation(tx, action.conversation_id);
    const current = await readAction(tx, action.id, { lock: true });
    const review = await decidedReview(tx, action);
    if (current?.state !== "awaiting_approval" || current.version !== action.version || review === null)
      return;
    await reopenReview(tx, review, current, nowMs, {
      what: "reopened",
      by: "policy",
      fields: [
        { field: "permitted", seen: true, now: false },
        { field: "explanation", seen: null, now: stop.explanation ?? stop.message ?? stop.code },
      ],
    });
  }
}

/** Ends an action that a person decided against, in the state that the decision leads to. */
export async function withdrawAction(
  tx: Tx,
  hub: Hub,
  nowMs: number,
  action: ActionRow,
  record: ReviewDecisionRecord,
): Promise<void> {
  const isRejected = record.decision === "reject";
  await moveAction(tx, hub, nowMs, action, {
    to: isRejected ? "rejected" : "cancelled",
    because: isRejected ? "rejected" : "handed_back",
    by: record.decided_by,
    patch: {
      next_attempt_ms: null,
      lease_owner: null,
      lease_until_ms: null,
      evidence: { detail: isRejected ? { note: record.note } : { cause: "handed_back" } },
    },
  });
}

/** Puts a decided review back into the queue, and its action back to waiting for an approval until it expires. */
export async function reopenReview(
  tx: Tx,
  review: ReviewRow,
  action: ActionRow,
  nowMs: number,
  change: { what: "undone" | "reopened"; by: string; fields?: readonly FieldChange[] },
): Promise<void> {
  await tx
    .updateTable("reviews")
    .set({
      state: "open",
      version: review.version + 1,
      decision: null,
      effective_at_ms: null,
      first_approval: null,
      changes: withChange(review, change, nowMs),
      updated_at_ms: nowMs,
    })
    .where("tenant_id", "=", review.tenant_id)
    .where("id", "=", review.id)
    .where("state", "=", "decided")
    .execute();
  await tx
    .updateTable("actions")
    .set((eb) => ({
      version: eb("version", "+", 1),
      next_attempt_ms: review.expires_at_ms ?? nowMs + LIMITS.approvalTtlMs,
      lease_owner: null,
      lease_until_ms: null,
    }))
    .where("tenant_id", "=", action.tenant_id)
    .where("id", "=", action.id)
    .execute();
  await appendAudit(tx, nowMs, [
    {
      kind: `review.${change.what}`,
      subject: review.id,
      customerId: review.customer_id,
      body: { version: review.version + 1, by: change.by, action_id: action.id, fields: change.fields ?? [] },
    },
  ]);
}

/** The review of an action whose decision has not had its effect. */
async function decidedReview(tx: Tx, action: ActionRow): Promise<ReviewRow | null> {
  const row = await tx
    .selectFrom("reviews")
    .selectAll()
    .where("tenant_id", "=", action.tenant_id)
    .where("action_id", "=", action.id)
    .where("kind", "=", "approval")
    .where("state", "=", "decided")
    .executeTakeFirst();
  return row ?? null;
}

function approversOf(review: ReviewRow | null, record: ReviewDecisionRecord): string {
  const first = (review?.first_approval ?? null) as { by?: string } | null;
  return first?.by === undefined || first.by === record.decided_by
    ? record.decided_by
    : `${first.by}, ${record.decided_by}`;
}

class Stopped extends Error {
  override readonly name = "Stopped";
  readonly stop: ChangedStop;
  constructor(stop: ChangedStop) {
    super(stop.code);
    this.stop = stop;
  }
}
