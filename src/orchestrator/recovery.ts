/**
 * Finds what nobody woke: runs whose lease is over, actions whose next attempt is due. The queue makes
 * work fast; this makes it certain (a lost wake-up, a killed worker, a database that was away).
 */

import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { DueItem, Store } from "../store/store.ts";
import type { Worker } from "./worker.ts";

export interface Recovery {
  /** One sweep: hands everything due to the worker and waits for it. Answers with how much there was. */
  sweep(): Promise<number>;
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
  worker: Worker;
  clock: Clock;
  onError: (error: unknown, about: string) => void;
}): Recovery {
  const { store, worker, clock, onError } = parts;
  let cancel = () => {};
  let stopped = false;

  const sweep = async (): Promise<number> => {
    const due: readonly DueItem[] = await store.due(clock.now(), ITEMS_PER_SWEEP);
    await Promise.all(due.map((item) => worker.handle(item)));
    return due.length;
  };

  let tidiedMs = clock.now();
  const tidyWhenDue = async (): Promise<void> => {
    if (clock.now() - tidiedMs < LIMITS.tidyMs) return;
    tidiedMs = clock.now();
    await store.tidy();
  };

  const loop = (): void => {
    if (stopped) return;
    cancel = clock.after(LIMITS.sweepMs, () => {
      sweep()
        .then(tidyWhenDue)
        .catch((error: unknown) => onError(error, "sweep"))
        .finally(loop);
    });
  };

  return {
    sweep,
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
