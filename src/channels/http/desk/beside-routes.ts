/** Operators: notes, tags and who has a conversation. */
import { ProblemError } from "../../../kernel/errors.ts";
import type { Desk } from "../../../operators/desk/desk.ts";
import { type Route, route } from "../route.ts";
import { EXAMPLE } from "../schemas.ts";
import * as shapes from "./shapes.ts";
import { SAMPLE } from "./shapes.ts";

export function deskBesideRoutes(desk: Desk): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/v1/operator/conversations/{conversation_id}/notes",
        access: "operator",
        permission: "conversations.reply",
        operationId: "addNote",
        tag: "Operators",
        summary: "Leave a note that no customer sees",
        description: "Sent again with the same `client_note_id`, it is kept once and answered the same.",
        params: shapes.conversationParams,
        body: shapes.noteBody,
        bodyExample: {
          client_note_id: SAMPLE.clientNote,
          text: "Spoke to the warehouse: the parcel is on its way back.",
        },
        answers: {
          201: {
            description: "Kept.",
            schema: shapes.note,
            example: { note_id: SAMPLE.note, author: SAMPLE.operator, text: "…", at: EXAMPLE.at },
          },
        },
        problems: ["notes_exhausted", "client_note_id_reused"],
      },
      async ({ operator, params, body }) => ({
        status: 201,
        json: await desk.note(operator.scope, params.conversation_id, {
          text: body.text,
          author: operator.operator,
          clientNoteId: body.client_note_id ?? null,
        }),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/conversations/{conversation_id}/tags",
        access: "operator",
        permission: "conversations.reply",
        operationId: "changeTags",
        tag: "Operators",
        summary: "Add and remove tags",
        params: shapes.conversationParams,
        body: shapes.tagBody,
        bodyExample: { add: ["vip"], remove: ["new"] },
        answers: {
          200: { description: "All that it has.", schema: shapes.tagList, example: { tags: ["vip"] } },
        },
        problems: ["tags_exhausted"],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: {
          tags: await desk.tag(operator.scope, params.conversation_id, {
            add: body.add ?? [],
            remove: body.remove ?? [],
            by: operator.operator,
          }),
        },
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/conversations/{conversation_id}/assign",
        access: "operator",
        permission: "conversations.reply",
        operationId: "assignConversation",
        tag: "Operators",
        summary: "Say who works on a conversation",
        description:
          "Anybody takes one for themselves; to give it to somebody else a lead's permission is needed.",
        params: shapes.conversationParams,
        body: shapes.assignBody,
        bodyExample: { assignee: "me" },
        answers: {
          200: {
            description: "Assigned.",
            schema: shapes.assigned,
            example: { assignee: SAMPLE.operator },
          },
        },
      },
      async ({ operator, params, body }) => {
        const assignee = body.assignee === "me" ? operator.operator : body.assignee;
        const isOwn = assignee === operator.operator || assignee === null;
        if (!isOwn && !operator.permissions.has("conversations.assign")) {
          throw new ProblemError(
            "forbidden",
            "Your role does not have the permission `conversations.assign`.",
            { details: { permission: "conversations.assign" } },
          );
        }
        await desk.assign(operator.scope, params.conversation_id, assignee);
        return { status: 200, json: { assignee } };
      },
    ),
  ];
}
