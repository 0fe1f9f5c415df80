/**
 * The sandbox's shop: two merchants' orders and returns behind a small HTTP API, for trying and testing.
 * May import `src/kernel`. What changes (returns, edits) is kept in SQLite beside the start instant, so
 * that a restart finds the same world; the world itself is built again from its seed.
 *
 * A customer's paths answer with that customer's own things only; anything else is 404.
 */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Hono } from "hono";
import type { Clock } from "../../src/kernel/ports.ts";
import { localInstant } from "./making.ts";
import type { Order, ShopReturn } from "./shapes.ts";
import { SHOP_TENANTS, type ShopTenant, type WorldOrder } from "./tenants.ts";
import { buildWorld, chargesOf, type World } from "./world.ts";

export const SHOP_API_KEY = "shop_test_sandbox";
const SEED = 1042;
const FAULTS = ["error_500", "error_500_after_accept", "timeout_after_accept", "reset_after_accept"] as const;
type Fault = (typeof FAULTS)[number];

export interface SandboxShop {
  readonly app: Hono;
  readonly world: World;
  stop(): void;
}

/** An order as a test or a demo may change it. */
interface Edit {
  readonly note?: string;
  readonly cancelled?: boolean;
  readonly gift?: boolean;
  /** Delivered so many calendar days before the shop's start. */
  readonly deliveredDaysAgo?: number;
}

