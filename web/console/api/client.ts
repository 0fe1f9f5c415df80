/** The operators' API as the console asks it: with the browser's session, for the tenant in use. */

/** What went wrong, in words for the operator, with a stable code. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  /** What to do next. */
  readonly next: string | null;
  /** Whatever the code brings along: fields that are wrong, what has changed. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | null;

  constructor(status: number, body: Record<string, unknown>, retryAfterMs: number | null) {
    super(String(body.detail ?? body.title ?? `The server answered ${status}.`));
    this.status = status;
    this.code = String(body.code ?? `http_${status}`);
    this.next = typeof body.next === "string" ? body.next : null;
    this.details = body;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer at all: the network, or the server is being restarted. */
export const isOffline = (error: unknown): boolean => error instanceof Problem && error.status === 0;

/** Asked again, the answer is the same: signed out, not allowed, gone. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429;

const listeners = new Set<() => void>();
let isAnswering = true;
function reached(answers: boolean): void {
  if (answers === isAnswering) return;
  isAnswering = answers;
  for (const listener of listeners) listener();
}

/** Whether the last request was answered at all, by whatever answer. */
export const isReached = (): boolean => isAnswering;
export function followReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

let tenantInUse: string | null = null;

/** All requests from now on are for this tenant. */
export function useTenant(tenant: string): void {
  tenantInUse = tenant;
}
export const currentTenant = (): string | null => tenantInUse;

export interface Ask {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @throws Problem */
export async function ask<T>(
  path: string,
  { method = "GET", query = {}, body, signal }: Ask = {},
): Promise<T> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const address = search.size > 0 ? `${path}?${search}` : path;
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      headers: {
        accept: "application/json",
        ...(tenantInUse === null ? {} : { "x-recourse-tenant": tenantInUse }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    reached(false);
    throw new Problem(
      0,
      {
        code: "offline",
        detail: "The server does not answer.",
        next:
          method === "GET"
            ? "It is tried again."
            : "It may have arrived all the same. Look, then do it again.",
      },
      2_000,
    );
  }
  reached(true);
  const text = await response.text();
  let answer: unknown = {};
  try {
    answer = text === "" ? {} : JSON.parse(text);
  } catch {
    answer = { detail: `The server answered ${response.status} with something that is no JSON.` };
  }
  if (response.ok) return answer as T;
  const seconds = Number(response.headers.get("retry-after") ?? "");
  throw new Problem(response.status, answer as Record<string, unknown>, seconds > 0 ? seconds * 1_000 : null);
}
