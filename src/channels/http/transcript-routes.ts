/** A conversation that has ended, by mail to its own customer. */
import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../kernel/limits.ts";
import type { Transcripts } from "../email/transcripts.ts";
import { type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";

const queued = z.object({ conversation_id: z.string(), address: z.string() }).openapi("TranscriptQueued");

export const transcriptRoutes = (transcripts: Transcripts): Route[] => [
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
];
