/** Operators: texts that a team uses again, with variables. */
import { ProblemError } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import type { CannedReplies } from "../../../operators/desk/canned-replies.ts";
import { type Route, route } from "../route.ts";
import { EXAMPLE } from "../schemas.ts";
import * as shapes from "./shapes.ts";
import { SAMPLE } from "./shapes.ts";

const bodyExample = {
  shortcut: "late-parcel",
  title: "A parcel that is late",
  text: "Dear {{customer.first_name}}, your order #{{order.number}} is late, and I am sorry for that.",
  language: "en",
};
const replyExample = {
  reply_id: SAMPLE.reply,
  ...bodyExample,
  version: 1,
  updated_by: SAMPLE.operator,
  updated_at: EXAMPLE.at,
};

export function cannedReplyRoutes(replies: CannedReplies): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/canned-replies",
        access: "operator",
        permission: "conversations.read",
        operationId: "listCannedReplies",
        tag: "Operators",
        summary: "List canned replies",
        answers: {
          200: { description: "All.", schema: shapes.replyList, example: { replies: [replyExample] } },
        },
      },
      async ({ operator }) => ({ status: 200, json: { replies: await replies.list(operator.scope) } }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/canned-replies",
        access: "operator",
        permission: "canned_replies.edit",
        operationId: "addCannedReply",
        tag: "Operators",
        summary: "Add a canned reply",
        body: shapes.newReplyBody,
        bodyExample,
        answers: { 201: { description: "Kept.", schema: shapes.reply, example: replyExample } },
        problems: ["canned_reply_invalid"],
      },
      async ({ operator, body }) => ({
        status: 201,
        json: await replies.save(operator.scope, {
          ...body,
          language: body.language ?? null,
          replyId: null,
          version: 0,
          by: operator.operator,
        }),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/canned-replies/{reply_id}",
        access: "operator",
        permission: "canned_replies.edit",
        operationId: "changeCannedReply",
        tag: "Operators",
        summary: "Change a canned reply",
        params: shapes.replyParams,
        body: shapes.replyBody,
        bodyExample: { ...bodyExample, version: 1 },
        answers: {
          200: { description: "Changed.", schema: shapes.reply, example: { ...replyExample, version: 2 } },
        },
        problems: ["canned_reply_invalid", "canned_reply_changed"],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: await replies.save(operator.scope, {
          ...body,
          language: body.language ?? null,
          replyId: params.reply_id,
          by: operator.operator,
        }),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/canned-replies/{reply_id}/remove",
        access: "operator",
        permission: "canned_replies.edit",
        operationId: "removeCannedReply",
        tag: "Operators",
        summary: "Remove a canned reply",
        params: shapes.replyParams,
        body: shapes.removeBody,
        bodyExample: { version: 1 },
        answers: { 200: { description: "Gone.", schema: shapes.nothing, example: {} } },
        problems: ["canned_reply_changed"],
      },
      async ({ operator, params, body }) => {
        await replies.remove(operator.scope, params.reply_id, body.version);
        return { status: 200, json: {} };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/canned-replies/{reply_id}/fill",
        access: "operator",
        permission: "conversations.reply",
        operationId: "fillCannedReply",
        tag: "Operators",
        summary: "Fill a canned reply in for a conversation",
        params: shapes.replyParams,
        body: shapes.fillBody,
        bodyExample: { conversation_id: EXAMPLE.conversation },
        answers: {
          200: {
            description: "Ready to be read, changed and sent.",
            schema: shapes.filled,
            example: { text: "Dear Ada, your order #1042 is late, and I am sorry for that.", missing: [] },
          },
        },
      },
      async ({ operator, params, body }) => {
        if (!isId("conv", body.conversation_id)) throw new ProblemError("not_found");
        return {
          status: 200,
          json: await replies.fill(operator.scope, params.reply_id, body.conversation_id, operator.name),
        };
      },
    ),
  ];
}
