/**
 * What every request passes, in this order: is the server stopping, who is asking, how often, is the
 * ID an ID, is the body what the route takes. Only then the handler; and its answer, or any error,
 * becomes the response, is given the headers that all have, and is logged without bodies or tokens.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type ErrorCode, ProblemError } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import { createAddresses } from "./addresses.ts";
import { isFormType, isJsonType, parseForm, parseJson, readBody } from "./body.ts";
import { createCallers } from "./callers.ts";
import { FORM_PAGE_HEADERS } from "./html.ts";
import { createLimiters, type Limiters } from "./limiters.ts";
import type { Origins } from "./origins.ts";
import type { HttpLimits, HttpParts } from "./parts.ts";
import { problemPage } from "./people/page.ts";
import { erasedSince } from "./privacy-routes.ts";
import {
  asProblem,
  type FieldError,
  type ProblemDocument,
  presentable,
  problemDocument,
  problemHeaders,
} from "./problems.ts";
import type { RateLimiter, Taken } from "./rate-limits.ts";
import type { Answer, Call, Route, RouteSpec, UpgradeRequest } from "./route.ts";
import type { VerifiedCustomer, VerifiedOperator } from "./tokens.ts";

/** What node hands over with a request; `upgrade` for a WebSocket handshake. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly upgrade?: UpgradeRequest;
}

/** State that the server shares with its requests. */
export interface ServerState {
  baseUrl: string;
  stopping: boolean;
}

export interface Guard {
  serve(route: Route, c: Context<{ Bindings: Bindings }>): Promise<Response>;
  /** For what no route took: 404, 405 with `Allow`, or the answer to OPTIONS. */
  unrouted(c: Context<{ Bindings: Bindings }>, allowed: readonly string[]): Response;
  /** For errors outside a route. */
  refuse(c: Context<{ Bindings: Bindings }>, error: unknown): Response;
  problem(error: ProblemError, requestId: string): ProblemDocument;
}

/** Headers of every JSON answer: nothing here is a page, is framed, or is kept by a cache. */
export const API_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
} as const;

const ERRORS_SHOWN = 20;
const ID_PREFIXES = {
  conversation_id: "conv",
  run_id: "run",
  action_id: "act",
  review_id: "rev",
  reply_id: "rpl",
  operator_id: "opr",
  invitation_id: "inv",
  key_id: "key",
  attachment_id: "att",
} as const;

