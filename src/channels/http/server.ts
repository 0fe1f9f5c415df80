/**
 * Room `channels/http`: the conversation API over HTTP, WebSocket and Server-Sent Events. May import
 * `kernel`, `conversations`, and the interfaces of `orchestrator`, `actions` and `tools`.
 * Promises: every route is public by an explicit mark or refuses without a token; a scope comes from
 * a verified token only; whatever goes wrong is answered with a problem document that leaks nothing;
 * every buffer, wait and count has a limit; a stop tells every client.
 *
 * Reading order: `route.ts` (what a route is), `guard.ts` (what every request passes),
 * `conversation-routes.ts`, `streams.ts`, then this file, which joins them to a node server.
 */
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { type ErrorCode, ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { API_HEADERS, type Bindings, createGuard, type ServerState } from "./guard.ts";
import { describeRoute, documentOf, type OpenApiDocument } from "./openapi.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { createOrigins } from "./origins.ts";
import type { HttpLimits, HttpParts } from "./parts.ts";
import { problemDocument, problemHeaders } from "./problems.ts";
import { recordRoutes } from "./record-routes.ts";
import { type Route, type RouteSpec, routerPath, type UpgradeRequest } from "./route.ts";
import { serverRoutes } from "./server-routes.ts";
import { createStreams } from "./streams.ts";
import { createWebSockets } from "./websocket.ts";

export type { HttpParts } from "./parts.ts";

export interface HttpServer {
  /** For tests: `app.request("/v1/…")` without a socket. */
  readonly app: OpenAPIHono<{ Bindings: Bindings }>;
  /** Every route, in order of registration. */
  readonly specs: readonly RouteSpec[];
  /** Open streams of this process. */
  readonly streamCount: number;
  openApi(): OpenApiDocument;
  /**
   * Port 0 takes any free port; `port` in the answer is the one taken.
   * @throws ProblemError `port_in_use`, `config_invalid`
   */
  start(where: { host: string; port: number }): Promise<{ url: string; port: number }>;
  /**
   * Takes no new connection, tells streams, lets requests finish, and closes what is left after
   * `shutdownGraceMs`. May be called more than once.
   */
  stop(): Promise<void>;
}

export function createHttpServer(parts: HttpParts): HttpServer {
  const limits: HttpLimits = { ...LIMITS, ...parts.limits };
  const { clock, random, log } = parts;
  const state: ServerState = { baseUrl: parts.publicUrl?.replace(/\/+$/, "") ?? "", stopping: false };
  const guard = createGuard(parts, limits, createOrigins(parts.corsOrigins ?? []), state);
  const streams = createStreams({ conversations: parts.conversations, clock, random, log, limits });
  const sockets = createWebSockets(limits);
  const app = new OpenAPIHono<{ Bindings: Bindings }>();

  let document: OpenApiDocument | undefined;
  const openApi = () => {
    if (document === undefined) {
      for (const each of routes) describeRoute(app, each, state.baseUrl);
      document = documentOf(app, { version: parts.version ?? "0.1.0", baseUrl: state.baseUrl || "/" });
    }
    return document;
  };
  const routes: readonly Route[] = [
    ...conversationRoutes(parts, limits, { streams, sockets, problem: guard.problem }),
    ...operatorRoutes(parts),
    ...(parts.records === undefined ? [] : recordRoutes(parts.records)),
    ...serverRoutes({ parts, limits, state, openApi }),
  ];
  for (const each of routes) {
    app.on(each.spec.method.toUpperCase(), routerPath(each.spec.path), (c) => guard.serve(each, c));
  }
  const known = routes.map(({ spec }) => ({
    pattern: new RegExp(`^${spec.path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    methods: spec.method === "get" ? ["GET", "HEAD"] : ["POST"],
  }));
  app.notFound((c) =>
    guard.unrouted(
      c,
      known.filter(({ pattern }) => pattern.test(c.req.path)).flatMap(({ methods }) => methods),
    ),
  );
  app.onError((error, c) => guard.refuse(c, error));

  let server: Server | undefined;
  let stopped: Promise<void> | undefined;

  async function stop(listening: Server): Promise<void> {
    state.stopping = true;
    const giveUpMs = clock.now() + limits.shutdownGraceMs;
    let closed = false;
    const closing = new Promise<void>((resolve) => {
      listening.close(() => {
        closed = true;
        resolve();
      });
    });
    await streams.stop(Math.min(STREAM_GOODBYE_MS, limits.shutdownGraceMs));
    sockets.close();
    while (!closed && clock.now() < giveUpMs) {
      listening.closeIdleConnections();
      await Promise.race([closing, clock.sleep(20)]);
    }
    if (!closed) listening.closeAllConnections();
    await closing;
  }

  return {
    app,
    specs: routes.map(({ spec }) => spec),
    get streamCount() {
      return streams.size;
    },
    openApi,

    async start({ host, port }) {
      const listening = listen(app, limits, state, parts);
      server = listening;
      await bind(listening, host, port);
      const taken = (listening.address() as AddressInfo).port;
      const shownHost =
        host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
      const url = `http://${shownHost}:${taken}`;
      if (state.baseUrl === "") state.baseUrl = url;
      return { url, port: taken };
    },

    stop() {
      if (server === undefined || !server.listening) return stopped ?? Promise.resolve();
      stopped ??= stop(server);
      return stopped;
    },
  };
}

/** How long streams have to take the goodbye; requests have the whole grace. */
const STREAM_GOODBYE_MS = 2_000;

/** The node server: time-outs for slow senders, upgrades through the same routes, errors before HTTP as problems. */
function listen(
  app: OpenAPIHono<{ Bindings: Bindings }>,
  limits: HttpLimits,
  state: ServerState,
  parts: HttpParts,
): Server {
  const early = (code: ErrorCode) => {
    const error = new ProblemError(code);
    const requestId = `req_${Buffer.from(parts.random.bytes(12)).toString("hex")}`;
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
  server.on("upgrade", (incoming, socket, head) => {
    // A client that resets during the handshake must not end the process.
    socket.on("error", () => {});
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
  return server;
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

/** An HTTP answer on a bare socket, which is then closed. */
async function writeRaw(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  const lines = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`];
  response.headers.forEach((value, name) => {
    if (name !== "connection" && name !== "content-length") lines.push(`${name}: ${value}`);
  });
  lines.push(`content-length: ${body.length}`, "connection: close", "", "");
  socket.end(Buffer.concat([Buffer.from(lines.join("\r\n")), body]));
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(bindError(error, host, port)));
    server.listen(port, host, () => resolve());
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
