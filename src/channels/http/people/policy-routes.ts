/** The API for the policy: read its versions, try a text, publish it. */
import { LIMITS } from "../../../kernel/limits.ts";
import type { Policies } from "../../../operators/policies/policies.ts";
import { type Route, route } from "../route.ts";
import * as shapes from "./shapes.ts";
import { SAMPLE } from "./shapes.ts";

const PREVIEWED = 100;
/** A document in JSON: quotes and line ends are escaped. */
const BODY_BYTES = 2 * LIMITS.policyBytes + 1_024;

const head = {
  policy_id: "northwind-refunds",
  version: "v2",
  title: "Refunds and returns",
  effective_from: "2026-03-01",
  governed_by: "order_placed",
  state: "current",
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  published_at: SAMPLE.at,
  published_by: "ada@northwind.example",
};
const text = {
  ...head,
  source: "---\nid: northwind-refunds\n…",
  clauses: [
    {
      clause_id: "refund.window",
      title: "Thirty days",
      prose: "Within 30 days of delivery …",
      customer_text: "The time for this is over.",
      rules: ['permit (principal, action == Action::"refund", resource);'],
    },
  ],
};

export function policyRoutes(policies: Policies): Route[] {
  const about = { access: "operator", tag: "Policies" } as const;
  return [
    route(
      {
        ...about,
        method: "get",
        path: "/v1/operator/policies",
        permission: "policies.read",
        operationId: "listPolicies",
        summary: "List the versions, the latest effective date first",
        answers: {
          200: {
            description: "Versions.",
            schema: shapes.policyList,
            example: { policies: [head], next_free_day: "2026-03-03" },
          },
        },
      },
      async ({ operator }) => ({
        status: 200,
        json: {
          policies: await policies.list(operator.scope),
          next_free_day: await policies.nextFreeDay(operator.scope),
        },
      }),
    ),
    route(
      {
        ...about,
        method: "get",
        path: "/v1/operator/policies/versions/{policy_version}",
        permission: "policies.read",
        operationId: "readPolicy",
        summary: "Read one version, as it was published",
        params: shapes.versionParams,
        answers: { 200: { description: "The version.", schema: shapes.policyText, example: text } },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await policies.version(operator.scope, params.policy_version),
      }),
    ),
    route(
      {
        ...about,
        method: "get",
        path: "/v1/operator/policies/difference",
        permission: "policies.read",
        operationId: "comparePolicies",
        summary: "See what changed between two versions",
        query: shapes.differenceQuery,
        answers: {
          200: {
            description: "Clauses, limits and lines that differ.",
            schema: shapes.policyDifference,
            example: {
              from: "v1",
              to: "v2",
              clauses: [
                { clause_id: "refund.window", kind: "changed", title: "Thirty days", parts: ["prose"] },
              ],
              limits: [{ limit: "returnWindowDays", before: 14, after: 30 }],
              lines: [{ kind: "added", text: "return_window_days: 30" }],
            },
          },
        },
        problems: ["not_found"],
      },
      async ({ operator, query }) => ({
        status: 200,
        json: await policies.difference(operator.scope, query.from, query.to),
      }),
    ),
    route(
      {
        ...about,
        method: "post",
        path: "/v1/operator/policies/check",
        permission: "policies.try",
        operationId: "checkPolicy",
        summary: "Check a text without publishing it",
        body: shapes.sourceBody,
        bodyBytes: BODY_BYTES,
        bodyExample: { source: text.source },
        answers: {
          200: {
            description: "Every fault with its place and its fix; none when it could be published now.",
            schema: shapes.policyCheck,
            example: {
              valid: false,
              faults: [
                { line: 1, column: null, message: "There is no front matter.", fix: "Start with `---`." },
              ],
              version: null,
              effective_from: null,
            },
          },
        },
      },
      async ({ operator, body }) => ({
        status: 200,
        json: await policies.check(operator.scope, body.source),
      }),
    ),
    route(
      {
        ...about,
        method: "post",
        path: "/v1/operator/policies/preview",
        permission: "policies.try",
        operationId: "previewPolicy",
        summary: "See which of the last decisions a text would have made differently",
        description: `Decisions are recorded with the facts that they read, denials too; the text decides on the same facts. ${PREVIEWED} are looked at unless \`last\` says otherwise. Nothing is changed.`,
        body: shapes.previewBody,
        bodyBytes: BODY_BYTES,
        bodyExample: { source: text.source, last: 100 },
        answers: {
          200: {
            description: "Those that would have gone the other way, the latest first.",
            schema: shapes.policyPreview,
            example: {
              decisions: 100,
              changed: [
                {
                  action_id: "act_019a5f10-8a11-7c3d-9f20-6b7c8d9e0f1a",
                  kind: "refund",
                  order_number: "1042",
                  amount: "113.00 USD",
                  state: "succeeded",
                  decided_at: SAMPLE.at,
                  was: "allow",
                  was_clauses: ["Thirty days"],
                  would_be: "needs_approval",
                  would_be_clauses: ["Large refunds"],
                },
              ],
            },
          },
        },
        problems: ["policy_invalid"],
      },
      async ({ operator, body }) => ({
        status: 200,
        json: await policies.preview(operator.scope, body.source, body.last ?? PREVIEWED),
      }),
    ),
    route(
      {
        ...about,
        method: "post",
        path: "/v1/operator/policies",
        permission: "policies.publish",
        operationId: "publishPolicy",
        summary: "Publish a version",
        description:
          "It governs from its `effective_from` on, which may not be past; today takes `policies.publish_today`. What is published never changes: withdraw it before its day, or correct it with another version.",
        body: shapes.sourceBody,
        bodyBytes: BODY_BYTES,
        bodyExample: { source: text.source },
        answers: { 201: { description: "Published.", schema: shapes.policyText, example: text } },
        problems: ["policy_invalid", "policy_needs_admin"],
      },
      async ({ operator, body }) => ({
        status: 201,
        json: await policies.publish(operator.scope, body.source, {
          operator: operator.operator,
          mayToday: operator.permissions.has("policies.publish_today"),
        }),
      }),
    ),
    route(
      {
        ...about,
        method: "post",
        path: "/v1/operator/policies/versions/{policy_version}/withdraw",
        permission: "policies.publish",
        operationId: "withdrawPolicy",
        summary: "Withdraw a version before its day",
        description:
          "It has decided nothing yet, and never will; what customers will read goes with it. Whoever may publish may withdraw, another's version too.",
        params: shapes.versionParams,
        answers: {
          200: {
            description: "Withdrawn.",
            schema: shapes.policyWithdrawn,
            example: { withdrawn: "v2" },
          },
        },
        problems: ["not_found", "policy_not_withdrawn"],
      },
      async ({ operator, params }) => {
        await policies.withdraw(operator.scope, params.policy_version, operator.operator);
        return { status: 200, json: { withdrawn: params.policy_version } };
      },
    ),
  ];
}
