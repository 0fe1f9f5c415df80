/** What comes in and goes out: the question with its customer's message, scripts, JSON answers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ChatRequest, Turn } from "./server.ts";

const LARGEST_BODY = 8_388_608;

/** The body as JSON; null when it is none. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > LARGEST_BODY) return null;
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null;
  }
}

/** The text of the last user message: the message to answer stands there. */
export function focusOf({ messages }: ChatRequest): string {
  const last = messages.findLast(({ role }) => role === "user");
  return textOf(last?.content);
}

/** Results since that message of the tools of these names: others were called before the model was asked. */
export function resultsIn({ messages }: ChatRequest, tools: ReadonlySet<string>): number {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const since = messages.slice(last + 1);
  const ids = new Set(
    since
      .flatMap((message) => message.tool_calls ?? [])
      .filter((call) => tools.has(call.function.name))
      .map(({ id }) => id),
  );
  return since.filter(({ role, tool_call_id: id }) => role === "tool" && id !== undefined && ids.has(id))
    .length;
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { text?: unknown }) => (typeof part?.text === "string" ? part.text : ""))
    .join("");
}

export function readTurns(value: unknown): readonly Turn[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.every((turn) => turn !== null && typeof turn === "object") ? (value as Turn[]) : null;
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
