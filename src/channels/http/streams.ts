/**
 * Live events of one conversation, the same over WebSocket and Server-Sent Events.
 *
 * A stream subscribes first and reads the log afterwards, from the client's cursor, page by page; a
 * wake-up brings the next events or says "read again", and a slow poll makes up for one that was lost. So
 * every event after the cursor is delivered once, in order, whatever is appended meanwhile and where.
 *
 * What is being written right now (a draft) is passed on as it comes, to a reader that keeps up; it has no
 * place in the order and is not delivered again.
 *
 * A reader that does not keep up stops the reading, not the memory: beyond `streamBufferBytes` the
 * log is not read further, and a reader that then takes nothing is disconnected and resumes by seq.
 */
import type { Conversations } from "../../conversations/conversations.ts";
import type { PublicEvent } from "../../conversations/events.ts";
import type { LiveDraft } from "../../conversations/hub.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import type { HttpLimits, HttpLog } from "./parts.ts";
import { asProblem } from "./problems.ts";
import type { VerifiedCustomer } from "./tokens.ts";

/** Why a stream ended, as a WebSocket close code; SSE says the same in a `problem` event. */
export const CLOSE_CODES = {
  token_expired: 4401,
  token_invalid: 4401,
  not_found: 4404,
  reader_too_slow: 4008,
  shutting_down: 1012,
  database_unavailable: 1013,
  stream_is_one_way: 1008,
} as const;
export type StreamEndCode = keyof typeof CLOSE_CODES;

/** What a run is writing: the whole of it each time, and empty when it is taken back. */
export interface PublicDraft {
  readonly type: "draft";
  readonly run_id: string;
  readonly text: string;
}

/** One client connection, already open. */
export interface StreamSink {
  /** One event as it goes over this connection. */
  encode(event: PublicEvent): string;
  /** What is being written, as it goes over this connection. */
  encodeDraft(draft: PublicDraft): string;
  /** Queues text; calls `flushed` once the kernel has it, or the connection is gone. */
  write(text: string, flushed: () => void): void;
  /** Asks for a sign of life; false when the peer has been silent for too long. */
  ping(): boolean;
  /** Tells why and closes; what is already queued is still delivered. */
  end(problem: ProblemError & { readonly code: StreamEndCode }): void;
  /** Closes at once. */
  destroy(): void;
  /** Calls back once when the connection is gone, whoever closed it. */
  onGone(fn: () => void): void;
}

export interface Streams {
  /**
   * Checks the limits and the scope, then connects and follows the conversation until it ends.
   * `connect` may answer null when the handshake failed.
   * @throws ProblemError `not_found`, `rate_limited`, `streams_exhausted`
   */
  open(viewer: {
    customer: VerifiedCustomer;
    conversationId: string;
    afterSeq: number;
    connect: () => StreamSink | null;
  }): Promise<void>;
  /** Tells all clients that the server stops; resolves when all are gone, at most after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Ends those that a customer opened whose token opens nothing any more. */
  endRefused(isRefused: (customer: VerifiedCustomer) => boolean): void;
  readonly size: number;
}

export interface StreamParts {
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: HttpLog;
  readonly limits: HttpLimits;
}

const FAILED_READS_MAX = 15;

