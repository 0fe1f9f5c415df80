/** Operators: mails that got no answer, and mails of ours that did not arrive. */
import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../kernel/limits.ts";
import { UNANSWERED, UNSENT, type UnansweredMails } from "../email/unanswered.ts";
import { type Route, route } from "./route.ts";
import { EXAMPLE } from "./schemas.ts";

const SHOWN = 50;

const limit = z.coerce.number().int().min(1).max(LIMITS.mailsPerPage).optional();
export const received = z
  .object({
    mail_id: z.string(),
    verdict: z.enum(UNANSWERED),
    why: z.string(),
    address: z.string(),
    subject: z.string(),
    text: z.string(),
    bytes: z.number().int(),
    conversation_id: z.string().nullable(),
    at: z.string(),
    handled_at: z.string().nullable(),
    handled_by: z.string().nullable(),
  })
  .openapi("UnansweredMail", {
    description: "`address` is a claim, as `From` is; `text` is its beginning.",
  });
export const sent = z
  .object({
    mail_id: z.string(),
    state: z.enum(UNSENT),
    address: z.string(),
    conversation_id: z.string(),
    error: z.string().nullable(),
    attempts: z.number().int(),
    at: z.string(),
  })
  .openapi("UnsentMail");

const example = {
  mail_id: `mail-${"0a".repeat(20)}`,
  verdict: "automatic",
  why: "Precedence",
  address: "orders@carrier.example",
  subject: "Your ticket",
  text: "We have received your mail.",
  bytes: 1_204,
  conversation_id: null,
  at: EXAMPLE.at,
  handled_at: null,
  handled_by: null,
};

export function mailRoutes(mails: UnansweredMails): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/mails",
        access: "operator",
        permission: "conversations.read",
        operationId: "listUnansweredMails",
        tag: "Operators",
        summary: "List mails that got no answer, latest first",
        description:
          "Kept, and not answered: by the verdict and why. `handled=true` lists those that somebody has dealt with.",
        query: z.object({
          handled: z.enum(["true", "false"]).optional(),
          verdict: z.enum(UNANSWERED).optional(),
          cursor: z.string().max(100).optional(),
          limit,
        }),
        answers: {
          200: {
            description: "Mails.",
            schema: z.object({ mails: z.array(received), next_cursor: z.string().nullable() }),
            example: { mails: [example], next_cursor: null },
          },
        },
        problems: ["cursor_unknown"],
      },
      async ({ operator, query }) => ({
        status: 200,
        json: await mails.received(operator.scope, {
          isHandled: query.handled === "true",
          verdict: query.verdict ?? null,
          cursor: query.cursor ?? null,
          limit: query.limit ?? SHOWN,
        }),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/mails/unsent",
        access: "operator",
        permission: "conversations.read",
        operationId: "listUnsentMails",
        tag: "Operators",
        summary: "List mails of ours that did not arrive, or of which nobody knows, latest first",
        query: z.object({ limit }),
        answers: {
          200: {
            description: "Mails.",
            schema: z.object({ mails: z.array(sent) }),
            example: {
              mails: [
                {
                  mail_id: `<${EXAMPLE.conversation}.4@shop.example>`,
                  state: "bounced",
                  address: "ada@example.com",
                  conversation_id: EXAMPLE.conversation,
                  error: null,
                  attempts: 1,
                  at: EXAMPLE.at,
                },
              ],
            },
          },
        },
      },
      async ({ operator, query }) => ({
        status: 200,
        json: { mails: await mails.sent(operator.scope, query.limit ?? SHOWN) },
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/mails/{mail_id}/handled",
        access: "operator",
        permission: "conversations.reply",
        operationId: "handleMail",
        tag: "Operators",
        summary: "Say that somebody has dealt with a mail that got no answer",
        params: z.object({ mail_id: z.string().max(100).openapi({ example: example.mail_id }) }),
        answers: {
          200: {
            description: "It is off the list.",
            schema: received,
            example: { ...example, handled_at: EXAMPLE.at, handled_by: "olivia@northwind.example" },
          },
        },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await mails.handle(operator.scope, params.mail_id, operator.operator),
      }),
    ),
  ];
}