export function createGuard(
  parts: HttpParts,
  limits: HttpLimits,
  origins: Origins,
  state: ServerState,
): Guard {
  const { clock, log, random, tokens } = parts;
  const limiters = createLimiters(limits);
  const addresses = createAddresses(parts.trustedProxies ?? [], (address) =>
    log.info(
      { address },
      "X-Forwarded-For came from an address that RECOURSE_TRUSTED_PROXIES does not name: all who come through it share one limit",
    ),
  );
  const callers = createCallers({
    tokens,
    operators: parts.operators,
    state,
    isErased: parts.privacy === undefined ? () => false : erasedSince(parts.privacy.erased),
  });

  /** Headers that the answer to this request has whatever it says. */
  function begin(c: Context<{ Bindings: Bindings }>): Exchange {
    const given = c.req.header("x-request-id");
    const requestId =
      given !== undefined && /^[\w.-]{1,64}$/.test(given)
        ? given
        : `req_${Buffer.from(random.bytes(12)).toString("hex")}`;
    return {
      requestId,
      startedMs: clock.now(),
      headers: { ...API_HEADERS, "x-request-id": requestId, ...origins.headersFor(c.req.header("origin")) },
      cookies: [],
      who: undefined,
    };
  }

  const problem = (error: ProblemError, requestId: string) =>
    problemDocument(error, state.baseUrl, requestId);

  function respond(
    c: Context<{ Bindings: Bindings }>,
    exchange: Exchange,
    path: string,
    answer: Answer | { error: unknown },
    asPage = false,
  ): Response {
    if ("taken" in answer) {
      record(c, exchange, path, c.env?.upgrade === undefined ? 200 : 101);
      return c.env?.upgrade === undefined ? RESPONSE_ALREADY_SENT : new Response(null);
    }
    const { headers } = exchange;
    if (state.stopping) headers.connection = "close";
    if ("error" in answer) {
      const error = asProblem(answer.error);
      const shown = presentable(error);
      record(c, exchange, path, shown.status, error);
      const shownHeaders = { ...headers, ...problemHeaders(shown) };
      return asPage
        ? new Response(problemPage(shown, exchange.requestId), {
            status: shown.status,
            headers: { ...shownHeaders, ...FORM_PAGE_HEADERS, "content-type": "text/html; charset=utf-8" },
          })
        : new Response(JSON.stringify(problem(shown, exchange.requestId)), {
            status: shown.status,
            headers: shownHeaders,
          });
    }
    record(c, exchange, path, answer.status);
    const [text, contentType] =
      "json" in answer
        ? [JSON.stringify(answer.json), "application/json"]
        : [answer.text, answer.contentType];
    const all = new Headers({ ...headers, "content-type": contentType, ...answer.headers });
    for (const cookie of [...exchange.cookies, ...(answer.cookies ?? [])]) all.append("set-cookie", cookie);
    return new Response(answer.status === 304 ? null : text, { status: answer.status, headers: all });
  }

  function record(
    c: Context<{ Bindings: Bindings }>,
    exchange: Exchange,
    path: string,
    status: number,
    error?: ProblemError,
  ): void {
    const fields = {
      request_id: exchange.requestId,
      method: c.req.method,
      path,
      status,
      ms: clock.now() - exchange.startedMs,
      ...exchange.who,
      ...(error === undefined ? {} : { code: error.code }),
    };
    if (status < 500) log.info(fields, "request");
    // What happened inside is for the log alone.
    else log.error({ ...fields, err: error?.cause ?? error }, "request failed");
  }

  function take(limiter: RateLimiter, key: string, headers: Record<string, string>): void {
    const taken: Taken = limiter.take(key, clock.now());
    if (limiter === limiters.customer || !taken.allowed) Object.assign(headers, limiter.headers(taken));
    if (!taken.allowed) {
      throw new ProblemError("rate_limited", `The limit "${limiter.policy.name}" is used up.`, {
        retryAfterMs: taken.retryAfterMs,
      });
    }
  }

  async function identify(
    spec: RouteSpec,
    c: Context<{ Bindings: Bindings }>,
    exchange: Exchange,
  ): Promise<{ customer?: VerifiedCustomer; operator?: VerifiedOperator }> {
    if (spec.access === "public" || spec.access === "signature") return {};
    if (spec.access === "operator") {
      const { operator, cookies } = await callers.operator(c);
      exchange.cookies.push(...cookies);
      const { tenantId } = operator.scope;
      exchange.who = { tenant: tenantId, operator: operator.id ?? operator.operator };
      // Pages read again and again what changes; a person must be able to decide all the same.
      const what = c.req.method === "GET" || c.req.method === "HEAD" ? "reads" : "writes";
      take(limiters.customer, JSON.stringify([tenantId, what, operator.operator]), exchange.headers);
      take(limiters.tenant, tenantId, exchange.headers);
      if (!operator.permissions.has(spec.permission)) {
        throw new ProblemError(
          "forbidden",
          `Your role does not have the permission \`${spec.permission}\`.`,
          {
            next: "Ask an admin of your team for a role that has it.",
            details: { permission: spec.permission },
          },
        );
      }
      return { operator };
    }
    const customer = await callers.customer(c);
    const { tenantId, customerId } = customer.scope;
    exchange.who = { tenant: tenantId, customer: customerId };
    take(limiters.customer, JSON.stringify([tenantId, customerId]), exchange.headers);
    take(limiters.tenant, tenantId, exchange.headers);
    return { customer };
  }

  /** For what outlives its request: access that ended while it was being opened may have been told of before. */
  const isStill = (before: VerifiedOperator, c: Context<{ Bindings: Bindings }>): Promise<boolean> =>
    callers.operator(c).then(
      ({ operator: now }) =>
        now.operator === before.operator &&
        now.permissions.size === before.permissions.size &&
        [...now.permissions].every((permission) => before.permissions.has(permission)),
      () => false,
    );

  async function call(
    spec: RouteSpec,
    c: Context<{ Bindings: Bindings }>,
    exchange: Exchange,
  ): Promise<Call<RouteSpec>> {
    if (state.stopping && spec.path !== "/healthz" && spec.path !== "/readyz") {
      throw new ProblemError("shutting_down", undefined, { retryAfterMs: 1_000 });
    }
    const upgrade = c.env?.upgrade;
    if (upgrade !== undefined && !origins.mayConnect(c.req.header("origin"), c.req.header("host"))) {
      throw new ProblemError("forbidden", "Pages of this origin may not connect.", {
        next: "Add the origin to RECOURSE_CORS_ORIGINS.",
      });
    }
    const { customer, operator } = await identify(spec, c, exchange);
    const params = checkParams(spec, c);
    const query =
      spec.query === undefined
        ? undefined
        : check(
            spec.query,
            c.req.query(),
            "after_seq" in spec.query.shape ? "cursor_invalid" : "query_invalid",
          );
    let body: unknown;
    if (spec.body !== undefined) {
      if (!isJsonType(c.req.header("content-type"))) {
        const bytes = await readBody(c.req.raw, spec.bodyBytes ?? limits.requestBytes, spec.bodyTooLarge);
        // A route whose body may be empty takes a request without any.
        if (bytes.length > 0 || !spec.body.safeParse({}).success) {
          throw new ProblemError("media_type_unsupported");
        }
        body = check(spec.body, {}, "body_invalid");
      } else {
        const bytes = await readBody(c.req.raw, spec.bodyBytes ?? limits.requestBytes, spec.bodyTooLarge);
        const value =
          bytes.length === 0 && spec.body.safeParse({}).success ? {} : parseJson(bytes, limits.jsonDepth);
        body = check(spec.body, value, "body_invalid");
      }
    }
    const form =
      spec.form === undefined
        ? undefined
        : await readForm(spec.form, spec.formLimit ?? "sign_in", c, exchange);
    const rawBody =
      spec.rawBodyBytes === undefined
        ? undefined
        : await readBody(c.req.raw, spec.rawBodyBytes, spec.bodyTooLarge);
    return {
      params,
      query,
      body,
      form,
      customer,
      operator,
      isStillAllowed: operator === undefined ? undefined : () => isStill(operator, c),
      rawBody,
      requestId: exchange.requestId,
      header: (name: string) => c.req.header(name),
      transport: {
        method: c.req.method,
        upgrade,
        outgoing: c.env?.outgoing,
        headers: exchange.headers,
      },
    } as unknown as Call<RouteSpec>;
  }

  /** A form of one of our pages: from that page only, and not too often from one address. */
  async function readForm(
    schema: z.ZodObject,
    limit: keyof Limiters["address"],
    c: Context<{ Bindings: Bindings }>,
    exchange: Exchange,
  ): Promise<unknown> {
    callers.fromOwnPage(c);
    const address = addresses.of(c.env?.incoming?.socket.remoteAddress, c.req.header("x-forwarded-for"));
    take(limiters.address[limit], address, exchange.headers);
    if (!isFormType(c.req.header("content-type"))) {
      throw new ProblemError("media_type_unsupported", "The form must be sent as a form.", {
        next: "Open the page and send its form.",
      });
    }
    return check(schema, parseForm(await readBody(c.req.raw, limits.requestBytes)), "body_invalid");
  }

  return {
    async serve({ spec, handle }, c) {
      const exchange = begin(c);
      try {
        const answer = await handle(await call(spec, c, exchange));
        return respond(c, exchange, spec.path, answer);
      } catch (error) {
        return respond(c, exchange, spec.path, { error }, spec.page === true);
      }
    },
    unrouted(c, allowed) {
      const exchange = begin(c);
      const path = c.req.path.slice(0, 200);
      if (allowed.length === 0)
        return respond(c, exchange, path, { error: new ProblemError("path_unknown") });
      const allow = [...allowed, "OPTIONS"].join(", ");
      if (c.req.method === "OPTIONS") {
        return new Response(null, {
          status: 204,
          headers: { ...exchange.headers, allow, ...origins.preflight(c.req.header("origin"), allow) },
        });
      }
      exchange.headers.allow = allow;
      return respond(c, exchange, path, {
        error: new ProblemError("method_not_allowed", `This path takes ${allow}.`),
      });
    },
    refuse: (c, error) => respond(c, begin(c), c.req.path.slice(0, 200), { error }),
    problem,
  };
}

