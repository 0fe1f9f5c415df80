/** Operators: the queue of reviews, claims, decisions and their undoing. */
import type { ErrorCode } from "../../kernel/errors.ts";
import type { HttpParts } from "./parts.ts";
import * as shapes from "./review-schemas.ts";
import { type Route, route } from "./route.ts";
import { EXAMPLE } from "./schemas.ts";

const REVIEWS_SHOWN = 50;

const itemExample = {
  review_id: EXAMPLE.review,
  kind: "approval",
  state: "open",
  version: 1,
  reason: "amount_over_limit",
  priority: "normal",
  conversation_id: EXAMPLE.conversation,
  customer_id: "ada",
  language: "en",
  action_id: EXAMPLE.action,
  args_hash: EXAMPLE.argsHash,
  order_number: "1042",
  amount: "113.00",
  currency: "USD",
  sla: { due_at: EXAMPLE.at, left_ms: 2_400_000, running: true, overdue: false },
  claim: null,
  approvals_needed: 1,
  first_approval: null,
  asked: null,
  decision: null,
  undo_until: null,
  created_at: EXAMPLE.at,
  expires_at: EXAMPLE.at,
};

export const reviewExample = {
  ...itemExample,
  changes: [],
  rules: [
    {
      clause_id: "unattended-amount",
      title: "Larger refunds",
      text: "Refunds above 100.00 USD are approved by a colleague.",
      result: "needs_person",
      inputs: [
        { name: "request.amountMinor", value: 11_300 },
        { name: "limits.unattendedMaxMinor", value: 10_000 },
      ],
    },
  ],
  signals: [{ signal: "refunds_before", count: 2, amount: "48.00", currency: "USD" }],
  draft_reply: "Refunds of this size are approved by a colleague.",
  tenant_currency: "USD",
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
};

const decidedExample = {
  ...reviewExample,
  state: "decided",
  version: 2,
  decision: {
    decision_id: "b1946ac9-2492-4d23-b1f8-9a3c1b7a0002",
    decision: "approve",
    decided_by: "olivia@northwind.example",
    at: EXAMPLE.at,
    note: null,
    amount: null,
  },
  undo_until: EXAMPLE.at,
};

/** What is there now, for whoever decides on something else. */
const CONFLICTS: readonly ErrorCode[] = [
  "already_decided",
  "review_changed",
  "review_expired",
  "review_claimed",
];

