/**
 * Who the customer is, as the host page says, or a visitor whom nobody knows. A visitor's conversation goes
 * with them when they sign in; whatever is kept on the device is kept under the person it belongs to.
 */

import { storage } from "./chat.ts";
import { type Client, createClient, Refused } from "./client.ts";

export type Identity = string | (() => Promise<string>);

export interface Session {
  readonly client: Client;
  /** For this person on this device. */
  readonly keyPrefix: string;
}

interface Visitor {
  readonly token: string;
  readonly expires_at: string;
}

/** Renewed this long before it runs out. */
const EARLY_MS = 60_000;

export function visitorSession(base: string, tenant: string): Session {
  const key = `recourse:${tenant}:visitor:token`;
  const token = async (fresh: boolean): Promise<string> => {
    const kept = fresh ? null : readVisitor(key);
    if (kept !== null && Date.parse(kept.expires_at) - EARLY_MS > Date.now()) return kept.token;
    const response = await fetch(`${base}/v1/visitors`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tenant, ...(kept === null ? {} : { token: kept.token }) }),
      credentials: "omit",
    }).catch(() => {
      throw new Refused({ code: "offline", message: "offline", retryAfterMs: 2_000 });
    });
    if (!response.ok) {
      const { detail = "" } = (await response.json().catch(() => ({}))) as { detail?: string };
      throw new Refused({
        code: `http_${response.status}`,
        message: detail,
        retryAfterMs: response.status >= 500 || response.status === 429 ? 3_000 : null,
      });
    }
    const visitor = (await response.json()) as Visitor;
    storage.write(key, JSON.stringify(visitor));
    return visitor.token;
  };
  return { client: createClient(base, token), keyPrefix: `recourse:${tenant}:visitor` };
}

export async function customerSession(base: string, tenant: string, identity: Identity): Promise<Session> {
  let current = typeof identity === "string" ? identity : await identity();
  const token = async (fresh: boolean): Promise<string> => {
    if (fresh && typeof identity === "function") current = await identity();
    return current;
  };
  return {
    client: createClient(base, token),
    keyPrefix: `recourse:${tenant}:${subjectOf(current)}`,
  };
}

/** The visitor's conversation becomes the customer's; when it cannot, the customer starts with their own. */
export async function bringAlong(tenant: string, customer: Session): Promise<void> {
  const visitorPrefix = `recourse:${tenant}:visitor`;
  const conversation = storage.read(`${visitorPrefix}:conversation`);
  const visitor = readVisitor(`${visitorPrefix}:token`);
  if (conversation === null || visitor === null) return;
  try {
    await customer.client.request("POST", `/v1/conversations/${conversation}/adopt`, {
      visitor_token: visitor.token,
    });
    storage.write(`${customer.keyPrefix}:conversation`, conversation);
  } catch (error) {
    if (error instanceof Refused && error.problem.retryAfterMs !== null) throw error;
  }
  for (const name of ["conversation", "token", "outbox"]) storage.write(`${visitorPrefix}:${name}`, null);
}

function readVisitor(key: string): Visitor | null {
  try {
    const kept = JSON.parse(storage.read(key) ?? "null") as Visitor | null;
    return typeof kept?.token === "string" ? kept : null;
  } catch {
    return null;
  }
}

/** Only tells people on one device apart; what they may see the server decides from the signed token. */
function subjectOf(jwt: string): string {
  try {
    const [, payload = ""] = jwt.split(".");
    const { sub = "" } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as {
      sub?: string;
    };
    return encodeURIComponent(sub);
  } catch {
    return "unknown";
  }
}
