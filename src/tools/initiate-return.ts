import { z } from "zod";
import { orderReference } from "./get-order-status.ts";
import { itemList } from "./process-refund.ts";
import type { EffectTool } from "./tool.ts";

export const returnArguments = z.strictObject({
  order_id: orderReference,
  reason: z.string().trim().min(1).max(500),
  items: itemList.optional(),
});
export type ReturnArguments = z.infer<typeof returnArguments>;

export const initiateReturn: EffectTool<ReturnArguments> = {
  name: "initiate_return",
  description:
    "Register a return of items (or everything that can be returned) of an order of this customer. The customer is asked for a yes first.",
  schema: returnArguments,
  effect: "return",
  assurance: "email_verified",
};
