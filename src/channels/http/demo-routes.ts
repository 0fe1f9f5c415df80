/**
 * What only the demo has: tokens for its people, the shop that the storefront shows, and the faults of the
 * sandbox's provider. Outside the demo none of these routes exists.
 */
import { z } from "@hono/zod-openapi";
import { ProblemError } from "../../kernel/errors.ts";
import type { CustomerScope } from "../../kernel/scope.ts";
import type { DemoTokens } from "./parts.ts";
import { type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";

/** Faults that a person may try, in words of the provider's sandbox. */
export const DEMO_FAULTS = [
  "timeout_after_accept",
  "timeout_before_accept",
  "reset_after_accept",
  "error_500_before_accept",
  "rate_limited",
  "declined",
  "pending_then_succeeded",
  "pending_then_failed",
  "outage",
] as const;
export type DemoFault = (typeof DEMO_FAULTS)[number];

export interface DemoPerson {
  readonly customer: string;
  readonly name: string;
  readonly tenant: string;
  /** What they have, for who looks around. */
  readonly has: string;
}

export interface DemoOrder {
  readonly number: string;
  readonly placed_at: string;
  readonly currency: string;
  /** Decimal text. */
  readonly total: string;
  readonly state: string;
  readonly items: readonly { readonly title: string; readonly quantity: number; readonly total: string }[];
  readonly tracking: {
    readonly carrier: string;
    readonly number: string;
    readonly url: string | null;
  } | null;
  /** As the payment provider has them, whoever made them. */
  readonly refunds: readonly { readonly amount: string; readonly state: string }[];
}

export interface DemoShop {
  readonly people: readonly DemoPerson[];
  readonly shops: readonly { readonly tenant: string; readonly name: string }[];
  orders(scope: CustomerScope): Promise<readonly DemoOrder[]>;
  /** What the provider will do wrong; null: what it does wrong now is all there is to ask. */
  faults(wanted: DemoFault | "none" | null): Promise<readonly string[]>;
}

const person = z.object({ customer: z.string(), name: z.string(), tenant: z.string(), has: z.string() });
const people = z
  .object({ shops: z.array(z.object({ tenant: z.string(), name: z.string() })), people: z.array(person) })
  .openapi("DemoPeople");
const orders = z
  .object({
    orders: z.array(
      z.object({
        number: z.string(),
        placed_at: z.string(),
        currency: z.string(),
        total: z.string(),
        state: z.string(),
        items: z.array(z.object({ title: z.string(), quantity: z.int(), total: z.string() })),
        tracking: z
          .object({ carrier: z.string(), number: z.string(), url: z.string().nullable() })
          .nullable(),
        refunds: z.array(z.object({ amount: z.string(), state: z.string() })),
      }),
    ),
  })
  .openapi("DemoOrders");
const faultList = z.object({ faults: z.array(z.string()) }).openapi("DemoFaults");
const faultBody = z.strictObject({ fault: z.enum([...DEMO_FAULTS, "none"]) }).openapi("DemoFault");

export function demoRoutes(tokens: DemoTokens, shop: DemoShop | undefined): Route[] {
  const only = "Exists in the demo only.";
  const minting = route(
    {
      method: "post",
      path: "/demo/token",
      access: "public",
      operationId: "demoToken",
      tag: "Demo",
      summary: "Become a customer of the demo",
      description: only,
      body: shapes.demoTokenBody,
      bodyExample: { customer: "ada" },
      answers: {
        200: {
          description: "A token for the API.",
          schema: shapes.demoToken,
          example: {
            token: "eyJhbGciOiJIUzI1NiJ9.e30.signature",
            customer_id: "ada",
            tenant: "northwind",
            expires_at: EXAMPLE.at,
          },
        },
      },
      problems: ["not_found"],
    },
    async ({ body }) => {
      const minted = await tokens.mint(body.customer, body.tenant);
      if (minted === null) {
        throw new ProblemError("not_found", "The demo has no such customer.", {
          next: "Try ada, ben, cleo, dev or eve.",
        });
      }
      return { status: 200, json: minted };
    },
  );
  if (shop === undefined) return [minting];
  return [
    minting,
    route(
      {
        method: "get",
        path: "/demo/people",
        access: "public",
        operationId: "demoPeople",
        tag: "Demo",
        summary: "The demo's people and shops",
        description: only,
        answers: {
          200: {
            description: "Who can be tried.",
            schema: people,
            example: {
              shops: [{ tenant: "northwind", name: "Northwind Outfitters" }],
              people: [{ customer: "eve", name: "Eve Sandoval", tenant: "northwind", has: "no orders" }],
            },
          },
        },
      },
      () => ({ status: 200, json: { shops: shop.shops, people: shop.people } }),
    ),
    route(
      {
        method: "get",
        path: "/demo/orders",
        access: "customer",
        operationId: "demoOrders",
        tag: "Demo",
        summary: "A demo customer's orders, with what the provider has refunded",
        description: only,
        answers: {
          200: { description: "Newest first.", schema: orders, example: { orders: [] } },
        },
        problems: ["shop_unavailable", "provider_unavailable"],
      },
      async ({ customer }) => ({ status: 200, json: { orders: await shop.orders(customer.scope) } }),
    ),
    route(
      {
        method: "get",
        path: "/demo/faults",
        access: "public",
        operationId: "demoFaults",
        tag: "Demo",
        summary: "What the sandbox's provider does wrong",
        description: only,
        answers: { 200: { description: "Faults to come.", schema: faultList, example: { faults: [] } } },
        problems: ["provider_unavailable"],
      },
      async () => ({ status: 200, json: { faults: await shop.faults(null) } }),
    ),
    route(
      {
        method: "post",
        path: "/demo/faults",
        access: "public",
        operationId: "demoFaultWanted",
        tag: "Demo",
        summary: "Let the sandbox's provider do something wrong with the next refund",
        description: `${only} \`outage\` lasts until \`none\`, which ends every fault.`,
        body: faultBody,
        bodyExample: { fault: "timeout_after_accept" },
        answers: {
          200: {
            description: "Faults to come.",
            schema: faultList,
            example: { faults: ["timeout_after_accept"] },
          },
        },
        problems: ["provider_unavailable"],
      },
      async ({ body }) => ({ status: 200, json: { faults: await shop.faults(body.fault) } }),
    ),
  ];
}
