/**
 * The life of an action after it was recorded: what is due is claimed and done, until its outcome is known.
 * `carrying-out.ts` talks to the provider, `settling.ts` writes down what came of it.
 *
 * If the process dies anywhere here, the row says what is to be done and the sweep brings it back: an
 * `executing` action whose lease is over is looked up like any uncertain one.
 */
import type { Payments, ProviderRefund } from "../commerce/payments.ts";
import type { Returns } from "../commerce/returns.ts";
import type { Hub } from "../conversations/hub.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Boundary, type Clock, type Random, SimulatedCrash } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { createCarryingOut } from "./carrying-out.ts";
import type { Find, Found } from "./finding.ts";
import { isLateEvidence, takeLateEvidence } from "./late-evidence.ts";
import { executingColumns } from "./lease.ts";
import { ActionConflict, type ActionRow, readAction } from "./ledger.ts";
import { afterProvider } from "./lifecycle.ts";
import type { PrepareChanged } from "./reviews/changed-amount.ts";
import type { ReviewPorts } from "./reviews/open.ts";
import { createTakingEffect } from "./reviews/taking-effect.ts";
import { createSettling } from "./settling.ts";

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
  readonly find: Find;
  readonly recheck: Recheck;
  readonly prepareChanged: PrepareChanged;
  readonly settingsOf: ReviewPorts["settingsOf"];
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

export function createExecutor(parts: ExecutionParts): Executor {
  const { store, payments, clock, boundary, workerId } = parts;
  const inHand = new Set<Promise<void>>();

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

  const settling = createSettling(parts);
  const { moveIfPossible, settleWith, settleReturn, postpone } = settling;
  const execute = createCarryingOut({ ...parts, settling, track });
  const takeEffect = createTakingEffect({ ...parts, postpone });

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
      case "awaiting_approval": {
        const changed = await takeEffect(action);
        if (changed !== null) await execute(changed);
        return;
      }
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
      await moveIfPossible(action, (current) =>
        current.version !== action.version
          ? null
          : {
              to: "cancelled",
              because: "no_longer_permitted",
              by: workerId,
              patch: {
                next_attempt_ms: null,
                decision: recheck.decision,
                evidence: { detail: { cause: "no_longer_permitted" } },
              },
            },
      );
      return;
    }
    const executing = await moveIfPossible(action, (current) =>
      // Taken back and approved anew since it was claimed: that one has its own time.
      current.version !== action.version
        ? null
        : {
            to: "executing",
            because: "due",
            by: workerId,
            patch: { ...executingColumns(current, workerId, clock.now()), decision: recheck.decision },
          },
    );
    if (executing?.state === "executing" && executing.version === action.version + 1)
      await execute(executing);
  };

  /** Asks the provider what became of an uncertain action; only then, and inside the key's retention, sends it again. */
  const lookUp = async (action: ActionRow): Promise<void> => {
    await boundary("action.before-lookup");
    let found: Found;
    try {
      found = await parts.find(action);
    } catch {
      return postpone(action);
    }
    await boundary("action.after-lookup");
    if (found.kind === "return") return void (await settleReturn(action, found.shopReturn, "lookup"));
    if (found.kind === "refund") return void (await settleWith(action, found.refund, "lookup"));
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
        if (after !== null && isLateEvidence(after, refund)) {
          await store.transact(tenantScope(tenantId), (tx) => takeLateEvidence(tx, parts, after, refund));
        }
      }
      return { found, applied };
    },
    async idle() {
      while (inHand.size > 0) await Promise.allSettled(inHand);
    },
  };
}

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
