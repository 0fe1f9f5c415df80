/**
 * Room `sandbox/shop`: two merchants' orders and returns behind a small HTTP API, for trying and testing,
 * with faults on demand. May import `src/kernel`. Promises: a start instant and a seed always give the
 * same world; what was changed survives a kill, and dates do not move when it is started again; a
 * customer's paths answer with that customer's own things only, and everything else is one and the same 404.
 */
import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { hashOf } from "../../src/kernel/canonical.ts";
import type { Clock } from "../../src/kernel/ports.ts";
import { breakConnection } from "../payments/connection.ts";
import { Books, tenantOf } from "./books.ts";
import { controlRoutes } from "./control.ts";
import { type ArmedFault, Faults } from "./faults.ts";
import type { Order, ShopReturn } from "./shapes.ts";
import type { WorldOrder } from "./tenants.ts";
import { buildWorld, type World } from "./world.ts";

export const SHOP_API_KEY = "shop_test_sandbox";
const SEED = 1042;
const BODY_BYTES_MAX = 65_536;
const KEY_CHARS_MAX = 255;

export interface SandboxShop {
  readonly app: Hono;
  readonly world: World;
  /** Ends requests that were left without an answer, and closes the books. */
  stop(): void;
}

export interface SandboxShopOptions {
  readonly clock: Clock;
  /** A file, or `:memory:`. */
  readonly storage: string;
  /** Of a new world; books that exist keep theirs. */
  readonly seed?: number;
  /** Customers more than the world's own. */
  readonly crowd?: number;
}

const newReturn = z.strictObject({
  reason: z.string().min(1).max(2_000),
  items: z
    .array(z.strictObject({ lineItemId: z.string().max(128), quantity: z.int().min(1).max(10_000) }))
    .min(1)
    .max(200),
});
const listLimit = z.coerce.number().int().min(1).max(100).default(50);

const NOT_FOUND = { code: "not_found", message: "There is nothing here for this customer." };

