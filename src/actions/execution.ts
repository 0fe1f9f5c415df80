/**
 * Carries an action out, once, and finds out what became of it.
 *
 * Order of one refund, with what a crash at each point leaves behind:
 *   1. the row is `executing`, with key and lease, committed        → a sweep looks it up
 *   2. the charge's refunds are read at the provider                → nothing was sent
 *        ours among them: that is the outcome; others' are counted first
 *   3. the refund is created, with the action's idempotency key     → uncertain: a sweep looks it up
 *   4. the outcome is committed with the money, the audit and the message → done
 * No connection to the database is held during 2 and 3.
 *
 * G1, third barrier: one key per action for ever, and the provider is asked before it is asked again.
 */
import type { Payments, ProviderRefund } from "../commerce/payments.ts";
import type { Returns } from "../commerce/returns.ts";
import { appendEvents, conversationKey, lockConversation } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import { ProblemError, unreachable } from "../kernel/errors.ts";
import type { CustomerId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Boundary, type Clock, type Random, SimulatedCrash } from "../kernel/ports.ts";
import { customerScope, tenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { lockBalance, takeInExternal } from "./allocations.ts";
import { ActionConflict, type ActionRow, type Move, moveAction, readAction, summary } from "./ledger.ts";
import { afterProvider, mayFollow, settleDelayMs } from "./lifecycle.ts";
import { openActionReview, withdrawReviewOf } from "./reviews/open.ts";

/** Asks, right before execution, whether what was approved earlier is still permitted. */
export type Recheck = (action: ActionRow) => Promise<{ permitted: boolean; decision: unknown }>;

export interface ExecutionParts {
  readonly store: Store;
  readonly hub: Hub;
  readonly payments: Payments;
  readonly returns: Returns;
  readonly clock: Clock;
  readonly random: Random;
  readonly boundary: Boundary;
  readonly recheck: Recheck;
  /** This process, in leases. */
  readonly workerId: string;
  readonly onError: (error: unknown, about: string) => void;
}

export interface Executor {
  /** Goes on with an action whose row says `executing` under this worker's lease. Never throws. */
  carryOut(action: ActionRow): Promise<void>;
  /** Does what is due for an action, whatever its state: claims, executes, looks up, expires. Never throws. */
  attend(tenantId: TenantId, actionId: string): Promise<void>;
  /** Applies what the provider says of refunds (webhook); ours are found by action ID or provider reference. */
  applyProviderNews(
    tenantId: TenantId,
    refunds: readonly ProviderRefund[],
  ): Promise<{ readonly found: number; readonly applied: number }>;
  /** Waits for what is in hand. */
  idle(): Promise<void>;
}

/** Uncertain answers in a row that the provider replayed for our key while it has no refund: the key is spent. */
const SPENT_KEY_ATTEMPTS = 3;

export function createExecutor(parts: ExecutionParts): Executor {
  const { store, hub, payments, returns, clock, random, boundary, workerId } = parts;
  const inHand = new Set<Promise<void>>();

  const scopeOf = (action: ActionRow) => customerScope(action.tenant_id, action.customer_id);

  /** Runs work to its end, keeps it countable, and lets a lost race or a crash in simulation end it quietly. */
  const track = (about: string, work: () => Promise<void>): Promise<void> => {
    const running = work()
      .catch((error: unknown) => {
        if (error instanceof ActionConflict || error instanceof SimulatedCrash) return;
        parts.onError(error, about);
      })
      .finally(() => inHand.delete(running));
    inHand.add(running);
    return running;
  };

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
    if (moved.state === "needs_person" || moved.state === "failed") {
      await openActionReview(
        tx,
        { clock, random },
        moved,
        moved.state === "failed" ? "refund_failed" : "outcome_uncertain",
      );
    } else if (current.state === "needs_person") {
      await withdrawReviewOf(tx, moved, nowMs);
    }
    return moved;
  };

  /** What the provider's refund means for our action. */
  const settleWith = (action: ActionRow, refund: ProviderRefund, because: string) =>
    moveIfPossible(action, (current) => {
      const to = afterProvider(current.state, refund.status);
      if (to === null) return null;
      const nowMs = clock.now();
      return {
        to,
        because,
        by: workerId,
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
    });

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

  /** Tells a waiting customer once that the provider takes its time; not when it was told or settled meanwhile. */
  const tellStillChecking = (action: ActionRow) =>
    track(`still-checking ${action.id}`, () =>
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
        const view = { ...summary(told), text: summary({ ...told, state: "unknown" }).text };
        await appendEvents(tx, conversation, clock.now(), [
          {
            type: "message",
            author: "agent",
            payload: { text: view.text, cards: [{ type: "action", action: view }] },
            internal: { actionId: told.id, actionState: "executing" },
          },
        ]);
        await hub.announce(tx, conversationKey(told.tenant_id, told.conversation_id));
      }),
    );

  const carryOutRefund = async (action: ActionRow): Promise<void> => {
    const { charge_id: chargeId, tenant_id: tenantId } = action;
    if (chargeId === null) return void (await settleFailed(action, "no_charge", {}));
    const cancelNotice = clock.after(LIMITS.stillCheckingAfterMs, () => void tellStillChecking(action));
    try {
      await boundary("action.before-precheck");
      let known: readonly ProviderRefund[];
      try {
        known = await payments.refundsOf(tenantId, chargeId);
      } catch {
        return void (await settleUnknown(action, "provider_unreachable", null));
      }
      const mine = known.find((refund) => refund.actionId === action.id);
      if (mine !== undefined) return void (await settleWith(action, mine, "found_at_provider"));
      if (!(await stillCovered(action, known))) {
        return void (await settleFailed(action, "refunded_elsewhere", {
          refunds_seen: known.map((refund) => refund.id),
        }));
      }
      await boundary("action.before-provider");
      const outcome = await payments.createRefund({
        tenantId,
        chargeId,
        amountMinor: action.amount_minor,
        currency: action.currency,
        idempotencyKey: action.idempotency_key,
        actionId: action.id,
      });
      await boundary("action.after-provider");
      switch (outcome.kind) {
        case "accepted":
          await boundary("action.before-settle-commit");
          await settleWith(
            action,
            outcome.refund,
            outcome.replayed ? "provider_replayed" : "provider_answer",
          );
          await boundary("action.after-settle-commit");
          return;
        case "refused":
          return void (await settleFailed(action, "declined", {
            code: outcome.code,
            message: outcome.message,
          }));
        case "not_accepted":
          return void (await settleUnknown(action, `not_accepted: ${outcome.cause}`, outcome.retryAfterMs));
        case "uncertain":
          if (outcome.replayed && action.attempts >= SPENT_KEY_ATTEMPTS) {
            await settleUnknown(action, `uncertain: ${outcome.cause}`, null);
            return void (await moveIfPossible(action, () => ({
              to: "needs_person",
              because: "provider_repeats_an_error_for_this_key",
              by: workerId,
              patch: { next_attempt_ms: null },
            })));
          }
          return void (await settleUnknown(action, `uncertain: ${outcome.cause}`, null));
        default:
          return unreachable(outcome);
      }
    } finally {
      cancelNotice();
    }
  };

  /** Counts refunds made elsewhere, then says whether this action's money is still there to be refunded. */
  const stillCovered = async (action: ActionRow, known: readonly ProviderRefund[]): Promise<boolean> => {
    const foreign = known.filter((refund) => refund.actionId === null);
    if (foreign.length === 0) return true;
    return store.transact(scopeOf(action), async (tx) => {
      const order = { id: action.order_id, customerId: action.customer_id, currency: action.currency };
      const { capturedMinor, heldMinor, refundedMinor } = await lockBalance(tx, order, action.customer_id, {
        chargeId: action.charge_id ?? "",
        capturedMinor: 0,
      });
      await takeInExternal(tx, order, known, clock.now());
      const external = foreign
        .filter((refund) => refund.status === "pending" || refund.status === "succeeded")
        .reduce((sum, refund) => sum + refund.amountMinor, 0);
      return capturedMinor - heldMinor - refundedMinor - external >= 0;
    });
  };

  const carryOutReturn = async (action: ActionRow): Promise<void> => {
    const args = action.args as {
      order_id: string;
      reason: string;
      items: { line_item_id: string; quantity: number }[];
    };
    const scope = customerScope(action.tenant_id, action.customer_id as CustomerId);
    await boundary("action.before-provider");
    const outcome = await returns.create(scope, {
      orderId: action.order_id,
      reason: args.reason,
      items: args.items.map((item) => ({ lineItemId: item.line_item_id, quantity: item.quantity })),
      idempotencyKey: action.idempotency_key,
    });
    await boundary("action.after-provider");
    switch (outcome.kind) {
      case "created":
        return void (await settleReturn(action, outcome.shopReturn, "shop_answer"));
      case "refused":
        return void (await settleFailed(action, "declined", {
          code: outcome.code,
          message: outcome.message,
        }));
      case "uncertain":
        return void (await settleUnknown(action, `uncertain: ${outcome.cause}`, null));
      default:
        return unreachable(outcome);
    }
  };

  const settleReturn = (
    action: ActionRow,
    shopReturn: { id: string; instructions: string; labelUrl: string | null },
    because: string,
  ) =>
    moveIfPossible(action, () => ({
      to: "succeeded",
      because,
      by: workerId,
      patch: {
        provider_ref: shopReturn.id,
        next_attempt_ms: null,
        evidence: {
          provider: { return_id: shopReturn.id },
          detail: { instructions: shopReturn.instructions, labelUrl: shopReturn.labelUrl },
        },
      },
    }));

  const execute = (action: ActionRow) =>
    action.kind === "refund" ? carryOutRefund(action) : carryOutReturn(action);

  /** Takes an action for this worker: lease and version in one statement; null when another has it. */
  const claim = (tenantId: TenantId, actionId: string) =>
    store.transact(tenantScope(tenantId), async (tx) => {
      const nowMs = clock.now();
      return (
        (await tx
          .updateTable("actions")
          .set((eb) => ({
            lease_owner: workerId,
            lease_until_ms: nowMs + LIMITS.leaseMs,
            version: eb("version", "+", 1),
          }))
          .where("tenant_id", "=", tenantId)
          .where("id", "=", actionId as ActionRow["id"])
          .where("state", "in", ["scheduled", "executing", "unknown", "pending", "awaiting_approval"])
          .where("next_attempt_ms", "<=", nowMs)
          .where((eb) => eb.or([eb("lease_until_ms", "is", null), eb("lease_until_ms", "<", nowMs)]))
          .returningAll()
          .executeTakeFirst()) ?? null
      );
    });

  const attend = async (tenantId: TenantId, actionId: string): Promise<void> => {
    const action = await claim(tenantId, actionId);
    if (action === null) return;
    switch (action.state) {
      case "awaiting_approval":
        return expire(action);
      case "scheduled":
        return begin(action);
      case "executing": {
        // The worker that had it is gone: what it did is not known, so it is looked up like any unknown.
        const unknown = await moveIfPossible(action, () => ({
          to: "unknown",
          because: "worker_lost",
          by: workerId,
          patch: { lease_owner: workerId, lease_until_ms: clock.now() + LIMITS.leaseMs },
        }));
        if (unknown?.state === "unknown") await lookUp(unknown);
        return;
      }
      case "unknown":
        return lookUp(action);
      case "pending":
        return poll(action);
      default:
        return;
    }
  };

  const expire = async (action: ActionRow): Promise<void> => {
    await store.transact(scopeOf(action), async (tx) => {
      await lockConversation(tx, action.conversation_id);
      const current = await readAction(tx, action.id, { lock: true });
      if (current?.state !== "awaiting_approval") return;
      const moved = await moveAction(tx, hub, clock.now(), current, {
        to: "expired",
        because: "nobody_decided",
        by: workerId,
        patch: { next_attempt_ms: null, lease_owner: null, lease_until_ms: null },
      });
      await withdrawReviewOf(tx, moved, clock.now(), "expired");
    });
  };

  /** Starts an approved (or delayed) action: everything is evaluated again first. */
  const begin = async (action: ActionRow): Promise<void> => {
    let recheck: Awaited<ReturnType<Recheck>>;
    try {
      recheck = await parts.recheck(action);
    } catch (error) {
      // Shop or provider cannot be read: it stays scheduled and is tried again.
      if (!(error instanceof ProblemError)) throw error;
      return postpone(action);
    }
    if (!recheck.permitted) {
      await moveIfPossible(action, () => ({
        to: "cancelled",
        because: "no_longer_permitted",
        by: workerId,
        patch: {
          next_attempt_ms: null,
          decision: recheck.decision,
          evidence: { detail: { cause: "no_longer_permitted" } },
        },
      }));
      return;
    }
    const executing = await moveIfPossible(action, (current) => ({
      to: "executing",
      because: "due",
      by: workerId,
      patch: { ...executingColumns(current, workerId, clock.now()), decision: recheck.decision },
    }));
    if (executing?.state === "executing") await execute(executing);
  };

  /** Asks the provider what became of an uncertain action; only then, and inside the key's retention, sends it again. */
  const lookUp = async (action: ActionRow): Promise<void> => {
    await boundary("action.before-lookup");
    if (action.kind === "return") {
      let found: Awaited<ReturnType<Returns["findByKey"]>>;
      try {
        found = await returns.findByKey(scopeOf(action), action.order_id, action.idempotency_key);
      } catch {
        return postpone(action);
      }
      await boundary("action.after-lookup");
      if (found !== null) return void (await settleReturn(action, found, "lookup"));
    } else {
      let known: readonly ProviderRefund[];
      try {
        known = await payments.refundsOf(action.tenant_id, action.charge_id ?? "");
      } catch {
        return postpone(action);
      }
      await boundary("action.after-lookup");
      const mine = known.find((refund) => refund.actionId === action.id);
      if (mine !== undefined) return void (await settleWith(action, mine, "lookup"));
    }
    const keyEndsMs = (action.first_attempt_ms ?? 0) + payments.keyRetentionMs - LIMITS.keyRetentionMarginMs;
    if (clock.now() >= keyEndsMs) {
      await moveIfPossible(action, () => ({
        to: "needs_person",
        because: "key_retention_over",
        by: workerId,
        patch: { next_attempt_ms: null },
      }));
      return;
    }
    const again = await moveIfPossible(action, (current) => ({
      to: "executing",
      because: "not_found_at_provider",
      by: workerId,
      patch: executingColumns(current, workerId, clock.now()),
    }));
    if (again?.state === "executing") await execute(again);
  };

  const poll = async (action: ActionRow): Promise<void> => {
    let refund: ProviderRefund | null = null;
    try {
      refund = await payments.refund(action.tenant_id, action.provider_ref ?? "");
    } catch {
      // Not reachable: the next look comes by itself.
    }
    if (refund === null || afterProvider(action.state, refund.status) === null) return postpone(action);
    await settleWith(action, refund, "lookup");
  };

  return {
    carryOut: (action) => track(`action ${action.id}`, () => execute(action)),
    attend: (tenantId, actionId) => track(`action ${actionId}`, () => attend(tenantId, actionId)),
    async applyProviderNews(tenantId, refunds) {
      let found = 0;
      let applied = 0;
      for (const refund of refunds) {
        const action = await store.transact(tenantScope(tenantId), (tx) => findAction(tx, refund));
        if (action === null) continue;
        found += 1;
        await boundary("webhook.before-commit");
        const after = await settleWith(action, refund, "webhook");
        await boundary("webhook.after-commit");
        if (after !== null && after.version !== action.version) applied += 1;
      }
      return { found, applied };
    },
    async idle() {
      while (inHand.size > 0) await Promise.allSettled(inHand);
    },
  };

  async function findAction(tx: Tx, refund: ProviderRefund): Promise<ActionRow | null> {
    if (refund.actionId !== null) {
      const byId = await readAction(tx, refund.actionId);
      // Metadata can be copied by hand: the charge must be the action's own.
      return byId !== null && byId.charge_id === refund.chargeId && byId.kind === "refund" ? byId : null;
    }
    const row = await tx
      .selectFrom("actions")
      .selectAll()
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("provider_ref", "=", refund.id)
      .executeTakeFirst();
    return row ?? null;
  }
}

/** What the row must say before anything is sent (G4): key and first attempt stay, lease and count move. */
export function executingColumns(
  current: Pick<ActionRow, "attempts" | "first_attempt_ms">,
  workerId: string,
  nowMs: number,
) {
  return {
    attempts: current.attempts + 1,
    first_attempt_ms: current.first_attempt_ms ?? nowMs,
    lease_owner: workerId,
    lease_until_ms: nowMs + LIMITS.leaseMs,
    // If this worker dies, the sweep finds the action by this time once its lease is over.
    next_attempt_ms: nowMs,
  };
}
