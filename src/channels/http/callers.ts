/**
 * Who calls: from a bearer token, an operator's key, or the cookie of somebody who signed in. A cookie comes with any
 * request that a browser sends here, whichever page made it: what changes something must come from a page of ours.
 */
import type { Context } from "hono";
import { ProblemError } from "../../kernel/errors.ts";
import { KEY_PREFIX } from "../../operators/key-text.ts";
import type { VerifiedOperator } from "../../operators/operator.ts";
import type { Operators } from "../../operators/operators.ts";
import type { Bindings, ServerState } from "./guard.ts";
import type { Tokens, VerifiedCustomer } from "./tokens.ts";
import { bearerOfProtocols } from "./websocket.ts";

const ERASED = "The access token is from before this customer was erased.";

type Incoming = Context<{ Bindings: Bindings }>;

export interface Callers {
  /** @throws ProblemError `token_missing`, `token_invalid`, `token_expired`, `identity_unavailable`, `forbidden` */
  customer(c: Incoming): Promise<VerifiedCustomer>;
  /** @throws ProblemError as above, `session_ended`, `tenant_needed`, `second_factor_needed`, `origin_refused` */
  operator(
    c: Incoming,
  ): Promise<{ readonly operator: VerifiedOperator; readonly cookies: readonly string[] }>;
  /** @throws ProblemError `origin_refused` */
  fromOwnPage(c: Incoming): void;
}

export function createCallers(parts: {
  readonly tokens: Tokens;
  readonly operators: Operators | undefined;
  readonly state: ServerState;
  readonly isErased: (customer: VerifiedCustomer) => boolean;
}): Callers {
  const { isErased } = parts;
  const { tokens, operators, state } = parts;
  const self: Callers = {
    async customer(c) {
      const token = bearerOf(c);
      if (tokens.operator(token) !== null || token.startsWith(KEY_PREFIX)) {
        throw new ProblemError("forbidden", "An operator's token may not act for a customer.");
      }
      const customer = await tokens.customer(token);
      if (isErased(customer)) throw new ProblemError("token_invalid", ERASED);
      return customer;
    },

    async operator(c) {
      const cookie = c.req.header("cookie");
      const hasToken = c.req.header("authorization") !== undefined || c.env?.upgrade !== undefined;
      if (!hasToken && operators !== undefined && cookie !== undefined) {
        if (c.req.method !== "GET" && c.req.method !== "HEAD") self.fromOwnPage(c);
        const tenant = c.req.header("x-recourse-tenant") ?? c.req.query("tenant");
        const found = await operators.access.bySession(cookie, tenant);
        if (found === null) throw new ProblemError("session_ended");
        return { operator: found.operator, cookies: found.session.cookies };
      }
      const token = bearerOf(c);
      if (token.startsWith(KEY_PREFIX)) {
        const operator = await operators?.access.byKey(token);
        if (operator == null) {
          throw new ProblemError("token_invalid", "This key is none of this server, or not any more.", {
            next: "Make a new one: an admin does that in the settings.",
          });
        }
        return { operator, cookies: [] };
      }
      const operator = tokens.operator(token);
      if (operator !== null) return { operator, cookies: [] };
      // A customer's valid token is known but not enough; anything else is not known.
      await tokens.customer(token);
      throw new ProblemError("forbidden", "A customer's token may not do that.");
    },

    fromOwnPage(c) {
      if (!isOwnPage((name) => c.req.header(name), state.baseUrl)) throw new ProblemError("origin_refused");
    },
  };
  return self;
}

/**
 * Whether a page of this server sent it. Browsers say so in `Sec-Fetch-Site` (over TLS and on this machine) or with the
 * page's origin; a client that sends neither is no browser of today and has no business with a cookie.
 */
export function isOwnPage(header: (name: string) => string | undefined, baseUrl: string): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  const origin = header("origin");
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === header("host") || (URL.canParse(baseUrl) && origin === new URL(baseUrl).origin);
}

/** @throws ProblemError `token_missing` */
function bearerOf(c: Incoming): string {
  const header = c.req.header("authorization");
  const token =
    header === undefined && c.env?.upgrade !== undefined
      ? bearerOfProtocols(c.req.header("sec-websocket-protocol"))
      : /^bearer +([^\s]+) *$/i.exec(header ?? "")?.[1];
  if (token === undefined || token === "") throw new ProblemError("token_missing");
  return token;
}
