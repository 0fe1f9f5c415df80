import { z } from "zod";
import { ProblemError } from "../kernel/errors.ts";
import { viewOrders } from "./order-reading.ts";
import type { ReadTool } from "./tool.ts";

/** An order ID or number as people write it: `ord_…`, `1042`, `#1042`. */
export const orderReference = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^#?[\w-]+$/)
  .transform((text) => text.replace(/^#/, ""));

const schema = z.strictObject({ order_id: orderReference });

export const getOrderStatus: ReadTool<z.infer<typeof schema>> = {
  name: "get_order_status",
  description:
    "One order of this customer: state, items, deliveries with tracking, amounts paid, refunded and refundable.",
  schema,
  effect: "none",
  assurance: "email_verified",
  async read(context, parts, args) {
    const order = await parts.orders.find(context.scope, args.order_id, context.signal);
    if (order === null) throw new ProblemError("order_not_found");
    const [view] = await viewOrders(context, parts, [order], 1);
    return { order: view };
  },
};
