/**
 * Records an action: the moment from which an effect may happen (G4).
 *
 * In one transaction, under the locks of conversation, customer and balance: what the ledger says now
 * is read, the decision is made again from it, units and money are held, the row is written with its
 * idempotency key, and the audit has one entry an arrow. A second proposal of the same thing finds the
 * same action ID (G1, first barrier).
 */
import type { Order } from "../commerce/orders.ts";
import type { ProviderRefund } from "../commerce/payments.ts";
import type { LockedConversation } from "../conversations/events.ts";
import { appendAudit } from "../evidence/audit.ts";
import type { ActionId, RunId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Tx } from "../store/store.ts";
import {
  type DecidingLedger,
  holdMoney,
  holdUnits,
  lockBalance,
  orderLedger,
  takeInExternal,
  type WantedUnit,
} from "./allocations.ts";
import { executingColumns } from "./lease.ts";
import { type ActionRow, auditOf, readAction } from "./ledger.ts";
import { openActionReview, type ReviewPorts } from "./reviews/open.ts";
import type { ApprovalReason } from "./reviews/reviews.ts";

/** Refunds of one customer in a rolling window, any state in which money may move or has moved. */
export interface RefundHistory {
  readonly refunds: readonly {
    readonly atMs: number;
    readonly amountMinor: number;
    readonly currency: string;
  }[];
}

/** An effect that was allowed and that the customer has said yes to. */
export interface PreparedAction<Stop> {
  readonly actionId: ActionId;
  readonly kind: "refund" | "return";
  readonly order: Order;
  /** Null for a return. */
  readonly charge: {
    readonly chargeId: string;
    readonly capturedMinor: number;
    readonly refunds: readonly ProviderRefund[];
  } | null;
  /** Decides again from what the ledger says under its locks. */
  decide(fresh: {
    ledger: DecidingLedger;
    history: RefundHistory;
    nowMs: number;
  }): Decided | { readonly stop: Stop };
}

export interface Decided {
  readonly units: readonly WantedUnit[];
  readonly amountMinor: number;
  readonly itemsText: string;
  /** Why a person has to approve it first; null: nobody has to. */
  readonly approval: ApprovalReason | null;
  /** Resolved arguments: what an approval binds to. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly argsHash: string;
  /** Verdict, policy version and facts, as they are kept with the action. */
  readonly decision: unknown;
}

export type Recorded<Stop> =
  | { readonly kind: "recorded"; readonly action: ActionRow }
  /** This very proposal had been recorded before. */
  | { readonly kind: "existing"; readonly action: ActionRow }
  | { readonly kind: "stopped"; readonly stop: Stop };

export async function recordAction<Stop>(
  tx: Tx,
  ports: ReviewPorts & { readonly workerId: string },
  conversation: LockedConversation,
  prepared: PreparedAction<Stop>,
  /** `approvedBy`: a person has approved exactly this; it needs no other approval. */
  by: { runId: RunId; proposedBy: string; approvedBy?: string },
): Promise<Recorded<Stop>> {
  const nowMs = ports.clock.now();
  const { order, charge } = prepared;
  await lockCustomer(tx, conversation);
  const existing = await readAction(tx, prepared.actionId);
  if (existing !== null) return { kind: "existing", action: existing };
  if (charge !== null) {
    await lockBalance(tx, order, conversation.customer_id, charge);
    if (charge.refunds.length > 0) {
      await takeInExternal(tx, { id: order.id, customerId: conversation.customer_id }, charge.refunds, nowMs);
    }
  }
  const decided = prepared.decide({
    ledger: await orderLedger(tx, order.id),
    history: await refundHistory(tx, conversation.customer_id, nowMs),
    nowMs,
  });
  if ("stop" in decided) return { kind: "stopped", stop: decided.stop };

  const approval = by.approvedBy === undefined ? decided.approval : null;
  const state = approval !== null ? "awaiting_approval" : "executing";
  const action = await tx
    .insertInto("actions")
    .values({
      tenant_id: conversation.tenant_id,
      id: prepared.actionId,
      customer_id: conversation.customer_id,
      conversation_id: conversation.id,
      run_id: by.runId,
      kind: prepared.kind,
      state,
      version: approval !== null ? 1 : 2,
      order_id: order.id,
      order_number: order.number,
      charge_id: charge?.chargeId ?? null,
      amount_minor: decided.amountMinor,
      currency: order.currency,
      args: JSON.stringify(decided.args),
      args_hash: decided.argsHash,
      items_text: decided.itemsText,
      // Named by operation, so that no two kinds of effect ever share a key.
      idempotency_key: `${prepared.kind}:${prepared.actionId}`,
      decision: JSON.stringify(decided.decision),
      proposed_by: by.proposedBy,
      approved_by: by.approvedBy ?? null,
      provider_ref: null,
      evidence: null,
      told_state: approval !== null ? state : null,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
      ...(approval !== null
        ? {
            attempts: 0,
            first_attempt_ms: null,
            next_attempt_ms: nowMs + LIMITS.approvalTtlMs,
            lease_owner: null,
            lease_until_ms: null,
          }
        : executingColumns({ attempts: 0, first_attempt_ms: null }, ports.workerId, nowMs)),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await holdUnits(tx, action, decided.units);
  if (prepared.kind === "refund" && !(await holdMoney(tx, order.id, decided.amountMinor))) {
    throw new Error(`the balance of ${order.id} does not cover what was just decided from it`);
  }
  const because = {
    because: by.approvedBy === undefined ? "customer_confirmed" : "approved_with_other_amount",
    by: by.proposedBy,
  };
  if (approval !== null) {
    await openActionReview(tx, ports, action, approval);
    await appendAudit(tx, nowMs, [auditOf(action, "proposed", because)]);
  } else {
    await appendAudit(tx, nowMs, [
      auditOf({ ...action, state: "scheduled", version: 1 }, "proposed", because),
      auditOf(action, "scheduled", { because: "no_undo_window", by: ports.workerId }),
    ]);
  }
  return { kind: "recorded", action };
}

/** What concurrent actions of one customer wait for: rolling limits are counted behind it. */
export async function lockCustomer(tx: Tx, conversation: LockedConversation): Promise<void> {
  await tx
    .selectFrom("customers")
    .select("customer_id")
    .where("tenant_id", "=", conversation.tenant_id)
    .where("customer_id", "=", conversation.customer_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Longest rolling window a policy may use; the policy's own limit cuts it. */
export const MAX_HISTORY_DAYS = 366;

export async function refundHistory(tx: Tx, customerId: string, nowMs: number): Promise<RefundHistory> {
  const rows = await tx
    .selectFrom("actions")
    .select(["created_at_ms", "amount_minor", "currency"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("customer_id", "=", customerId as ActionRow["customer_id"])
    .where("kind", "=", "refund")
    .where("state", "not in", ["denied", "rejected", "expired", "cancelled", "failed"])
    .where("created_at_ms", ">", nowMs - MAX_HISTORY_DAYS * 86_400_000)
    .orderBy("created_at_ms", "desc")
    .limit(1_000)
    .execute();
  return {
    refunds: rows.map((row) => ({
      atMs: row.created_at_ms,
      amountMinor: row.amount_minor,
      currency: row.currency,
    })),
  };
}
