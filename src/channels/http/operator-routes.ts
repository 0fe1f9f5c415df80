/** Operators: the queue of reviews and decisions on them. */
import type { HttpParts } from "./parts.ts";
import { type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";

const REVIEWS_SHOWN = 50;

const reviewExample = {
  review_id: EXAMPLE.review,
  kind: "approval",
  state: "open",
  version: 1,
  reason: "The refund is above 100.00 USD.",
  conversation_id: EXAMPLE.conversation,
  customer_id: "ada",
  action_id: EXAMPLE.action,
  args_hash: EXAMPLE.argsHash,
  packet: {
    customer: "ada, customer since 2024",
    issue: "Wants her money back for order #1042.",
    tried: ["Checked the return window: 6 of 30 days."],
    recommended: "Approve: within the window, the amount is what was paid.",
    clauses: [
      {
        clause_id: "refund.limit",
        title: "Large refunds",
        text: "A person approves refunds above 100.00 USD.",
        policy: "northwind-refunds",
        version: "2026-01",
      },
    ],
    facts: { daysSinceDelivery: 6 },
    amount: "113.00 USD",
    order_number: "1042",
    transcript: [{ author: "customer", text: "Please refund order #1042.", at: EXAMPLE.at }],
  },
  decision: null,
  created_at: EXAMPLE.at,
  expires_at: EXAMPLE.at,
};

export function operatorRoutes({ reviews }: HttpParts): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/reviews",
        access: "operator",
        permission: "reviews.read",
        operationId: "listReviews",
        tag: "Operators",
        summary: "List reviews, oldest first",
        query: shapes.reviewQuery,
        answers: {
          200: { description: "Reviews.", schema: shapes.reviewList, example: { reviews: [reviewExample] } },
        },
      },
      async ({ operator, query }) => ({
        status: 200,
        json: {
          reviews: await reviews.list(operator.scope, {
            state: query.state ?? "open",
            limit: query.limit ?? REVIEWS_SHOWN,
          }),
        },
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/reviews/{review_id}",
        access: "operator",
        permission: "reviews.read",
        operationId: "getReview",
        tag: "Operators",
        summary: "See everything needed to decide",
        params: shapes.reviewParams,
        answers: { 200: { description: "The review.", schema: shapes.review, example: reviewExample } },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await reviews.view(operator.scope, params.review_id),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/reviews/{review_id}/decision",
        access: "operator",
        permission: "reviews.decide",
        operationId: "decideReview",
        tag: "Operators",
        summary: "Decide a review, once",
        description:
          "An approval holds for the arguments and the version that you saw. Whatever has changed since gets a 409, not an effect.",
        params: shapes.reviewParams,
        body: shapes.decisionBody,
        bodyExample: { decision: "approve", args_hash: EXAMPLE.argsHash, version: 1 },
        answers: {
          200: {
            description: "Decided.",
            schema: shapes.review,
            example: {
              ...reviewExample,
              state: "decided",
              version: 2,
              decision: { decision: "approve", decided_by: "operator", at: EXAMPLE.at, note: null },
            },
          },
        },
        problems: ["already_decided", "review_changed", "review_expired", "decision_invalid"],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: await reviews.decide(operator.scope, params.review_id, {
          decision: body.decision,
          argsHash: body.args_hash ?? null,
          version: body.version,
          note: body.note === undefined || body.note === "" ? null : body.note,
          operator: operator.operator,
        }),
      }),
    ),
  ];
}