export function createStreams(parts: StreamParts): Streams {
  const { limits } = parts;
  const open = new Set<Stream>();
  const perCustomer = new Map<string, number>();
  let reserved = 0;
  let stopping = false;

  const reserve = (key: string): (() => void) => {
    const count = perCustomer.get(key) ?? 0;
    if (count >= limits.streamsPerCustomer) {
      throw new ProblemError("rate_limited", `You have ${count} open streams already.`, {
        next: "Close a stream, or share one between tabs.",
        retryAfterMs: limits.streamPingMs,
      });
    }
    if (reserved >= limits.streamsPerProcess) {
      throw new ProblemError("streams_exhausted", undefined, { retryAfterMs: limits.streamPingMs });
    }
    reserved += 1;
    perCustomer.set(key, count + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      reserved -= 1;
      const left = (perCustomer.get(key) ?? 1) - 1;
      if (left === 0) perCustomer.delete(key);
      else perCustomer.set(key, left);
    };
  };

  return {
    async open({ customer, conversationId, afterSeq, connect }) {
      const { tenantId, customerId } = customer.scope;
      const release = reserve(JSON.stringify([tenantId, customerId]));
      let stream: Stream | undefined;
      try {
        await parts.conversations.view(customer.scope, conversationId);
        if (stopping) throw new ProblemError("shutting_down");
        const sink = connect();
        if (sink === null) return;
        stream = new Stream(parts, sink, customer, conversationId, afterSeq);
      } finally {
        if (stream === undefined) release();
      }
      const following = stream;
      open.add(following);
      following.follow(() => {
        open.delete(following);
        release();
      });
    },
    async stop(graceMs) {
      stopping = true;
      for (const stream of open) stream.end("shutting_down");
      const giveUpMs = parts.clock.now() + graceMs;
      while (open.size > 0 && parts.clock.now() < giveUpMs) await parts.clock.sleep(10);
      for (const stream of open) stream.destroy();
    },
    endRefused(isRefused) {
      for (const stream of open) if (isRefused(stream.customer)) stream.end("token_invalid");
    },
    get size() {
      return open.size;
    },
  };
}

class Stream {
  readonly #parts: StreamParts;
  readonly #sink: StreamSink;
  readonly customer: VerifiedCustomer;
  readonly #conversationId: string;
  #sentSeq: number;
  #queuedBytes = 0;
  #flushedBytes = 0;
  #ended = false;
  #woken = false;
  readonly #handed: PublicEvent[] = [];
  #draining = false;
  #wakeUp: () => void = () => {};
  readonly #cleanups: (() => void)[] = [];

  constructor(
    parts: StreamParts,
    sink: StreamSink,
    customer: VerifiedCustomer,
    conversationId: string,
    afterSeq: number,
  ) {
    this.#parts = parts;
    this.#sink = sink;
    this.customer = customer;
    this.#conversationId = conversationId;
    this.#sentSeq = afterSeq;
  }

