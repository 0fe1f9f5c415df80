/** Visitors: a token before anybody signs in, and their conversation afterwards. */
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { HttpParts } from "./parts.ts";
import { RateLimiter } from "./rate-limits.ts";
import { type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";
import type { Visitors } from "./visitors.ts";

export function visitorRoutes({ conversations, clock, limits }: HttpParts, visitors: Visitors): Route[] {
  const { visitorsPerTenantBurst, visitorsPerTenantPerSecond, rateLimitBuckets } = { ...LIMITS, ...limits };
  const newcomers = new RateLimiter(
    { name: "visitors", burst: visitorsPerTenantBurst, perSecond: visitorsPerTenantPerSecond },
    rateLimitBuckets,
  );
  return [
    route(
      {
        method: "post",
        path: "/v1/visitors",
        access: "public",
        operationId: "newVisitor",
        tag: "Conversations",
        summary: "Chat without signing in",
        description:
          "The token opens conversations; orders and money need a token that the merchant signed. The shop's widget asks for it.",
        body: shapes.visitorBody,
        bodyExample: { tenant: "northwind" },
        answers: {
          200: {
            description: "A token for a visitor.",
            schema: shapes.visitor,
            example: {
              token: "eyJhbGciOiJIUzI1NiJ9.e30.signature",
              visitor_id: "visitor_0f3a",
              expires_at: EXAMPLE.at,
            },
          },
        },
        problems: ["not_found", "rate_limited"],
      },
      async ({ body }) => {
        const taken = newcomers.take(body.tenant, clock.now());
        if (!taken.allowed) {
          throw new ProblemError("rate_limited", "Too many new visitors at once.", {
            retryAfterMs: taken.retryAfterMs,
          });
        }
        const minted = await visitors.mint(body.tenant, body.token ?? null);
        if (minted === null) throw new ProblemError("not_found", "There is no such tenant here.");
        return { status: 200, json: minted };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/conversations/{conversation_id}/adopt",
        access: "customer",
        operationId: "adoptConversation",
        tag: "Conversations",
        summary: "Take along what was said before signing in",
        params: shapes.conversationParams,
        body: shapes.adoptBody,
        bodyExample: { visitor_token: "eyJhbGciOiJIUzI1NiJ9.e30.signature" },
        answers: {
          200: {
            description: "It is yours. Repeated, it is answered the same.",
            schema: shapes.opened,
            example: { conversation_id: EXAMPLE.conversation },
          },
        },
        problems: ["conversation_busy"],
      },
      async ({ customer, params, body }) => {
        const { scope } = customer;
        const visitor = await visitors.verify(scope.tenantId, body.visitor_token);
        if (visitor === null) throw new ProblemError("not_found");
        await conversations.adopt(scope, params.conversation_id, visitor);
        return { status: 200, json: { conversation_id: params.conversation_id } };
      },
    ),
  ];
}
