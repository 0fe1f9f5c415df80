/** A stream over WebSocket: one JSON text frame an event, pings, and a close code that says why. */
import { WebSocket, WebSocketServer } from "ws";
import { ProblemError } from "../../kernel/errors.ts";
import type { HttpLimits } from "./parts.ts";
import type { ProblemDocument } from "./problems.ts";
import type { UpgradeRequest } from "./route.ts";
import { CLOSE_CODES, type StreamSink } from "./streams.ts";

/**
 * Browsers cannot set headers on a WebSocket: they offer the protocols `recourse.v1` and
 * `recourse.bearer.<token>`. The server answers with the first, so the token is not echoed.
 */
export const PROTOCOL = "recourse.v1";
export const BEARER_PROTOCOL = "recourse.bearer.";

export interface WebSockets {
  /** Completes the handshake; null when it was refused, which `ws` has then answered. */
  accept(upgrade: UpgradeRequest, problem: (error: ProblemError) => ProblemDocument): StreamSink | null;
  close(): void;
}

export function createWebSockets(limits: HttpLimits): WebSockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression costs memory for each socket and gains little on short events.
    perMessageDeflate: false,
    maxPayload: limits.streamClientFrameBytes,
    handleProtocols: (offered) =>
      offered.has(PROTOCOL) ? PROTOCOL : (offered.values().next().value ?? false),
  });
  return {
    accept(upgrade, problem) {
      let sink: StreamSink | null = null;
      upgrade.taken = true;
      server.handleUpgrade(upgrade.incoming, upgrade.socket, upgrade.head, (socket) => {
        sink = sinkOf(socket, limits, problem);
      });
      return sink;
    },
    close: () => server.close(),
  };
}

/** The token that a browser put into the protocols it offers. */
export function bearerOfProtocols(offered: string | undefined): string | undefined {
  const protocol = offered
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name.startsWith(BEARER_PROTOCOL));
  return protocol?.slice(BEARER_PROTOCOL.length);
}

function sinkOf(
  socket: WebSocket,
  limits: HttpLimits,
  problem: (error: ProblemError) => ProblemDocument,
): StreamSink {
  let unanswered = 0;
  let frames = 0;
  let gone: () => void = () => {};
  let isGone = false;
  const tell = (error: ProblemError) => {
    if (socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ type: "problem", problem: problem(error) }));
    }
  };
  socket.on("pong", () => {
    unanswered = 0;
  });
  // A broken frame or a reset connection: `close` follows.
  socket.on("error", () => {});
  socket.on("close", () => {
    isGone = true;
    gone();
  });
  socket.on("message", () => {
    frames += 1;
    if (frames > limits.streamClientFrames) socket.close(CLOSE_CODES.stream_is_one_way, "stream_is_one_way");
    else tell(new ProblemError("stream_is_one_way"));
  });
  return {
    encode: (event) => JSON.stringify(event),
    encodeDraft: (draft) => JSON.stringify(draft),
    write(text, flushed) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text, flushed);
      else flushed();
    },
    ping() {
      // A peer may be busy for one ping; two without an answer is gone.
      if (unanswered >= 2) return false;
      unanswered += 1;
      if (socket.readyState === WebSocket.OPEN) socket.ping();
      return true;
    },
    end(error) {
      if (error.code !== "reader_too_slow") tell(error);
      socket.close(CLOSE_CODES[error.code], error.code);
    },
    destroy: () => socket.terminate(),
    onGone(fn) {
      gone = fn;
      if (isGone) fn();
    },
  };
}
