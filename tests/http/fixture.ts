/** What HTTP tests share: fakes behind the interfaces, signed tokens, a running server. */
import { SignJWT } from "jose";
import { afterEach } from "vitest";
import type { Decision, Reviews, ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { HttpLimits, HttpParts } from "../../src/channels/http/parts.ts";
import { createHttpServer, type HttpServer } from "../../src/channels/http/server.ts";
import { createTokens, type IssuerConfiguration } from "../../src/channels/http/tokens.ts";
import type { AcceptedMessage, Conversations } from "../../src/conversations/conversations.ts";
import type { PublicEvent } from "../../src/conversations/events.ts";
import type { LiveDraft, Wake } from "../../src/conversations/hub.ts";
import { isoInstant } from "../../src/kernel/calendar.ts";
import { ProblemError } from "../../src/kernel/errors.ts";
import { type ConversationId, type CustomerId, newId, type RunId } from "../../src/kernel/ids.ts";
import { type Clock, systemClock, systemRandom } from "../../src/kernel/ports.ts";
import type { Scope } from "../../src/kernel/scope.ts";
import type { Desk } from "../../src/operators/desk/desk.ts";
import type { Runs } from "../../src/orchestrator/runs.ts";

export const NORTHWIND: IssuerConfiguration & { secret: string } = {
  tenantId: "northwind",
  issuer: "https://northwind.example",
  audience: "recourse",
  secret: "northwind-secret-of-more-than-32-bytes",
};
export const KESTREL: IssuerConfiguration & { secret: string } = {
  tenantId: "kestrel",
  issuer: "https://kestrel.example",
  audience: "recourse",
  secret: "kestrel-secret-that-is-also-long-enough",
};
export const OPERATOR_TOKEN = "operator-token-of-northwind";

export interface TokenWish {
  issuer?: IssuerConfiguration & { secret: string };
  sub?: string;
  expiresInMs?: number;
  nowMs?: number;
}

export async function tokenFor(wish: TokenWish = {}): Promise<string> {
  const issuer = wish.issuer ?? NORTHWIND;
  const nowMs = wish.nowMs ?? systemClock.now();
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer.issuer)
    .setAudience("recourse")
    .setSubject(wish.sub ?? "ada")
    .setExpirationTime(Math.floor((nowMs + (wish.expiresInMs ?? 3_600_000)) / 1_000))
    .sign(Buffer.from(issuer.secret));
}

/** Conversations in memory, with the contract of the real ones; `append` stands for agents and operators. */
export interface FakeConversations extends Conversations {
  append(conversationId: string, events: readonly Record<string, unknown>[]): void;
  draft(conversationId: string, text: string): void;
  /** Wake-ups are lost while this is true. */
  loseWakeUps: boolean;
  /** Thrown by reads while set. */
  failReads: Error | null;
  reads: number;
}