interface Exchange {
  readonly requestId: string;
  readonly startedMs: number;
  readonly headers: Record<string, string>;
  /** Values of `Set-Cookie` that are due whatever the handler says. */
  readonly cookies: string[];
  who: { tenant: string; customer?: string; operator?: string } | undefined;
}

/**
 * Path parameters: IDs by their kind, others by the route's schema. Text that does not fit gets the answer that an unknown ID gets.
 * @throws ProblemError `not_found`
 */
function checkParams(
  spec: RouteSpec,
  c: Context<{ Bindings: Bindings }>,
): Record<string, string> | undefined {
  if (spec.params === undefined) return undefined;
  const params: Record<string, string> = {};
  for (const [name, schema] of Object.entries(spec.params.shape)) {
    const value = c.req.param(name) ?? "";
    const prefix = ID_PREFIXES[name as keyof typeof ID_PREFIXES];
    const fits = prefix === undefined ? (schema as z.ZodType).safeParse(value).success : isId(prefix, value);
    if (!fits) throw new ProblemError("not_found");
    params[name] = value;
  }
  return params;
}

function check(schema: z.ZodType, value: unknown, code: ErrorCode): unknown {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const errors: FieldError[] = checked.error.issues.slice(0, ERRORS_SHOWN).map((issue) => ({
    path: issue.path.map(String).join(".").slice(0, 200),
    message: issue.message.slice(0, 200),
  }));
  throw new ProblemError(code, undefined, { details: { errors } });
}
