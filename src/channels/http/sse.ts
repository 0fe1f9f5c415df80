/** A stream as Server-Sent Events: `id` is the seq, so that a browser's EventSource resumes by itself. */
import type { ServerResponse } from "node:http";
import type { ProblemError } from "../../kernel/errors.ts";
import type { ProblemDocument } from "./problems.ts";
import type { StreamSink } from "./streams.ts";

/** What an EventSource waits before it reconnects. */
const RETRY_MS = 1_000;

export function openEventStream(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  problem: (error: ProblemError) => ProblemDocument,
): StreamSink {
  outgoing.writeHead(200, {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    // A proxy that collects the answer first would deliver nothing.
    "x-accel-buffering": "no",
    connection: "close",
  });
  outgoing.socket?.setKeepAlive(true, 15_000);
  outgoing.socket?.setNoDelay(true);
  // A reset connection: `close` follows.
  outgoing.on("error", () => {});
  outgoing.write(`retry: ${RETRY_MS}\n\n`);
  return {
    encode: (event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`,
    // Named, so that who reads messages only never meets it; without an id, so that nobody resumes from it.
    encodeDraft: (draft) => `event: draft\ndata: ${JSON.stringify(draft)}\n\n`,
    write(text, flushed) {
      if (outgoing.destroyed || outgoing.writableEnded) flushed();
      else outgoing.write(text, flushed);
    },
    ping() {
      if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.write(": ping\n\n");
      return true;
    },
    end(error) {
      // What is queued for a reader that takes nothing is not added to.
      if (error.code === "reader_too_slow") outgoing.end();
      else outgoing.end(`event: problem\ndata: ${JSON.stringify(problem(error))}\n\n`);
    },
    destroy: () => outgoing.destroy(),
    onGone(fn) {
      if (outgoing.destroyed) fn();
      else outgoing.once("close", fn);
    },
  };
}
