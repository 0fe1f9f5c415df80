/** Everything that operators do with conversations, and the stream that tells their pages what has changed. */
import { ProblemError } from "../../../kernel/errors.ts";
import type { OperatorStreams } from "../operator-streams.ts";
import type { HttpParts } from "../parts.ts";
import { type Route, route } from "../route.ts";
import { deskBesideRoutes } from "./beside-routes.ts";
import { cannedReplyRoutes } from "./canned-reply-routes.ts";
import { deskConversationRoutes } from "./conversation-routes.ts";
import { deskOrderRoutes } from "./order-routes.ts";
import { deskRatingRoutes } from "./rating-routes.ts";
import { feedQuery } from "./shapes.ts";
import { deskWritingRoutes } from "./writing-routes.ts";

export function deskRoutes({ desk, reviews, clock }: HttpParts, streams: OperatorStreams | null): Route[] {
  return [
    ...(desk === undefined
      ? []
      : [
          ...deskConversationRoutes(desk),
          ...deskWritingRoutes(desk, reviews),
          ...deskBesideRoutes(desk),
          ...deskOrderRoutes(desk),
          ...deskRatingRoutes(desk, clock),
          ...cannedReplyRoutes(desk.cannedReplies),
        ]),
    ...(streams === null ? [] : [streamRoute(streams)]),
  ];
}

const streamRoute = (streams: OperatorStreams): Route =>
  route(
    {
      method: "get",
      path: "/v1/operator/stream",
      access: "operator",
      permission: "reviews.read",
      operationId: "streamChanges",
      tag: "Operators",
      summary: "Hear what has changed, live",
      description:
        'Server-Sent Events. `change` names a thing to read again: `{"kind": "review" | "conversation" | "canned_replies" | "settings" | "policies" | "knowledge" | "team", "id", "conversation_id"}`; `reset` means: read everything again. `Last-Event-ID` goes on where it was. The stream ends after two minutes, and at once when your role, session or key changes; it reconnects by itself and who you are is checked again.',
      query: feedQuery,
      answers: { 200: { description: "A stream.", contentType: "text/event-stream" } },
      problems: ["websocket_needed", "streams_exhausted"],
    },
    ({ operator, query, header, transport, isStillAllowed }) => {
      if (!/\btext\/event-stream\b/i.test(header("accept") ?? "") || transport.outgoing === undefined) {
        throw new ProblemError("websocket_needed", undefined, {
          next: "Send `Accept: text/event-stream`.",
        });
      }
      streams.open({
        tenantId: operator.scope.tenantId,
        operator: operator.operator,
        personId: operator.id,
        place: header("last-event-id") ?? query.after ?? null,
        outgoing: transport.outgoing,
        headers: transport.headers,
        isStillAllowed,
      });
      return { taken: true };
    },
  );