export function fakeConversations(clock: Clock = systemClock, pageSize = 500): FakeConversations {
  const all = new Map<
    string,
    {
      owner: string;
      log: PublicEvent[];
      byClientId: Map<string, { text: string; accepted: AcceptedMessage }>;
    }
  >();
  const subscribers = new Map<string, Set<Wake>>();
  const readers = new Map<string, Set<(draft: LiveDraft) => void>>();
  const ownerOf = (scope: Scope) =>
    scope.kind === "customer" ? `${scope.tenantId}/${scope.customerId}` : "";
  const find = (scope: Scope, id: string) => {
    const found = all.get(id);
    if (found === undefined || found.owner !== ownerOf(scope)) throw new ProblemError("not_found");
    return found;
  };
  const rated = new Set<string>();
  const self: FakeConversations = {
    loseWakeUps: false,
    failReads: null,
    reads: 0,
    async open(scope) {
      const id = newId("conv", clock, systemRandom);
      all.set(id, { owner: ownerOf(scope), log: [], byClientId: new Map() });
      return id;
    },
    async accept(scope, id, { clientMessageId, text }) {
      const conversation = find(scope, id);
      const known = conversation.byClientId.get(clientMessageId);
      if (known !== undefined) {
        if (known.text !== text) throw new ProblemError("client_message_id_reused");
        return { ...known.accepted, duplicate: true };
      }
      const seq = conversation.log.length + 1;
      const accepted = { runId: newId("run", clock, systemRandom) as RunId, seq, duplicate: false };
      conversation.byClientId.set(clientMessageId, { text, accepted });
      self.append(id, [{ type: "message", author: "customer", text, client_message_id: clientMessageId }]);
      return accepted;
    },
    async view(scope, id) {
      if (self.failReads !== null) throw self.failReads;
      const { log } = find(scope, id);
      return {
        conversationId: id as ConversationId,
        status: "open",
        createdAtMs: clock.now(),
        lastSeq: log.length,
      };
    },
    async events(scope, id, afterSeq) {
      self.reads += 1;
      if (self.failReads !== null) throw self.failReads;
      return find(scope, id).log.slice(afterSeq, afterSeq + pageSize);
    },
    subscribe({ tenantId }, id, wake, onDraft) {
      const key = `${tenantId}/${id}`;
      const set = subscribers.get(key) ?? new Set();
      subscribers.set(key, set.add(wake));
      const reading = readers.get(id) ?? new Set();
      if (onDraft !== undefined) readers.set(id, reading.add(onDraft));
      return () => {
        set.delete(wake);
        if (onDraft !== undefined) reading.delete(onDraft);
      };
    },
    draft(id, text) {
      for (const read of readers.get(id) ?? []) read({ runId: "run_1" as RunId, text });
    },
    async ratingState(scope, id) {
      find(scope, id);
      return {
        customerId: "ada" as CustomerId,
        language: "en",
        status: "resolved",
        sinceSeq: 0,
        score: null,
      };
    },
    async end(scope, id) {
      find(scope, id);
    },
    async adopt(scope, id, visitorId) {
      const found = all.get(id);
      if (found === undefined || found.owner !== `${scope.tenantId}/${visitorId}`) {
        find(scope, id);
        return;
      }
      found.owner = ownerOf(scope);
    },
    async rate(scope, id) {
      find(scope, id);
      if (rated.has(id)) throw new ProblemError("csat_already_given");
      rated.add(id);
    },
    append(id, events) {
      const conversation = all.get(id);
      if (conversation === undefined) throw new Error("no such conversation");
      const before = conversation.log.length;
      for (const event of events) {
        const seq = conversation.log.length + 1;
        conversation.log.push({ ...event, seq, at: isoInstant(clock.now()) } as unknown as PublicEvent);
      }
      if (self.loseWakeUps) return;
      const tenant = conversation.owner.split("/")[0];
      // Some wake-ups bring the events, as in one process; some only say that there are any.
      const handed = before % 3 === 0 ? undefined : conversation.log.slice(before);
      for (const wake of subscribers.get(`${tenant}/${id}`) ?? []) wake(handed);
    },
  };
  return self;
}

const nothingHere = async (): Promise<never> => {
  throw new ProblemError("not_found");
};
/** A tenant without a conversation. */
const emptyDesk: Desk = {
  list: async () => ({ conversations: [], next_cursor: null }),
  view: nothingHere,
  events: nothingHere,
  runs: nothingHere,
  send: nothingHere,
  note: nothingHere,
  tag: nothingHere,
  assign: nothingHere,
  draft: nothingHere,
  ratings: async () => ({
    agent: { count: 0, scores: [0, 0, 0, 0, 0], average: null },
    person: { count: 0, scores: [0, 0, 0, 0, 0], average: null },
  }),
  reviewedOrder: nothingHere,
  cannedReplies: { list: async () => [], save: nothingHere, remove: nothingHere, fill: nothingHere },
};

const noRuns: Runs = {
  view: async () => {
    throw new ProblemError("not_found");
  },
  cancel: async () => {
    throw new ProblemError("run_already_ended");
  },
};

export interface FakeReviews extends Reviews {
  decisions: Decision[];
}
export function fakeReviews(reviews: readonly ReviewView[] = []): FakeReviews {
  const decisions: Decision[] = [];
  const view = (id: string) => {
    const found = reviews.find((review) => review.review_id === id);
    if (found === undefined) throw new ProblemError("not_found");
    return found;
  };
  return {
    decisions,
    list: async () => reviews,
    queue: async () => ({ reviews, next_cursor: null }),
    counts: async () => ({
      open: reviews.length,
      waiting: 0,
      overdue: 0,
      unclaimed: reviews.length,
      mine: 0,
      by_kind: { approval: reviews.length, handoff: 0, uncertain: 0 },
      by_priority: { urgent: 0, high: 0, normal: reviews.length, low: 0 },
      by_reason: {},
    }),
    claim: async (_, id) => view(id),
    release: async (_, id) => view(id),
    undo: async (_, id) => view(id),
    takeOver: async () => {
      throw new ProblemError("not_found");
    },
    giveBack: async () => {
      throw new ProblemError("not_found");
    },
    view: async (_, id) => view(id),
    async decide(_, id, decision) {
      const found = view(id);
      decisions.push(decision);
      return { ...found, state: "decided" };
    },
  };
}

