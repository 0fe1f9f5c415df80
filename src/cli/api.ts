/**
 * The HTTP API as the terminal uses it. Answers are typed by what the API documents; errors come as
 * {@link ApiProblem} (the server said no) or {@link Unreachable} (nobody answered).
 */
import type { Clock } from "../kernel/ports.ts";
import { plainLine } from "./terminal.ts";

/** A problem document of the server. Its texts are cleaned for printing. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: string;
  readonly next: string;
  /** The document itself: extra members such as `decision`. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, document: Readonly<Record<string, unknown>>, retryAfterMs?: number) {
    super(plainLine(document.detail ?? document.title ?? `The server answered ${status}.`, 500));
    this.status = status;
    this.code = plainLine(document.code ?? `http_${status}`, 60);
    this.next = plainLine(document.next ?? "", 500);
    this.document = document;
    this.retryAfterMs = retryAfterMs;
  }

  /** Worth sending the same again, later. */
  get isTemporary(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** No HTTP answer: not running, restarting, wrong address, too slow. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  readonly url: string;
  /** A few words: `connection refused`. */
  readonly why: string;

  constructor(url: string, why: string, cause: unknown) {
    super(`No Recourse server answers at ${url} (${why}).`, { cause });
    this.url = url;
    this.why = why;
  }
}

/** Where a bearer token comes from. */
export interface Credentials {
  token(): Promise<string>;
  /** Gets a new token after the server said that this one has expired; false when there is none to be had. */
  renew(): Promise<boolean>;
}

export const fixedToken = (token: string): Credentials => ({
  token: async () => token,
  renew: async () => false,
});

export interface Api {
  readonly url: string;
  /**
   * One request with a JSON answer; an expired token is renewed once.
   * @throws ApiProblem, Unreachable
   */
  call<T>(method: "GET" | "POST", path: string, body?: unknown, signal?: AbortSignal): Promise<T>;
  /**
   * The body of a stream of Server-Sent Events.
   * @throws ApiProblem, Unreachable
   */
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  as(credentials: Credentials): Api;
}

export interface ApiParts {
  readonly url: string;
  readonly clock: Clock;
  readonly credentials?: Credentials;
  /** How long a request may take; a stream has no limit. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 15_000;

export function createApi(parts: ApiParts): Api {
  const url = parts.url.replace(/\/+$/, "");
  const send = parts.fetch ?? fetch;

  const request = async (
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
    signal: AbortSignal | undefined,
    timeoutMs: number | null,
  ): Promise<Response> => {
    for (let renewed = false; ; renewed = true) {
      const token = await parts.credentials?.token();
      const cut = new AbortController();
      const cancelCut =
        timeoutMs === null ? () => {} : parts.clock.after(timeoutMs, () => cut.abort(new TooSlow()));
      let response: Response;
      try {
        response = await send(`${url}${path}`, {
          ...init,
          headers: {
            ...init.headers,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          redirect: "error",
          signal: signal === undefined ? cut.signal : AbortSignal.any([signal, cut.signal]),
        });
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw new Unreachable(url, whyOf(error), error);
      } finally {
        cancelCut();
      }
      if (response.ok) return response;
      const problem = await problemOf(response);
      if (problem.code !== "token_expired" || renewed || (await parts.credentials?.renew()) !== true)
        throw problem;
    }
  };

  return {
    url,
    async call<T>(method: "GET" | "POST", path: string, body?: unknown, signal?: AbortSignal) {
      const response = await request(
        path,
        {
          method,
          headers: {
            accept: "application/json",
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        signal,
        parts.timeoutMs ?? TIMEOUT_MS,
      );
      try {
        return (await response.json()) as T;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw new Unreachable(url, "its answer broke off or is not JSON", error);
      }
    },
    async stream(path, signal) {
      const response = await request(path, { headers: { accept: "text/event-stream" } }, signal, null);
      if (response.body === null) throw new Unreachable(url, "its stream has no body", undefined);
      return response.body;
    },
    as: (credentials) => createApi({ ...parts, credentials }),
  };
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const document = await response.json().catch(() => ({}));
  return new ApiProblem(
    response.status,
    document !== null && typeof document === "object" ? (document as Record<string, unknown>) : {},
    Number.isFinite(retryAfter) ? retryAfter * 1_000 : undefined,
  );
}

class TooSlow extends Error {}

function whyOf(error: unknown): string {
  if (error instanceof TooSlow) return "it took too long";
  const { cause } = error as { cause?: { code?: string } };
  switch (cause?.code) {
    case "ECONNREFUSED":
      return "connection refused";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its name cannot be resolved";
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
      return "the connection broke";
    case undefined:
      return "the request failed";
    default:
      return String(cause?.code);
  }
}

/**
 * Tokens of the demo: minted for a customer's name, and again when they expire.
 * @throws ApiProblem `path_unknown` when the server is not in demo mode
 */
export function demoCredentials(api: Api, customer: string, tenant?: string): Credentials {
  let token: Promise<string> | undefined;
  const mint = () =>
    api
      .call<{ token: string }>("POST", "/demo/token", {
        customer,
        ...(tenant === undefined ? {} : { tenant }),
      })
      .then((minted) => minted.token);
  const fresh = () => {
    const minting = mint();
    token = minting;
    // A failure is not kept: the next request tries again.
    minting.catch(() => {
      if (token === minting) token = undefined;
    });
    return minting;
  };
  return {
    token: () => token ?? fresh(),
    renew: () => fresh().then(() => true),
  };
}

/** The server's address: `--url`, `RECOURSE_URL`, or this machine with `PORT`. */
export function serverUrl(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return option ?? env.RECOURSE_URL ?? `http://127.0.0.1:${env.PORT ?? "3000"}`;
}
