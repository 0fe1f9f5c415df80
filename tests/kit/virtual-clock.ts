/** A clock that moves only when told to, so that hours pass in a test without a sleep. */
import type { Clock } from "../../src/kernel/ports.ts";

export class VirtualClock implements Clock {
  #nowMs: number;
  #timers: { atMs: number; n: number; fn: () => void }[] = [];
  #count = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  /** Whole milliseconds, as a real clock has: pauses with jitter are not whole. */
  now(): number {
    return Math.floor(this.#nowMs);
  }

  after(ms: number, fn: () => void): () => void {
    this.#count += 1;
    const timer = { atMs: this.#nowMs + Math.max(0, ms), n: this.#count, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((candidate) => candidate !== timer);
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    // Sleeping for no time only gives way to others, whatever time it is.
    if (ms <= 0) return turns(1);
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const cancel = this.after(ms, resolve);
      signal?.addEventListener(
        "abort",
        () => {
          cancel();
          resolve();
        },
        { once: true },
      );
    });
  }

  /** Moves time on, running what becomes due in order; what a timer starts gets turns of the event loop. */
  async advance(ms: number): Promise<void> {
    const targetMs = this.#nowMs + ms;
    for (;;) {
      const [next] = this.#timers
        .filter((timer) => timer.atMs <= targetMs)
        .sort((a, b) => a.atMs - b.atMs || a.n - b.n);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.fn();
      await turns();
    }
    this.#nowMs = targetMs;
  }

  /** The clock is set wrong, or corrected: no timer runs. */
  jump(ms: number): void {
    this.#nowMs += ms;
  }
}

/** Lets promises and immediates that are ready run. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
}
