/**
 * Who is answered next when not all can be at once. While there is room, whoever is woken begins at once, and this costs
 * nothing. Without room a wake-up is only a reason to look later: each place that becomes free goes to the tenant with
 * the fewest runs under way in all processes, and there to what is most urgent (chats before mail). Who waits is in the
 * rows, so that nothing of it is lost with the process.
 */
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import type { WakeUp } from "../store/queue.ts";
import type { Store } from "../store/store.ts";
import type { Worker } from "./worker.ts";

export interface Dispatch {
  /** Does what a wake-up asks for, now or when its turn comes; resolves when what began at once has ended. Never throws. */
  handle(item: WakeUp): Promise<void>;
  /** Resolves when nothing is in hand and nothing more can begin. */
  idle(): Promise<void>;
}

export interface DispatchLimits {
  readonly runsPerProcess: number;
  readonly runsPerTenantAndProcess: number;
  readonly runsPerTenant: number;
}

export function createDispatch(parts: {
  readonly store: Pick<Store, "turns">;
  readonly worker: Pick<Worker, "handle" | "next">;
  readonly clock: Clock;
  readonly limits?: DispatchLimits;
  /** How long a run that waits is somebody else's. */
  readonly queuedForMs?: () => number;
  readonly onError: (error: unknown, about: string) => void;
}): Dispatch {
  const { store, worker, clock, limits = LIMITS, onError } = parts;
  const busy = new Map<TenantId, number>();
  const inHand = new Set<Promise<void>>();
  /** Somebody was woken and found no room: places that become free are for those who wait. */
  let someWait = false;
  let asked = 0;
  let looking: Promise<void> | null = null;

  const ofTenant = (tenantId: TenantId): number => busy.get(tenantId) ?? 0;
  const hasRoom = (tenantId: TenantId): boolean =>
    inHand.size < limits.runsPerProcess && ofTenant(tenantId) < limits.runsPerTenantAndProcess;

  /** `work` answers with false when looking again at once would find the same. */
  const begin = (tenantId: TenantId, work: () => Promise<boolean>): Promise<void> => {
    busy.set(tenantId, ofTenant(tenantId) + 1);
    const working = work().then((wentOn) => {
      inHand.delete(working);
      const left = ofTenant(tenantId) - 1;
      if (left === 0) busy.delete(tenantId);
      else busy.set(tenantId, left);
      if (someWait && wentOn) void look();
    });
    inHand.add(working);
    return working;
  };

  /** Fills the free places; one look at a time, and what is heard of meanwhile is one more. */
  const look = (): Promise<void> => {
    looking ??= fill().finally(() => {
      looking = null;
    });
    return looking;
  };
  const fill = async (): Promise<void> => {
    try {
      while (someWait && inHand.size < limits.runsPerProcess) {
        const free = limits.runsPerProcess - inHand.size;
        const heardOf = asked;
        const without = [...busy.keys()].filter((tenantId) => !hasRoom(tenantId));
        someWait = false;
        const turns = await store.turns({
          nowMs: clock.now(),
          limit: free,
          perTenant: limits.runsPerTenant,
          without,
          queuedForMs: parts.queuedForMs?.() ?? 0,
        });
        let begun = 0;
        for (const tenantId of turns) {
          if (!hasRoom(tenantId)) continue;
          begun += 1;
          void begin(tenantId, () => worker.next(tenantId));
        }
        // More may wait than there were places, or than their tenant may have: whoever ends looks again.
        if (without.length > 0 || turns.length === free || begun < turns.length) someWait = true;
        if (asked === heardOf) return;
      }
    } catch (error) {
      // The sweep finds them all the same.
      onError(error, "looking for whose turn it is");
    }
  };

  return {
    async handle(item) {
      if (item.kind !== "run") return worker.handle(item);
      if (!someWait && hasRoom(item.tenantId))
        return begin(item.tenantId, () => worker.handle(item).then(() => true));
      someWait = true;
      asked += 1;
      await look();
    },
    async idle() {
      while (inHand.size > 0 || looking !== null) await Promise.all([...inHand, looking]);
    },
  };
}