  /** Runs until the stream ends; calls `onGone` once the connection is closed. */
  follow(onGone: () => void): void {
    const { conversations, clock, limits, log } = this.#parts;
    this.#sink.onGone(() => {
      this.#finish();
      onGone();
    });
    this.#cleanups.push(
      conversations.subscribe(
        this.customer.scope,
        this.#conversationId,
        (events) => this.#wake(events),
        (draft) => this.#show(draft),
      ),
      clock.after(Math.max(0, this.customer.validUntilMs - clock.now()), () => this.end("token_expired")),
    );
    this.#every(limits.streamPingMs, () => {
      if (!this.#sink.ping()) this.destroy();
    });
    this.#deliver().catch((error: unknown) => {
      log.error({ err: error, conversation_id: this.#conversationId }, "a stream failed");
      this.destroy();
    });
  }

  end(code: StreamEndCode): void {
    if (this.#ended) return;
    this.#finish();
    this.#parts.log.debug(
      { conversation_id: this.#conversationId, code, sent_seq: this.#sentSeq },
      "a stream was ended",
    );
    this.#sink.end(new ProblemError(code) as ProblemError & { code: StreamEndCode });
    // A peer that does not close its side is not waited for.
    this.#parts.clock.after(this.#parts.limits.streamCloseMs, () => this.#sink.destroy());
  }

  destroy(): void {
    this.#finish();
    this.#sink.destroy();
  }

  #finish(): void {
    this.#ended = true;
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    this.#wakeUp();
  }

  #wake(events: readonly PublicEvent[] = []): void {
    this.#woken = true;
    if (this.#handed.length + events.length <= this.#parts.limits.streamBufferEvents) {
      this.#handed.push(...events);
    }
    // While a slow reader drains its buffer, new events wait in the log.
    if (!this.#draining) this.#wakeUp();
  }

  async #deliver(): Promise<void> {
    const { conversations, limits, log } = this.#parts;
    let pauseMs = limits.streamPollMs;
    let failures = 0;
    while (!this.#ended) {
      this.#woken = false;
      let page: readonly PublicEvent[];
      try {
        page =
          this.#handedOver() ??
          (await conversations.events(this.customer.scope, this.#conversationId, this.#sentSeq));
        failures = 0;
      } catch (error) {
        if (asProblem(error).code === "not_found") return this.end("not_found");
        failures += 1;
        log.warn({ err: error, conversation_id: this.#conversationId, failures }, "a stream cannot read");
        if (failures > FAILED_READS_MAX) return this.end("database_unavailable");
        await this.#pause(limits.streamPollMs);
        continue;
      }
      for (const event of page) {
        if (this.#ended) return;
        if (event.seq <= this.#sentSeq) continue;
        this.#send(event);
        if (this.#queuedBytes > limits.streamBufferBytes) await this.#drained();
      }
      if (page.length >= limits.eventsPerPage) continue;
      pauseMs = page.length > 0 ? limits.streamPollMs : Math.min(pauseMs * 2, limits.streamIdlePollMs);
      if (!this.#woken) await this.#pause(pauseMs);
    }
  }

  /** Events that came with a wake-up, if they follow on what was sent without a gap; else the log is read. */
  #handedOver(): readonly PublicEvent[] | null {
    const handed = this.#handed.splice(0).filter(({ seq }) => seq > this.#sentSeq);
    const follows = handed.every(({ seq }, index) => seq === this.#sentSeq + 1 + index);
    return handed.length > 0 && follows ? handed : null;
  }

  #send(event: PublicEvent): void {
    this.#sentSeq = event.seq;
    this.#write(this.#sink.encode(event));
  }

  /** A reader who is behind has more important things to read. */
  #show({ runId, text }: LiveDraft): void {
    if (this.#ended || this.#queuedBytes > this.#parts.limits.streamBufferBytes / 2) return;
    this.#write(this.#sink.encodeDraft({ type: "draft", run_id: runId, text }));
  }

  #write(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#queuedBytes += bytes;
    this.#sink.write(text, () => {
      this.#queuedBytes -= bytes;
      this.#flushedBytes += bytes;
      if (this.#draining) this.#wakeUp();
    });
  }

  /** Waits until half of the buffer is free; ends the stream when the reader takes nothing for too long. */
  async #drained(): Promise<void> {
    const { clock, limits } = this.#parts;
    let flushedBytes = this.#flushedBytes;
    let sinceMs = clock.now();
    this.#draining = true;
    while (!this.#ended && this.#queuedBytes > limits.streamBufferBytes / 2) {
      await this.#pause(limits.streamPollMs);
      if (this.#flushedBytes > flushedBytes) {
        flushedBytes = this.#flushedBytes;
        sinceMs = clock.now();
        continue;
      }
      const patienceMs = (await this.#isFarBehind()) ? limits.streamStallMs / 3 : limits.streamStallMs;
      if (clock.now() - sinceMs >= patienceMs) this.end("reader_too_slow");
    }
    this.#draining = false;
  }

  async #isFarBehind(): Promise<boolean> {
    try {
      const { lastSeq } = await this.#parts.conversations.view(this.customer.scope, this.#conversationId);
      return lastSeq - this.#sentSeq > this.#parts.limits.streamBufferEvents;
    } catch {
      return false;
    }
  }

  /** Resolves after about `ms`, on a wake-up or at the end. */
  #pause(ms: number): Promise<void> {
    const { clock, random } = this.#parts;
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        this.#wakeUp = () => {};
        resolve();
      };
      // Jitter keeps the polls of many streams apart.
      const cancel = clock.after(ms * (0.75 + random.fraction() / 4), done);
      this.#wakeUp = done;
    });
  }

  #every(ms: number, fn: () => void): void {
    const { clock } = this.#parts;
    let cancel = () => {};
    const arm = () => {
      cancel = clock.after(ms, () => {
        if (this.#ended) return;
        fn();
        arm();
      });
    };
    arm();
    this.#cleanups.push(() => cancel());
  }
}