/** A log that keeps what it was told. */
export function keptLog() {
  const lines: { level: string; fields: Record<string, unknown>; message: string | undefined }[] = [];
  const at = (level: string) => (fields: object, message?: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message });
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export interface Running {
  readonly server: HttpServer;
  readonly url: string;
  readonly port: number;
  readonly conversations: FakeConversations;
  readonly log: ReturnType<typeof keptLog>;
  /** Calls with a customer's token and a JSON body. */
  call(method: string, path: string, options?: CallOptions): Promise<Answered>;
}
export interface CallOptions {
  token?: string | null;
  body?: unknown;
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
}
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any member
  readonly json: any;
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

export function fakeParts(
  overrides: Partial<HttpParts> = {},
): HttpParts & { conversations: FakeConversations; log: ReturnType<typeof keptLog> } {
  const clock = overrides.clock ?? systemClock;
  return {
    conversations: fakeConversations(clock),
    runs: noRuns,
    reviews: fakeReviews(),
    actionView: async () => {
      throw new ProblemError("not_found");
    },
    desk: emptyDesk,
    feed: { follow: () => () => {}, followAccess: () => () => {}, stop: async () => {} },
    cancelAction: async () => {
      throw new ProblemError("not_found");
    },
    webhook: { stripe: async () => ({ outcome: "applied" }) },
    readiness: async () => ({ ready: true, checks: [{ name: "database", ok: true, detail: "embedded" }] }),
    tokens: createTokens({
      issuers: [NORTHWIND, KESTREL],
      operators: [{ tenantId: "northwind", name: "olivia", token: OPERATOR_TOKEN }],
      clock,
    }),
    clock,
    random: systemRandom,
    log: keptLog(),
    ...overrides,
  } as HttpParts & { conversations: FakeConversations; log: ReturnType<typeof keptLog> };
}

export async function startServer(
  overrides: Partial<HttpParts> & { limits?: Partial<HttpLimits> } = {},
): Promise<Running> {
  const parts = fakeParts(overrides);
  const server = createHttpServer(parts);
  const { url, port } = await server.start({ host: "127.0.0.1", port: 0 });
  stops.push(() => server.stop());
  const own = await tokenFor({ nowMs: parts.clock.now() });
  return {
    server,
    url,
    port,
    conversations: parts.conversations,
    log: parts.log,
    async call(method, path, options = {}) {
      const token = options.token === undefined ? own : options.token;
      const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body: body as BodyInit }),
      });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get("content-type") ?? "");
      return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : text };
    },
  };
}

/** Waits until `condition` holds; fails after `withinMs`. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 4_000): Promise<void> {
  const giveUp = systemClock.now() + withinMs;
  while (!(await condition())) {
    if (systemClock.now() > giveUp) throw new Error(`not so within ${withinMs} ms: ${condition}`);
    await systemClock.sleep(2);
  }
}

/** A clock that moves only when told; timers fire in order. */
export function manualClock(
  startMs = 1_800_000_000_000,
): Clock & { advance(ms: number): void; pending(): number } {
  let nowMs = startMs;
  let order = 0;
  const timers = new Map<number, { atMs: number; fn: () => void }>();
  const after = (ms: number, fn: () => void) => {
    const id = ++order;
    timers.set(id, { atMs: nowMs + ms, fn });
    return () => void timers.delete(id);
  };
  return {
    now: () => nowMs,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const cancel = after(ms, resolve);
        signal?.addEventListener("abort", () => {
          cancel();
          resolve();
        });
      }),
    pending: () => timers.size,
    advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        const next = [...timers]
          .filter(([, t]) => t.atMs <= endMs)
          .sort((a, b) => a[1].atMs - b[1].atMs || a[0] - b[0])[0];
        if (next === undefined) break;
        timers.delete(next[0]);
        nowMs = Math.max(nowMs, next[1].atMs);
        next[1].fn();
      }
      nowMs = endMs;
    },
  };
}
