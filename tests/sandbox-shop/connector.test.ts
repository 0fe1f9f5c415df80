import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inProcessFetch } from "../../sandbox/payments/connection.ts";
import type { NewReturn } from "../../src/commerce/returns.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import type { CustomerScope } from "../../src/kernel/scope.ts";
import { ADA, BEN, connect, type Fixture, passing, scopeOf, start, TIMEOUT_MS } from "./fixture.ts";

const SEED = Number(process.env.SEED ?? 20261201);

let it: Fixture;
beforeEach(async () => {
  it = await start();
});
afterEach(() => it.stop());

const RETURN: NewReturn = {
  orderId: "ord_nw_1042",
  reason: "too small",
  items: [{ lineItemId: "li_nw_1042_2", quantity: 2 }],
  idempotencyKey: "act_1",
};
const unavailable = { code: "shop_unavailable" };

/** A shop that answers whatever a test says; counts what it was asked. */
function saying(answer: (url: string, init: RequestInit) => Response | Promise<Response>) {
  const asked: string[] = [];
  const send = (async (input: string, init: RequestInit) => {
    asked.push(input);
    return answer(input, init);
  }) as typeof fetch;
  return { asked, ...connect("http://shop.test", it.clock, send) };
}
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

async function orderJson(scope: CustomerScope, number: string): Promise<Record<string, unknown>> {
  const path = `/shop/v1/${scope.tenantId}/customers/${scope.customerId}/orders/${number}`;
  return (await it.call("GET", path)).body.order as Record<string, unknown>;
}

describe("G3 reads answer with the scope's own things only", () => {
  test("customers, lists and orders, in both shops", async () => {
    expect(await it.orders.customer(ADA)).toEqual({
      id: "ada",
      name: "Ada Lind",
      email: "ada@example.com",
      lifetimeSpendMinor: 11_300,
    });
    expect((await it.orders.list(ADA)).map(({ number }) => number)).toEqual(["1042"]);
    expect(await it.orders.list(scopeOf("eve"))).toEqual([]);
    const order = await it.orders.find(scopeOf("lena", "kestrel"), "2042");
    expect(order).toMatchObject({ id: "ord_ka_2042", currency: "EUR" });
    expect(order).not.toHaveProperty("tenant");
    expect(await it.orders.find(scopeOf("lena", "kestrel"), "ord_ka_2042")).toEqual(order);
  });

  test("a stranger's order, another shop's and one that never was are null", async () => {
    for (const reference of ["1044", "ord_nw_1044", "2042", "9999"]) {
      expect(await it.orders.find(ADA, reference)).toBeNull();
    }
    expect(await it.orders.find(scopeOf("ada", "kestrel"), "1042")).toBeNull();
    expect(await it.orders.customer(scopeOf("nobody"))).toBeNull();
    expect(await it.orders.list(scopeOf("nobody"))).toEqual([]);
  });

  test("a shop that mixes up customers, tenants or orders shows nobody anything", async () => {
    const bens = await orderJson(BEN, "1044");
    const adas = await orderJson(ADA, "1042");
    const wrong = [bens, { ...adas, tenant: "kestrel" }, { ...adas, customerId: "Ada" }];
    for (const order of wrong) {
      const { orders, returns } = saying((url) =>
        json(url.includes("limit=") ? { orders: [order, adas] } : { order }),
      );
      expect(await orders.find(ADA, String(order.number))).toBeNull();
      expect((await orders.list(ADA)).map(({ id }) => id)).toEqual(["ord_nw_1042"]);
      expect(await returns.findByKey(ADA, String(order.id), "act_1")).toBeNull();
    }
    // Her own, but not the one that was asked for.
    expect(await saying(() => json({ order: adas })).orders.find(ADA, "1043")).toBeNull();
    const other = { tenant: "kestrel", id: "ada", name: "A", email: "a@x.example", lifetimeSpendMinor: 0 };
    expect(await saying(() => json(other)).orders.customer(ADA)).toBeNull();
  });

  test("no reference and no customer's name leads to another path", async () => {
    const asked: string[] = [];
    const shop = saying((url) => {
      asked.push(new URL(url).pathname);
      return json({ code: "not_found" }, 404);
    });
    const hostile = ["..", ".", "", "../ben/orders/1044", "%2e%2e", "1042?x=1", "1042#", "\ud800", "a\u0000"];
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...hostile), fc.string()), (text) => {
        asked.length = 0;
        void shop.orders.find(ADA, text);
        void shop.orders.list(scopeOf(text));
        for (const path of asked) {
          expect(path.split("/").slice(0, 5)).toEqual(["", "shop", "v1", "northwind", "customers"]);
          expect([7, 8]).toContain(path.split("/").length);
          expect(path.split("/")[6]).toBe("orders");
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
    for (const reference of hostile) expect(await shop.orders.find(ADA, reference)).toBeNull();
    for (const name of ["..", ".", "", "\ud800"]) expect(await shop.orders.list(scopeOf(name))).toEqual([]);
  });
});

