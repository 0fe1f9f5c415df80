/**
 * One route: what it takes, who may call it, what it answers. The only door to the router, so that
 * every route has a schema, a guard and a place in the OpenAPI document; the same zod schemas check
 * a request and describe it.
 */
import type { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../kernel/errors.ts";
import type { Permission } from "../../operators/permissions.ts";
import type { VerifiedCustomer, VerifiedOperator } from "./tokens.ts";

/**
 * Who may call. `public` is an explicit mark: everything else answers 401 without a token.
 * `signature` is for webhooks, whose handler checks the sender's signature over the raw body.
 */
export type Access = "public" | "signature" | "customer" | "operator";

export interface AnswerSpec {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** `application/json` unless stated. */
  readonly contentType?: string;
  readonly example?: unknown;
}

/** An operator's route always names the permission that it needs. */
export type RouteSpec = CommonSpec &
  (
    | { readonly access: Exclude<Access, "operator"> }
    | { readonly access: "operator"; readonly permission: Permission }
  );

interface CommonSpec {
  readonly method: "get" | "post";
  /** OpenAPI style: `/v1/runs/{run_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Larger than the limit of all others, for documents. */
  readonly bodyBytes?: number;
  /** The code for one that is larger; `body_too_large` unless it has a name of its own. */
  readonly bodyTooLarge?: ErrorCode;
  /** Shown for the body. */
  readonly bodyExample?: unknown;
  /** For pages: fields of an HTML form, which only a page of this server may send. */
  readonly form?: z.ZodObject;
  /** Which limit of one address a form counts against: `sign_in`, which hashes a password, unless stated. */
  readonly formLimit?: "sign_in" | "link";
  /** Answers with a page, also when something is wrong. */
  readonly page?: boolean;
  /** Raw bytes are read, at most this many. */
  readonly rawBodyBytes?: number;
  /** What they are; a provider's event in JSON unless stated. */
  readonly rawBody?: { readonly contentType: string; readonly description: string };
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  /** Codes of its own; those of access, body and the server are added. */
  readonly problems?: readonly ErrorCode[];
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A request that passed its guards, typed by the route's schemas. */
export interface Call<S extends RouteSpec> {
  readonly params: Output<S["params"]>;
  readonly query: Output<S["query"]>;
  readonly body: Output<S["body"]>;
  readonly form: Output<S["form"]>;
  readonly customer: S["access"] extends "customer" ? VerifiedCustomer : undefined;
  readonly operator: S["access"] extends "operator" ? VerifiedOperator : undefined;
  /** Looks again who asks: whether they may do just what they could when the request came. */
  readonly isStillAllowed: S["access"] extends "operator" ? () => Promise<boolean> : undefined;
  readonly rawBody: S["rawBodyBytes"] extends number ? Buffer : undefined;
  readonly requestId: string;
  header(name: string): string | undefined;
  /** The node objects behind the request, for streams. */
  readonly transport: Transport;
}

export interface Transport {
  readonly method: string;
  /** Set when the client asked to upgrade to WebSocket. */
  readonly upgrade: UpgradeRequest | undefined;
  readonly outgoing: import("node:http").ServerResponse | undefined;
  /** Headers that every answer of this request has: security, CORS, request ID, limits. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface UpgradeRequest {
  readonly incoming: import("node:http").IncomingMessage;
  readonly socket: import("node:stream").Duplex;
  readonly head: Buffer;
  /** Set by the handler that took the socket over. */
  taken: boolean;
}

/** An answer: JSON, or text (or bytes) of a type; or `taken` when the handler answers on the transport itself. */
export type Answer =
  | (AnswerHead & { readonly json: unknown })
  | (AnswerHead & { readonly text: string | Uint8Array<ArrayBuffer>; readonly contentType: string })
  | { readonly taken: true };

interface AnswerHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
}

export interface Route {
  readonly spec: RouteSpec;
  handle(call: Call<RouteSpec>): Promise<Answer>;
}

/** Ties a handler to its spec, so that the compiler checks one against the other. */
export function route<const S extends RouteSpec>(
  spec: S,
  handle: (call: Call<S>) => Promise<Answer> | Answer,
): Route {
  return { spec, handle: async (call) => handle(call as unknown as Call<S>) };
}

/** `/v1/runs/{run_id}` → `/v1/runs/:run_id`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Every code that a route may answer with: its own and those that come with what it takes. */
export function problemsOf(spec: RouteSpec): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(spec.problems ?? []);
  if (spec.access === "customer" || spec.access === "operator") {
    for (const code of ["token_missing", "token_invalid", "forbidden", "rate_limited"] as const)
      codes.add(code);
  }
  if (spec.access === "customer") {
    codes.add("token_expired");
    codes.add("identity_unavailable");
  }
  if (spec.body !== undefined) {
    for (const code of ["body_invalid", "body_too_large", "media_type_unsupported"] as const) codes.add(code);
  }
  if (spec.access === "operator") {
    for (const code of [
      "session_ended",
      "tenant_needed",
      "second_factor_needed",
      "origin_refused",
    ] as const) {
      codes.add(code);
    }
  }
  if (spec.form !== undefined) {
    for (const code of ["body_invalid", "body_too_large", "origin_refused", "rate_limited"] as const) {
      codes.add(code);
    }
  }
  if (spec.rawBodyBytes !== undefined) codes.add(spec.bodyTooLarge ?? "body_too_large");
  if (spec.params !== undefined) codes.add("not_found");
  if (spec.query !== undefined) {
    codes.add("after_seq" in spec.query.shape ? "cursor_invalid" : "query_invalid");
  }
  if (spec.access !== "public") {
    for (const code of ["internal", "database_unavailable", "shutting_down"] as const) codes.add(code);
  }
  return [...codes];
}
