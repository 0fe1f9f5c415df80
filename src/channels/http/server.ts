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
import { OpenAPIHono } from "@hono/zod-openapi";
import { LIMITS } from "../../kernel/limits.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { deskRoutes } from "./desk/desk-routes.ts";
import { type Bindings, createGuard, type ServerState } from "./guard.ts";
import { identityRoutes } from "./identity-routes.ts";
import { killSwitchRoutes } from "./kill-switch-routes.ts";
import { knowledgeRoutes } from "./knowledge-routes.ts";
import { createListener, type Listener } from "./listener.ts";
import { mailRoutes } from "./mail-routes.ts";
import { mailWebhookRoutes } from "./mail-webhook-routes.ts";
import { metricsRoutes } from "./metrics-routes.ts";
import { describeRoute, documentOf, type OpenApiDocument } from "./openapi.ts";
import { createOperatorStreams } from "./operator-streams.ts";
import { createOrigins } from "./origins.ts";
import type { HttpLimits, HttpParts } from "./parts.ts";
import { peopleRoutes } from "./people/people-routes.ts";
import { erasedSince, privacyRoutes } from "./privacy-routes.ts";
import { ratingRoutes } from "./rating-routes.ts";
import { recordRoutes } from "./record-routes.ts";
import { reviewRoutes } from "./review-routes.ts";
import { type Route, type RouteSpec, routerPath } from "./route.ts";
import { serverRoutes } from "./server-routes.ts";
import { createStreams } from "./streams.ts";
import { traceRoutes } from "./trace-routes.ts";
import { webRoutes } from "./web-routes.ts";
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
  const { privacy } = parts;
  if (privacy !== undefined) {
    const isRefused = erasedSince(privacy.erased);
    privacy.erased.onErased(() => streams.endRefused(isRefused));
  }
  const sockets = createWebSockets(limits);
  const operatorStreams =
    parts.feed === undefined ? null : createOperatorStreams({ feed: parts.feed, clock, limits });
  const app = new OpenAPIHono<{ Bindings: Bindings }>();

  let document: OpenApiDocument | undefined;
  const openApi = () => {
    if (document === undefined) {
      for (const each of routes) describeRoute(app, each, state.baseUrl);
      document = documentOf(app, { version: parts.version ?? "0.1.0", baseUrl: state.baseUrl || "/" });
    }
    return document;
  };
  const every: readonly Route[] = [
    ...conversationRoutes(parts, limits, { streams, sockets, problem: guard.problem }),
    ...(parts.identityLinks === undefined ? [] : identityRoutes(parts, parts.identityLinks)),
    ...(parts.ratingLinks === undefined ? [] : ratingRoutes(parts, parts.ratingLinks, state)),
    ...reviewRoutes(parts),
    ...deskRoutes(parts, operatorStreams),
    ...(parts.records === undefined ? [] : recordRoutes(parts.records)),
    ...(parts.traces === undefined ? [] : traceRoutes(parts.traces)),
    ...(parts.knowledge
      ? knowledgeRoutes(parts.knowledge, parts.timeZoneOf ?? (() => "UTC"), () => clock.now())
      : []),
    ...(privacy === undefined ? [] : privacyRoutes(privacy)),
    ...(parts.killSwitch === undefined ? [] : killSwitchRoutes(parts.killSwitch)),
    ...(parts.metrics === undefined
      ? []
      : metricsRoutes({ metrics: parts.metrics, metricsToken: parts.metricsToken ?? null, clock })),
    ...peopleRoutes(parts, state),
    ...(parts.web === undefined ? [] : webRoutes(parts.web)),
    ...(parts.unansweredMails === undefined ? [] : mailRoutes(parts.unansweredMails)),
    ...(parts.mailWebhooks === undefined ? [] : mailWebhookRoutes(parts.mailWebhooks)),
    ...serverRoutes({ parts, limits, state, openApi }),
  ];
  const routes = parts.probesOnly === true ? every.filter(({ spec }) => PROBES.includes(spec.path)) : every;
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

  let listener: Listener | undefined;
  let stopped: Promise<void> | undefined;

  async function stopListening(from: Listener): Promise<void> {
    state.stopping = true;
    const giveUpMs = clock.now() + limits.shutdownGraceMs;
    let closed = false;
    const closing = from.close().then(() => {
      closed = true;
    });
    await streams.stop(Math.min(STREAM_GOODBYE_MS, limits.shutdownGraceMs));
    operatorStreams?.stop();
    sockets.close();
    while (!closed && clock.now() < giveUpMs) {
      from.closeIdle();
      await Promise.race([closing, clock.sleep(20)]);
    }
    from.closeAll();
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
      const starting = createListener(app, limits, state, { clock, random });
      const taken = await starting.bind(host, port);
      listener = starting;
      const url = `http://${shownHost(host)}:${taken}`;
      if (state.baseUrl === "") state.baseUrl = url;
      return { url, port: taken };
    },

    stop() {
      if (listener === undefined) return Promise.resolve();
      stopped ??= stopListening(listener);
      return stopped;
    },
  };
}

/** What whoever watches a process asks. */
const PROBES: readonly string[] = ["/healthz", "/readyz"];

/** How long streams have to take the goodbye; requests have the whole grace. */
const STREAM_GOODBYE_MS = 2_000;

/** A host that a person can open; an address that means "all" is reached as localhost. */
function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
