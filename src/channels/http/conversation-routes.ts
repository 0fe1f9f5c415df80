/** Customers: conversations, messages, events, runs, actions, rating. Handlers only translate. */
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { formatDecimal } from "../../kernel/money.ts";
import type { ActionSummary } from "../../tools/views.ts";
import { attachmentRoutes } from "./attachment-routes.ts";
import type { HttpLimits, HttpParts } from "./parts.ts";
import type { ProblemDocument } from "./problems.ts";
import { type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";
import { openEventStream } from "./sse.ts";
import type { Streams } from "./streams.ts";
import { transcriptRoutes } from "./transcript-routes.ts";
import { visitorRoutes } from "./visitor-routes.ts";
import type { WebSockets } from "./websocket.ts";

export interface StreamDoors {
  readonly streams: Streams;
  readonly sockets: WebSockets;
  problem(error: ProblemError, requestId: string): ProblemDocument;
}

const messageExample = {
  seq: 1,
  at: EXAMPLE.at,
  type: "message",
  author: "customer",
  text: "I would like a refund for order #1042.",
  client_message_id: "b1946ac9-2492-4d23-b1f8-9a3c1b7a0001",
};

export function conversationRoutes(parts: HttpParts, limits: HttpLimits, doors: StreamDoors): Route[] {
  const { conversations, runs } = parts;
  return [
    route(
      {
        method: "post",
        path: "/v1/conversations",
        access: "customer",
        operationId: "openConversation",
        tag: "Conversations",
        summary: "Open a conversation",
        body: shapes.openBody,
        bodyExample: {},
        answers: {
          201: {
            description: "Opened.",
            schema: shapes.opened,
            example: { conversation_id: EXAMPLE.conversation },
          },
        },
        problems: ["too_many_conversations"],
      },
      async ({ customer }) => {
        const id = await conversations.open(customer.scope, {
          channel: "chat",
          assurance: customer.assurance,
        });
        return {
          status: 201,
          json: { conversation_id: id },
          headers: { location: `/v1/conversations/${id}` },
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/conversations/{conversation_id}",
        access: "customer",
        operationId: "getConversation",
        tag: "Conversations",
        summary: "See the state of a conversation",
        params: shapes.conversationParams,
        answers: {
          200: {
            description: "The conversation.",
            schema: shapes.conversation,
            example: {
              conversation_id: EXAMPLE.conversation,
              status: "with_agent",
              last_seq: 4,
              created_at: EXAMPLE.at,
              transcript_by_mail: true,
              transcript_by_address: false,
            },
          },
        },
      },
      async ({ customer, params }) => {
        const view = await conversations.view(customer.scope, params.conversation_id);
        return {
          status: 200,
          json: {
            conversation_id: view.conversationId,
            status: view.status,
            last_seq: view.lastSeq,
            created_at: isoInstant(view.createdAtMs),
            transcript_by_mail: parts.transcripts?.isThere(customer.scope) ?? false,
            transcript_by_address: parts.transcripts?.needsAddress(customer.scope) ?? false,
          },
        };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/conversations/{conversation_id}/messages",
        access: "customer",
        operationId: "sendMessage",
        tag: "Conversations",
        summary: "Send a message",
        description:
          "The message is stored before the answer: once you have a 202 it is not lost. Sent again with the same `client_message_id` and text, at any time and in parallel, it is stored once and every call gets the same answer. The agent's answer arrives as events.",
        params: shapes.conversationParams,
        body: shapes.messageBody,
        bodyExample: {
          client_message_id: messageExample.client_message_id,
          text: messageExample.text,
        },
        answers: {
          202: {
            description: "Stored; a run will answer.",
            schema: shapes.messageAccepted,
            example: { run_id: EXAMPLE.run, seq: 1 },
          },
        },
        problems: ["message_empty", "message_too_long", "client_message_id_reused", "attachment_unknown"],
      },
      async ({ customer, params, body }) => {
        const accepted = await conversations.accept(customer.scope, params.conversation_id, {
          clientMessageId: body.client_message_id,
          text: body.text,
          attachments: body.attachments ?? [],
        });
        return {
          status: 202,
          json: { run_id: accepted.runId, seq: accepted.seq },
          headers: accepted.duplicate ? { "idempotent-replayed": "true" } : {},
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/conversations/{conversation_id}/events",
        access: "customer",
        operationId: "listEvents",
        tag: "Conversations",
        summary: "Read events in order",
        description: `At most ${limits.eventsPerPage} events an answer. Go on with \`after_seq\` = \`last_seq\` while \`more\` is true.`,
        params: shapes.conversationParams,
        query: shapes.cursorQuery,
        answers: {
          200: {
            description: "Events after the cursor, oldest first.",
            schema: shapes.eventPage,
            example: { events: [messageExample], last_seq: 1, more: false },
          },
        },
      },
      async ({ customer, params, query }) => {
        const afterSeq = query.after_seq ?? 0;
        const events = await conversations.events(customer.scope, params.conversation_id, afterSeq);
        return {
          status: 200,
          json: {
            events,
            last_seq: events.at(-1)?.seq ?? afterSeq,
            more: events.length >= limits.eventsPerPage,
          },
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/conversations/{conversation_id}/stream",
        access: "customer",
        operationId: "streamEvents",
        tag: "Conversations",
        summary: "Follow events live",
        description: [
          "The events of `GET …/events`, as they happen: every one after the cursor, in order, none twice. Reconnect with the `seq` of the last one you have seen.",
          '**WebSocket**: upgrade on this path; each text frame is one event. Browsers cannot set headers there: offer the subprotocols `recourse.v1` and `recourse.bearer.<token>`. Frames of yours are answered with `{"type":"problem",…}`: messages go by `POST …/messages`. Close codes: 4401 token expired, 4404 conversation gone, 4008 read too slowly, 1012 server restarts, 1013 try again later.',
          "**Server-Sent Events**: send `Accept: text/event-stream`; `id` is the `seq`, and `Last-Event-ID` is understood. An event named `problem` says why the stream ends.",
          '**Drafts**: while a language model writes an answer, its sentences are shown as `{"type":"draft","run_id":…,"text":…}`: all of them so far, each time; over Server-Sent Events under the name `draft`. A draft has no `seq`, is not kept and not sent again. Show it as being written; drop it when a `draft` of the same run has an empty `text`, when an agent\'s `message` comes, or when the run ends. The `message` is what was said. Who ignores drafts misses nothing.',
        ].join("\n\n"),
        params: shapes.conversationParams,
        query: shapes.cursorQuery,
        answers: {
          101: { description: "Switched to WebSocket." },
          200: {
            description: "A stream of events.",
            contentType: "text/event-stream",
            example: `id: 1\ndata: ${JSON.stringify(messageExample)}\n\n`,
          },
        },
        problems: ["websocket_needed", "streams_exhausted"],
      },
      async ({ customer, params, query, transport, header, requestId }) => {
        const { upgrade, outgoing, method } = transport;
        const problem = (error: ProblemError) => doors.problem(error, requestId);
        const wantsEvents = /\btext\/event-stream\b/i.test(header("accept") ?? "");
        if (upgrade === undefined && (!wantsEvents || outgoing === undefined || method !== "GET")) {
          throw new ProblemError("websocket_needed");
        }
        await doors.streams.open({
          customer,
          conversationId: params.conversation_id,
          // A browser that reconnects repeats the address it started with, and knows better by now.
          afterSeq: Math.max(query.after_seq ?? 0, lastEventId(header("last-event-id"))),
          connect: () => {
            if (upgrade !== undefined) return doors.sockets.accept(upgrade, problem);
            if (outgoing === undefined || outgoing.destroyed) return null;
            return openEventStream(outgoing, transport.headers, problem);
          },
        });
        return { taken: true };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/conversations/{conversation_id}/end",
        access: "customer",
        operationId: "endConversation",
        tag: "Conversations",
        summary: "End a conversation",
        description:
          "It is resolved, and a person who was asked for is asked for no more. A refund or return that is recorded goes on: see `POST /v1/actions/{action_id}/cancel`. A message afterwards opens it again. Repeated, it is answered the same.",
        params: shapes.conversationParams,
        answers: {
          200: {
            description: "Ended.",
            schema: shapes.ended,
            example: { conversation_id: EXAMPLE.conversation, status: "resolved" },
          },
        },
        problems: ["conversation_busy"],
      },
      async ({ customer, params }) => {
        await conversations.end(customer.scope, params.conversation_id);
        return { status: 200, json: { conversation_id: params.conversation_id, status: "resolved" } };
      },
    ),
    ...(parts.attachments === undefined ? [] : attachmentRoutes(parts.attachments)),
    ...(parts.transcripts === undefined ? [] : transcriptRoutes(parts, parts.transcripts)),
    ...(parts.visitors === undefined ? [] : visitorRoutes(parts, parts.visitors)),
    route(
      {
        method: "post",
        path: "/v1/conversations/{conversation_id}/csat",
        access: "customer",
        operationId: "rateConversation",
        tag: "Conversations",
        summary: "Rate how a conversation ended, once each time",
        description:
          "It is about what was said since the ending before. A conversation that goes on and ends again can be rated again.",
        params: shapes.conversationParams,
        body: shapes.csatBody,
        bodyExample: { score: 5, comment: "Quick and clear." },
        answers: {
          201: {
            description: "Rated.",
            schema: shapes.csatGiven,
            example: { conversation_id: EXAMPLE.conversation, score: 5 },
          },
        },
        problems: ["csat_already_given"],
      },
      async ({ customer, params, body }) => {
        const { score } = body;
        const comment = body.comment === undefined || body.comment === "" ? null : body.comment;
        await conversations.rate(customer.scope, params.conversation_id, { score, comment, givenBy: "chat" });
        return { status: 201, json: { conversation_id: params.conversation_id, score } };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/runs/{run_id}",
        access: "customer",
        operationId: "getRun",
        tag: "Runs and actions",
        summary: "See the state of a run",
        params: shapes.runParams,
        answers: { 200: { description: "The run.", schema: shapes.run, example: runExample("completed") } },
      },
      async ({ customer, params }) => ({
        status: 200,
        json: await runs.view(customer.scope, params.run_id),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/runs/{run_id}/cancel",
        access: "customer",
        operationId: "cancelRun",
        tag: "Runs and actions",
        summary: "Ask a live run to stop",
        description:
          "It stops at its next step. An action that it has recorded already goes on: see `GET /v1/actions/{action_id}`.",
        params: shapes.runParams,
        answers: {
          202: { description: "Asked to stop.", schema: shapes.run, example: runExample("running") },
        },
        problems: ["run_already_ended"],
      },
      async ({ customer, params }) => ({
        status: 202,
        json: await runs.cancel(customer.scope, params.run_id),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/actions/{action_id}",
        access: "customer",
        operationId: "getAction",
        tag: "Runs and actions",
        summary: "See what became of a refund or return",
        params: shapes.actionParams,
        answers: {
          200: {
            description: "The action, in the customer's words.",
            schema: shapes.action,
            example: {
              action_id: EXAMPLE.action,
              kind: "refund",
              state: "succeeded",
              order_id: "order_1042",
              order_number: "1042",
              amount: "113.00",
              currency: "USD",
              items: "1 × Trail jacket, 2 × Wool socks",
              text: "Your refund of 113.00 USD for order #1042 is confirmed.",
              created_at: EXAMPLE.at,
              updated_at: EXAMPLE.at,
            },
          },
        },
      },
      async ({ customer, params }) => ({
        status: 200,
        json: actionJson(await parts.actionView(customer.scope, params.action_id)),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/actions/{action_id}/cancel",
        access: "customer",
        operationId: "cancelAction",
        tag: "Runs and actions",
        summary: "Take back a refund or return that was not begun",
        description:
          "Possible while a person has yet to decide, and until an approval takes effect. Repeated, it is answered the same.",
        params: shapes.actionParams,
        answers: {
          200: {
            description: "Cancelled: nothing was sent.",
            schema: shapes.action,
            example: {
              action_id: EXAMPLE.action,
              kind: "refund",
              state: "cancelled",
              order_id: "order_1042",
              order_number: "1042",
              amount: "113.00",
              currency: "USD",
              items: "1 × Trail jacket, 2 × Wool socks",
              text: "Your refund of 113.00 USD for order #1042 was cancelled before anything was sent to the payment provider. Nothing was paid out. You asked for that.",
              created_at: EXAMPLE.at,
              updated_at: EXAMPLE.at,
            },
          },
        },
        problems: ["action_not_cancellable"],
      },
      async ({ customer, params }) => ({
        status: 200,
        json: actionJson(await parts.cancelAction(customer.scope, params.action_id)),
      }),
    ),
  ];
}

function actionJson(summary: ActionSummary) {
  return {
    action_id: summary.actionId,
    kind: summary.kind,
    state: summary.state,
    order_id: summary.orderId,
    order_number: summary.orderNumber,
    amount: formatDecimal(summary),
    currency: summary.currency,
    items: summary.items,
    text: summary.text,
    created_at: isoInstant(summary.createdAt),
    updated_at: isoInstant(summary.updatedAt),
  };
}

const runExample = (state: string) => ({
  run_id: EXAMPLE.run,
  conversation_id: EXAMPLE.conversation,
  state,
  cause: "message",
  created_at: EXAMPLE.at,
  updated_at: EXAMPLE.at,
});

/** @throws ProblemError `cursor_invalid` */
function lastEventId(header: string | undefined): number {
  if (header === undefined || header === "") return 0;
  if (!/^\d{1,15}$/.test(header)) {
    throw new ProblemError("cursor_invalid", "`Last-Event-ID` must be a whole number of zero or more.");
  }
  return Number(header);
}
