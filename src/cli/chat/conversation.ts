/**
 * One conversation of a customer, live: its events so far, waiting for what comes, and sending that
 * survives a server that is away. A message keeps its client_message_id until the server has accepted
 * it, so that sending it again is safe; messages are sent one at a time, in order.
 */
import type { Clock, Random } from "../../kernel/ports.ts";
import { type Api, ApiProblem, Unreachable } from "../api.ts";
import { CliError, EXIT } from "../command.ts";
import { type ChatDraft, type ChatEvent, isFromCustomer, replacesDraft } from "./events.ts";
import { eventStream, type FeedItem, type FeedState, followEvents, pauseBefore } from "./feed.ts";

export interface Conversation {
  readonly id: string;
  /** All events so far, in order, from the first one. */
  readonly events: readonly ChatEvent[];
  readonly state: FeedState;
  /** What the shop is writing right now; empty when there is nothing to show. */
  readonly draft: string;
  /** Messages that the server has not accepted yet. */
  readonly unsent: number;
  /** Calls back after each event, each change of the connection, and each message that was accepted. */
  watch(fn: (change: ConversationChange) => void): () => void;
  /**
   * Resolves with the message's seq once the server has stored it; tries again for as long as the server is away.
   * @throws ApiProblem when the server refuses the message for good
   */
  send(text: string, clientMessageId?: string): Promise<number>;
  /**
   * Resolves with the first answer of `find` that is not undefined, asked after every event.
   * @throws CliError after `withinMs`; ApiProblem when the conversation cannot be followed any more
   */
  until<T>(find: (events: readonly ChatEvent[]) => T | undefined, withinMs: number, what: string): Promise<T>;
  /** Rejects when the conversation cannot be followed any more; never resolves before `close`. */
  readonly followed: Promise<void>;
  close(): Promise<void>;
}

export type ConversationChange =
  | { readonly kind: "event"; readonly event: ChatEvent }
  | { readonly kind: "state"; readonly state: FeedState }
  | { readonly kind: "draft"; readonly draft: ChatDraft }
  | { readonly kind: "outbox" };

export interface ConversationParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  /** Longest pause between attempts to connect or send. */
  readonly maxPauseMs?: number;
  readonly silenceMs?: number;
  /** Closes the conversation when it aborts. */
  readonly signal?: AbortSignal;
  /** Instead of Server-Sent Events, for tests. */
  readonly connect?: (afterSeq: number, signal: AbortSignal) => AsyncIterable<FeedItem>;
}

const MAX_PAUSE_MS = 5_000;

/** Opens a conversation. @throws ApiProblem, Unreachable */
export async function openConversation(api: Api, signal?: AbortSignal): Promise<string> {
  const { conversation_id } = await api.call<{ conversation_id: string }>(
    "POST",
    "/v1/conversations",
    {},
    signal,
  );
  return conversation_id;
}

