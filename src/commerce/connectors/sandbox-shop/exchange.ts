/** One HTTP exchange with the shop: within a time, within a size, given up when the caller gives up. */
import { LIMITS } from "../../../kernel/limits.ts";
import type { Clock } from "../../../kernel/ports.ts";

export interface ShopAnswer {
  readonly status: number;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
}

/** @returns rejects when there was no whole answer: whatever was asked for may have been done all the same */
export type Exchange = (path: string, init: RequestInit, signal?: AbortSignal) => Promise<ShopAnswer>;

export function createExchange(parts: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly send: typeof fetch;
  readonly clock: Clock;
  readonly timeoutMs: number;
}): Exchange {
  const { baseUrl, apiKey, send, clock, timeoutMs } = parts;
  return async (path, init, callerSignal) => {
    callerSignal?.throwIfAborted();
    const giveUp = new AbortController();
    const { signal } = giveUp;
    // Also for a transport that does not listen to the signal.
    const { promise: given, reject } = Promise.withResolvers<never>();
    given.catch(() => {});
    const stop = (reason: unknown): void => {
      reject(reason);
      giveUp.abort(reason);
    };
    const cancel = clock.after(timeoutMs, () => stop(new DOMException("late", "TimeoutError")));
    const callerStops = () => stop(callerSignal?.reason);
    callerSignal?.addEventListener("abort", callerStops, { once: true });
    const exchanged = async (): Promise<ShopAnswer> => {
      const response = await send(`${baseUrl}/shop/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${apiKey}`, ...init.headers },
        // A redirect would carry the key to whoever it names: it is an answer like any other.
        redirect: "manual",
        signal,
      });
      return { status: response.status, body: parsed(await boundedText(response)) };
    };
    try {
      return await Promise.race([exchanged(), given]);
    } catch (error) {
      // An answer that was too large or broke off: nothing more of it is read.
      giveUp.abort(error);
      throw error;
    } finally {
      cancel();
      callerSignal?.removeEventListener("abort", callerStops);
    }
  };
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > LIMITS.shopAnswerBytes) throw new Error("the shop's answer is too large");
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