export function createSandboxShop(parts: { clock: Clock; storage: string }): SandboxShop {
  const { clock } = parts;
  const db = new DatabaseSync(parts.storage);
  db.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists meta (start_ms integer not null, seed integer not null);
    create table if not exists returns (tenant text, order_id text, key text, body_hash text, json text, primary key (tenant, key));
    create table if not exists edits (order_id text primary key, json text)`);
  const kept = db.prepare("select start_ms, seed from meta").get() as
    | { start_ms: number; seed: number }
    | undefined;
  const startMs = kept?.start_ms ?? clock.now();
  if (kept === undefined) db.prepare("insert into meta values (?, ?)").run(startMs, SEED);
  const world = buildWorld({ startMs, seed: kept?.seed ?? SEED });
  const faults: { on: string; fault: Fault; times: number }[] = [];
  const app = new Hono();

  const current = ({ tenant, order }: WorldOrder): Order => {
    const made = db
      .prepare("select json from returns where tenant = ? and order_id = ? order by rowid")
      .all(tenant, order.id) as { json: string }[];
    const edit = db.prepare("select json from edits where order_id = ?").get(order.id) as
      | { json: string }
      | undefined;
    const withReturns = {
      ...order,
      returns: [...order.returns, ...made.map((row) => JSON.parse(row.json) as ShopReturn)],
    };
    return edit === undefined
      ? withReturns
      : applyEdit(withReturns, JSON.parse(edit.json) as Edit, tenantOf(tenant), startMs);
  };

  const ordersOf = (tenant: string, customer: string) =>
    world.orders.filter((entry) => entry.tenant === tenant && entry.order.customerId === customer);

  const fault = (on: string): Fault | null => {
    const armed = faults.find((candidate) => candidate.on === on && candidate.times > 0);
    if (armed === undefined) return null;
    armed.times -= 1;
    return armed.fault;
  };

  app.use("/shop/v1/*", async (c, next) => {
    if (c.req.header("authorization") !== `Bearer ${SHOP_API_KEY}`)
      return c.json({ code: "unauthorized" }, 401);
    const armed = c.req.method === "GET" ? fault("orders.read") : null;
    if (armed !== null) return fail(c, armed);
    await next();
  });

  app.get("/shop/v1/:tenant/customers/:customer", (c) => {
    const { tenant, customer } = c.req.param();
    const found = world.customers.find(
      (candidate) => candidate.tenant === tenant && candidate.id === customer,
    );
    if (found === undefined) return c.json({ code: "not_found" }, 404);
    // Net of refunds, in the shop's own currency.
    const lifetimeSpendMinor = ordersOf(tenant, customer)
      .filter(({ charge }) => charge.currency === tenantOf(tenant).currency)
      .reduce(
        (sum, { charge }) =>
          sum + charge.capturedMinor - charge.refunds.reduce((a, refund) => a + refund.amountMinor, 0),
        0,
      );
    return c.json({ id: found.id, name: found.name, email: found.email, lifetimeSpendMinor });
  });

  app.get("/shop/v1/:tenant/customers/:customer/orders", (c) => {
    const { tenant, customer } = c.req.param();
    const orders = ordersOf(tenant, customer).map(current);
    return c.json({
      orders: orders.sort((a, b) => b.placedAt - a.placedAt).slice(0, Number(c.req.query("limit") ?? 50)),
    });
  });

  const findOrder = (tenant: string, customer: string, reference: string) =>
    ordersOf(tenant, customer).find(({ order }) => order.id === reference || order.number === reference);

  app.get("/shop/v1/:tenant/customers/:customer/orders/:reference", (c) => {
    const { tenant, customer, reference } = c.req.param();
    const found = findOrder(tenant, customer, reference);
    return found === undefined ? c.json({ code: "not_found" }, 404) : c.json({ order: current(found) });
  });

  app.post("/shop/v1/:tenant/customers/:customer/orders/:reference/returns", async (c) => {
    const { tenant, customer, reference } = c.req.param();
    const key = c.req.header("idempotency-key") ?? "";
    const text = await c.req.text();
    const armed = fault("returns.create");
    if (armed === "error_500") return fail(c, armed);
    const found = findOrder(tenant, customer, reference);
    if (found === undefined) return c.json({ code: "not_found", message: "No such order." }, 404);
    if (key === "") return c.json({ code: "key_missing", message: "An Idempotency-Key is needed." }, 400);
    const bodyHash = createHash("sha256").update(text).digest("hex");
    const prior = db
      .prepare("select body_hash, json from returns where tenant = ? and key = ?")
      .get(tenant, key) as { body_hash: string; json: string } | undefined;
    if (prior !== undefined) {
      return prior.body_hash === bodyHash
        ? c.json({ return: JSON.parse(prior.json) })
        : c.json({ code: "key_reused", message: "The key was used for another return." }, 409);
    }
    const wanted = JSON.parse(text) as { reason: string; items: { lineItemId: string; quantity: number }[] };
    const refusal = refuse(current(found), wanted.items);
    if (refusal !== null) return c.json(refusal, 422);
    const id = `ret_${createHash("sha256").update(`${tenant}/${key}`).digest("hex").slice(0, 16)}`;
    const made: ShopReturn = {
      id,
      state: "open",
      reason: wanted.reason,
      createdAt: clock.now(),
      items: wanted.items,
      idempotencyKey: key,
      instructions:
        "Pack the items well, print the label, and hand the parcel in at any drop-off point within 14 days.",
      labelUrl: `https://returns.example/${id}`,
    };
    db.prepare("insert into returns values (?, ?, ?, ?, ?)").run(
      tenant,
      found.order.id,
      key,
      bodyHash,
      JSON.stringify(made),
    );
    return armed === null ? c.json({ return: made }, 201) : fail(c, armed);
  });

  app.post("/shop/sandbox/orders/:id", async (c) => {
    const found = world.orders.find(({ order }) => order.id === c.req.param("id"));
    if (found === undefined) return c.json({ code: "not_found" }, 404);
    db.prepare("insert or replace into edits values (?, ?)").run(
      found.order.id,
      JSON.stringify(await c.req.json()),
    );
    return c.json({ order: current(found) });
  });

  app.post("/shop/sandbox/returns/:id", async (c) => {
    const row = db
      .prepare("select rowid, json from returns where json_extract(json, '$.id') = ?")
      .get(c.req.param("id")) as { rowid: number; json: string } | undefined;
    if (row === undefined) return c.json({ code: "not_found" }, 404);
    const { state } = (await c.req.json()) as Pick<ShopReturn, "state">;
    db.prepare("update returns set json = ? where rowid = ?").run(
      JSON.stringify({ ...(JSON.parse(row.json) as ShopReturn), state }),
      row.rowid,
    );
    return c.json({ ok: true });
  });

  app.post("/shop/sandbox/faults", async (c) => {
    const wanted = (await c.req.json()) as { on: string; fault: Fault; times?: number };
    if (!["orders.read", "returns.create"].includes(wanted.on) || !FAULTS.includes(wanted.fault)) {
      return c.json({ code: "fault_unknown", on: ["orders.read", "returns.create"], faults: FAULTS }, 400);
    }
    faults.push({ on: wanted.on, fault: wanted.fault, times: wanted.times ?? 1 });
    return c.json({ faults });
  });
  app.delete("/shop/sandbox/faults", (c) => {
    faults.length = 0;
    return c.json({ faults });
  });

  return { app, world, stop: () => db.close() };
}

