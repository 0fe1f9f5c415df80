/**
 * The three small ports through which time and chance come in, and the one through which a test
 * can make a process die. The real ones live here; everything else in `src/` receives them as
 * values, so a whole system runs deterministically from one seed (a gate test enforces it).
 */
import { randomBytes } from "node:crypto";

/** Time: instants are milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts (it never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `fn` once after `ms`; the answer cancels it. */
  after(ms: number, fn: () => void): () => void;
}

/** Chance. `bytes(n)` are unpredictable in production; `fraction()` is in [0, 1). */
export interface Random {
  bytes(n: number): Uint8Array;
  fraction(): number;
}

/**
 * A named point between two effects, for crash tests: in production it does nothing. The crash
 * matrix kills the process there; the simulation throws {@link SimulatedCrash} there.
 */
export type Boundary = (name: BoundaryName) => void | Promise<void>;

/** Every point at which a refund can be cut, in order of its life. `npm run crash-matrix` visits all. */
export const BOUNDARY_NAMES = [
  "message.before-accept-commit",
  "message.after-accept-commit",
  "run.before-claim-commit",
  "run.after-claim-commit",
  "run.before-agent",
  "run.before-answer-commit",
  "run.after-answer-commit",
  "action.before-record-commit",
  "action.after-record-commit",
  "action.before-precheck",
  "action.before-provider",
  "action.after-provider",
  "action.before-settle-commit",
  "action.after-settle-commit",
  "action.before-lookup",
  "action.after-lookup",
  "review.before-decision-commit",
  "review.after-decision-commit",
  "review.before-change-commit",
  "review.after-change-commit",
  "webhook.before-commit",
  "webhook.after-commit",
] as const;
export type BoundaryName = (typeof BOUNDARY_NAMES)[number];

/** Thrown by a simulation's boundary: the worker that meets it is dead and must not write again. */
export class SimulatedCrash extends Error {
  override readonly name = "SimulatedCrash";
}

export const noBoundary: Boundary = () => {};

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** An ID needs ten bytes, and asking the system for a few costs what asking for many does (measured: 60 µs a message). */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
/** Bytes that nobody else gets: a part of a pool that is never handed out again. */
function pooledBytes(count: number): Uint8Array {
  if (count > POOL_BYTES / 16) return randomBytes(count);
  if (pool.length < count) pool = randomBytes(POOL_BYTES);
  const bytes = Uint8Array.prototype.slice.call(pool, 0, count);
  pool.fill(0, 0, count);
  pool = pool.subarray(count);
  return bytes;
}

export const systemRandom: Random = {
  bytes: pooledBytes,
  fraction: () => Math.random(),
};

/** Random numbers that repeat for a seed (mulberry32 over a 32-bit state): for tests and simulation. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    fraction: next,
    bytes: (n) => Uint8Array.from({ length: n }, () => Math.floor(next() * 256)),
  };
}
