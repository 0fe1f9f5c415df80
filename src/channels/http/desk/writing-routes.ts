/** Operators: take a conversation over, write to the customer, give it back; drafts are kept on the way. */
import type { Reviews } from "../../../actions/reviews/reviews.ts";
import type { Desk } from "../../../operators/desk/desk.ts";
import { reviewExample } from "../review-routes.ts";
import { review } from "../review-schemas.ts";
import { type Route, route } from "../route.ts";
import { EXAMPLE } from "../schemas.ts";
import { insideExample } from "./conversation-routes.ts";
import * as shapes from "./shapes.ts";
import { SAMPLE } from "./shapes.ts";

export function deskWritingRoutes(desk: Desk, reviews: Reviews): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/v1/operator/conversations/{conversation_id}/take-over",
        access: "operator",
        permission: "conversations.reply",
        operationId: "takeOverConversation",
        tag: "Operators",
        summary: "Take a conversation over from the agent",
        description:
          "What the agent is about to say is not said any more. You get the handoff, claimed; give the conversation back, or resolve the handoff, when you are done.",
        params: shapes.conversationParams,
        answers: {
          200: {
            description: "Yours: the handoff that says so.",
            schema: review,
            example: {
              ...reviewExample,
              kind: "handoff",
              reason: "taken_over",
              action_id: null,
              args_hash: null,
            },
          },
        },
        problems: ["review_claimed"],
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await reviews.takeOver(operator.scope, params.conversation_id, operator.operator),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/conversations/{conversation_id}/give-back",
        access: "operator",
        permission: "conversations.reply",
        operationId: "giveConversationBack",
        tag: "Operators",
        summary: "Give a conversation back to the agent",
        description: "Its handoff is decided; the agent answers what nobody has answered.",
        params: shapes.conversationParams,
        answers: {
          200: {
            description: "The agent has it.",
            schema: shapes.conversationInside,
            example: { ...insideExample, status: "open", assignee: null, open_reviews: [] },
          },
        },
        problems: ["review_claimed", "conversation_with_agent"],
      },
      async ({ operator, params }) => {
        await reviews.giveBack(operator.scope, params.conversation_id, operator.operator);
        return {
          status: 200,
          json: await desk.view(operator.scope, params.conversation_id, operator.operator),
        };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/conversations/{conversation_id}/messages",
        access: "operator",
        permission: "conversations.reply",
        operationId: "writeToCustomer",
        tag: "Operators",
        summary: "Write to the customer, in a conversation that a person has",
        description: "Held to the safety filter, as every text to a customer. Your draft ends with it.",
        params: shapes.conversationParams,
        body: shapes.messageBody,
        bodyExample: { client_message_id: SAMPLE.clientMessage, text: "I am looking into it." },
        answers: { 200: { description: "Stored.", schema: shapes.messageStored, example: { seq: 13 } } },
        problems: [
          "conversation_with_agent",
          "conversation_changed",
          "message_empty",
          "message_too_long",
          "client_message_id_reused",
          "text_withheld",
        ],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: await desk.send(operator.scope, params.conversation_id, {
          clientMessageId: body.client_message_id,
          text: body.text,
          operator: operator.operator,
          seenSeq: body.seen_seq ?? null,
        }),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/conversations/{conversation_id}/draft",
        access: "operator",
        permission: "conversations.reply",
        operationId: "saveDraft",
        tag: "Operators",
        summary: "Keep your unfinished answer",
        params: shapes.conversationParams,
        body: shapes.draftBody,
        bodyExample: { text: "Dear Ada, I", version: 0 },
        answers: {
          200: {
            description: "Kept, or ended.",
            schema: shapes.draftKept,
            example: { draft: { text: "Dear Ada, I", version: 1, updated_at: EXAMPLE.at } },
          },
        },
        problems: ["draft_changed"],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: {
          draft: await desk.draft(operator.scope, params.conversation_id, {
            ...body,
            operator: operator.operator,
          }),
        },
      }),
    ),
  ];
}
