/**
 * Operators' live updates as Server-Sent Events: which things have changed, so that a page reads them again. `id` is
 * the place in the feed, so that a browser's EventSource goes on where it was. A stream lives for a while only, and ends
 * at once when its person's role, session or key does: with its reconnection, who asks and what they may see is checked
 * again. Opened while that changes, it shows nothing: it is known as open first, then access is looked at once more, and
 * only then does it follow. A change before that look is seen by it, and one after it ends the stream.
 */
import type { ServerResponse } from "node:http";
import { ProblemError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { AccessChange, Feed, FeedEntry } from "../../operators/feed.ts";
import type { HttpLimits } from "./parts.ts";

export interface OperatorStreams {
  /** @throws ProblemError `rate_limited`, `streams_exhausted`, `shutting_down` */
  open(viewer: {
    readonly tenantId: TenantId;
    readonly operator: string;
    /** Null: a key, or a configured token. */
    readonly personId: string | null;
    readonly place: string | null;
    readonly outgoing: ServerResponse;
    readonly headers: Readonly<Record<string, string>>;
    /** Whether access is what it was when the request was let in. */
    readonly isStillAllowed: () => Promise<boolean>;
  }): void;
  /** Ends all: clients reconnect. */
  stop(): void;
  readonly size: number;
}

/** What an EventSource waits before it reconnects. */
const RETRY_MS = 1_000;

export function createOperatorStreams(parts: {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly limits: HttpLimits;
}): OperatorStreams {
  const { feed, clock, limits } = parts;
  const open = new Map<() => void, Viewer>();
  let stopping = false;
  const unfollow = feed.followAccess((whose) => {
    for (const [end, viewer] of [...open]) if (whose === null || isOf(viewer, whose)) end();
  });

  return {
    open({ tenantId, operator, personId, place, outgoing, headers, isStillAllowed }) {
      const own = [...open.values()].filter(
        (each) => each.tenantId === tenantId && each.operator === operator,
      ).length;
      if (own >= limits.streamsPerCustomer) {
        throw new ProblemError("rate_limited", `You have ${own} open streams already.`, {
          next: "Close a page, or share one stream between tabs.",
          retryAfterMs: limits.streamPingMs,
        });
      }
      if (open.size >= limits.streamsPerProcess) {
        throw new ProblemError("streams_exhausted", undefined, { retryAfterMs: limits.streamPingMs });
      }
      if (stopping) throw new ProblemError("shutting_down");
      outgoing.writeHead(200, {
        ...headers,
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        connection: "close",
      });
      outgoing.on("error", () => {});
      outgoing.write(`retry: ${RETRY_MS}\n\n`);

      /** The latest of each thing since the last pause, in order of its latest change. */
      const waiting = new Map<string, FeedEntry>();
      let cancelPause = () => {};
      let isPausing = false;
      const flush = () => {
        isPausing = false;
        const text = [...waiting.values()].map(asEvent).join("");
        waiting.clear();
        if (text === "") return;
        outgoing.write(text);
        // A reader that takes nothing comes back and reads anew.
        if (outgoing.writableLength > limits.streamBufferBytes) end();
      };
      const follow = () =>
        feed.follow(tenantId, place, (entry) => {
          if (entry.change === null) waiting.clear();
          const what = entry.change === null ? "" : `${entry.change.kind}/${entry.change.id}`;
          waiting.delete(what);
          waiting.set(what, entry);
          if (isPausing) return;
          isPausing = true;
          cancelPause = clock.after(limits.feedPauseMs, flush);
        });
      const cleanups = [
        every(clock, limits.streamPingMs, () => outgoing.write(": ping\n\n")),
        clock.after(limits.feedStreamMs, () => end()),
        () => cancelPause(),
      ];
      const gone = () => {
        open.delete(end);
        for (const cleanup of cleanups.splice(0)) cleanup();
      };
      const end = () => {
        gone();
        outgoing.end();
      };
      open.set(end, { tenantId, operator, personId });
      if (outgoing.destroyed) return gone();
      outgoing.once("close", gone);
      void isStillAllowed().then((isAllowed) => {
        if (!open.has(end)) return;
        if (isAllowed) cleanups.push(follow());
        else end();
      });
    },
    stop() {
      stopping = true;
      unfollow();
      for (const end of [...open.keys()]) end();
    },
    get size() {
      return open.size;
    },
  };
}

interface Viewer {
  readonly tenantId: TenantId;
  readonly operator: string;
  readonly personId: string | null;
}

const isOf = (viewer: Viewer, { tenantId, id }: AccessChange): boolean =>
  (tenantId === "*" || tenantId === viewer.tenantId) && (id === viewer.personId || id === viewer.operator);

function asEvent({ place, change }: FeedEntry): string {
  return change === null
    ? `id: ${place}\nevent: reset\ndata: {}\n\n`
    : `id: ${place}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
}

function every(clock: Clock, ms: number, fn: () => void): () => void {
  let cancel = () => {};
  const arm = () => {
    cancel = clock.after(ms, () => {
      fn();
      arm();
    });
  };
  arm();
  return () => cancel();
}
