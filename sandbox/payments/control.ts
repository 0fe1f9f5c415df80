/** `/sandbox/*`: what a person or a test tells the payment server to do, and what it holds. */
import { type Context, Hono } from "hono";
import type { Faults } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import type { Refund } from "./shapes.ts";

export interface ControlParts {
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly outage: { down: boolean };
  /** The bank sends a refund's money back. */
  readonly failRefund: (id: string) => Refund;
}

export function controlRoutes({ ledger, faults, outage, failRefund }: ControlParts): Hono {
  const app = new Hono();
  const json = (c: Context): Promise<unknown> => c.req.json().catch(() => null);

  app.post("/sandbox/faults", async (c) => {
    const problem = faults.arm(await json(c));
    return problem === null ? c.json({ faults: faults.list() }) : c.json({ error: problem }, 400);
  });
  app.get("/sandbox/faults", (c) => c.json({ faults: faults.list() }));
  /** Everything works again: faults are forgotten and an outage ends. */
  app.delete("/sandbox/faults", (c) => {
    faults.clear();
    outage.down = false;
    return c.json({ faults: [] });
  });
  /** While it is down, the connection of every API call is reset. */
  app.post("/sandbox/outage", async (c) => {
    const { down } = ((await json(c)) ?? {}) as { down?: unknown };
    if (typeof down !== "boolean")
      return c.json({ error: '`down` must be true or false: {"down":true}.' }, 400);
    outage.down = down;
    return c.json({ down });
  });
  app.post("/sandbox/refunds/:id/fail", (c) => {
    const id = c.req.param("id");
    if (ledger.refund(id) === null) return c.json({ error: `there is no refund ${id}.` }, 404);
    return c.json(failRefund(id));
  });
  app.get("/sandbox/state", (c) =>
    c.json({ ...ledger.counts(), down: outage.down, faults: faults.list().length }),
  );
  return app;
}