describe("reads are repeated, a few times", () => {
  test.each(["error_500", "reset_after_accept", "timeout_after_accept"])(
    "%s twice is not noticed; one time more is `shop_unavailable`",
    async (fault) => {
      await it.fault("orders.read", fault, LIMITS.safeReadAttempts - 1);
      expect(await passing(it.clock, it.orders.find(ADA, "1042"))).toMatchObject({ number: "1042" });
      await it.fault("orders.read", fault, LIMITS.safeReadAttempts);
      await expect(passing(it.clock, it.orders.list(ADA))).rejects.toMatchObject(unavailable);
      expect((await it.orders.list(ADA)).length).toBe(1);
    },
  );

  test("a shop that nobody listens at is `shop_unavailable`", async () => {
    const { orders } = connect("http://127.0.0.1:1", it.clock);
    await expect(passing(it.clock, orders.customer(ADA))).rejects.toMatchObject(unavailable);
  });

  test("pauses grow, with chance in them", async () => {
    const times: number[] = [];
    const { orders } = saying(() => {
      times.push(it.clock.now());
      return json({}, 503);
    });
    await expect(passing(it.clock, orders.find(ADA, "1042"), 1)).rejects.toMatchObject(unavailable);
    expect(times).toHaveLength(LIMITS.safeReadAttempts);
    const [first = 0, second = 0] = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(first).toBeGreaterThanOrEqual(LIMITS.retryBaseMs / 2);
    expect(first).toBeLessThanOrEqual(LIMITS.retryBaseMs + 1);
    expect(second).toBeGreaterThanOrEqual(LIMITS.retryBaseMs);
    expect(second).toBeLessThanOrEqual(2 * LIMITS.retryBaseMs + 1);
  });

  test("a caller who gives up ends it at once, in a request and in a pause", async () => {
    await it.fault("orders.read", "timeout_after_accept");
    const inRequest = new AbortController();
    const reading = it.orders.find(ADA, "1042", inRequest.signal);
    inRequest.abort();
    await expect(reading).rejects.toMatchObject(unavailable);

    const inPause = new AbortController();
    const shop = saying(() => {
      queueMicrotask(() => queueMicrotask(() => inPause.abort()));
      return json({}, 503);
    });
    await expect(shop.orders.find(ADA, "1042", inPause.signal)).rejects.toMatchObject(unavailable);
    expect(shop.asked).toHaveLength(1);
  });

  test("a transport that ignores its signal is left behind when the time is over", async () => {
    const shop = saying(() => new Promise<Response>(() => {}));
    const before = it.clock.now();
    await expect(passing(it.clock, shop.orders.find(ADA, "1042"))).rejects.toMatchObject(unavailable);
    expect(it.clock.now() - before).toBeGreaterThanOrEqual(TIMEOUT_MS * LIMITS.safeReadAttempts);
    expect(shop.asked).toHaveLength(LIMITS.safeReadAttempts);
  });

  test("an answer that another try would not change is not asked for again", async () => {
    for (const answer of [
      () => json({ code: "unauthorized" }, 401),
      () => json({ order: { id: 1 } }),
      () => json({ message: "no route" }, 404),
      () => json({}, 302),
    ]) {
      const shop = saying(answer);
      await expect(shop.orders.find(ADA, "1042")).rejects.toMatchObject(unavailable);
      expect(shop.asked).toHaveLength(1);
    }
  });

  test("a proxy's page is no answer of the shop: neither its 200 nor its 404", async () => {
    for (const status of [200, 404]) {
      const shop = saying(() => new Response("<html>gone</html>", { status }));
      await expect(passing(it.clock, shop.orders.find(ADA, "1042"))).rejects.toMatchObject(unavailable);
    }
  });

  test("an answer without end is not read to its end", async () => {
    let pulled = 0;
    const shop = saying(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              pulled += 65_536;
              controller.enqueue(new Uint8Array(65_536));
            },
          }),
        ),
    );
    await expect(passing(it.clock, shop.orders.list(ADA))).rejects.toMatchObject(unavailable);
    expect(pulled).toBeLessThan(LIMITS.safeReadAttempts * LIMITS.shopAnswerBytes + 10 * 65_536);
  });
});