export function createSandboxShop({
  clock,
  storage,
  seed = SEED,
  crowd = 0,
}: SandboxShopOptions): SandboxShop {
  const books = new Books(storage, clock.now(), seed);
  const world = buildWorld({ startMs: books.startMs, seed: books.seed, crowd });
  const faults = new Faults();
  const stopping = new AbortController();
  const app = new Hono();

  const byId = new Map(world.customers.map((customer) => [`${customer.tenant}/${customer.id}`, customer]));
  const byEmail = Map.groupBy(world.customers, ({ tenant, email }) => `${tenant}/${email.toLowerCase()}`);
  const byCustomer = Map.groupBy(world.orders, ({ tenant, order }) => `${tenant}/${order.customerId}`);
  const ordersOf = (tenant: string, customer: string): readonly WorldOrder[] =>
    byCustomer.get(`${tenant}/${customer}`) ?? [];
  const findOrder = (tenant: string, customer: string, reference: string): WorldOrder | undefined =>
    ordersOf(tenant, customer).find(({ order }) => order.id === reference || order.number === reference);
  const shown = (entry: WorldOrder) => ({ tenant: entry.tenant, ...books.current(entry) });

  /** What a fault leaves of an answer: none, another one, or the same one late. */
  const struck = async (c: Context, armed: ArmedFault | null, answer: () => Response): Promise<Response> => {
    switch (armed?.fault) {
      case undefined:
        return answer();
      case "error_500":
      case "error_500_after_accept":
        return c.json({ code: "internal", message: "A fault that was asked for." }, 500);
      case "reset_after_accept":
        return breakConnection(c, "reset", stopping.signal);
      case "timeout_after_accept":
        return breakConnection(c, "silence", stopping.signal);
      case "slow":
        await clock.sleep(armed.delay_ms, stopping.signal);
        return answer();
    }
  };
  const read = (c: Context, answer: () => Response): Promise<Response> =>
    struck(c, faults.take("orders.read"), answer);

  app.use("/shop/*", bodyLimit({ maxSize: BODY_BYTES_MAX, onError: tooLarge }));
  app.use("/shop/v1/*", async (c, next) => {
    if (c.req.header("authorization") !== `Bearer ${SHOP_API_KEY}`) {
      return c.json({ code: "unauthorized", message: "Send the shop's key as a bearer token." }, 401);
    }
    await next();
  });

  /** As the shop saw it at the start: net of refunds, in its own currency. It hears of no later refund. */
  const withSpend = (found: (typeof world.customers)[number]) => ({
    ...found,
    lifetimeSpendMinor: ordersOf(found.tenant, found.id)
      .filter(({ charge }) => charge.currency === tenantOf(found.tenant).currency)
      .reduce(
        (sum, { charge }) =>
          sum + charge.capturedMinor - charge.refunds.reduce((a, refund) => a + refund.amountMinor, 0),
        0,
      ),
  });

  app.get("/shop/v1/:tenant/customers", (c) =>
    read(c, () => {
      const email = c.req.query("email")?.toLowerCase();
      if (email === undefined) return c.json({ code: "query_invalid", message: "email is missing." }, 400);
      const found = byEmail.get(`${c.req.param("tenant")}/${email}`) ?? [];
      return c.json({ customers: found.map(withSpend) });
    }),
  );

  app.get("/shop/v1/:tenant/customers/:customer", (c) =>
    read(c, () => {
      const { tenant, customer } = c.req.param();
      const found = byId.get(`${tenant}/${customer}`);
      return found === undefined ? c.json(NOT_FOUND, 404) : c.json(withSpend(found));
    }),
  );

  app.get("/shop/v1/:tenant/customers/:customer/orders", (c) =>
    read(c, () => {
      const { tenant, customer } = c.req.param();
      const limit = listLimit.safeParse(c.req.query("limit"));
      if (!limit.success) return c.json({ code: "query_invalid", message: "limit is from 1 to 100." }, 400);
      const newest = ordersOf(tenant, customer)
        .map(shown)
        .sort((a, b) => b.placedAt - a.placedAt || (a.id < b.id ? 1 : -1));
      return c.json({ orders: newest.slice(0, limit.data) });
    }),
  );

  app.get("/shop/v1/:tenant/customers/:customer/orders/:reference", (c) =>
    read(c, () => {
      const { tenant, customer, reference } = c.req.param();
      const found = findOrder(tenant, customer, reference);
      return found === undefined ? c.json(NOT_FOUND, 404) : c.json({ order: shown(found) });
    }),
  );

  app.get("/shop/v1/:tenant/customers/:customer/orders/:reference/returns", (c) =>
    read(c, () => {
      const { tenant, customer, reference } = c.req.param();
      const found = findOrder(tenant, customer, reference);
      return found === undefined ? c.json(NOT_FOUND, 404) : c.json({ returns: books.current(found).returns });
    }),
  );

  app.post("/shop/v1/:tenant/customers/:customer/orders/:reference/returns", async (c) => {
    const { tenant, customer, reference } = c.req.param();
    const body: unknown = await c.req.json().catch(() => null);
    // From here on nothing waits: looking for the key and keeping the return cannot be torn apart.
    const armed = faults.take("returns.create");
    if (armed?.fault === "error_500") return struck(c, armed, () => c.body(null));
    const found = findOrder(tenant, customer, reference);
    if (found === undefined) return c.json(NOT_FOUND, 404);
    const key = c.req.header("idempotency-key") ?? "";
    if (key === "" || key.length > KEY_CHARS_MAX) {
      return c.json({ code: "key_missing", message: "Send an Idempotency-Key of 1 to 255 characters." }, 400);
    }
    const wanted = newReturn.safeParse(body);
    if (!wanted.success) {
      return c.json({ code: "body_invalid", message: z.prettifyError(wanted.error) }, 400);
    }
    const bodyHash = hashOf(wanted.data);
    const prior = books.createdUnder(tenant, key);
    if (prior !== null) {
      // Another order's key is another body: the return of one customer is never shown to another.
      return prior.bodyHash === bodyHash && prior.orderId === found.order.id
        ? struck(c, armed, () => c.json({ return: prior.shopReturn }))
        : c.json({ code: "key_reused", message: "This key was used for another return." }, 409);
    }
    const refusal = refuse(books.current(found), wanted.data.items);
    if (refusal !== null) return c.json(refusal, 422);
    const shopReturn = makeReturn(tenant, key, wanted.data, clock.now());
    books.create(tenant, key, { orderId: found.order.id, bodyHash, shopReturn });
    return struck(c, armed, () => c.json({ return: shopReturn }, 201));
  });

  app.route("/", controlRoutes({ books, world, faults, clock }));

  return {
    app,
    world,
    stop() {
      stopping.abort();
      books.close();
    },
  };
}

const tooLarge = (c: Context): Response =>
  c.json({ code: "body_too_large", message: `A body has at most ${BODY_BYTES_MAX} bytes.` }, 413);

function makeReturn(
  tenant: string,
  key: string,
  wanted: z.infer<typeof newReturn>,
  createdAt: number,
): ShopReturn {
  const id = `ret_${createHash("sha256").update(`${tenant}/${key}`).digest("hex").slice(0, 16)}`;
  return {
    id,
    state: "open",
    reason: wanted.reason,
    createdAt,
    items: wanted.items,
    idempotencyKey: key,
    instructions:
      "Pack the items well, print the label, and hand the parcel in at any drop-off point within 14 days.",
    labelUrl: `https://returns.example/${id}`,
  };
}

/** Units on their way back or back already, and those asked for, are never more than have left the warehouse. */
function refuse(
  order: Order,
  items: readonly { lineItemId: string; quantity: number }[],
): { code: string; message: string } | null {
  const unitsOf = (list: readonly { lineItemId: string; quantity: number }[], lineItemId: string): number =>
    list.filter((item) => item.lineItemId === lineItemId).reduce((sum, item) => sum + item.quantity, 0);
  const gone = order.returns.filter((entry) => entry.state !== "cancelled").flatMap((entry) => entry.items);
  for (const { lineItemId } of items) {
    const line = order.lineItems.find((candidate) => candidate.id === lineItemId);
    if (line === undefined) {
      return { code: "item_not_found", message: `The order has no item ${lineItemId}.` };
    }
    const free = line.fulfilledQuantity - unitsOf(gone, lineItemId);
    if (unitsOf(items, lineItemId) > free) {
      return { code: "nothing_left_to_return", message: `${line.title}: ${free} can be returned.` };
    }
  }
  return null;
}
