/**
 * A server that speaks the conversation API over real sockets, with faults that a real one has only by
 * accident: connections cut in the middle of an event, answers lost after the message was stored,
 * events sent twice, a restart on the same port.
 */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChatEvent } from "../../src/cli/chat/events.ts";

export interface ShopDouble {
  readonly url: string;
  readonly log: ChatEvent[];
  /** Every POST of a message that arrived, accepted or not. */
  readonly posts: { client_message_id: string; text: string }[];
  /** after_seq of every stream that was opened. */
  readonly streams: number[];
  append(event: Omit<ChatEvent, "seq" | "at">): void;
  /** Cuts every open stream, in the middle of what is being sent. */
  cutStreams(): void;
  /** What the next POSTs meet: stored but unanswered, or refused with a status. */
  nextPosts: ("lost_after_store" | number)[];
  /** Stored events are sent again on each new stream, from the beginning. */
  repeats: boolean;
  /** The event with this seq is left out of a stream, once. */
  skipOnce: number | null;
  /** Called with each newly stored message; appends the answer. */
  answer: (text: string, shop: ShopDouble) => void;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

export async function startShop(answer: ShopDouble["answer"]): Promise<ShopDouble> {
  const open = new Set<ServerResponse>();
  let server: Server;
  let port = 0;

  const shop: ShopDouble = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    log: [],
    posts: [],
    streams: [],
    nextPosts: [],
    repeats: false,
    skipOnce: null,
    answer,
    append(event) {
      const full = { ...event, seq: shop.log.length + 1, at: "2026-03-02T10:15:30.123Z" } as ChatEvent;
      shop.log.push(full);
      for (const response of open) send(response, full);
    },
    cutStreams() {
      for (const response of open) {
        response.write('id: 99\ndata: {"seq":99,"type":"mess');
        response.socket?.destroy();
      }
      open.clear();
    },
    async stop() {
      for (const response of open) response.socket?.destroy();
      open.clear();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    restart: () => listen(port),
  };

  const send = (response: ServerResponse, event: ChatEvent) => {
    if (shop.skipOnce === event.seq) shop.skipOnce = null;
    else response.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
  };

  const listen = async (on: number): Promise<void> => {
    server = createServer(async (request, response) => {
      const url = new URL(request.url ?? "/", "http://shop");
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
      const json = (status: number, value: unknown) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(value));
      };
      if (url.pathname === "/demo/token") {
        return body.customer === "nobody"
          ? json(404, {
              code: "not_found",
              detail: "The demo has no such customer.",
              next: "Try ada, ben, cleo, dev or eve.",
            })
          : json(200, { token: `token-of-${body.customer}` });
      }
      if (request.headers.authorization === undefined) return json(401, { code: "token_missing" });
      if (url.pathname === "/v1/conversations") return json(201, { conversation_id: "conv_1" });
      if (url.pathname === "/v1/conversations/conv_1")
        return json(200, { conversation_id: "conv_1", last_seq: shop.log.length });
      if (url.pathname === "/v1/conversations/conv_1/stream") {
        const after = Number(url.searchParams.get("after_seq") ?? 0);
        shop.streams.push(after);
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("retry: 1000\n\n");
        for (const event of shop.log) if (shop.repeats || event.seq > after) send(response, event);
        open.add(response);
        response.on("close", () => open.delete(response));
        return;
      }
      if (url.pathname === "/v1/conversations/conv_1/messages") {
        shop.posts.push(body);
        const fault = shop.nextPosts.shift();
        if (typeof fault === "number") return json(fault, { code: `http_${fault}`, detail: "No.", next: "" });
        const known = shop.log.find((event) => event.client_message_id === body.client_message_id);
        if (known === undefined) {
          const seq = shop.log.length + 1;
          shop.append({
            type: "message",
            author: "customer",
            text: body.text,
            client_message_id: body.client_message_id,
          });
          shop.answer(body.text, shop);
          if (fault === "lost_after_store") return void response.socket?.destroy();
          return json(202, { run_id: "run_1", seq });
        }
        return json(202, { run_id: "run_1", seq: known.seq });
      }
      json(404, {
        code: "not_found",
        detail: "There is nothing here for you under this ID.",
        next: "Check the ID.",
      });
    });
    await new Promise<void>((resolve) => server.listen(on, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  };

  await listen(0);
  return shop;
}

let runs = 0;

/** An answer as the product gives it: a run that starts, speaks and ends. */
export function says(shop: ShopDouble, text: string, more: Record<string, unknown> = {}): void {
  runs += 1;
  shop.append({ type: "run", run_id: `run_${runs}`, state: "queued" });
  shop.append({ type: "message", author: "agent", text, ...more });
  shop.append({ type: "run", run_id: `run_${runs}`, state: "completed" });
}
