/**
 * The wire to Stripe: one HTTP exchange with a deadline, a size limit and the caller's cancellation, and
 * the one fact that the SDK's errors do not carry: whether the request can have reached the provider.
 *
 * The SDK repeats a request by itself when a connection is closed under it, whatever `maxNetworkRetries`
 * says. Repeating belongs to the reconciliation of actions, which asks before it repeats, so a failure
 * leaves here without the error code by which the SDK would recognise it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Clock } from "../../../kernel/ports.ts";

/** The exchange failed without a whole answer. `sent` is false only when no connection was ever made. */
export class WireFailure extends Error {
  override readonly name = "WireFailure";
  readonly sent: boolean;
  constructor(what: string, sent: boolean) {
    // No cause: an error of the transport can carry the request, and with it the key.
    super(what);
    this.sent = sent;
  }
}

export interface Wire {
  /** For `Stripe.createFetchHttpClient`. */
  readonly fetch: typeof fetch;
  /** Everything the SDK sends inside `work` is given up when `signal` aborts. */
  call<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

export interface WireOptions {
  readonly send: typeof fetch;
  readonly timeoutMs: number;
  /** Whose time the deadline is; without it the SDK's own timer alone holds. */
  readonly clock: Clock | undefined;
}

export function createWire({ send, timeoutMs, clock }: WireOptions): Wire {
  const callers = new AsyncLocalStorage<AbortSignal | undefined>();

  const exchange = async (input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> => {
    // A redirect would carry body and key to whoever it names: it is an answer like any other.
    const response = await send(input, { ...init, redirect: "manual" });
    const body = await boundedBody(response);
    const { status, statusText, headers } = response;
    return new Response(HAS_NO_BODY.has(status) ? null : body, { status, statusText, headers });
  };

  return {
    call: (signal, work) => callers.run(signal, work),
    async fetch(input, init = {}) {
      const deadline = new AbortController();
      const cancel = clock?.after(timeoutMs, () => deadline.abort(new DOMException("late", "TimeoutError")));
      const signals = [init.signal, callers.getStore(), deadline.signal].filter(
        (one) => one instanceof AbortSignal,
      );
      const signal = AbortSignal.any(signals);
      try {
        return await untilAborted(exchange(input, { ...init, signal }), signal);
      } catch (error) {
        if (signal.aborted) throw new WireFailure("no answer in time", true);
        const sent = !neverConnected(error);
        throw new WireFailure(sent ? "the connection broke" : "no connection", sent);
      } finally {
        cancel?.();
      }
    },
  };
}

const HAS_NO_BODY = new Set([204, 205, 304]);

/** Rejects as soon as `signal` aborts, even when whoever works on `work` does not listen to it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function boundedBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > LIMITS.providerAnswerBytes) throw new Error("the answer is too large");
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Failures of name lookup, and of `connect`: an error with the same code on an open connection is not one. */
const LOOKUP_CODES = new Set(["ENOTFOUND", "EAI_AGAIN"]);
const CONNECT_CODES = new Set(["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"]);
const CAUSES_MAX = 6;

function neverConnected(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause !== null && typeof cause === "object"; depth += 1) {
    const { code, syscall, errors, cause: next } = cause as Record<string, unknown>;
    // Several addresses were tried: nothing was sent only if that holds for every one.
    if (Array.isArray(errors) && errors.length > 0) return errors.every(neverConnected);
    if (LOOKUP_CODES.has(String(code)) || CONNECT_CODES.has(String(code)) || syscall === "connect")
      return true;
    cause = next;
  }
  return false;
}
