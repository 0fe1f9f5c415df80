/**
 * Finds what nobody woke: runs whose lease is over, actions whose next attempt is due. The queue makes
 * work fast; this makes it certain (a lost wake-up, a killed worker, a database that was away).
 */
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import type { DueItem, Store } from "../store/store.ts";
import type { Worker } from "./worker.ts";

export interface Recovery {
  /** One sweep: hands everything due to the worker and waits for it. Answers with how much there was. */
  sweep(): Promise<number>;
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

  const loop = (): void => {
    if (stopped) return;
    cancel = clock.after(LIMITS.sweepMs, () => {
      sweep()
        .catch((error: unknown) => onError(error, "sweep"))
        .finally(loop);
    });
  };

  return {
    sweep,
    start: loop,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
