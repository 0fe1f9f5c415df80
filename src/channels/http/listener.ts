/** The node server: time-outs for slow senders, upgrades through the same routes, errors before HTTP as problems. */
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { type ErrorCode, ProblemError } from "../../kernel/errors.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import { API_HEADERS, type Bindings, type ServerState } from "./guard.ts";
import type { HttpLimits } from "./parts.ts";
import { problemDocument, problemHeaders } from "./problems.ts";
import type { UpgradeRequest } from "./route.ts";

export interface Listener {
  /**
   * Answers with the port taken.
   * @throws ProblemError `port_in_use`, `config_invalid`
   */
  bind(host: string, port: number): Promise<number>;
  /** Takes no new connection; resolves when all are closed. */
  close(): Promise<void>;
  /** Closes connections without a request in hand. */
  closeIdle(): void;
  closeAll(): void;
}

export function createListener(
  app: OpenAPIHono<{ Bindings: Bindings }>,
  limits: HttpLimits,
  state: ServerState,
  ports: { readonly clock: Clock; readonly random: Random },
): Listener {
  const { clock, random } = ports;
  /** An HTTP answer on a bare socket; a peer that does not close its side is not waited for. */
  const writeRaw = async (socket: Duplex, response: Response): Promise<void> => {
    socket.end(await rawAnswer(response));
    clock.after(limits.streamCloseMs, () => socket.destroy());
  };
  const early = (code: ErrorCode) => {
    const error = new ProblemError(code);
    const requestId = `req_${Buffer.from(random.bytes(12)).toString("hex")}`;
    return new Response(JSON.stringify(problemDocument(error, state.baseUrl, requestId)), {
      status: error.status,
      headers: { ...API_HEADERS, "x-request-id": requestId, ...problemHeaders(error) },
    });
  };
  const listener = getRequestListener((request, env) => app.fetch(request, env as Bindings), {
    errorHandler: () => early("request_malformed"),
  });
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
      maxHeaderSize: 16_384,
      // Other upgrades (`h2c` of curl and Java clients) are ignored, and the request served as it is.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.maxConnections = limits.connectionsPerProcess;
  // With the requests in hand. Node's own list takes a connection that has sent nothing yet for busy,
  // and does not know those that were upgraded.
  const connections = new Map<Socket, number>();
  server.on("connection", (socket: Socket) => {
    connections.set(socket, 0);
    socket.on("close", () => connections.delete(socket));
  });
  server.on("request", ({ socket }, outgoing) => {
    connections.set(socket, (connections.get(socket) ?? 0) + 1);
    outgoing.on("close", () => {
      const left = connections.get(socket);
      if (left !== undefined) connections.set(socket, left - 1);
    });
  });
  server.on("upgrade", (incoming, socket, head) => {
    // A client that resets during the handshake must not end the process.
    socket.on("error", () => {});
    // Closed by its stream, or by the refusal, or at the end of the grace.
    connections.set(incoming.socket, 1);
    const upgrade: UpgradeRequest = { incoming, socket, head, taken: false };
    upgradeThrough(app, upgrade)
      .catch(() => early("request_malformed"))
      .then((response) => (upgrade.taken ? undefined : writeRaw(socket, response)))
      .catch(() => socket.destroy());
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const code =
      error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request_timeout"
        : error.code === "HPE_HEADER_OVERFLOW"
          ? "headers_too_large"
          : "request_malformed";
    writeRaw(socket, early(code)).catch(() => socket.destroy());
  });
  return {
    bind: (host, port) => bind(server, host, port),
    close: () => new Promise((resolve) => server.close(() => resolve())),
    closeIdle() {
      for (const [socket, requests] of connections) if (requests <= 0) socket.destroy();
    },
    closeAll() {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

/** A handshake is a request like others: the route of its path takes the socket over or refuses. */
async function upgradeThrough(
  app: OpenAPIHono<{ Bindings: Bindings }>,
  upgrade: UpgradeRequest,
): Promise<Response> {
  const { incoming } = upgrade;
  const url = new URL(incoming.url ?? "/", `http://${hostOf(incoming)}`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return app.fetch(new Request(url, { method: incoming.method ?? "GET", headers }), { incoming, upgrade });
}

const hostOf = (incoming: IncomingMessage): string => incoming.headers.host ?? "localhost";

async function rawAnswer(response: Response): Promise<Buffer> {
  const body = Buffer.from(await response.arrayBuffer());
  const lines = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`];
  response.headers.forEach((value, name) => {
    if (name !== "connection" && name !== "content-length") lines.push(`${name}: ${value}`);
  });
  lines.push(`content-length: ${body.length}`, "connection: close", "", "");
  return Buffer.concat([Buffer.from(lines.join("\r\n")), body]);
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(bindError(error, host, port)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function bindError(error: NodeJS.ErrnoException, host: string, port: number): ProblemError {
  switch (error.code) {
    case "EADDRINUSE":
      return new ProblemError("port_in_use", `PORT: port ${port} on ${host} is taken by another program.`, {
        next: "Stop that program, or set PORT to another port.",
        cause: error,
      });
    case "EACCES":
      return new ProblemError("config_invalid", `PORT: this user may not listen on port ${port}.`, {
        next: "Set PORT to 1024 or above.",
        cause: error,
      });
    default:
      return new ProblemError(
        "config_invalid",
        `HOST: cannot listen on ${host} (${error.code ?? error.message}).`,
        {
          next: "Set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.",
          cause: error,
        },
      );
  }
}
