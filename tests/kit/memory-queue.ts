/** The queue as a list that the test empties: wake-ups can be run in any order, twice, late, or lost. */
import type { Queue, WakeUp } from "../../src/store/queue.ts";

export class MemoryQueue implements Queue {
  readonly items: WakeUp[] = [];
  #handle: ((item: WakeUp) => Promise<void>) | undefined;

  async wake(tx: Parameters<Queue["wake"]>[0], item: WakeUp): Promise<void> {
    tx.afterCommit(() => void this.items.push(item));
  }

  async work(handle: (item: WakeUp) => Promise<void>): Promise<void> {
    this.#handle = handle;
  }

  async stop(): Promise<void> {
    this.#handle = undefined;
  }

  /** Runs the waiting item at `index`; false when there is none. */
  async run(index = 0): Promise<boolean> {
    const [item] = this.items.splice(index, 1);
    if (item === undefined) return false;
    await this.#handle?.(item);
    return true;
  }
}
