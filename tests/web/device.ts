/** A browser's surroundings for code of the widget: a memory that tabs share, a network that answers as told. */
import { vi } from "vitest";

export interface Call {
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any member
  readonly body: any;
  readonly headers: Headers;
  readonly signal: AbortSignal | null;
}
export type Answering = (call: Call) => Response | Promise<Response>;

export interface Device {
  /** What is kept, as JavaScript sees it. */
  readonly kept: Map<string, string>;
  /** Every request, in order. */
  readonly calls: Call[];
  /** What the network answers from now on; throws for no answer at all. */
  answer: Answering;
  /** Tells the page that it is online again. */
  wake(): void;
}

/** What a server answers. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json(status, { code, detail: `${code}.`, next: "Try again." }, headers);

export function createDevice(options: { readonly storageIsBlocked?: boolean } = {}): Device {
  const kept = new Map<string, string>();
  const calls: Call[] = [];
  const page = new EventTarget();
  const device: Device = {
    kept,
    calls,
    answer: () => problem(404, "not_found"),
    wake: () => void page.dispatchEvent(new Event("online")),
  };
  const refuse = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  vi.stubGlobal(
    "localStorage",
    options.storageIsBlocked
      ? { getItem: refuse, setItem: refuse, removeItem: refuse }
      : {
          getItem: (key: string) => kept.get(key) ?? null,
          setItem: (key: string, value: string) => void kept.set(key, value),
          removeItem: (key: string) => void kept.delete(key),
        },
  );
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("document", new EventTarget());
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(url);
    const call: Call = {
      method: init.method ?? "GET",
      path: pathname + search,
      body: typeof init.body === "string" ? JSON.parse(init.body) : init.body,
      headers: new Headers(init.headers),
      signal: init.signal ?? null,
    };
    calls.push(call);
    return device.answer(call);
  });
  return device;
}
