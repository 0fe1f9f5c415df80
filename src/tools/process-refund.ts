import { z } from "zod";
import { orderReference } from "./get-order-status.ts";
import type { EffectTool } from "./tool.ts";

/** Items by line: the next units of each line that can still be taken. */
export const itemList = z
  .array(z.strictObject({ line_item_id: z.string().min(1).max(64), quantity: z.int().min(1).max(10_000) }))
  .min(1)
  .max(100);

export const refundArguments = z.strictObject({
  order_id: orderReference,
  /** Decimal text in the order's currency: never a number, which would have passed through floating point. */
  amount: z.string().min(1).max(20),
  items: itemList.optional(),
});
export type RefundArguments = z.infer<typeof refundArguments>;

export const processRefund: EffectTool<RefundArguments> = {
  name: "process_refund",
  description:
    "Refund items, or all that is left, of an order of this customer. The amount must be exactly what the items were paid. The customer is asked for a yes first.",
  schema: refundArguments,
  effect: "refund",
  assurance: "email_verified",
};
