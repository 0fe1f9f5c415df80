/**
 * Who the customer is, as the host page says, or a visitor whom nobody knows. A visitor's conversation goes
 * with them when they sign in; whatever is kept on the device is kept under the person it belongs to.
 */

import { backOffMs, type Client, createClient, offline, pause, problemOf, Refused } from "./client.ts";
import { readOutbox, storage, type TabMessage } from "./storage.ts";

export type Identity = string | (() => Promise<string>);

export interface Session {
  readonly client: Client;
  /** For this person on this device. */
  readonly keyPrefix: string;
  readonly isVisitor: boolean;
}

interface Visitor {
  readonly token: string;
  readonly expires_at: string;
}

/** Renewed this long before it runs out. */
const EARLY_MS = 60_000;
/** No customer's: theirs have no `@` (see {@link subjectOf}). */
const visitorPrefix = (tenant: string): string => `recourse:${tenant}:@visitor`;

export function visitorSession(base: string, tenant: string): Session {
  const key = `${visitorPrefix(tenant)}:token`;
  const token = async (fresh: boolean): Promise<string> => {
    const kept = fresh ? null : readVisitor(key);
    if (kept !== null && Date.parse(kept.expires_at) - EARLY_MS > Date.now()) return kept.token;
    const response = await fetch(`${base}/v1/visitors`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tenant, ...(kept === null ? {} : { token: kept.token }) }),
      credentials: "omit",
    }).catch(() => {
      throw offline();
    });
    if (!response.ok) throw new Refused(await problemOf(response));
    const visitor = (await response.json()) as Visitor;
    storage.write(key, JSON.stringify(visitor));
    return visitor.token;
  };
  return { client: createClient(base, token), keyPrefix: visitorPrefix(tenant), isVisitor: true };
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
    isVisitor: false,
  };
}

/**
 * The visitor's conversation becomes the customer's, with what they have not sent yet. Asked again until it is
 * answered for good; meanwhile, and when nobody can say (a token that is refused, a page that closes), all of it stays on the
 * device for the next time. Only "not found" drops it: it is another person's by now, or gone.
 */
export async function bringAlong(tenant: string, customer: Session, signal: AbortSignal): Promise<void> {
  const visitor = visitorPrefix(tenant);
  for (let failures = 0; !signal.aborted; ) {
    // Read anew each time: the visitor goes on writing while the conversation is busy.
    const conversation = storage.read(`${visitor}:conversation`);
    const token = readVisitor(`${visitor}:token`)?.token;
    if (conversation === null || token === undefined) return moveTo(customer.keyPrefix, visitor, null);
    try {
      await customer.client.request("POST", `/v1/conversations/${conversation}/adopt`, {
        visitor_token: token,
      });
      moveTo(customer.keyPrefix, visitor, conversation);
      return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.code === "not_found") return forget(visitor);
      if (error.problem.retryAfterMs === null) return;
      failures += 1;
      await pause(backOffMs(failures, error.problem), signal);
    }
  }
}

/** Whether there is something for {@link bringAlong}. */
export const hasVisited = (tenant: string): boolean =>
  storage.read(`${visitorPrefix(tenant)}:conversation`) !== null ||
  readOutbox(`${visitorPrefix(tenant)}:outbox`).length > 0;

/** In one turn, so that no other tab sees half of it. */
function moveTo(customer: string, visitor: string, conversation: string | null): void {
  if (conversation !== null) storage.write(`${customer}:conversation`, conversation);
  // With the IDs they had: what the server has taken already is not taken twice.
  const unsent = [...readOutbox(`${customer}:outbox`), ...readOutbox(`${visitor}:outbox`)];
  storage.write(`${customer}:outbox`, unsent.length === 0 ? null : JSON.stringify(unsent));
  forget(visitor);
  if (conversation !== null) tell(customer, { conversation });
  tell(customer, { outbox: unsent });
}

function forget(visitor: string): void {
  for (const name of ["conversation", "token", "outbox"]) storage.write(`${visitor}:${name}`, null);
  tell(visitor, { outbox: [] });
  tell(visitor, { conversation: null });
}

/** To other tabs of the same person. */
function tell(prefix: string, message: TabMessage): void {
  if (typeof BroadcastChannel === "undefined") return;
  const tabs = new BroadcastChannel(prefix);
  tabs.postMessage(message);
  tabs.close();
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
