/** A running server with the real room of operators behind it, and a browser of sorts. */
import { createRecords } from "../../src/actions/records.ts";
import type { Route, RouteSpec } from "../../src/channels/http/route.ts";
import { ProblemError } from "../../src/kernel/errors.ts";
import type { Knowledge } from "../../src/knowledge/knowledge.ts";
import type { Desk } from "../../src/operators/desk/desk.ts";
import type { Feed } from "../../src/operators/feed.ts";
import { type Running, startServer } from "../http/fixture.ts";
import { cookieOf, type TestTeam } from "./fixture.ts";

export type { Route, RouteSpec };

/** Answers every question with `not_found`: for routes whose room is not what is tested. */
export const nowhere = new Proxy(
  {},
  {
    get: () => () => {
      throw new ProblemError("not_found");
    },
  },
);

export const serve = (team: TestTeam): Promise<Running> =>
  startServer({
    operators: team.operators,
    records: createRecords(team.store),
    knowledge: nowhere as Knowledge,
    desk: nowhere as Desk,
    metrics: nowhere as never,
    killSwitch: nowhere as never,
    privacy: {
      access: nowhere,
      erasures: nowhere,
      erased: { erasedAtMs: () => null, onErased: () => () => {} },
    } as never,
    feed: { follow: () => () => {}, followAccess: () => () => {} } as unknown as Feed,
    clock: team.clock,
    // A stream of live changes ends at once, for whoever may open it.
    limits: { signInsPerAddressBurst: 10_000, feedStreamMs: 20 },
  });

export interface Browser {
  cookie: string;
  get(path: string): Promise<Page>;
  /** Sends a form as a page of this server would. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** The API, as a page of this server calls it. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}
interface CallOptions {
  readonly body?: unknown;
  readonly tenant?: string;
  readonly headers?: Record<string, string>;
}
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any member
  readonly json: any;
}

export function browser(running: Running, cookie = ""): Browser {
  const self: Browser = {
    cookie,
    get: (path) => send(path, { method: "GET" }),
    post: (path, fields, headers = {}) =>
      send(path, {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin", ...headers },
        body: new URLSearchParams(fields),
      }),
    async call(method, path, { body, tenant, headers = {} } = {}) {
      const {
        status,
        headers: answered,
        text,
      } = await send(path, {
        method,
        headers: {
          "sec-fetch-site": "same-origin",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(tenant === undefined ? {} : { "x-recourse-tenant": tenant }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const isJson = /[/+]json$/.test(answered.get("content-type") ?? "");
      return { status, headers: answered, json: isJson ? JSON.parse(text) : text };
    },
  };
  async function send(path: string, init: RequestInit): Promise<Page> {
    const response = await fetch(running.url + path, {
      redirect: "manual",
      ...init,
      headers: { ...(self.cookie === "" ? {} : { cookie: self.cookie }), ...init.headers },
    });
    self.cookie = cookieOf(response.headers.getSetCookie(), self.cookie);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
  return self;
}
