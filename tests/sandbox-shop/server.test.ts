import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fixture, passing, START_MS, start } from "./fixture.ts";

let it: Fixture;
beforeEach(async () => {
  it = await start();
});
afterEach(() => it.stop());

const CUSTOMER = "/shop/v1/northwind/customers";
const SOCKS = "li_nw_1042_2";
const RETURN = { reason: "too small", items: [{ lineItemId: SOCKS, quantity: 1 }] };
const createReturn = (body: unknown, key = "key-1", path = `${CUSTOMER}/ada/orders/1042/returns`) =>
  it.call("POST", path, body, { "idempotency-key": key });
const returnsOf = async (path = `${CUSTOMER}/ada/orders/1042/returns`) =>
  (await it.call("GET", path)).body.returns as { id: string; state: string }[];

describe("reading", () => {
  test("an order answers by its ID and its number; lists are newest first", async () => {
    const byNumber = await it.call("GET", `${CUSTOMER}/ada/orders/1042`);
    expect(byNumber.body.order).toMatchObject({ id: "ord_nw_1042", tenant: "northwind", customerId: "ada" });
    expect((await it.call("GET", `${CUSTOMER}/ada/orders/ord_nw_1042`)).body).toEqual(byNumber.body);
    const list = (await it.call("GET", `${CUSTOMER}/dev/orders`)).body.orders as { placedAt: number }[];
    const times = list.map(({ placedAt }) => placedAt);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect((await it.call("GET", `${CUSTOMER}/dev/orders?limit=2`)).body.orders).toHaveLength(2);
  });

  test("a stranger's order, another shop's and one that never was are the same 404", async () => {
    const answers = await Promise.all(
      [
        `${CUSTOMER}/ada/orders/1044`,
        `${CUSTOMER}/ada/orders/ord_ka_2042`,
        `${CUSTOMER}/ada/orders/9999`,
        `${CUSTOMER}/lena/orders/2042`,
        "/shop/v1/kestrel/customers/ada/orders/1042",
        "/shop/v1/nowhere/customers/ada/orders/1042",
      ].map((path) => it.call("GET", path)),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(404);
  });

  test("nothing is answered without the key", async () => {
    const answer = await it.call("GET", `${CUSTOMER}/ada/orders`, undefined, { authorization: "Bearer x" });
    expect(answer).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  });

  test.each(["0", "-1", "1.5", "101", "many"])("a limit of %s is refused, not guessed", async (limit) => {
    expect((await it.call("GET", `${CUSTOMER}/ada/orders?limit=${limit}`)).status).toBe(400);
  });
});

describe("creating a return", () => {
  test("happens once for a key, sent any number of times at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => createReturn(RETURN)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await returnsOf()).toHaveLength(1);
  });

  test("another body, another order or another customer under a used key gets 409 and sees nothing", async () => {
    await createReturn(RETURN);
    const others = [
      await createReturn({ ...RETURN, reason: "changed my mind" }),
      await createReturn(RETURN, "key-1", `${CUSTOMER}/ben/orders/1044/returns`),
    ];
    for (const other of others) {
      expect(other).toEqual({ status: 409, body: { code: "key_reused", message: expect.any(String) } });
    }
    expect(await returnsOf()).toHaveLength(1);
    expect(await returnsOf(`${CUSTOMER}/ben/orders/1044/returns`)).toEqual([]);
  });

  test("no more units go back than have left, in one return or several, at once or named twice", async () => {
    const one = { lineItemId: SOCKS, quantity: 1 };
    const tooMany = await createReturn({ reason: "x", items: [one, one, one] });
    expect(tooMany).toMatchObject({ status: 422, body: { code: "nothing_left_to_return" } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createReturn({ reason: "x", items: [one] }, `k${index}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(6);
  });

  test("a received return keeps its units; a cancelled one gives them back", async () => {
    const both = { reason: "x", items: [{ lineItemId: SOCKS, quantity: 2 }] };
    const { id } = (await createReturn(both)).body.return as { id: string };
    await it.call("POST", `/shop/sandbox/returns/${id}`, { state: "received" });
    expect(await returnsOf()).toMatchObject([{ id, state: "received" }]);
    expect((await createReturn(both, "key-2")).status).toBe(422);
    await it.call("POST", `/shop/sandbox/returns/${id}`, { state: "cancelled" });
    expect((await createReturn(both, "key-2")).status).toBe(201);
  });

  test("what has not left cannot come back", async () => {
    const { order } = it.shop.world.orders.find(({ tags }) => tags.includes("unfulfilled")) ?? {};
    const answer = await createReturn(
      { reason: "x", items: [{ lineItemId: order?.lineItems[0]?.id, quantity: 1 }] },
      "key",
      `${CUSTOMER}/${order?.customerId}/orders/${order?.number}/returns`,
    );
    expect(answer).toMatchObject({ status: 422, body: { code: "nothing_left_to_return" } });
  });

  test.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["no items", { reason: "x", items: [] }],
    ["no reason", { items: RETURN.items }],
    ["a quantity below one", { reason: "x", items: [{ lineItemId: SOCKS, quantity: -1 }] }],
    ["half a unit", { reason: "x", items: [{ lineItemId: SOCKS, quantity: 0.5 }] }],
    ["an unknown member", { ...RETURN, refund: 500 }],
    ["__proto__", '{"__proto__":{"reason":"x"},"reason":"x","items":[]}'],
  ])("refuses %s, and creates nothing", async (_what, body) => {
    expect(await createReturn(body)).toMatchObject({ status: 400, body: { code: "body_invalid" } });
    expect(await returnsOf()).toEqual([]);
  });

  test("refuses a body that is too large, an unknown item and a missing key, each by its code", async () => {
    expect(await createReturn({ ...RETURN, reason: "x".repeat(70_000) })).toMatchObject({
      status: 413,
      body: { code: "body_too_large" },
    });
    const unknown = { reason: "x", items: [{ lineItemId: "li_nw_1044_1", quantity: 1 }] };
    expect((await createReturn(unknown)).body.code).toBe("item_not_found");
    expect((await createReturn(RETURN, "")).body.code).toBe("key_missing");
    expect((await createReturn(RETURN, "k".repeat(256))).body.code).toBe("key_missing");
  });
});

describe("changing the world", () => {
  test("edits add up, and say what they did", async () => {
    await it.call("POST", "/shop/sandbox/orders/ord_nw_1042", { note: "ring twice" });
    await it.call("POST", "/shop/sandbox/orders/ord_nw_1042", { cancelled: true });
    const { order } = (await it.call("GET", `${CUSTOMER}/ada/orders/1042`)).body;
    expect(order).toMatchObject({ note: "ring twice", cancelledAt: START_MS });
    await it.call("POST", "/shop/sandbox/orders/ord_nw_1042", { cancelled: false });
    expect((await it.call("GET", `${CUSTOMER}/ada/orders/1042`)).body.order).toMatchObject({
      note: "ring twice",
      cancelledAt: null,
    });
  });

  test("an order on its way arrives, whole, so many days before now, and stays there", async () => {
    await it.clock.advance(10 * 86_400_000);
    await it.call("POST", "/shop/sandbox/orders/ord_nw_1043", { deliveredDaysAgo: 2 });
    await it.clock.advance(86_400_000);
    const { order } = (await it.call("GET", `${CUSTOMER}/ben/orders/1043`)).body as {
      order: { fulfilments: { deliveredAt: number; events: { at: number }[] }[]; placedAt: number };
    };
    const [parcel] = order.fulfilments;
    expect(new Date(parcel?.deliveredAt ?? 0).toISOString()).toBe("2026-12-09T19:00:00.000Z");
    expect(parcel?.events.at(-1)?.at).toBe(parcel?.deliveredAt);
    expect(order.placedAt).toBeLessThan(parcel?.events[0]?.at ?? 0);
    expect(order).toMatchObject({ lineItems: [{ quantity: 1, fulfilledQuantity: 1 }] });
  });

  test("what cannot be is refused", async () => {
    expect((await it.call("POST", "/shop/sandbox/orders/ord_nw_9999", { note: "" })).status).toBe(404);
    expect((await it.call("POST", "/shop/sandbox/returns/ret_x", { state: "received" })).status).toBe(404);
    for (const body of [{ deliveredDaysAgo: -1 }, { totalMinor: 1 }, "[", { note: 1 }]) {
      expect((await it.call("POST", "/shop/sandbox/orders/ord_nw_1042", body)).status).toBe(400);
    }
    for (const fault of [
      { on: "refund.create", fault: "slow" },
      { on: "orders.read", fault: "fire" },
      { on: "orders.read", fault: "slow", times: 0 },
      "x",
    ]) {
      expect((await it.call("POST", "/shop/sandbox/faults", fault)).status).toBe(400);
    }
  });
});

describe("faults", () => {
  test("are used up by their number, and forgotten when cleared", async () => {
    await it.fault("orders.read", "error_500", 2);
    const status = async () => (await it.call("GET", `${CUSTOMER}/ada/orders`)).status;
    expect([await status(), await status(), await status()]).toEqual([500, 500, 200]);
    await it.fault("orders.read", "error_500", 5);
    await it.call("DELETE", "/shop/sandbox/faults");
    expect(await status()).toBe(200);
  });

  test("a reset closes the connection after the return was kept; an error before it keeps nothing", async () => {
    await it.fault("returns.create", "error_500");
    expect((await createReturn(RETURN)).status).toBe(500);
    expect(await returnsOf()).toEqual([]);
    await it.fault("returns.create", "reset_after_accept");
    await expect(createReturn(RETURN)).rejects.toThrow();
    expect(await returnsOf()).toHaveLength(1);
    expect((await createReturn(RETURN)).status).toBe(200);
    expect(await returnsOf()).toHaveLength(1);
  });

  test("slow answers late, and right", async () => {
    await it.call("POST", "/shop/sandbox/faults", { on: "orders.read", fault: "slow", delay_ms: 3_000 });
    const before = it.clock.now();
    const answer = await passing(it.clock, it.call("GET", `${CUSTOMER}/ada/orders/1042`));
    expect(answer.body.order).toMatchObject({ number: "1042" });
    expect(it.clock.now() - before).toBeGreaterThanOrEqual(3_000);
  });
});

test("a restart, weeks later, finds the same dates, returns, states and edits", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shop-"));
  const storage = join(folder, "shop.db");
  try {
    const first = await start({ storage });
    const { body } = await first.call("POST", `${CUSTOMER}/ada/orders/1042/returns`, RETURN, {
      "idempotency-key": "k",
    });
    const made = body.return as { id: string };
    await first.call("POST", `/shop/sandbox/returns/${made.id}`, { state: "received" });
    await first.call("POST", "/shop/sandbox/orders/ord_nw_1043", { deliveredDaysAgo: 1, note: "left" });
    const seen = [
      await first.call("GET", `${CUSTOMER}/ada/orders`),
      await first.call("GET", `${CUSTOMER}/ben/orders`),
    ];
    await first.stop();
    const second = await start({ storage, startMs: START_MS + 20 * 86_400_000 });
    expect([
      await second.call("GET", `${CUSTOMER}/ada/orders`),
      await second.call("GET", `${CUSTOMER}/ben/orders`),
    ]).toEqual(seen);
    expect(second.shop.world).toEqual(first.shop.world);
    const again = await second.call("POST", `${CUSTOMER}/ada/orders/1042/returns`, RETURN, {
      "idempotency-key": "k",
    });
    expect(again).toMatchObject({ status: 200, body: { return: { id: made.id, state: "received" } } });
    await second.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
