import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/channels/http/rate-limits.ts";
import { KESTREL, manualClock, OPERATOR_TOKEN, startServer, tokenFor } from "./fixture.ts";

describe("a bucket", () => {
  test("lets through at most its burst and its rate, whatever the arrivals", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 }), (gapsMs) => {
        const limiter = new RateLimiter({ name: "x", burst: 5, perSecond: 10 }, 10);
        let nowMs = 1_000;
        let passed = 0;
        for (const gap of gapsMs) {
          nowMs += gap;
          const taken = limiter.take("k", nowMs);
          if (taken.allowed) passed += 1;
          else {
            expect(taken.retryAfterMs).toBeGreaterThan(0);
            expect(taken.retryAfterMs).toBeLessThanOrEqual(100);
          }
        }
        expect(passed).toBeLessThanOrEqual(5 + ((nowMs - 1_000) * 10) / 1_000 + 1e-6);
      }),
    );
  });

  test("passes again after the time it names", () => {
    const limiter = new RateLimiter({ name: "x", burst: 1, perSecond: 0.5 }, 10);
    expect(limiter.take("k", 0).allowed).toBe(true);
    const { retryAfterMs } = limiter.take("k", 0);
    expect(limiter.take("k", retryAfterMs).allowed).toBe(true);
  });

  test("does not refill when the clock jumps back", () => {
    const limiter = new RateLimiter({ name: "x", burst: 2, perSecond: 1 }, 10);
    limiter.take("k", 10_000);
    limiter.take("k", 10_000);
    expect(limiter.take("k", 5_000).allowed).toBe(false);
    expect(limiter.take("k", 6_100).allowed).toBe(true);
  });

  test("memory is bounded; the idlest goes first", () => {
    const limiter = new RateLimiter({ name: "x", burst: 1, perSecond: 0.001 }, 3);
    for (const key of ["a", "b", "c"]) limiter.take(key, 0);
    limiter.take("a", 1);
    limiter.take("d", 2);
    expect(limiter.size).toBe(3);
    expect(limiter.take("a", 3).allowed).toBe(false);
  });
});

describe("requests over the limit", () => {
  test("answer 429 with headers that say when to come back, and pass then", async () => {
    const clock = manualClock();
    const running = await startServer({
      clock,
      limits: { requestsPerCustomerBurst: 3, requestsPerCustomerPerSecond: 0.1 },
    });
    const passed = await running.call("POST", "/v1/conversations");
    expect(passed.headers.get("ratelimit-policy")).toBe('"customer";q=3;w=30');
    expect(passed.headers.get("ratelimit")).toMatch(/^"customer";r=2;t=\d+$/);
    await running.call("POST", "/v1/conversations");
    await running.call("POST", "/v1/conversations");
    const refused = await running.call("POST", "/v1/conversations");
    expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    expect(refused.headers.get("retry-after")).toBe("10");
    expect(refused.headers.get("ratelimit")).toBe('"customer";r=0;t=10');
    clock.advance(10_000);
    expect((await running.call("POST", "/v1/conversations")).status).toBe(201);
  });

  test("of one customer leave others alone; of a tenant they stop the tenant and no other", async () => {
    const clock = manualClock();
    const running = await startServer({
      clock,
      limits: { requestsPerCustomerBurst: 2, requestsPerTenantBurst: 5, requestsPerTenantPerSecond: 0.1 },
    });
    const open = async (sub: string, issuer?: typeof KESTREL) => {
      const token = await tokenFor({ sub, nowMs: clock.now(), ...(issuer === undefined ? {} : { issuer }) });
      return running.call("POST", "/v1/conversations", { token });
    };
    const ofAda = [await open("ada"), await open("ada"), await open("ada")];
    expect(ofAda.map(({ status }) => status)).toEqual([201, 201, 429]);
    const ofBen = [await open("ben"), await open("ben")];
    expect(ofBen.map(({ status }) => status)).toEqual([201, 201]);
    const ofCleo = [await open("cleo"), await open("cleo")];
    expect(ofCleo.map(({ status }) => status)).toEqual([201, 429]);
    expect(ofCleo[1]?.headers.get("ratelimit-policy")).toBe('"tenant";q=5;w=50');
    expect((await open("ada", KESTREL)).status).toBe(201);
  });

  test("of an operator's pages that read too much do not keep the operator from deciding", async () => {
    const clock = manualClock();
    const running = await startServer({
      clock,
      limits: { requestsPerCustomerBurst: 3, requestsPerCustomerPerSecond: 0.1 },
    });
    const as = (method: string, path: string, body?: unknown) =>
      running.call(method, path, { token: OPERATOR_TOKEN, ...(body === undefined ? {} : { body }) });
    const reads = await Promise.all(Array.from({ length: 5 }, () => as("GET", "/v1/operator/reviews")));
    expect(reads.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const path = "/v1/operator/reviews/rev_019a5f0e-1111-7b6c-8e59-5a6b7c8d9e01";
    expect((await as("POST", `${path}/claim`)).status).not.toBe(429);
    const decision = { decision: "resolve", version: 1 };
    expect((await as("POST", `${path}/decision`, decision)).status).not.toBe(429);
    // Writes have their limit too, and it is their own.
    const writes = await Promise.all(Array.from({ length: 3 }, () => as("POST", `${path}/release`)));
    expect(writes.map(({ status }) => status)).toContain(429);
  });

  test("with tokens that are not valid use up nobody's limit", async () => {
    const clock = manualClock();
    const running = await startServer({ clock, limits: { requestsPerCustomerBurst: 1 } });
    for (let i = 0; i < 5; i += 1) await running.call("POST", "/v1/conversations", { token: "a.b.c" });
    expect((await running.call("POST", "/v1/conversations")).status).toBe(201);
  });
});
