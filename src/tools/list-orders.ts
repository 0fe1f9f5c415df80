import { z } from "zod";
import { viewOrders } from "./order-reading.ts";
import type { ReadTool } from "./tool.ts";

const schema = z.strictObject({});

export const listOrders: ReadTool<z.infer<typeof schema>> = {
  name: "list_orders",
  description: "All orders of this customer, newest first.",
  schema,
  effect: "none",
  assurance: "email_verified",
  async read(context, parts) {
    return {
      orders: await viewOrders(context, parts, await parts.orders.list(context.scope, context.signal)),
    };
  },
};
