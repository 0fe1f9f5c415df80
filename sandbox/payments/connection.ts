/**
 * Connections that break on demand. Over a socket it is reset, or left without an answer until the client
 * gives up; in the same process `fetch` rejects, or settles only when its signal aborts.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Hono } from "hono";

export type BrokenHow = "reset" | "silence";

/** Thrown where a request must get no answer. */
export class BrokenConnection extends Error {
  override readonly name = "BrokenConnection";
  readonly how: BrokenHow;
  constructor(how: BrokenHow) {
    super(how);
    this.how = how;
  }
}

/** Says to {@link inProcessFetch} what a socket would have done. */
const MARK = "x-sandbox-broken";

/**
 * Breaks the connection of a request. `c.env` has node's `incoming` and `outgoing` when the app is served
 * by `@hono/node-server`, mounted in another app or not.
 */
export async function breakConnection(c: Context, how: BrokenHow, stopping: AbortSignal): Promise<Response> {
  const { incoming, outgoing } = (c.env ?? {}) as { incoming?: IncomingMessage; outgoing?: ServerResponse };
  if (incoming === undefined || outgoing === undefined) {
    return new Response(null, { status: 599, headers: { [MARK]: how } });
  }
  if (how === "silence") {
    await aborted(AbortSignal.any([c.req.raw.signal, stopping]));
  }
  // A reset, not an orderly end: the client must not take it for an empty answer.
  incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** `fetch` for an app in the same process: broken connections are what they would be over a socket. */
export function inProcessFetch(app: { fetch: Hono["fetch"] }): typeof fetch {
  return async (input, init) => {
    const request = new Request(input as string, init);
    // The caller's own signal: a request's follows it only until the request is garbage.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : request.signal);
    const givenUp = aborted(signal).then((): never => {
      throw signal.reason;
    });
    givenUp.catch(() => {});
    // The server goes on when the client has gone: what it was asked to do may still be done.
    const response = await Promise.race([app.fetch(request), givenUp]);
    const how = response.headers.get(MARK);
    if (how === null) return response;
    if (how === "silence") return givenUp;
    throw new TypeError("fetch failed", {
      cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" }),
    });
  };
}
