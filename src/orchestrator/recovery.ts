/**
 * Finds what nobody woke: runs whose lease is over, actions whose next attempt is due, conversations that went silent.
 * The queue makes work fast; this makes it certain (a lost wake-up, a killed worker, a database that was away).
 */

import type { Hub } from "../conversations/hub.ts";
import { endIdleConversations } from "../conversations/idle.ts";
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { DueItem, Store } from "../store/store.ts";
import type { Dispatch } from "./dispatch.ts";

export interface Recovery {
  /** One sweep: hands on everything that is due and waits for it. Answers with how much there was. */
  sweep(): Promise<number>;
  /** Ends conversations that went silent, a small batch a tenant. Answers with how many. */
  endIdle(): Promise<number>;
  /**
   * Ends every lease of these tenants: only for a database that no other process can be using. What a
   * killed process had in hand is then taken up at once instead of after its lease.
   */
  takeOver(tenants: readonly TenantId[]): Promise<void>;
  start(): void;
  stop(): void;
}

const ITEMS_PER_SWEEP = 100;

export function createRecovery(parts: {
  store: Store;
  dispatch: Dispatch;
  hub: Hub;
  clock: Clock;
  tenants: readonly TenantId[];
  /** Silence after which a tenant's conversations end; null: never. */
  idleMsOf: (tenantId: TenantId) => number | null;
  /** How long a run may wait for whoever wakes it otherwise, before a sweep takes it; 0: not at all. */
  queuedForMs?: () => number;
  onError: (error: unknown, about: string) => void;
}): Recovery {
  const { store, dispatch, clock, tenants, idleMsOf, onError } = parts;
  let cancel = () => {};
  let stopped = false;

  const handOn = async (): Promise<readonly Promise<void>[]> => {
    const due: readonly DueItem[] = await store.due(clock.now(), ITEMS_PER_SWEEP, parts.queuedForMs?.() ?? 0);
    return due.map((item) => dispatch.handle(item));
  };

  let tidiedMs = clock.now();
  const tidyWhenDue = async (): Promise<void> => {
    if (clock.now() - tidiedMs < LIMITS.tidyMs) return;
    tidiedMs = clock.now();
    await store.tidy();
  };

  let forgottenMs = clock.now();
  const forgetWhenDue = async (): Promise<void> => {
    if (clock.now() - forgottenMs < LIMITS.forgetMs) return;
    forgottenMs = clock.now();
    await store.forget(clock.now());
  };

  const endIdle = async (): Promise<number> => {
    let ended = 0;
    for (const tenantId of tenants) {
      const idleMs = idleMsOf(tenantId);
      if (idleMs !== null) ended += await endIdleConversations(parts, tenantId, idleMs);
    }
    return ended;
  };
  let idleEndedMs = clock.now();
  const endIdleWhenDue = async (): Promise<void> => {
    if (clock.now() - idleEndedMs < LIMITS.idleSweepMs) return;
    idleEndedMs = clock.now();
    await endIdle();
  };

  const loop = (): void => {
    if (stopped) return;
    cancel = clock.after(LIMITS.sweepMs, () => {
      // What is slow does not keep the next sweep waiting: a claim is taken once.
      handOn()
        .then(endIdleWhenDue)
        .then(tidyWhenDue)
        .then(forgetWhenDue)
        .catch((error: unknown) => onError(error, "sweep"))
        .finally(loop);
    });
  };

  return {
    async sweep() {
      const handed = await handOn();
      await Promise.all(handed);
      await dispatch.idle();
      return handed.length;
    },
    endIdle,
    async takeOver(tenants) {
      for (const tenantId of tenants) {
        await store.transact(tenantScope(tenantId), async (tx) => {
          await tx.updateTable("runs").set({ lease_until_ms: 0 }).where("state", "=", "running").execute();
          await tx
            .updateTable("actions")
            .set({ lease_until_ms: 0 })
            .where("lease_until_ms", "is not", null)
            .execute();
        });
      }
    },
    start: loop,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
