/**
 * Carries an action out, once.
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
import { unreachable } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Boundary, Clock } from "../kernel/ports.ts";
import type { Store } from "../store/store.ts";
import { lockBalance, takeInExternal } from "./allocations.ts";
import type { ActionRow } from "./ledger.ts";
import { type Settling, scopeOf } from "./settling.ts";

/** Uncertain answers in a row that the provider replayed for our key while it has no refund: the key is spent. */
const SPENT_KEY_ATTEMPTS = 3;

export interface CarryingOutParts {
  readonly store: Store;
  readonly payments: Payments;
  readonly returns: Returns;
  readonly clock: Clock;
  readonly boundary: Boundary;
  readonly workerId: string;
  readonly settling: Settling;
  /** Runs work that nobody waits for, and reports its failure. */
  readonly track: (about: string, work: () => Promise<void>) => Promise<void>;
}

/** Sends an `executing` action to its provider and settles what comes back. */
export function createCarryingOut(parts: CarryingOutParts): (action: ActionRow) => Promise<void> {
  const { store, payments, returns, clock, boundary, workerId, settling, track } = parts;
  const { moveIfPossible, settleWith, settleUnknown, settleFailed, settleReturn } = settling;

  const carryOutRefund = async (action: ActionRow): Promise<void> => {
    const { charge_id: chargeId, tenant_id: tenantId } = action;
    if (chargeId === null) return void (await settleFailed(action, "no_charge", {}));
    const cancelNotice = clock.after(
      LIMITS.stillCheckingAfterMs,
      () => void track(`still-checking ${action.id}`, () => settling.tellStillChecking(action)),
    );
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
    if (known.length === 0) return true;
    return store.transact(scopeOf(action), async (tx) => {
      const order = { id: action.order_id, customerId: action.customer_id, currency: action.currency };
      const { capturedMinor, heldMinor, refundedMinor } = await lockBalance(tx, order, action.customer_id, {
        chargeId: action.charge_id ?? "",
        capturedMinor: 0,
      });
      const external = await takeInExternal(tx, order, known, clock.now());
      return capturedMinor - heldMinor - refundedMinor - external >= 0;
    });
  };

  const carryOutReturn = async (action: ActionRow): Promise<void> => {
    const args = action.args as {
      order_id: string;
      reason: string;
      items: { line_item_id: string; quantity: number }[];
    };
    const scope = scopeOf(action);
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

  return (action) => (action.kind === "refund" ? carryOutRefund(action) : carryOutReturn(action));
}
