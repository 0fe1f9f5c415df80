/**
 * Whose tokens from before an erasure open nothing any more. Each process keeps the few erasures that a token could be
 * older than, and hears of new ones at once; now and then it reads them anew, should an announcement be lost.
 */
import type { CustomerId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import { keepFresh } from "../store/keeping-fresh.ts";
import type { Store } from "../store/store.ts";
import { customerHash } from "./erasing.ts";
import { ERASURES_CHANNEL } from "./erasures.ts";

export interface ErasedCustomers {
  /** When they were last erased; null: not within the life of a token. */
  erasedAtMs(tenantId: TenantId, customerId: CustomerId): number | null;
  /** Calls `fn` after more may have been erased; the answer ends it. */
  onErased(fn: () => void): () => void;
  refresh(): Promise<void>;
  start(): Promise<() => Promise<void>>;
}

export function createErasedCustomers(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly tenants: readonly TenantId[];
  readonly onError: (error: unknown, about: string) => void;
}): ErasedCustomers {
  const { store, clock, onError } = parts;
  let known = new Map<string, number>();
  const listeners = new Set<() => void>();
  const self: ErasedCustomers = {
    erasedAtMs: (tenantId, customerId) =>
      known.size === 0 ? null : (known.get(customerHash(tenantId, customerId)) ?? null),
    onErased(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
    async refresh() {
      const sinceMs = clock.now() - LIMITS.visitorReturnMs - LIMITS.visitorTokenMs;
      const fresh = new Map<string, number>();
      for (const tenantId of parts.tenants) {
        const rows = await store.transact(tenantScope(tenantId), (tx) =>
          tx
            .selectFrom("erasures")
            .select(["customer_hash", "asked_at_ms"])
            .where("tenant_id", "=", tenantId)
            .where("asked_at_ms", ">", sinceMs)
            .execute(),
        );
        for (const row of rows) fresh.set(row.customer_hash, row.asked_at_ms);
      }
      known = fresh;
      for (const fn of listeners) fn();
    },
    start: () =>
      keepFresh({
        database: store.database,
        clock,
        channel: ERASURES_CHANNEL,
        everyMs: LIMITS.settingsRefreshMs,
        refresh: () => self.refresh(),
        onError: (error) => onError(error, "erasures"),
      }),
  };
  return self;
}
