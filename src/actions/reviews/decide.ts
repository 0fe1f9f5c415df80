/**
 * Applies a person's decision, once (G6). A decision names the version and the arguments' hash that the person
 * saw; anything else is a conflict that says what is there now and what made the difference.
 *
 * Order of one decision, with what a crash at each point leaves behind:
 *   1. what was approved is evaluated again, with shop and provider   → nothing was written
 *        it differs: the review says so, at a new version, and the person hears it instead
 *      of an uncertain outcome: the provider is asked what it has     → nothing was written
 *   2. one transaction: the decision, the review, and when it takes effect → all of it or nothing
 *   3. the time to undo passes                                        → the sweep finds the action when it is due
 *   4. it takes effect: `execution.ts` for an approval, `taking-effect.ts` for the others
 */
import { appendEvents, type LockedConversation, lockConversation } from "../../conversations/events.ts";
import { assign, returnToAgent } from "../../conversations/handing-over.ts";
import type { Hub } from "../../conversations/hub.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { assert, ProblemError } from "../../kernel/errors.ts";
import { type ActionId, newId, type RunId, type TenantId } from "../../kernel/ids.ts";
import { formatMoney, parseAmount } from "../../kernel/money.ts";
import type { Boundary, Clock, Random } from "../../kernel/ports.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import type { Queue } from "../../store/queue.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Recheck } from "../execution.ts";
import type { Find, Found } from "../finding.ts";
import { type ActionRow, moveAction, readAction } from "../ledger.ts";
import { lockCustomer } from "../record.ts";
import { leaveToAgent, resumeWaiting, waitingColumns } from "./answers.ts";
import type { PrepareChanged } from "./changed-amount.ts";
import { checkDecision } from "./checks.ts";
import { refuseOthersClaim } from "./claims.ts";
import { approvedAlone } from "./counted-together.ts";
import { auditDecision, closeReview, isRepeated, keepDecision, type Sent, sent } from "./kept-decisions.ts";
import { notPermitted, reevaluate, versions } from "./reevaluating.ts";
import type { Decision, ReviewDecisionRecord } from "./reviews.ts";
import { type FirstApproval, firstApprovalOf, type ReviewRow, readReview, reviewView } from "./rows.ts";
import { needsTwoPeople, type ReviewSettings } from "./settings.ts";
import { askAboutFailure, settleUncertain } from "./settling-uncertain.ts";
import type { RulesOf } from "./showing.ts";
import { withdrawAction } from "./taking-effect.ts";
import { checkMayLeave } from "./words.ts";

export interface DecidingParts {
  readonly store: Store;
  readonly queue: Queue;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly boundary: Boundary;
  readonly settingsOf: (tenantId: TenantId) => ReviewSettings;
  /** Whether what was asked for is permitted now, as right before its execution. */
  readonly recheck: Recheck;
  readonly prepareChanged: PrepareChanged;
  /** What provider or shop has of an action whose outcome is not known. */
  readonly find: Find;
  /** How each rule of the policy took part in an action's decision. */
  readonly rulesOf: RulesOf;
  /** Reaches a run of this process at once. */
  readonly cancelRun: (runId: RunId) => void;
  readonly onError: (error: unknown, about: string) => void;
  /** Wakes whoever works on actions once a decision can no longer be undone. */
  readonly wakeAt: (tenantId: TenantId, actionId: ActionId, atMs: number) => void;
}

