/** Operators: conversations found, and one seen from the inside. */
import { LIMITS } from "../../../kernel/limits.ts";
import type { Desk } from "../../../operators/desk/desk.ts";
import { type Route, route } from "../route.ts";
import { EXAMPLE } from "../schemas.ts";
import * as shapes from "./shapes.ts";
import { SAMPLE } from "./shapes.ts";

const SHOWN = 50;

const itemExample = {
  conversation_id: EXAMPLE.conversation,
  customer_id: "ada",
  channel: "chat",
  status: "with_person",
  language: "en",
  assignee: SAMPLE.operator,
  tags: ["vip"],
  last_message: { author: "customer", text: "Is there any news?", at: EXAMPLE.at },
  open_reviews: [{ review_id: EXAMPLE.review, kind: "handoff" }],
  created_at: EXAMPLE.at,
  updated_at: EXAMPLE.at,
};

export const insideExample = {
  ...itemExample,
  assurance: "authenticated",
  last_seq: 12,
  answered_seq: 11,
  rating: null,
  notes: [{ note_id: SAMPLE.note, author: SAMPLE.operator, text: "Called the warehouse.", at: EXAMPLE.at }],
  draft: null,
};

export function deskConversationRoutes(desk: Desk): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/conversations",
        access: "operator",
        permission: "conversations.read",
        operationId: "listConversations",
        tag: "Operators",
        summary: "Find conversations, latest first",
        description: `A search (\`q\`) reads the texts of ${LIMITS.conversationsSearched.toLocaleString("en")} conversations at a time, the latest first; \`next_cursor\` goes on with older ones.`,
        query: shapes.conversationQuery,
        answers: {
          200: {
            description: "Conversations.",
            schema: shapes.conversationPage,
            example: { conversations: [itemExample], next_cursor: null },
          },
        },
        problems: ["cursor_unknown"],
      },
      async ({ operator, query }) => ({
        status: 200,
        json: await desk.list(
          operator.scope,
          {
            limit: query.limit ?? SHOWN,
            ...(query.q === undefined ? {} : { text: query.q }),
            ...(query.order_number === undefined
              ? {}
              : { orderNumber: query.order_number.replace(/^#/, "") }),
            ...(query.customer_id === undefined ? {} : { customerId: query.customer_id }),
            ...(query.status === undefined ? {} : { status: query.status }),
            ...(query.language === undefined ? {} : { language: query.language }),
            ...(query.tag === undefined ? {} : { tag: query.tag }),
            ...(query.assignee === undefined ? {} : { assignee: assigneeOf(query.assignee) }),
            ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
          },
          operator.operator,
        ),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/conversations/{conversation_id}",
        access: "operator",
        permission: "conversations.read",
        operationId: "getConversationInside",
        tag: "Operators",
        summary: "See a conversation with its notes, tags, reviews and your draft",
        params: shapes.conversationParams,
        answers: {
          200: { description: "It.", schema: shapes.conversationInside, example: insideExample },
        },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await desk.view(operator.scope, params.conversation_id, operator.operator),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/conversations/{conversation_id}/events",
        access: "operator",
        permission: "conversations.read",
        operationId: "readConversationInside",
        tag: "Operators",
        summary: "Read a conversation's log with what the customer does not see",
        params: shapes.conversationParams,
        query: shapes.eventQuery,
        answers: {
          200: {
            description: `At most ${LIMITS.eventsPerPage} events, in order.`,
            schema: shapes.insideEvents,
            example: {
              events: [
                {
                  seq: 1,
                  at: EXAMPLE.at,
                  type: "message",
                  author: "customer",
                  payload: { text: "Please refund order #1042." },
                  internal: { runId: EXAMPLE.run },
                },
              ],
              last_seq: 1,
              more: false,
            },
          },
        },
      },
      async ({ operator, params, query }) => {
        const after = query.after_seq ?? 0;
        const events = await desk.events(operator.scope, params.conversation_id, after);
        return {
          status: 200,
          json: {
            events,
            last_seq: events.at(-1)?.seq ?? after,
            more: events.length >= LIMITS.eventsPerPage,
          },
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/conversations/{conversation_id}/runs",
        access: "operator",
        permission: "conversations.read",
        operationId: "traceConversation",
        tag: "Operators",
        summary: "See how each answer came about: steps, verdicts, timings, tokens, cost",
        params: shapes.conversationParams,
        answers: {
          200: {
            description: `At most ${LIMITS.runsShown} runs, newest first.`,
            schema: shapes.insideRuns,
            example: {
              runs: [
                {
                  run_id: EXAMPLE.run,
                  cause: "message",
                  state: "completed",
                  attempts: 1,
                  started_at: EXAMPLE.at,
                  ended_at: EXAMPLE.at,
                  took_ms: 12,
                  model: null,
                  steps: [
                    {
                      n: 101,
                      at: EXAMPLE.at,
                      proposal: { type: "call", tool: "process_refund", args: { order_id: "1042" } },
                      outcome: { kind: "offered" },
                    },
                  ],
                },
              ],
            },
          },
        },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: { runs: await desk.runs(operator.scope, params.conversation_id) },
      }),
    ),
  ];
}

function assigneeOf(text: string): "me" | "nobody" | { readonly name: string } {
  return text === "me" || text === "nobody" ? text : { name: text };
}
