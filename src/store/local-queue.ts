/**
 * The queue of an embedded database: wake-ups go straight to this process's worker once they are durable.
 *
 * Nobody else could take them, so nothing is written down: truth is the run or action row, and what a
 * crash leaves unheard the recovery finds at the next start. (With pg-boss here too, a tenth of the
 * database's time per message and 0.4 s of each start went into jobs that nobody read; measured.)
 */
import type { Queue, WakeUp } from "./queue.ts";

export function createLocalQueue(): Queue {
  let handler: ((item: WakeUp) => Promise<void>) | undefined;
  const inHand = new Set<Promise<void>>();
  return {
    async wake(tx, item) {
      tx.afterCommit(() => {
        const work = handler?.(item).finally(() => inHand.delete(work as Promise<void>));
        if (work !== undefined) inHand.add(work);
      });
    },
    async work(handle) {
      handler = handle;
    },
    async stop() {
      handler = undefined;
      await Promise.allSettled(inHand);
    },
  };
}
