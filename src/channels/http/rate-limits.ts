/** Token buckets by key, in bounded memory. Pure but for the time that is passed in. */

export interface BucketPolicy {
  /** Named in the `RateLimit-Policy` header. */
  readonly name: string;
  /** Requests that may come at once. */
  readonly burst: number;
  /** Requests a second that are refilled. */
  readonly perSecond: number;
}

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** When the next request would pass; 0 when it was allowed. */
  readonly retryAfterMs: number;
}

export class RateLimiter {
  readonly policy: BucketPolicy;
  readonly #maxBuckets: number;
  /** In order of last use, so the idlest is first. */
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(policy: BucketPolicy, maxBuckets: number) {
    this.policy = policy;
    this.#maxBuckets = maxBuckets;
  }

  take(key: string, nowMs: number): Taken {
    const { burst, perSecond } = this.policy;
    const before = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    // A clock that jumped back refills nothing and takes nothing away.
    const elapsedMs = Math.max(0, nowMs - before.atMs);
    const tokens = Math.min(burst, before.tokens + (elapsedMs * perSecond) / 1_000);
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: left, atMs: nowMs });
    if (this.#buckets.size > this.#maxBuckets) {
      const idlest = this.#buckets.keys().next();
      if (!idlest.done) this.#buckets.delete(idlest.value);
    }
    return {
      allowed,
      remaining: Math.floor(left),
      retryAfterMs: allowed ? 0 : Math.ceil(((1 - left) * 1_000) / perSecond),
    };
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
  headers(taken: Taken): Record<string, string> {
    const { name, burst, perSecond } = this.policy;
    const resetSeconds = Math.ceil((taken.allowed ? burst - taken.remaining : 1) / perSecond);
    return {
      "ratelimit-policy": `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
      ratelimit: `"${name}";r=${taken.remaining};t=${resetSeconds}`,
    };
  }
}
