/**
 * Asks anew for what has changed, in rounds: the first change at once, whatever comes while a round is under way in the
 * next one. However fast things change, a page asks once a round, no round is cut short by the next, and the last
 * change is never missed. So a busy queue in many tabs does not use up what an operator may ask.
 */

/** From the start of a round to the start of the next, at least. */
export const ROUND_MS = 1_000;
/** A round whose answers do not come is over all the same. */
export const ROUND_ENDS_MS = 10_000;

export interface Rounds {
  /** The beginning of the keys of what is to be asked for; empty: everything. */
  add(key: readonly string[]): void;
  stop(): void;
}

export function createRounds(refresh: (key: readonly string[]) => Promise<unknown>): Rounds {
  const due = new Map<string, readonly string[]>();
  let isUnderWay = false;
  let isStopped = false;

  const begin = async (): Promise<void> => {
    // One change may name several things: they are asked for together.
    await Promise.resolve();
    while (due.size > 0 && !isStopped) {
      const keys: readonly (readonly string[])[] = due.has(nameOf([])) ? [[]] : [...due.values()];
      due.clear();
      const answers = Promise.allSettled(keys.map(refresh));
      await Promise.all([pause(ROUND_MS), Promise.race([answers, pause(ROUND_ENDS_MS)])]);
    }
  };

  return {
    add(key) {
      due.set(nameOf(key), key);
      if (isUnderWay) return;
      isUnderWay = true;
      void begin().finally(() => {
        isUnderWay = false;
      });
    },
    stop() {
      isStopped = true;
      due.clear();
    },
  };
}

const nameOf = (key: readonly string[]): string => JSON.stringify(key);
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
