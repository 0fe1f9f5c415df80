/** A conversation that has ended, by mail to who had it, and the page by which a visitor's mailbox agrees to that. */
import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../kernel/limits.ts";
import { wordsOf } from "../../wording/words.ts";
import type { AskedTranscript, Transcripts } from "../email/transcripts.ts";
import { html, type Markup } from "./html.ts";
import type { HttpParts } from "./parts.ts";
import { pageAnswer } from "./people/page.ts";
import { type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";

const queued = z.object({ conversation_id: z.string(), address: z.string() }).openapi("TranscriptQueued");
const linkParams = z.object({ token: z.string().max(LIMITS.tokenBytes) });

export function transcriptRoutes({ tenantName }: HttpParts, transcripts: Transcripts): Route[] {
  const answer = (
    { tenantId, language, address }: AskedTranscript,
    body: (words: { page: string; confirm: string; sent: string }) => Markup,
  ) => {
    const name = tenantName?.(tenantId) ?? tenantId;
    const { page, confirm, sent } = wordsOf(language).frame.mail.transcript.asking;
    return pageAnswer(name, html`<h1>${name}</h1>${body({ page: page(address), confirm, sent })}`, {
      shop: { name, language },
    });
  };

  return [
    route(
      {
        method: "post",
        path: "/v1/conversations/{conversation_id}/transcript",
        access: "customer",
        operationId: "mailTranscript",
        tag: "Conversations",
        summary: "Have a conversation that has ended sent by mail",
        description: `To the address that the shop has for the customer who signed in, and to no other; a visitor has none. What they saw is sent, card numbers masked. Repeated, it is answered the same and sent once; ${LIMITS.transcriptsPerDay} a day.`,
        params: shapes.conversationParams,
        answers: {
          202: {
            description: "It will be sent; the address is shortened.",
            schema: queued,
            example: { conversation_id: EXAMPLE.conversation, address: "a…@example.com" },
          },
        },
        problems: ["conversation_not_ended", "transcript_unavailable", "shop_unavailable"],
      },
      async ({ customer, params }) => {
        const { address } = await transcripts.request(customer.scope, params.conversation_id);
        return { status: 202, json: { conversation_id: params.conversation_id, address } };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/conversations/{conversation_id}/transcript-address",
        access: "customer",
        operationId: "askTranscriptAddress",
        tag: "Conversations",
        summary: "As a visitor, have a conversation that has ended sent to an address that you name",
        description: `The address is asked first, by a mail with a link and nothing of the conversation in it; whoever opens the link and presses its button has the copy sent there. Repeated, it is answered the same and sent once; ${LIMITS.transcriptsPerDay} a day to one address.`,
        params: shapes.conversationParams,
        body: shapes.transcriptAddressBody,
        bodyExample: { address: "ada@example.com" },
        answers: {
          202: {
            description: "It will be asked; the address is shortened.",
            schema: queued,
            example: { conversation_id: EXAMPLE.conversation, address: "a…@example.com" },
          },
        },
        problems: ["conversation_not_ended", "transcript_unavailable", "address_invalid"],
      },
      async ({ customer, params, body }) => {
        const { address } = await transcripts.ask(customer.scope, params.conversation_id, body.address);
        return { status: 202, json: { conversation_id: params.conversation_id, address } };
      },
    ),
    route(
      {
        method: "get",
        path: "/transcript/{token}",
        access: "public",
        page: true,
        operationId: "transcriptPage",
        tag: "Pages",
        summary: "The page that a visitor's link opens; looking at it sends nothing",
        params: linkParams,
        answers: { 200: { description: "A page.", contentType: "text/html" } },
        problems: ["transcript_link_invalid"],
      },
      async ({ params }) =>
        answer(
          await transcripts.look(params.token),
          ({ page, confirm }) => html`<p>${page}</p><form method="post"><button>${confirm}</button></form>`,
        ),
    ),
    route(
      {
        method: "post",
        path: "/transcript/{token}",
        access: "public",
        page: true,
        operationId: "sendTranscript",
        tag: "Pages",
        summary: "Have the copy of a visitor's conversation sent, once",
        params: linkParams,
        form: z.strictObject({}),
        formLimit: "link",
        answers: { 200: { description: "A page.", contentType: "text/html" } },
        problems: ["transcript_link_invalid", "rate_limited"],
      },
      async ({ params }) =>
        answer(await transcripts.confirm(params.token), ({ sent }) => html`<p role="status">${sent}</p>`),
    ),
  ];
}
