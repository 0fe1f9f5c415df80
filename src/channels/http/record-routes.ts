/** Operators: what explains a decision. An action with its verdict and facts, and the audit log. */
import type { Records } from "../../actions/records.ts";
import type { AuditPart } from "../../evidence/reading.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";

const SHOWN = 50;

export function recordRoutes(records: Records): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/actions",
        access: "operator",
        permission: "actions.read",
        operationId: "listActions",
        tag: "Operators",
        summary: "Read the ledger: refunds and returns, latest first",
        query: shapes.ledgerQuery,
        answers: {
          200: {
            description: "Actions.",
            schema: shapes.ledgerPage,
            example: {
              actions: [
                {
                  action_id: EXAMPLE.action,
                  kind: "refund",
                  state: "succeeded",
                  customer_id: "ada",
                  conversation_id: EXAMPLE.conversation,
                  order_number: "1042",
                  amount: "113.00",
                  currency: "USD",
                  items: "Trail jacket, 2 × Wool socks",
                  proposed_by: "agent:workflows",
                  approved_by: "olivia@northwind.example",
                  provider_ref: "re_3Nk",
                  created_at: EXAMPLE.at,
                  updated_at: EXAMPLE.at,
                },
              ],
              next_cursor: null,
            },
          },
        },
        problems: ["cursor_unknown"],
      },
      async ({ operator, query }) => {
        if (query.cursor !== undefined && !isId("act", query.cursor))
          throw new ProblemError("cursor_unknown");
        return {
          status: 200,
          json: await records.actions(operator.scope, {
            limit: query.limit ?? SHOWN,
            ...(query.state === undefined ? {} : { state: query.state }),
            ...(query.kind === undefined ? {} : { kind: query.kind }),
            ...(query.customer_id === undefined ? {} : { customerId: query.customer_id }),
            ...(query.order_number === undefined ? {} : { orderNumber: query.order_number }),
            ...(query.conversation_id === undefined ? {} : { conversationId: query.conversation_id }),
            ...(query.cursor === undefined ? {} : { before: query.cursor }),
          }),
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/actions/{action_id}",
        access: "operator",
        permission: "actions.read",
        operationId: "explainAction",
        tag: "Operators",
        summary: "See why an action was decided as it was, and its life so far",
        params: shapes.actionParams,
        answers: {
          200: {
            description: "The action, with the policy version, the clauses and the facts that decided.",
            schema: shapes.actionRecord,
            example: {
              action_id: EXAMPLE.action,
              kind: "refund",
              state: "succeeded",
              order_number: "1042",
              amount: "113.00",
              currency: "USD",
              items: "Trail jacket, 2 × Wool socks",
              args_hash: EXAMPLE.argsHash,
              decision: {
                verdict: {
                  decision: "allow",
                  policyId: "northwind-refunds",
                  policyVersion: "v2",
                  clauses: [],
                },
                facts: { order: { daysSinceDelivery: 6 } },
              },
              proposed_by: "agent:workflows",
              approved_by: null,
              provider_ref: "re_3Nk",
              timeline: [
                {
                  at: EXAMPLE.at,
                  from: "executing",
                  to: "succeeded",
                  because: "provider_answer",
                  by: "worker-1",
                  version: 3,
                  provider_ref: "re_3Nk",
                },
              ],
              created_at: EXAMPLE.at,
              updated_at: EXAMPLE.at,
            },
          },
        },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await records.action(operator.scope, params.action_id),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/audit",
        access: "operator",
        permission: "audit.read",
        operationId: "readAudit",
        tag: "Operators",
        summary: "Read the audit log in order",
        description: `At most ${LIMITS.auditPerPage} entries an answer. Go on with \`after_n\` = \`last_n\` while \`more\` is true. \`recourse audit verify\` checks the chain.`,
        query: shapes.auditPartQuery,
        answers: {
          200: {
            description: "Entries after the cursor, oldest first.",
            schema: shapes.auditPage,
            example: {
              entries: [
                {
                  n: 1,
                  at_ms: 1_772_446_530_123,
                  kind: "policy.published",
                  subject: "northwind-refunds@v2",
                  customer_id: "*",
                  body: { by: "files" },
                  prev_hash: "0".repeat(64),
                  hash: EXAMPLE.argsHash,
                },
              ],
              last_n: 1,
              more: false,
            },
          },
        },
      },
      async ({ operator, query }) => {
        const after = query.after_n ?? 0;
        const entries = await records.audit(operator.scope, after, LIMITS.auditPerPage, auditPartOf(query));
        return {
          status: 200,
          json: { entries, last_n: entries.at(-1)?.n ?? after, more: entries.length >= LIMITS.auditPerPage },
        };
      },
    ),
  ];
}

/** The part of the audit log that a request names. */
export const auditPartOf = (query: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly customer_id?: string | undefined;
  readonly order_number?: string | undefined;
}): AuditPart => ({
  fromMs: query.from === undefined ? null : Date.parse(query.from),
  toMs: query.to === undefined ? null : Date.parse(query.to),
  customerId: query.customer_id ?? null,
  orderNumber: query.order_number ?? null,
});
