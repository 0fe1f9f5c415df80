/**
 * What the sandbox's shop may answer, and nothing else. Beyond shapes, what the rest of the product
 * counts on holds for an order that passes: amounts are not negative, a discount is not more than its
 * line, no more units left than were ordered, line IDs are unique and everything refers to one of them.
 */
import { z } from "zod";

const QUANTITY_MAX = 10_000;

const amount = z.int().min(0);
const instant = z.int();
const id = z.string().min(1).max(128);
const items = z.array(z.object({ lineItemId: id, quantity: z.int().min(1).max(QUANTITY_MAX) })).max(1_000);

export const shopReturn = z.object({
  id,
  state: z.enum(["open", "in_transit", "received", "closed", "cancelled"]),
  reason: z.string(),
  createdAt: instant,
  items,
  idempotencyKey: z.string().nullable(),
  instructions: z.string(),
  labelUrl: z.string().nullable(),
});

const lineItem = z
  .object({
    id,
    title: z.string(),
    sku: z.string(),
    quantity: z.int().min(1).max(QUANTITY_MAX),
    unitPriceMinor: amount,
    discountMinor: amount,
    taxMinor: amount,
    finalSale: z.boolean(),
    fulfilledQuantity: z.int().min(0),
  })
  .refine((line) => line.discountMinor <= line.unitPriceMinor * line.quantity, "discounted below nothing")
  .refine((line) => line.fulfilledQuantity <= line.quantity, "more units left than were ordered");

const fulfilment = z.object({
  id,
  state: z.enum(["label_created", "in_transit", "out_for_delivery", "delivered", "delivery_failed"]),
  carrier: z.string(),
  trackingNumber: z.string(),
  trackingUrl: z.string().nullable(),
  estimatedDeliveryAt: instant.nullable(),
  deliveredAt: instant.nullable(),
  items,
  events: z
    .array(z.object({ at: instant, description: z.string(), location: z.string().nullable() }))
    .max(1_000),
});

/** An order with the tenant that it says it belongs to. */
export const tenantOrder = z
  .object({
    tenant: id,
    id,
    number: z.string().regex(/^\d{1,32}$/),
    customerId: id,
    currency: z.string().regex(/^[A-Z]{3}$/),
    placedAt: instant,
    cancelledAt: instant.nullable(),
    lineItems: z.array(lineItem).min(1).max(1_000),
    shippingMinor: amount,
    shippingTaxMinor: amount,
    totalMinor: amount,
    gift: z.boolean(),
    note: z.string(),
    fulfilments: z.array(fulfilment).max(1_000),
    returns: z.array(shopReturn).max(1_000),
    chargeId: id.nullable(),
  })
  .refine(({ lineItems, fulfilments, returns }) => {
    const lines = new Set(lineItems.map((line) => line.id));
    const named = [...fulfilments, ...returns].flatMap((entry) => entry.items);
    return lines.size === lineItems.length && named.every((item) => lines.has(item.lineItemId));
  }, "items do not refer to its lines");

export const tenantCustomer = z.object({
  tenant: id,
  id,
  name: z.string(),
  email: z.string(),
  lifetimeSpendMinor: z.int(),
});

/** A refusal in the shop's own words. Without it an answer may be anybody's who stands in between. */
export const refusal = z.object({
  code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  message: z.string().max(1_000).default("The shop refused."),
});
