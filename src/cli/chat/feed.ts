/**
 * Follows a conversation's events over connections that come and go: every event once, in order,
 * whatever breaks. A new connection starts after the last event that was handed on; an event that was
 * seen is dropped; a gap is treated as a broken connection. Pauses between attempts double, with jitter.
 */
import { createParser } from "eventsource-parser";
import type { Clock, Random } from "../../kernel/ports.ts";
import { type Api, ApiProblem, Unreachable } from "../api.ts";
import { type ChatDraft, type ChatEvent, readDraft, readEvent } from "./events.ts";

export type FeedItem =
  | { readonly kind: "event"; readonly event: ChatEvent }
  | { readonly kind: "draft"; readonly draft: ChatDraft }
  /** The connection lives: opened, or pinged. */
  | { readonly kind: "alive" }
  /** The server ends the stream, and says why. */
  | { readonly kind: "ended"; readonly problem: ApiProblem };

export type FeedState =
  | { readonly kind: "live" }
  | { readonly kind: "reconnecting"; readonly attempt: number; readonly inMs: number; readonly why: string };

export interface FeedParts {
  /** Opens one connection. */
  connect(afterSeq: number, signal: AbortSignal): AsyncIterable<FeedItem>;
  readonly clock: Clock;
  readonly random: Random;
  /** A connection that is silent for longer is taken for dead; servers ping every 15 s. */
  readonly silenceMs?: number;
  readonly maxPauseMs?: number;
}

export interface FeedWatcher {
  readonly afterSeq: number;
  readonly signal: AbortSignal;
  onEvent(event: ChatEvent): void;
  onDraft?(draft: ChatDraft): void;
  onState(state: FeedState): void;
}

const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;

/** The pause before attempt number `attempt` (1 is the first): half fixed, half by chance. */
export function pauseBefore(attempt: number, maxMs: number, fraction: number): number {
  const full = Math.min(maxMs, FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 20));
  return Math.round(full / 2 + (full / 2) * fraction);
}

/**
 * Runs until `signal` aborts, then resolves.
 * @throws ApiProblem when the server refuses for good (unknown conversation, bad token)
 */
export async function followEvents(parts: FeedParts, watcher: FeedWatcher): Promise<void> {
  const { clock, random } = parts;
  const { signal } = watcher;
  let seen = watcher.afterSeq;
  let failures = 0;
  while (!signal.aborted) {
    let why = "the connection ended";
    let retryAfterMs: number | undefined;
    const connection = new AbortController();
    const cut = () => connection.abort(new Unreachable("", "the stream was silent", undefined));
    const stop = () => connection.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    let cancelSilence = clock.after(parts.silenceMs ?? SILENCE_MS, cut);
    try {
      for await (const item of parts.connect(seen, connection.signal)) {
        if (signal.aborted) return;
        cancelSilence();
        cancelSilence = clock.after(parts.silenceMs ?? SILENCE_MS, cut);
        if (item.kind === "ended") throw item.problem;
        if (failures >= 0) {
          failures = -1;
          watcher.onState({ kind: "live" });
        }
        if (item.kind === "draft") watcher.onDraft?.(item.draft);
        if (item.kind !== "event" || item.event.seq <= seen) continue;
        if (item.event.seq !== seen + 1) {
          why = `event ${seen + 1} was missing`;
          break;
        }
        seen = item.event.seq;
        watcher.onEvent(item.event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiProblem) {
        if (!isWorthRetrying(error)) throw error;
        retryAfterMs = error.retryAfterMs;
      } else if (!(error instanceof Unreachable) && !isAbort(error)) throw error;
      why = error instanceof Unreachable ? error.why : (error as Error).message;
    } finally {
      cancelSilence();
      signal.removeEventListener("abort", stop);
      connection.abort(new Unreachable("", "closed", undefined));
    }
    if (signal.aborted) return;
    failures = Math.max(0, failures) + 1;
    const inMs = Math.max(
      retryAfterMs ?? 0,
      pauseBefore(failures, parts.maxPauseMs ?? MAX_PAUSE_MS, random.fraction()),
    );
    watcher.onState({ kind: "reconnecting", attempt: failures, inMs, why });
    await clock.sleep(inMs, signal);
  }
}

/** A stream's token that ran out is renewed by the next request. */
const isWorthRetrying = (problem: ApiProblem): boolean =>
  problem.isTemporary ||
  problem.code === "shutting_down" ||
  problem.code === "reader_too_slow" ||
  problem.code === "token_expired_stream";

const isAbort = (error: unknown): boolean => (error as Error)?.name === "AbortError";

/** Longest event that is taken: far above the server's longest message. */
const EVENT_BYTES_MAX = 4_000_000;

/** A connection over Server-Sent Events. */
export async function* eventStream(
  api: Api,
  conversationId: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<FeedItem> {
  const path = `/v1/conversations/${encodeURIComponent(conversationId)}/stream?after_seq=${afterSeq}`;
  const body = await api.stream(path, signal);
  const ready: FeedItem[] = [{ kind: "alive" }];
  let pending = 0;
  const parser = createParser({
    onEvent(message) {
      pending = 0;
      const value = parsed(message.data);
      if (message.event === "problem") {
        const document = (value ?? {}) as Record<string, unknown>;
        const status = typeof document.status === "number" ? document.status : 500;
        // Said by an open stream, an expired token only means: connect again, with a new one.
        const code = document.code === "token_expired" ? "token_expired_stream" : document.code;
        ready.push({ kind: "ended", problem: new ApiProblem(status, { ...document, code }) });
        return;
      }
      const draft = message.event === "draft" ? readDraft(value) : null;
      if (draft !== null) ready.push({ kind: "draft", draft });
      const event = readEvent(value);
      if (event !== null) ready.push({ kind: "event", event });
    },
    onComment: () => {
      pending = 0;
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      yield* ready.splice(0);
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal.aborted ? signal.reason : new Unreachable(api.url, "the stream broke off", error);
      });
      if (done) return;
      pending += value.byteLength;
      if (pending > EVENT_BYTES_MAX)
        throw new Unreachable(api.url, "the stream sent an event without end", undefined);
      parser.feed(decoder.decode(value, { stream: true }));
      ready.push({ kind: "alive" });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
