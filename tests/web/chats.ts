/** The widget's chats as tests open them: a device, a server with one log, and what is put away afterwards. */
import { afterEach, beforeEach, vi } from "vitest";
import { type Chat, createChat } from "../../web/widget/panel/chat.ts";
import { type ChatEvent, createClient } from "../../web/widget/panel/client.ts";
import { type Call, createDevice, type Device, json, problem } from "./device.ts";

export const KEY = "recourse:northwind:ada";
export const at = "2026-03-02T10:15:30.000Z";
export const message = (seq: number, author: "customer" | "agent", text: string, id?: string): ChatEvent => ({
  seq,
  at,
  type: "message",
  author,
  text,
  ...(id === undefined ? {} : { client_message_id: id }),
});
const sse = (events: readonly object[]): string =>
  events
    .map((event) =>
      "seq" in event
        ? `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
        : `event: draft\ndata: ${JSON.stringify(event)}\n\n`,
    )
    .join("");

/** A server with one log; what is written to `live` goes to every open stream. */
export function createServer(device: Device) {
  const log: ChatEvent[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const server = {
    log,
    streams,
    opened: 0,
    streamsPass: true,
    live(events: readonly object[]) {
      for (const stream of streams) stream.enqueue(new TextEncoder().encode(sse(events)));
    },
    say(event: ChatEvent) {
      log.push(event);
      server.live([event]);
    },
    answer(call: Call): Response {
      const { method, path, body, signal } = call;
      if (method === "POST" && path === "/v1/conversations") {
        server.opened += 1;
        return json(201, { conversation_id: `conv_${server.opened}` });
      }
      if (method === "POST" && path.endsWith("/messages")) {
        const known = log.find(
          (each) => "client_message_id" in each && each.client_message_id === body.client_message_id,
        );
        if (known === undefined)
          server.say(message(log.length + 1, "customer", body.text, body.client_message_id));
        return json(202, { run_id: "run_1", seq: log.length });
      }
      const after = Number(new URLSearchParams(path.split("?")[1]).get("after_seq") ?? 0);
      const missed = log.filter(({ seq }) => seq > after);
      if (path.includes("/events"))
        return json(200, { events: missed, last_seq: log.at(-1)?.seq ?? after, more: false });
      if (path.includes("/stream")) {
        if (!server.streamsPass) return problem(502, "http_502");
        const stream = new ReadableStream<Uint8Array>({
          start(controller) {
            streams.add(controller);
            controller.enqueue(new TextEncoder().encode(`: hello\n\n${sse(missed)}`));
            signal?.addEventListener("abort", () => {
              if (streams.delete(controller)) controller.error(new DOMException("aborted", "AbortError"));
            });
          },
        });
        return new Response(stream, { headers: { "content-type": "text/event-stream" } });
      }
      return problem(404, "not_found");
    },
  };
  device.answer = server.answer;
  return server;
}

const open: Chat[] = [];
/** A chat on the device that is there now; stopped after its test. */
export function startChat(): Chat {
  const chat = createChat({
    client: createClient("https://support.example", async () => "token"),
    keyPrefix: KEY,
  });
  open.push(chat);
  return chat;
}
export const texts = (chat: Chat) => chat.state.messages.map(({ text }) => text);

/** A device of its own for each test of the file that calls this. */
export function eachOnItsDevice(take: (device: Device) => void): void {
  beforeEach(() => take(createDevice()));
  afterEach(() => {
    for (const chat of open.splice(0)) chat.stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}
