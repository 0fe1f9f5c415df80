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
    const deadline = new AbortController();
    const cancel = clock.after(timeoutMs, () => deadline.abort(new DOMException("late", "TimeoutError")));
    const signal =
      callerSignal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, callerSignal]);
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
      return await Promise.race([exchanged(), aborted(signal)]);
    } finally {
      cancel();
      // Ends the wait for `signal`, and a transport that has not listened to it.
      deadline.abort(new DOMException("over", "AbortError"));
    }
  };
}

/** Rejects when `signal` aborts, also for a transport that does not listen to it. */
function aborted(signal: AbortSignal): Promise<never> {
  const never = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  never.catch(() => {});
  return never;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > LIMITS.shopAnswerBytes) throw new Error("the shop's answer is too large");
    chunks.push(chunk);
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
