/** The conversation API as the widget uses it: requests that say what went wrong, and events that keep coming. */

export interface Problem {
  readonly code: string;
  readonly message: string;
  /** Milliseconds after which trying again makes sense; null: trying again changes nothing. */
  readonly retryAfterMs: number | null;
}

/** `offline` when no answer came at all. */
export class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export const offline = () => new Refused({ code: "offline", message: "offline", retryAfterMs: 1_000 });

export interface OrderCard {
  readonly type: "order";
  readonly order: {
    readonly number: string;
    readonly state: string;
    readonly currency: string;
    readonly paidMinor: number;
    readonly lineItems: readonly {
      readonly title: string;
      readonly quantity: number;
      readonly totalMinor: number;
    }[];
    readonly fulfilments: readonly {
      readonly state: string;
      readonly carrier: string;
      readonly trackingNumber: string;
      readonly trackingUrl: string | null;
      readonly estimatedDeliveryAt: number | null;
      readonly deliveredAt: number | null;
    }[];
  };
}
/** A picture of a message. */
export interface Attached {
  readonly attachment_id: string;
  readonly width: number;
  readonly height: number;
}
export interface ActionCard {
  readonly type: "action";
  readonly action: { readonly actionId: string };
}
export interface Citation {
  readonly title: string;
  readonly version: string;
  readonly effectiveFrom?: string;
}

export type ChatEvent = { readonly seq: number; readonly at: string } & (
  | {
      readonly type: "message";
      readonly author: "customer" | "agent" | "operator" | "system";
      readonly text: string;
      readonly client_message_id?: string;
      readonly cards?: readonly (OrderCard | ActionCard)[];
      readonly citations?: readonly Citation[];
      readonly attachments?: readonly Attached[];
      readonly quick_replies?: readonly string[];
    }
  | {
      readonly type: "action";
      readonly action_id: string;
      readonly kind: "refund" | "return";
      readonly state: string;
      readonly amount?: string;
      readonly currency?: string;
      readonly order_number?: string;
      readonly text: string;
    }
  | { readonly type: "run"; readonly run_id: string; readonly state: string }
  | { readonly type: "status"; readonly status: string }
);

export interface Client {
  /** A body that is a `Blob` goes as it is, another as JSON. */
  request<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T>;
  blob(path: string): Promise<Blob>;
  /**
   * Calls `take` with every event after `after`, once and in order, over connections that come and go, until
   * the signal aborts. Streams first; where a proxy holds streams back, asks again and again.
   */
  follow(conversation: string, after: number, watcher: Watcher, signal: AbortSignal): Promise<void>;
}

/** All sentences of an answer that is being written, each time; empty: taken back. In no order, not sent again. */
export interface Draft {
  readonly type: "draft";
  readonly run_id: string;
  readonly text: string;
}

export interface Watcher {
  take(event: ChatEvent): void;
  /** Null: whatever was being written, its end will not be heard of. */
  write(draft: Draft | null): void;
  connected(is: boolean): void;
}

/** Asking in another way would not help. */
const FINAL = /^(?:not_found|forbidden|token_)/;
const SILENCE_MS = 40_000;
const POLL_MS = 2_500;
const LONGEST_PAUSE_MS = 15_000;
/** For what passes but says not when. */
const PASSING_MS = 2_000;
/** Whatever a server or proxy names: a page that is open so long has waited enough. */
const LONGEST_WAIT_MS = 600_000;
/** Passes by its nature, also where a proxy or CORS hides `Retry-After`. */
const BUSY = "conversation_busy";