export function followConversation(parts: ConversationParts, id: string): Conversation {
  const { api, clock, random } = parts;
  const maxPauseMs = parts.maxPauseMs ?? MAX_PAUSE_MS;
  const events: ChatEvent[] = [];
  const watchers = new Set<(change: ConversationChange) => void>();
  const closing = new AbortController();
  parts.signal?.addEventListener("abort", () => closing.abort(parts.signal?.reason), { once: true });
  let state: FeedState = { kind: "reconnecting", attempt: 0, inMs: 0, why: "not connected yet" };
  let fatal: { error: unknown } | undefined;
  let draft: ChatDraft | null = null;
  let unsent = 0;
  let lastSend: Promise<unknown> = Promise.resolve();
  /** Ends the pause of a message that waits for the server to come back. */
  let hurry = new AbortController();

  const tell = (change: ConversationChange) => {
    for (const watcher of [...watchers]) watcher(change);
  };

  const followed = followEvents(
    {
      clock,
      random,
      connect: parts.connect ?? ((afterSeq, signal) => eventStream(api, id, afterSeq, signal)),
      maxPauseMs,
      ...(parts.silenceMs === undefined ? {} : { silenceMs: parts.silenceMs }),
    },
    {
      afterSeq: 0,
      signal: closing.signal,
      onEvent(event) {
        if (draft !== null && replacesDraft(event, draft)) draft = null;
        events.push(event);
        tell({ kind: "event", event });
      },
      onDraft(next) {
        draft = next;
        tell({ kind: "draft", draft: next });
      },
      onState(next) {
        state = next;
        // What was being written when a connection broke has its message in the log by now, or soon.
        draft = null;
        if (next.kind === "live") {
          hurry.abort();
          hurry = new AbortController();
        }
        tell({ kind: "state", state });
      },
    },
  ).catch((error: unknown) => {
    fatal = { error };
    tell({ kind: "state", state });
    throw error;
  });
  // Whoever waits sees it; nobody has to.
  followed.catch(() => {});

  const accepted = (clientMessageId: string): ChatEvent | undefined =>
    events.find((event) => isFromCustomer(event) && event.client_message_id === clientMessageId);

  const sendOnce = async (text: string, clientMessageId: string): Promise<number> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await api.call<{ seq: number }>(
          "POST",
          `/v1/conversations/${encodeURIComponent(id)}/messages`,
          { client_message_id: clientMessageId, text },
          closing.signal,
        );
        return answer.seq;
      } catch (error) {
        const temporary = error instanceof Unreachable || (error instanceof ApiProblem && error.isTemporary);
        if (!temporary || closing.signal.aborted) throw error;
        const retryAfterMs = error instanceof ApiProblem ? (error.retryAfterMs ?? 0) : 0;
        const pauseMs = Math.max(retryAfterMs, pauseBefore(attempt, maxPauseMs, random.fraction()));
        await clock.sleep(pauseMs, AbortSignal.any([closing.signal, hurry.signal]));
        if (closing.signal.aborted) throw error;
        // It may have been stored although its answer was lost: the log says so.
        const echo = accepted(clientMessageId);
        if (echo !== undefined) return echo.seq;
      }
    }
  };

  return {
    id,
    events,
    get state() {
      return state;
    },
    get draft() {
      return draft?.text ?? "";
    },
    get unsent() {
      return unsent;
    },
    followed,
    watch(fn) {
      watchers.add(fn);
      return () => watchers.delete(fn);
    },
    send(text, clientMessageId = newClientMessageId(random)) {
      unsent += 1;
      const sending = lastSend.then(() => sendOnce(text, clientMessageId));
      lastSend = sending
        .catch(() => {})
        .then(() => {
          unsent -= 1;
          tell({ kind: "outbox" });
        });
      return sending;
    },
    until(find, withinMs, what) {
      return new Promise((resolve, reject) => {
        const settle = (fn: () => void) => {
          cancel();
          unwatch();
          closing.signal.removeEventListener("abort", check);
          fn();
        };
        const check = () => {
          const found = find(events);
          if (found !== undefined) settle(() => resolve(found));
          else if (fatal !== undefined) settle(() => reject(fatal?.error));
          else if (closing.signal.aborted)
            settle(() => reject(new CliError("The conversation was closed.", "")));
        };
        const cancel = clock.after(withinMs, () =>
          settle(() =>
            reject(
              new CliError(
                `${what} did not come within ${Math.round(withinMs / 1_000)} seconds.`,
                `Nothing is lost: come back to it with --conversation ${id}.`,
                EXIT.no,
              ),
            ),
          ),
        );
        const unwatch = this.watch(check);
        closing.signal.addEventListener("abort", check);
        check();
      });
    },
    async close() {
      closing.abort();
      await followed.catch(() => {});
    },
  };
}

export function newClientMessageId(random: Random): string {
  return `cli-${Buffer.from(random.bytes(16)).toString("hex")}`;
}
