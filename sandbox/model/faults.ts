/** What a provider of models can do wrong, as it looks on the wire. */
import type { ServerResponse } from "node:http";
import { answerChunks } from "./answers.ts";
import { json } from "./exchange.ts";
import type { ChatRequest, Fault, Turn } from "./server.ts";

const HUGE_CHARS = 1_100_000;

/** Plays the fault; true when the answer is over, false when there is nothing wrong with this question. */
export function playFault(
  fault: Fault,
  request: ChatRequest,
  turn: Turn,
  response: ServerResponse,
  retryAfter: string | null,
): boolean {
  const refuse = (status: number, code: string, message: string) =>
    json(
      response,
      status,
      { error: { message, type: code, code } },
      retryAfter === null ? {} : { "retry-after": retryAfter },
    );
  const begin = () => response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (chunk: object) => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  const chunks = () => [...answerChunks(request, turn)];
  switch (fault) {
    case "hang":
      // Nothing, until whoever asked gives up.
      return true;
    case "refuse_connection":
      response.destroy();
      return true;
    case "error_500":
      refuse(500, "server_error", "The server had an error while processing your request.");
      return true;
    case "rate_limit":
      refuse(429, "rate_limit_exceeded", "Rate limit reached.");
      return true;
    case "quota":
      refuse(429, "insufficient_quota", "You exceeded your current quota (insufficient_quota).");
      return true;
    case "bad_key":
      refuse(401, "invalid_api_key", "Incorrect API key provided: sk-canary-0123456789.");
      return true;
    case "context_overflow":
      refuse(400, "context_length_exceeded", "This model's maximum context length is 4096 tokens.");
      return true;
    case "filtered_question":
      refuse(
        400,
        "content_filter",
        "The prompt triggered the content management policy (canary-policy-text).",
      );
      return true;
    case "no_logprobs":
      // As llama.cpp does, beside tools and a stream; asked without, it answers.
      if (request.logprobs !== true) return false;
      refuse(400, "invalid_request_error", "logprobs is not supported with tools + stream");
      return true;
    case "not_json":
      begin();
      response.end("data: {not json\n\ndata: [DONE]\n\n");
      return true;
    case "truncated": {
      begin();
      const all = chunks();
      for (const chunk of all.slice(0, Math.max(2, Math.ceil(all.length / 2)))) send(chunk);
      // The half answer goes out before the connection breaks.
      response.write("", () => response.destroy());
      return true;
    }
    case "stall":
      begin();
      for (const chunk of chunks().slice(0, 3)) send(chunk);
      return true;
    case "huge":
      begin();
      for (const chunk of answerChunks(request, { text: "x".repeat(HUGE_CHARS) })) send(chunk);
      response.end("data: [DONE]\n\n");
      return true;
    case "endless":
      begin();
      for (const chunk of answerChunks(request, { text: "and again and again ".repeat(2_000) })) send(chunk);
      return true;
    case "error_in_stream":
      begin();
      for (const chunk of chunks().slice(0, 2)) send(chunk);
      response.end(
        `data: ${JSON.stringify({ error: { message: "overloaded", type: "server_error", code: 500 } })}\n\n`,
      );
      return true;
  }
}
