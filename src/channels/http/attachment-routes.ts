/** Pictures of a conversation: sent by its customer, seen by them and by the shop's people. */
import { z } from "@hono/zod-openapi";
import type { Attachments } from "../../conversations/attachments/attachments.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { isVisitor } from "../../kernel/visitor.ts";
import { type Answer, type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";

const attachmentParams = shapes.conversationParams.extend({
  attachment_id: z.string().openapi({ example: EXAMPLE.attachment }),
});
const kept = shapes.attachment.openapi("Attachment");
const seen = {
  200: { description: "The picture, without metadata.", contentType: "image/*" },
};

export function attachmentRoutes(attachments: Attachments): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/v1/conversations/{conversation_id}/attachments",
        access: "customer",
        operationId: "addAttachment",
        tag: "Conversations",
        summary: "Send a picture for a message",
        description: `The body is the picture itself: JPEG, PNG or WebP, told from its bytes and not from its name; at most ${LIMITS.attachmentBytes} bytes and ${LIMITS.attachmentPixels} pixels. Place, device and time that a camera writes into it are taken out. Name the answer's ID in \`attachments\` of \`POST …/messages\`. The same picture again is one attachment. Visitors cannot send any.`,
        params: shapes.conversationParams,
        rawBodyBytes: LIMITS.attachmentBytes,
        rawBody: { contentType: "image/*", description: "The picture, byte for byte." },
        answers: {
          201: {
            description: "Kept.",
            schema: kept,
            example: { attachment_id: EXAMPLE.attachment, type: "image/jpeg", width: 1600, height: 1200 },
          },
        },
        problems: ["attachment_invalid", "attachments_exhausted"],
      },
      async ({ customer, params, rawBody }) => {
        if (isVisitor(customer.scope.customerId)) {
          throw new ProblemError("forbidden", "Pictures can be sent by customers who are signed in.", {
            next: "Sign in, then send it again.",
          });
        }
        return {
          status: 201,
          json: await attachments.add(customer.scope, params.conversation_id, rawBody),
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/conversations/{conversation_id}/attachments/{attachment_id}",
        access: "customer",
        operationId: "getAttachment",
        tag: "Conversations",
        summary: "Get a picture of a conversation",
        params: attachmentParams,
        answers: seen,
      },
      async ({ customer, params }) =>
        pictureAnswer(
          await attachments.read(customer.scope, params.conversation_id, params.attachment_id),
          params.attachment_id,
        ),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/conversations/{conversation_id}/attachments/{attachment_id}",
        access: "operator",
        permission: "conversations.read",
        operationId: "getAttachmentInside",
        tag: "Operators",
        summary: "Get a picture that a customer sent",
        params: attachmentParams,
        answers: seen,
      },
      async ({ operator, params }) =>
        pictureAnswer(
          await attachments.read(operator.scope, params.conversation_id, params.attachment_id),
          params.attachment_id,
        ),
    ),
  ];
}

/** Never run, framed or guessed at, and opened by itself it is saved: the name is ours. */
const pictureAnswer = ({ type, bytes }: Awaited<ReturnType<Attachments["read"]>>, id: string): Answer => ({
  status: 200,
  text: new Uint8Array(bytes),
  contentType: type,
  headers: {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "content-disposition": `attachment; filename="${id}.${type.slice("image/".length)}"`,
    "cross-origin-resource-policy": "same-origin",
  },
});