export function createClient(base: string, token: (fresh: boolean) => Promise<string>): Client {
  const send = async (
    method: string,
    path: string,
    body: unknown,
    signal?: AbortSignal,
    accept = "application/json",
  ): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const bearer = await token(attempt > 0);
      const response = await fetch(base + path, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          accept,
          ...(body === undefined || body instanceof Blob ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
        credentials: "omit",
        cache: "no-store",
        ...(signal === undefined ? {} : { signal }),
      }).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        throw offline();
      });
      // A token that has run out is fetched anew, once.
      if (response.status === 401 && attempt === 0) continue;
      if (!response.ok) throw new Refused(await problemOf(response));
      return response;
    }
  };

  const follow: Client["follow"] = async (conversation, after, watcher, signal) => {
    let seen = after;
    let failures = 0;
    const path = `/v1/conversations/${conversation}`;
    const take = (event: ChatEvent) => {
      if (event.seq <= seen) return;
      seen = event.seq;
      watcher.take(event);
    };
    while (!signal.aborted) {
      try {
        // Two streams in a row that brought nothing: a proxy collects them. Ask instead.
        if (failures >= 2) await poll(path, seen, take, signal);
        else await stream(path, seen, take, signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        const problem = error instanceof Refused ? error.problem : null;
        if (problem !== null && FINAL.test(problem.code)) throw error;
        failures += 1;
        if (problem?.code === "offline") watcher.connected(false);
        await pause(backOffMs(failures, problem), signal);
      }
    }

    async function stream(from: string, last: number, each: (event: ChatEvent) => void, until: AbortSignal) {
      const ending = new AbortController();
      const stop = () => ending.abort();
      until.addEventListener("abort", stop, { once: true });
      let silence = setTimeout(stop, SILENCE_MS);
      try {
        const response = await send(
          "GET",
          `${from}/stream?after_seq=${last}`,
          undefined,
          ending.signal,
          "text/event-stream",
        );
        const reader = (response.body as ReadableStream<Uint8Array>).getReader();
        const decoder = new TextDecoder();
        let rest = "";
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          watcher.connected(true);
          clearTimeout(silence);
          silence = setTimeout(stop, SILENCE_MS);
          rest += decoder.decode(value, { stream: true });
          const blocks = rest.split(/\r?\n\r?\n/);
          rest = blocks.pop() ?? "";
          for (const block of blocks) {
            const lines = block.split(/\r?\n/).filter((line) => line.startsWith("data:"));
            const name = /^event: ?(.*)$/m.exec(block)?.[1] ?? "message";
            if (lines.length === 0 || !/^(?:message|draft)$/.test(name)) continue;
            const event = JSON.parse(lines.map((line) => line.slice(5).trimStart()).join("\n")) as
              | ChatEvent
              | Draft;
            if (event.type === "draft") watcher.write(event);
            else if (typeof event.seq === "number") each(event);
          }
        }
      } finally {
        watcher.write(null);
        clearTimeout(silence);
        until.removeEventListener("abort", stop);
        ending.abort();
      }
    }

    async function poll(from: string, last: number, each: (event: ChatEvent) => void, until: AbortSignal) {
      for (let cursor = last; !until.aborted; ) {
        const page = (await (
          await send("GET", `${from}/events?after_seq=${cursor}`, undefined, until)
        ).json()) as { events: ChatEvent[]; last_seq: number; more: boolean };
        watcher.connected(true);
        for (const event of page.events) each(event);
        cursor = page.last_seq;
        if (!page.more) await pause(POLL_MS, until);
      }
    }
  };

  return {
    async request<T>(method: "GET" | "POST", path: string, body?: unknown) {
      const response = await send(method, path, body);
      // Cut off on the way, or a page of whoever runs the network here: the server has not answered.
      return (await response.json().catch(() => Promise.reject(offline()))) as T;
    },
    blob: async (path) => (await send("GET", path, undefined)).blob(),
    follow,
  };
}

/** What a refusal says; it passes when the server names a time, whatever its status, or by its kind. */
export async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as { code?: string; detail?: string; next?: string };
  const code = body.code ?? `http_${response.status}`;
  const isPassing =
    response.status === 408 || response.status === 429 || response.status >= 500 || code === BUSY;
  return {
    code,
    message: [body.detail, body.next].filter(Boolean).join(" "),
    retryAfterMs: retryAfterMs(response.headers.get("retry-after")) ?? (isPassing ? PASSING_MS : null),
  };
}

/** RFC 9110: whole seconds, or a date that a proxy may have written. */
function retryAfterMs(header: string | null): number | null {
  if (header === null || header.trim() === "") return null;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}

/** How long to wait before the next try: as the server says, and longer with each failure in a row. */
export const backOffMs = (failures: number, problem: Problem | null): number =>
  Math.max(problem?.retryAfterMs ?? 0, Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS));

/** Ends early when the device is online again. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms * (0.75 + Math.random() / 2));
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
