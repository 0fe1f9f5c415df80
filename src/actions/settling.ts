/**
 * What became of an action, written down: each outcome is one transaction that reads the row again under
 * the conversation's lock and moves it only along an arrow that still exists. Whoever is second (answer,
 * look-up, webhook, poll) finds nothing to do.
 */
import type { ShopReturn } from "../commerce/orders.ts";
import type { ProviderRefund } from "../commerce/payments.ts";
import { appendEvents, lockConversation } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { customerScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { type ActionRow, type Move, moveAction, readAction, summary } from "./ledger.ts";
import { afterProvider, mayFollow, settleDelayMs } from "./lifecycle.ts";
import { openActionReview, type ReviewPorts } from "./reviews/open.ts";
import { withdrawReviewOf } from "./reviews/withdrawing.ts";

export type Settling = ReturnType<typeof createSettling>;

export const scopeOf = (action: ActionRow) => customerScope(action.tenant_id, action.customer_id);

export function createSettling(parts: {
  store: Store;
  hub: Hub;
  clock: Clock;
  random: Random;
  /** This process, in leases and in the audit. */
  workerId: string;
  settingsOf: ReviewPorts["settingsOf"];
}) {
  const { store, hub, clock, random, workerId } = parts;

  /** Reads the action again under its lock and moves it if the wanted arrow still exists. */
  const moveIfPossible = (action: ActionRow, decide: (current: ActionRow) => Move | null) =>
    store.transact(scopeOf(action), async (tx) => {
      await lockConversation(tx, action.conversation_id);
      const current = await readAction(tx, action.id, { lock: true });
      if (current === null) return null;
      const move = decide(current);
      if (move === null || !mayFollow(current.state, move.to)) return current;
      return moveAndFollowUp(tx, current, move);
    });

  /** A move, and the work for people that follows from where it leads. */
  const moveAndFollowUp = async (tx: Tx, current: ActionRow, move: Move): Promise<ActionRow> => {
    const nowMs = clock.now();
    const moved = await moveAction(tx, hub, nowMs, current, {
      ...move,
      patch: { lease_owner: null, lease_until_ms: null, ...move.patch },
    });
    // What a person was asked has found its answer; a failure is another question.
    if (current.state === "needs_person") await withdrawReviewOf(tx, hub, moved, current.state, nowMs);
    if (moved.state === "needs_person" || moved.state === "failed") {
      await openActionReview(
        tx,
        parts,
        moved,
        moved.state === "failed" ? "refund_failed" : "outcome_uncertain",
      );
    }
    return moved;
  };

  /** What the provider's refund means for our action. */
  const settleWith = (action: ActionRow, refund: ProviderRefund, because: string) =>
    moveIfPossible(action, (current) => refundMove(current, refund, { because, by: workerId }, clock.now()));

  const settleUnknown = (action: ActionRow, cause: string, retryAfterMs: number | null) =>
    moveIfPossible(action, (current) => ({
      to: "unknown",
      because: cause,
      by: workerId,
      patch: { next_attempt_ms: clock.now() + pauseMs(current, retryAfterMs) },
    }));

  const settleFailed = (action: ActionRow, cause: string, provider: Record<string, unknown>) =>
    moveIfPossible(action, () => ({
      to: "failed",
      because: cause,
      by: workerId,
      patch: { next_attempt_ms: null, evidence: { detail: { cause }, provider } },
    }));

  const pauseMs = (action: ActionRow, retryAfterMs: number | null): number => {
    const pause = settleDelayMs(action.attempts, LIMITS.settleRetryBaseMs, LIMITS.settleRetryMaxMs);
    const jittered = pause / 2 + (pause / 2) * random.fraction();
    return Math.round(Math.max(jittered, retryAfterMs ?? 0));
  };

  /** Postpones the next look at an action whose state does not change. */
  const postpone = (action: ActionRow, retryAfterMs: number | null = null) =>
    store.transact(scopeOf(action), async (tx) => {
      await tx
        .updateTable("actions")
        .set({
          attempts: action.attempts + 1,
          next_attempt_ms: clock.now() + pauseMs(action, retryAfterMs),
          lease_owner: null,
          lease_until_ms: null,
          version: action.version + 1,
        })
        .where("tenant_id", "=", action.tenant_id)
        .where("id", "=", action.id)
        .where("version", "=", action.version)
        .execute();
    });

  const settleReturn = (
    action: ActionRow,
    shopReturn: Pick<ShopReturn, "id" | "instructions" | "labelUrl">,
    because: string,
  ) => moveIfPossible(action, () => returnMove(shopReturn, { because, by: workerId }));

  /** Tells a waiting customer once that the provider takes its time; not when it was told or settled meanwhile. */
  const tellStillChecking = (action: ActionRow) =>
    store.transact(scopeOf(action), async (tx) => {
      const conversation = await lockConversation(tx, action.conversation_id);
      const told = await tx
        .updateTable("actions")
        .set({ told_state: "unknown" })
        .where("tenant_id", "=", action.tenant_id)
        .where("id", "=", action.id)
        .where("state", "=", "executing")
        .where("told_state", "is distinct from", "unknown")
        .returningAll()
        .executeTakeFirst();
      if (conversation === null || told === undefined) return;
      const { language } = conversation;
      const view = {
        ...summary(told, language),
        text: summary({ ...told, state: "unknown" }, language).text,
      };
      await appendEvents(tx, hub, conversation, clock.now(), [
        {
          type: "message",
          author: "agent",
          payload: { text: view.text, cards: [{ type: "action", action: view }] },
          internal: { actionId: told.id, actionState: "executing" },
        },
      ]);
    });

  return {
    moveIfPossible,
    settleWith,
    settleUnknown,
    settleFailed,
    settleReturn,
    postpone,
    tellStillChecking,
  };
}

/** Where the provider's refund leads our action; null when that is no news. */
export function refundMove(
  current: ActionRow,
  refund: ProviderRefund,
  why: Pick<Move, "because" | "by">,
  nowMs: number,
): Move | null {
  const to = afterProvider(current.state, refund.status);
  if (to === null) return null;
  return {
    to,
    ...why,
    patch: {
      provider_ref: refund.id,
      next_attempt_ms:
        to === "pending"
          ? nowMs + settleDelayMs(current.attempts, LIMITS.settleRetryBaseMs, LIMITS.settleRetryMaxMs)
          : null,
      evidence: {
        provider: {
          refund_id: refund.id,
          status: refund.status,
          amount_minor: refund.amountMinor,
          created_at: refund.createdAt,
        },
        detail: {
          ...(to === "failed" ? { cause: refund.failureReason ?? "declined" } : {}),
          returnedByBank: to === "failed" && current.state === "succeeded",
        },
      },
    },
  };
}

/** Where a return that the shop has leads ours. */
export const returnMove = (
  shopReturn: Pick<ShopReturn, "id" | "instructions" | "labelUrl">,
  why: Pick<Move, "because" | "by">,
): Move => ({
  to: "succeeded",
  ...why,
  patch: {
    provider_ref: shopReturn.id,
    next_attempt_ms: null,
    evidence: {
      provider: { return_id: shopReturn.id },
      detail: { instructions: shopReturn.instructions, labelUrl: shopReturn.labelUrl },
    },
  },
});