/** How the transport shows a fault; the node server destroys or holds the socket where it sees these. */
function fail(
  c: { json: (body: object, status: 500) => Response; env?: unknown; req: { raw: Request } },
  fault: Fault,
): Response | Promise<Response> {
  const outgoing = (c.env as { outgoing?: { destroy(): void } } | undefined)?.outgoing;
  switch (fault) {
    case "error_500":
    case "error_500_after_accept":
      return c.json({ code: "internal" }, 500);
    case "reset_after_accept":
      outgoing?.destroy();
      return Promise.reject(new TypeError("connection reset"));
    case "timeout_after_accept":
      return new Promise((_resolve, reject) =>
        c.req.raw.signal.addEventListener("abort", () => reject(new TypeError("aborted")), { once: true }),
      );
  }
}

function refuse(
  order: Order,
  items: readonly { lineItemId: string; quantity: number }[],
): { code: string; message: string } | null {
  for (const item of items) {
    const line = order.lineItems.find((candidate) => candidate.id === item.lineItemId);
    if (line === undefined)
      return { code: "item_not_found", message: `The order has no item ${item.lineItemId}.` };
    const gone = order.returns
      .filter((entry) => entry.state !== "cancelled")
      .flatMap((entry) => entry.items)
      .filter((returned) => returned.lineItemId === item.lineItemId)
      .reduce((sum, returned) => sum + returned.quantity, 0);
    if (
      !Number.isInteger(item.quantity) ||
      item.quantity < 1 ||
      gone + item.quantity > line.fulfilledQuantity
    ) {
      return {
        code: "nothing_left_to_return",
        message: `${line.title}: ${line.fulfilledQuantity - gone} can be returned.`,
      };
    }
  }
  return items.length === 0 ? { code: "nothing_left_to_return", message: "No items." } : null;
}

function applyEdit(order: Order, edit: Edit, tenant: ShopTenant, startMs: number): Order {
  const daysAgo = edit.deliveredDaysAgo;
  return {
    ...order,
    note: edit.note ?? order.note,
    gift: edit.gift ?? order.gift,
    cancelledAt: edit.cancelled === true ? startMs : order.cancelledAt,
    fulfilments:
      daysAgo === undefined
        ? order.fulfilments
        : order.fulfilments.map((parcel) => ({
            ...parcel,
            state: "delivered" as const,
            deliveredAt: localInstant(tenant, startMs, daysAgo, 14),
          })),
    lineItems:
      daysAgo === undefined
        ? order.lineItems
        : order.lineItems.map((line) => ({ ...line, fulfilledQuantity: line.quantity })),
  };
}

const tenantOf = (id: string): ShopTenant =>
  SHOP_TENANTS.find((tenant) => tenant.id === id) ?? (SHOP_TENANTS[0] as ShopTenant);

export { chargesOf };
