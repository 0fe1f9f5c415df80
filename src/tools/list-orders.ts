import { z } from "zod";
import { viewOrders } from "./order-reading.ts";
import type { ReadTool } from "./tool.ts";

/** The newest orders whose charge is read at the provider; older ones show what shop and ledger know. */
const CHARGES_READ = 10;

const schema = z.strictObject({ with_payments: z.boolean().default(false) });

export const listOrders: ReadTool<z.infer<typeof schema>> = {
  name: "list_orders",
  description:
    "All orders of this customer, newest first. with_payments: also ask the payment provider what it holds of the newest ones; needed before anything is said of money, not for where an order is.",
  schema,
  effect: "none",
  assurance: "email_verified",
  async read(context, parts, args) {
    return {
      orders: await viewOrders(
        context,
        parts,
        await parts.orders.list(context.scope, context.signal),
        args.with_payments ? CHARGES_READ : 0,
      ),
    };
  },
};