export function createDeciding(parts: DecidingParts) {
  const { store, queue, hub, clock, random, boundary, settingsOf } = parts;

  /** What is read before anything is decided; null when the same decision was taken before. */
  const look = (scope: TenantScope, reviewId: string, decision: Sent) =>
    store.transact(scope, async (tx) => {
      const review = await readReview(tx, reviewId);
      if (review === undefined) throw new ProblemError("not_found");
      if (await isRepeated(tx, decision)) return null;
      const action = review.action_id === null ? null : await readAction(tx, review.action_id);
      refuse(review, decision);
      return { review, action };
    });

  const refuse = (review: ReviewRow, decision: Decision): void => {
    const nowMs = clock.now();
    checkDecision(reviewView(review, settingsOf(review.tenant_id), nowMs), decision);
    refuseOthersClaim(review, decision.operator, nowMs);
  };

  return async (scope: TenantScope, reviewId: string, wanted: Decision): Promise<void> => {
    const decision = sent(reviewId, wanted, newId("dec", clock, random));
    const seen = await look(scope, reviewId, decision);
    if (seen === null) return;
    if (seen.action !== null && decision.decision.startsWith("approve")) {
      await reevaluate(parts, scope, seen.review, seen.action, decision);
    }
    if (seen.action !== null && decision.decision === "approve_changed") {
      const prepared = await parts.prepareChanged(seen.action, decision.amount ?? "");
      if ("stop" in prepared) throw notPermitted(prepared.stop);
    }
    const isUncertain = seen.action?.state === "needs_person" && decision.decision === "resolve";
    const found = seen.action !== null && isUncertain ? await parts.find(seen.action) : null;
    await store.transact(scope, async (tx) => {
      const conversation = await lockConversation(tx, seen.review.conversation_id);
      assert(conversation !== null, "a review's conversation exists");
      const review = await readReview(tx, reviewId, true);
      assert(review !== undefined, "a review is never deleted");
      if (await isRepeated(tx, decision)) return;
      refuse(review, decision);
      await apply(tx, conversation, review, decision, found);
      await boundary("review.before-decision-commit");
    });
    await boundary("review.after-decision-commit");
  };

  async function apply(
    tx: Tx,
    conversation: LockedConversation,
    review: ReviewRow,
    decision: Sent,
    found: Found | null,
  ) {
    const nowMs = clock.now();
    const settings = settingsOf(review.tenant_id);
    if (decision.note !== null && ["reject", "ask", "resolve"].includes(decision.decision)) {
      await checkMayLeave(tx, conversation, decision.note, settings, [
        { orderNumber: review.order_number ?? "" },
      ]);
    }
    const record: ReviewDecisionRecord = {
      decision_id: decision.decisionId,
      decision: decision.decision,
      decided_by: decision.operator,
      at: isoInstant(nowMs),
      note: decision.note,
      amount: decision.decision === "approve_changed" ? (decision.amount ?? null) : null,
    };
    switch (decision.decision) {
      case "approve":
      case "approve_changed":
      case "reject":
      case "hand_back": {
        if (review.kind !== "approval") return closeHandoff(tx, conversation, review, record, decision);
        // Approvals of one customer's refunds count together: they are given one after the other.
        if (decision.decision.startsWith("approve")) await lockCustomer(tx, conversation);
        const action =
          review.action_id === null ? null : await readAction(tx, review.action_id, { lock: true });
        if (action?.state !== "awaiting_approval") {
          throw new ProblemError("review_changed", undefined, {
            details: {
              changed: [{ field: "action.state", seen: "awaiting_approval", now: action?.state ?? null }],
              ...versions(decision, review),
            },
          });
        }
        if (decision.decision.startsWith("approve")) {
          const isFirst = await firstOfTwo(tx, review, action, record, decision, settings);
          if (isFirst) return;
        }
        return settle(tx, review, action, record, decision, settings);
      }
      case "ask":
        return ask(tx, conversation, review, record, decision, settings);
      case "resolve":
        if (found !== null) return resolveUncertain(tx, review, record, decision, found);
        return closeHandoff(tx, conversation, review, record, decision);
    }
  }

  /** An outcome that nobody knew: the action becomes what the provider shows of it. */
  async function resolveUncertain(
    tx: Tx,
    review: ReviewRow,
    record: ReviewDecisionRecord,
    decision: Sent,
    found: Found,
  ): Promise<void> {
    const nowMs = clock.now();
    const action = review.action_id === null ? null : await readAction(tx, review.action_id, { lock: true });
    // A review of an action that has found its outcome is withdrawn with it.
    assert(action?.state === "needs_person", "an open review of an uncertain outcome has its action");
    const settled = await settleUncertain(tx, parts, action, found, decision.operator);
    await closeReview(tx, review, record, null, nowMs, [
      { field: "action.state", seen: action.state, now: settled.state },
    ]);
    await askAboutFailure(tx, parts, settled);
    if (review.state === "waiting") await leaveToAgent(tx, hub, review.conversation_id, nowMs);
    await keepDecision(tx, review, decision, null, nowMs);
    await auditDecision(tx, review, record, "resolve", nowMs);
  }

  /** Above the second limit: keeps the first approval, and lets only somebody else be the second. */
  async function firstOfTwo(
    tx: Tx,
    review: ReviewRow,
    action: ActionRow,
    record: ReviewDecisionRecord,
    decision: Sent,
    settings: ReviewSettings,
  ): Promise<boolean> {
    const changedTo = decision.decision === "approve_changed" ? (decision.amount ?? "") : null;
    const amount = {
      amountMinor: changedTo === null ? action.amount_minor : parseAmount(changedTo, action.currency),
      currency: action.currency,
    };
    if (action.kind !== "refund" || settings.secondLimit === null) return false;
    const nowMs = clock.now();
    const aloneMinor = await approvedAlone(tx, review, action, decision.operator, nowMs);
    const together = { ...amount, amountMinor: amount.amountMinor + aloneMinor };
    const first = firstApprovalOf(review);
    // Whoever gives the second half of an approval gives it as one: what counts with the first may not count with theirs.
    const isSecond = first !== null && first.amount === changedTo;
    if (!isSecond && !needsTwoPeople(settings, together)) return false;
    const what =
      aloneMinor === 0
        ? formatMoney(amount)
        : `${formatMoney(amount)}, ${formatMoney(together)} with what one person approved for this order or customer`;
    if (!decision.isPerson) {
      throw new ProblemError(
        "second_person_needed",
        `${what} is approved by two people; a key is none, whoever made it.`,
      );
    }
    if (first !== null) {
      if (first.by === decision.operator || !decision.mayDecideLarge) {
        throw new ProblemError(
          "second_person_needed",
          first.by === decision.operator
            ? `You were the first to approve ${what}; the second has to be somebody else.`
            : `${first.by} was the first to approve ${what}; your role may not be the second.`,
          { details: { first_approval: { by: first.by, at: first.at } } },
        );
      }
      if (first.amount !== changedTo) {
        throw new ProblemError("review_changed", `${first.by} approved another amount.`, {
          details: {
            changed: [{ field: "amount", seen: changedTo, now: first.amount }],
            ...versions(decision, review),
          },
        });
      }
      return false;
    }
    const approval: FirstApproval = {
      by: decision.operator,
      at: record.at,
      amount: changedTo,
      version: review.version,
      args_hash: action.args_hash,
    };
    await tx
      .updateTable("reviews")
      .set({
        first_approval: JSON.stringify(approval),
        claimed_by: null,
        claimed_until_ms: null,
        updated_at_ms: nowMs,
      })
      .where("tenant_id", "=", review.tenant_id)
      .where("id", "=", review.id)
      .execute();
    await keepDecision(tx, review, decision, null, nowMs);
    await auditDecision(tx, review, { ...record, first_of_two: true }, "first_approval", nowMs);
    return true;
  }

  /** An approval's review is decided; what that does waits for the time to undo. */
  async function settle(
    tx: Tx,
    review: ReviewRow,
    action: ActionRow,
    record: ReviewDecisionRecord,
    decision: Sent,
    settings: ReviewSettings,
  ): Promise<void> {
    const nowMs = clock.now();
    const dueMs = nowMs + settings.undoMs;
    const first = firstApprovalOf(review);
    await closeReview(tx, review, record, settings.undoMs > 0 ? dueMs : null, nowMs);
    await keepDecision(tx, review, decision, settings.undoMs > 0 ? dueMs : null, nowMs);
    const isAtOnce = settings.undoMs === 0;
    if (decision.decision === "approve") {
      await moveAction(tx, hub, nowMs, action, {
        to: "scheduled",
        because: "approved",
        by: decision.operator,
        // Nobody is told of what may still be taken back.
        isQuiet: true,
        patch: {
          approved_by: first === null ? decision.operator : `${first.by}, ${decision.operator}`,
          next_attempt_ms: dueMs,
        },
      });
    } else if (isAtOnce && decision.decision !== "approve_changed") {
      await withdrawAction(tx, hub, nowMs, action, record);
    } else {
      await tx
        .updateTable("actions")
        .set({ next_attempt_ms: dueMs })
        .where("tenant_id", "=", action.tenant_id)
        .where("id", "=", action.id)
        .execute();
    }
    if (review.state === "waiting") await leaveToAgent(tx, hub, review.conversation_id, nowMs);
    const { tenant_id: tenantId, id } = action;
    if (isAtOnce) await queue.wake(tx, { kind: "action", tenantId, id });
    else tx.afterCommit(() => parts.wakeAt(tenantId, id, dueMs));
    await auditDecision(tx, review, record, decision.decision, nowMs);
  }

  async function ask(
    tx: Tx,
    conversation: LockedConversation,
    review: ReviewRow,
    record: ReviewDecisionRecord,
    decision: Sent,
    settings: ReviewSettings,
  ): Promise<void> {
    const nowMs = clock.now();
    const text = decision.note ?? "";
    const columns = waitingColumns(
      review,
      { text, by: decision.operator, seq: conversation.next_seq, status: statusAfterAnswer(conversation) },
      settings,
      nowMs,
    );
    await appendEvents(
      tx,
      hub,
      conversation,
      nowMs,
      [{ type: "message", author: "operator", payload: { text }, internal: { operator: decision.operator } }],
      { status: "with_person", answered_seq: conversation.next_seq - 1 },
    );
    await tx
      .updateTable("reviews")
      .set({ ...columns, version: review.version + 1, updated_at_ms: nowMs })
      .where("tenant_id", "=", review.tenant_id)
      .where("id", "=", review.id)
      .execute();
    await keepDecision(tx, review, decision, null, nowMs);
    await auditDecision(tx, review, record, "ask", nowMs);
  }

  /** A handoff or an uncertain outcome: the conversation goes back to the agent, with the person's last word. */
  async function closeHandoff(
    tx: Tx,
    conversation: LockedConversation,
    review: ReviewRow,
    record: ReviewDecisionRecord,
    decision: Sent,
  ): Promise<void> {
    const nowMs = clock.now();
    if (review.kind === "handoff") {
      if (decision.decision === "resolve") {
        await appendEvents(
          tx,
          hub,
          conversation,
          nowMs,
          decision.note === null
            ? []
            : [
                {
                  type: "message",
                  author: "operator",
                  payload: { text: decision.note },
                  internal: { operator: decision.operator },
                },
              ],
          { status: "resolved", answered_seq: conversation.next_seq - 1 },
        );
        await assign(tx, conversation.id, null, nowMs);
      } else {
        await returnToAgent(tx, { hub, queue, clock, random }, conversation);
      }
    }
    await closeReview(tx, review, record, null, nowMs);
    if (review.kind === "handoff") {
      await resumeWaiting(tx, conversation, decision.operator, settingsOf(review.tenant_id), nowMs);
    } else if (review.state === "waiting") await leaveToAgent(tx, hub, conversation.id, nowMs);
    await keepDecision(tx, review, decision, null, nowMs);
    await auditDecision(tx, review, record, decision.decision, nowMs);
  }
}

/** Whose a conversation is once the customer has answered a person's question: one that had ended goes on. */
const statusAfterAnswer = ({ status }: LockedConversation): LockedConversation["status"] =>
  status === "resolved" ? "open" : status;
