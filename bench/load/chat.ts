/** A customer who chats over HTTP and reads the answers from a stream. */
import { createParser } from "eventsource-parser";
import type { LogEvent } from "../processes.ts";
import {
  type Book,
  type Conversation,
  comesAgain,
  insist,
  now,
  PATIENCE_MS,
  pause,
  Refused,
} from "./customers.ts";
import type { Talk } from "./talks.ts";

/** The proxy or the server that a stream went through is gone: looked for again after this. */
const RECONNECT_MS = 200;
const ENDED = new Set(["completed", "handed_off", "cancelled", "expired", "failed"]);

export function chatConversation(parts: {
  readonly book: Book;
  readonly talk: Talk;
  /** A number no other conversation of this load has. */
  readonly name: string;
  readonly url: string;
  readonly token: () => Promise<string>;
}): Conversation {
  const { book, talk, name, url } = parts;
  const closing = new AbortController();
  let id: string | null = null;
  let at = 0;
  let sent = 0;
  /** Of the last run that the log tells of. */
  let last: { readonly seq: number; readonly isLive: boolean } = { seq: 0, isLive: false };
  const ended = new Set<string>();
  let seen = 0;
  let wake = () => {};

  const request = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${await parts.token()}`, "content-type": "application/json" },
    });
    const body = await response.text();
    if (response.ok) return JSON.parse(body) as T;
    const what = `${path} answered ${response.status}: ${body}`;
    throw comesAgain(response.status) ? new Error(what) : new Refused(what);
  };

  const read = async (): Promise<void> => {
    const parser = createParser({
      onEvent({ data }) {
        const event = JSON.parse(data) as LogEvent;
        if (typeof event.seq !== "number" || event.seq <= seen) return;
        seen = event.seq;
        if (event.type === "run") {
          const isLive = !ENDED.has(event.state ?? "");
          last = { seq: event.seq, isLive };
          if (!isLive) ended.add(event.run_id ?? "");
        }
        wake();
      },
    });
    while (!closing.signal.aborted) {
      try {
        const response = await fetch(`${url}/v1/conversations/${id}/stream?after_seq=${seen}`, {
          headers: { authorization: `Bearer ${await parts.token()}`, accept: "text/event-stream" },
          signal: closing.signal,
        });
        if (response.ok && response.body !== null) {
          parser.reset();
          const decoder = new TextDecoder();
          for await (const chunk of response.body as AsyncIterable<Uint8Array>)
            parser.feed(decoder.decode(chunk, { stream: true }));
        }
      } catch {
        // The server is away: what it has is read from where this reader is.
      }
      if (!closing.signal.aborted) await pause(RECONNECT_MS);
    }
  };

  const say = async (text: string): Promise<{ run_id: string | null; seq: number }> => {
    const clientMessageId = `${name}-${sent}`;
    const said = await insist(book, () =>
      request<{ run_id: string | null; seq: number }>(`/v1/conversations/${id}/messages`, {
        method: "POST",
        body: JSON.stringify({ client_message_id: clientMessageId, text }),
      }),
    );
    book.accepted.push({
      id: clientMessageId,
      channel: "chat",
      tenant: talk.member.tenant,
      conversation: id,
      talk,
      n: sent,
    });
    sent += 1;
    return said;
  };

  return {
    get left() {
      return talk.exchanges[at]?.length ?? 0;
    },
    async next(dueMs) {
      if (id === null) {
        const opened = await insist(book, () =>
          request<{ conversation_id: string }>("/v1/conversations", { method: "POST", body: "{}" }),
        );
        id = opened.conversation_id;
        void read();
      }
      const exchange = talk.exchanges[at] ?? [];
      at += 1;
      const accepted: { fromMs: number; run_id: string | null; seq: number }[] = [];
      for (const text of exchange) {
        const said = await say(text);
        accepted.push({ fromMs: dueMs ?? now(), ...said });
      }
      const isAnswered = (it: (typeof accepted)[number]) =>
        it.run_id === null || (ended.has(it.run_id) && last.seq > it.seq && !last.isLive);
      const endMs = now() + PATIENCE_MS;
      for (const message of accepted) {
        while (!isAnswered(message)) {
          if (now() > endMs) {
            book.slow.push(`${id} seq ${message.seq}`);
            at = talk.exchanges.length;
            return;
          }
          let cancel: NodeJS.Timeout | undefined;
          await new Promise<void>((resolve) => {
            wake = resolve;
            cancel = setTimeout(resolve, 5_000);
          });
          clearTimeout(cancel);
          // Events of one commit come one after the other.
          await new Promise((resolve) => setImmediate(resolve));
        }
        book.measured.chatMs.push(now() - message.fromMs);
      }
    },
    close() {
      closing.abort();
      wake();
    },
  };
}