export function reviewRoutes({ reviews }: HttpParts): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/reviews",
        access: "operator",
        permission: "reviews.read",
        operationId: "listReviews",
        tag: "Operators",
        summary: "The queue: what waits for a person, soonest due first",
        query: shapes.reviewQuery,
        answers: {
          200: {
            description: "Reviews, without their packets.",
            schema: shapes.reviewPage,
            example: { reviews: [itemExample], next_cursor: null },
          },
        },
        problems: ["cursor_unknown"],
      },
      async ({ operator, query }) => ({
        status: 200,
        json: await reviews.queue(
          operator.scope,
          {
            state: query.state ?? "open",
            limit: query.limit ?? REVIEWS_SHOWN,
            ...(query.kind === undefined ? {} : { kind: query.kind }),
            ...(query.priority === undefined ? {} : { priority: query.priority }),
            ...(query.reason === undefined ? {} : { reason: query.reason }),
            ...(query.language === undefined ? {} : { language: query.language }),
            ...(query.customer_id === undefined ? {} : { customerId: query.customer_id }),
            ...(query.order_number === undefined ? {} : { orderNumber: query.order_number }),
            ...(query.conversation_id === undefined ? {} : { conversationId: query.conversation_id }),
            ...(query.claim === undefined ? {} : { claim: query.claim }),
            ...(query.overdue === undefined ? {} : { overdue: true }),
            ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
          },
          operator.operator,
        ),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/review-counts",
        access: "operator",
        permission: "reviews.read",
        operationId: "countReviews",
        tag: "Operators",
        summary: "How much waits, by kind, priority and reason",
        answers: {
          200: {
            description: "Of reviews that are open or wait for the customer.",
            schema: shapes.reviewCounts,
            example: {
              open: 12,
              waiting: 1,
              overdue: 2,
              unclaimed: 9,
              mine: 1,
              by_kind: { approval: 8, handoff: 4, uncertain: 1 },
              by_priority: { urgent: 1, high: 2, normal: 10, low: 0 },
              by_reason: {
                amount_over_limit: 6,
                approval_needed: 2,
                asked_for_person: 4,
                outcome_uncertain: 1,
              },
            },
          },
        },
      },
      async ({ operator }) => ({
        status: 200,
        json: await reviews.counts(operator.scope, operator.operator),
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
        path: "/v1/operator/reviews/{review_id}/claim",
        access: "operator",
        permission: "reviews.decide",
        operationId: "claimReview",
        tag: "Operators",
        summary: "Take a review to work on, or renew your claim",
        description: "Others see who has it and cannot decide it. It frees itself when it is not renewed.",
        params: shapes.reviewParams,
        answers: {
          200: {
            description: "Yours.",
            schema: shapes.review,
            example: { ...reviewExample, claim: { by: "olivia@northwind.example", until: EXAMPLE.at } },
          },
        },
        problems: CONFLICTS,
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await reviews.claim(operator.scope, params.review_id, operator.operator),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/reviews/{review_id}/release",
        access: "operator",
        permission: "reviews.decide",
        operationId: "releaseReview",
        tag: "Operators",
        summary: "Give up your claim",
        params: shapes.reviewParams,
        answers: {
          200: { description: "Not yours (any more).", schema: shapes.review, example: reviewExample },
        },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await reviews.release(operator.scope, params.review_id, operator.operator),
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
          "A decision holds for the arguments and the version that you saw. Whatever has changed since (another decision, the customer, the order, the policy) gets a 409 that says what is there now and which fields changed, not an effect. It takes effect once it can no longer be undone (`undo_until`). To resolve an uncertain outcome, the provider is asked again and what it shows counts; while it cannot be asked, nothing is decided.",
        params: shapes.reviewParams,
        body: shapes.decisionBody,
        bodyExample: {
          decision: "approve",
          decision_id: "b1946ac9-2492-4d23-b1f8-9a3c1b7a0002",
          args_hash: EXAMPLE.argsHash,
          version: 1,
        },
        answers: { 200: { description: "Decided.", schema: shapes.review, example: decidedExample } },
        problems: [
          ...CONFLICTS,
          "second_person_needed",
          "decision_id_reused",
          "decision_not_permitted",
          "decision_invalid",
          "text_withheld",
          "shop_unavailable",
          "provider_unavailable",
        ],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: await reviews.decide(operator.scope, params.review_id, {
          decision: body.decision,
          argsHash: body.args_hash ?? null,
          version: body.version,
          note: body.note === undefined || body.note === "" ? null : body.note,
          operator: operator.operator,
          amount: body.amount ?? null,
          isPerson: operator.by !== "key",
          mayDecideLarge: operator.permissions.has("reviews.decide_large"),
          ...(body.decision_id === undefined ? {} : { decisionId: body.decision_id }),
        }),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/reviews/{review_id}/undo",
        access: "operator",
        permission: "reviews.decide",
        operationId: "undoDecision",
        tag: "Operators",
        summary: "Take a decision back before it takes effect",
        description:
          "Nothing is reversed: until `undo_until` nothing has been done. The review is open again.",
        params: shapes.reviewParams,
        body: shapes.undoBody,
        bodyExample: { decision_id: "b1946ac9-2492-4d23-b1f8-9a3c1b7a0002" },
        answers: {
          200: {
            description: "Open again, at a new version.",
            schema: shapes.review,
            example: { ...reviewExample, version: 3 },
          },
        },
        problems: ["undo_too_late"],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: await reviews.undo(operator.scope, params.review_id, {
          decisionId: body.decision_id,
          operator: operator.operator,
        }),
      }),
    ),
  ];
}