describe("an order with a number that cannot be is no order", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["a negative price", {}, { unitPriceMinor: -1 }],
    ["half a cent", {}, { unitPriceMinor: 89.5 }],
    ["no quantity", {}, { quantity: 0 }],
    ["a discount above the price", {}, { discountMinor: 8_901 }],
    ["more units left than ordered", {}, { fulfilledQuantity: 2 }],
    ["two lines of one ID", {}, { id: "li_nw_1042_2" }],
    ["a parcel with an unknown item", {}, { id: "li_other" }],
    ["no currency", { currency: "usd" }, {}],
    ["a total that is text", { totalMinor: "113.00" }, {}],
    ["no tenant", { tenant: undefined }, {}],
  ])("%s", async (_what, more, moreOfLine) => {
    const order = await orderJson(ADA, "1042");
    const [first, ...others] = order.lineItems as Record<string, unknown>[];
    const spoilt = { ...order, lineItems: [{ ...first, ...moreOfLine }, ...others], ...more };
    const shop = saying(() => json({ order: spoilt }));
    await expect(shop.orders.find(ADA, "1042")).rejects.toMatchObject(unavailable);
  });
});

describe("G4 creating a return has one of three outcomes", () => {
  const created = async () => (await it.orders.find(ADA, "1042"))?.returns ?? [];

  test("created: once for a key, and found again by it", async () => {
    const first = await it.returns.create(ADA, RETURN);
    expect(first).toMatchObject({ kind: "created", shopReturn: { state: "open", items: RETURN.items } });
    expect(await it.returns.create(ADA, RETURN)).toEqual(first);
    expect(await created()).toHaveLength(1);
    expect(await it.returns.findByKey(ADA, RETURN.orderId, "act_1")).toMatchObject({
      idempotencyKey: "act_1",
    });
    expect(await it.returns.findByKey(ADA, RETURN.orderId, "act_2")).toBeNull();
    expect(await it.returns.findByKey(BEN, RETURN.orderId, "act_1")).toBeNull();
  });

  test("refused: too many units, an item or an order that is not hers, with the shop's code", async () => {
    const refused = async (wanted: Partial<NewReturn>, scope = ADA) =>
      it.returns.create(scope, { ...RETURN, ...wanted });
    expect(await refused({ items: [{ lineItemId: "li_nw_1042_2", quantity: 3 }] })).toMatchObject({
      kind: "refused",
      code: "nothing_left_to_return",
    });
    expect(await refused({ items: [{ lineItemId: "li_nw_1044_1", quantity: 1 }] })).toMatchObject({
      kind: "refused",
      code: "item_not_found",
    });
    for (const orderId of ["ord_nw_1044", "ord_nw_9999", "../../ben/orders/1044"]) {
      expect(await refused({ orderId })).toMatchObject({ kind: "refused", code: "not_found" });
    }
    expect(await created()).toEqual([]);
  });

  test.each([
    ["timeout_after_accept", 1],
    ["reset_after_accept", 1],
    ["error_500_after_accept", 1],
    ["error_500", 0],
  ])("uncertain: %s; it is sent once, and the look-up says what became of it", async (fault, count) => {
    await it.fault("returns.create", fault);
    expect(await passing(it.clock, it.returns.create(ADA, RETURN))).toMatchObject({ kind: "uncertain" });
    const found = await it.returns.findByKey(ADA, RETURN.orderId, RETURN.idempotencyKey);
    expect(found === null ? 0 : 1).toBe(count);
    expect(await it.returns.create(ADA, RETURN)).toMatchObject({ kind: "created" });
    expect(await created()).toHaveLength(1);
  });

  test("uncertain: nobody listens, or the caller gave up", async () => {
    const nobody = connect("http://127.0.0.1:1", it.clock);
    expect(await nobody.returns.create(ADA, RETURN)).toMatchObject({ kind: "uncertain" });
    expect(await it.returns.create(ADA, RETURN, AbortSignal.abort())).toMatchObject({ kind: "uncertain" });
    expect(await created()).toEqual([]);
  });

  test("in one process a broken connection is what it is over a socket", async () => {
    const { returns, orders } = connect("http://shop.test", it.clock, inProcessFetch(it.shop.app));
    for (const fault of ["reset_after_accept", "timeout_after_accept"]) {
      await it.fault("returns.create", fault);
      const outcome = await passing(it.clock, returns.create(ADA, RETURN));
      expect(outcome).toMatchObject({ kind: "uncertain" });
    }
    expect((await orders.find(ADA, "1042"))?.returns).toHaveLength(1);
  });

  const made = {
    id: "ret_1",
    state: "open",
    reason: "too small",
    createdAt: 0,
    items: RETURN.items,
    idempotencyKey: "act_1",
    instructions: "",
    labelUrl: null,
  };
  test.each<[string, () => Response, "uncertain" | "refused" | "created"]>([
    ["its return", () => json({ return: made }, 201), "created"],
    ["the return of another key", () => json({ return: { ...made, idempotencyKey: "act_2" } }), "uncertain"],
    [
      "a return of other items",
      () => json({ return: { ...made, items: [{ lineItemId: "li_nw_1042_2", quantity: 1 }] } }),
      "uncertain",
    ],
    ["a proxy's 200", () => new Response("<html>"), "uncertain"],
    ["a proxy's 404", () => new Response("<html>", { status: 404 }), "uncertain"],
    ["a proxy's 413 in JSON", () => json({ error: "too large" }, 413), "uncertain"],
    ["an accepted return that is still being made", () => json({ code: "accepted" }, 202), "uncertain"],
    ["a redirect", () => json({}, 307), "uncertain"],
    ["a used key", () => json({ code: "key_reused", message: "x" }, 409), "uncertain"],
    ["too many requests", () => json({ code: "rate_limited", message: "x" }, 429), "uncertain"],
    ["a request time-out", () => json({ code: "request_timeout", message: "x" }, 408), "uncertain"],
    ["a refusal without words", () => json({ code: "no_returns" }, 422), "refused"],
    ["a wrong key", () => json({ code: "unauthorized", message: "x" }, 401), "refused"],
    ["a bad gateway that says refused", () => json({ code: "no_returns", message: "x" }, 502), "uncertain"],
  ])("%s is %s", async (_what, answer, kind) => {
    const shop = saying(answer);
    expect((await shop.returns.create(ADA, RETURN)).kind).toBe(kind);
    expect(shop.asked).toHaveLength(1);
  });

  test("any status and any body: an outcome, no exception, and created only for its own return", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status)),
        fc.oneof(fc.jsonValue(), fc.constant({ return: made }), fc.constant({ code: "x" })),
        async (status, body) => {
          const outcome = await saying(() => json(body, status)).returns.create(ADA, RETURN);
          if (outcome.kind === "created") {
            expect([200, 201]).toContain(status);
            expect(body).toEqual({ return: made });
          }
          if (outcome.kind === "refused") expect(Math.floor(status / 100)).toBe(4);
        },
      ),
      { seed: SEED, numRuns: 300 },
    );
  });
});
