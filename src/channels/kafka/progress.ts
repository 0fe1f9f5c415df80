/**
 * What of one partition is in hand, and up to where everything is finished. Records of different conversations
 * finish out of order; what is committed is the offset below which none is unfinished, so that whatever a crash
 * interrupts is delivered again. Pure.
 */
export interface Progress {
  /** False for one that was taken before: after a rebalance the broker delivers from the last commit on. */
  take(offset: bigint): boolean;
  finish(offset: bigint): void;
  /** The next offset to be delivered after a crash, if it is further than what was committed; else null. */
  toCommit(): bigint | null;
  committed(offset: bigint): void;
}

export function createProgress(): Progress {
  /** In order: offsets are taken in order. */
  const inHand = new Set<bigint>();
  let highest = -1n;
  let known = -1n;
  return {
    take(offset) {
      if (offset <= highest) return false;
      // It was delivered because everything before it is committed.
      if (known < 0n) known = offset;
      highest = offset;
      inHand.add(offset);
      return true;
    },
    finish(offset) {
      inHand.delete(offset);
    },
    toCommit() {
      if (highest < 0n) return null;
      const [oldest] = inHand;
      const next = oldest ?? highest + 1n;
      return next > known ? next : null;
    },
    committed(offset) {
      if (offset > known) known = offset;
    },
  };
}
