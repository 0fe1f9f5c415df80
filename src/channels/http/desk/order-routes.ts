/** Operators: the order that a review is about, as it is now. */
import { z } from "@hono/zod-openapi";
import type { Desk } from "../../../operators/desk/desk.ts";
import { reviewParams } from "../review-schemas.ts";
import { type Route, route } from "../route.ts";
import { EXAMPLE } from "../schemas.ts";

const amount = z.string().openapi({ description: "Decimal text in `currency`.", example: "113.00" });
export const order = z
  .object({
    order_number: z.string(),
    state: z.enum(["unfulfilled", "partly_fulfilled", "in_transit", "delivered", "cancelled"]),
    placed_at: z.iso.datetime(),
    currency: z.string(),
    paid: amount,
    refunded: amount,
    pending: amount.openapi({
      description: "Held by actions whose outcome is not final, the one to be decided among them.",
    }),
    refundable: amount,
    gift: z.boolean(),
    disputed: z.boolean(),
    items: z.array(
      z.object({
        title: z.string(),
        quantity: z.int(),
        paid: amount,
        final_sale: z.boolean(),
        refundable_units: z.int(),
      }),
    ),
    parcels: z.array(
      z.object({ state: z.string(), carrier: z.string(), delivered_at: z.iso.datetime().nullable() }),
    ),
  })
  .openapi("ReviewedOrder");

export const deskOrderRoutes = (desk: Desk): Route[] => [
  route(
    {
      method: "get",
      path: "/v1/operator/reviews/{review_id}/order",
      access: "operator",
      permission: "reviews.read",
      operationId: "getReviewedOrder",
      tag: "Operators",
      summary: "See the order that a review is about: its units, and what can still be refunded",
      description: "As shop, provider and ledger have it now.",
      params: reviewParams,
      answers: {
        200: {
          description: "The order.",
          schema: order,
          example: {
            order_number: "1042",
            state: "delivered",
            placed_at: EXAMPLE.at,
            currency: "USD",
            paid: "113.00",
            refunded: "0.00",
            pending: "113.00",
            refundable: "0.00",
            gift: false,
            disputed: false,
            items: [
              { title: "Trail jacket", quantity: 1, paid: "89.00", final_sale: false, refundable_units: 0 },
            ],
            parcels: [{ state: "delivered", carrier: "Northeast Parcel", delivered_at: EXAMPLE.at }],
          },
        },
      },
      problems: ["not_found", "shop_unavailable", "provider_unavailable"],
    },
    async ({ operator, params }) => ({
      status: 200,
      json: await desk.reviewedOrder(operator.scope, params.review_id),
    }),
  ),
];
