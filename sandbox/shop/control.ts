/** `/shop/sandbox/*`: what a person or a test changes in the shop, and the faults it is told to have. */
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../../src/kernel/ports.ts";
import { type Books, type Edit, tenantOf } from "./books.ts";
import type { Faults } from "./faults.ts";
import { localInstant } from "./making.ts";
import type { World } from "./world.ts";

export interface ControlParts {
  readonly books: Books;
  readonly world: World;
  readonly faults: Faults;
  readonly clock: Clock;
}

const orderChange = z.strictObject({
  note: z.string().max(10_000).optional(),
  gift: z.boolean().optional(),
  cancelled: z.boolean().optional(),
  /** Calendar days before today, in the shop's time zone. */
  deliveredDaysAgo: z.int().min(0).max(3_650).optional(),
});
const returnChange = z.strictObject({
  state: z.enum(["open", "in_transit", "received", "closed", "cancelled"]),
});

export function controlRoutes({ books, world, faults, clock }: ControlParts): Hono {
  const app = new Hono();
  const json = (c: Context): Promise<unknown> => c.req.json().catch(() => null);
  const refused = (c: Context, error: z.ZodError) =>
    c.json({ code: "body_invalid", message: z.prettifyError(error) }, 400);

  app.post("/shop/sandbox/orders/:id", async (c) => {
    const found = world.orders.find(({ order }) => order.id === c.req.param("id"));
    if (found === undefined) return c.json({ code: "not_found" }, 404);
    const parsed = orderChange.safeParse(await json(c));
    if (!parsed.success) return refused(c, parsed.error);
    const { note, gift, cancelled, deliveredDaysAgo } = parsed.data;
    const nowMs = clock.now();
    const change: Edit = {
      ...(note === undefined ? {} : { note }),
      ...(gift === undefined ? {} : { gift }),
      ...(cancelled === undefined ? {} : { cancelledAt: cancelled ? nowMs : null }),
      ...(deliveredDaysAgo === undefined
        ? {}
        : {
            deliveredAt: Math.min(nowMs, localInstant(tenantOf(found.tenant), nowMs, deliveredDaysAgo, 14)),
          }),
    };
    books.edit(found.order.id, change);
    return c.json({ order: books.current(found) });
  });

  app.post("/shop/sandbox/returns/:id", async (c) => {
    const id = c.req.param("id");
    const among = world.orders.find((entry) => books.current(entry).returns.some((made) => made.id === id));
    if (among === undefined) return c.json({ code: "not_found" }, 404);
    const parsed = returnChange.safeParse(await json(c));
    if (!parsed.success) return refused(c, parsed.error);
    books.setReturnState(id, parsed.data.state);
    return c.json({ return: books.current(among).returns.find((made) => made.id === id) });
  });

  app.post("/shop/sandbox/faults", async (c) => {
    const problem = faults.arm(await json(c));
    return problem === null
      ? c.json({ faults: faults.list() })
      : c.json({ code: "fault_unknown", message: problem }, 400);
  });
  app.get("/shop/sandbox/faults", (c) => c.json({ faults: faults.list() }));
  app.delete("/shop/sandbox/faults", (c) => {
    faults.clear();
    return c.json({ faults: [] });
  });
  return app;
}
