/** The real server and sandbox as child processes, and a customer who talks to them over HTTP. For crash tests and benchmarks. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { createParser } from "eventsource-parser";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
// A machine that others use too takes its time.
const READY_MS = 120_000;

export interface Running {
  readonly child: ChildProcess;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  output(): string;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts a script and resolves once it says that it is ready. */
export async function start(
  script: string,
  env: Record<string, string>,
  readyLine: RegExp,
): Promise<Running> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ROOT + script], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal })),
  );
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${script} was not ready in ${READY_MS} ms:\n${output}`)),
      READY_MS,
    );
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
      if (readyLine.test(output)) {
        clearTimeout(timer);
        resolve();
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exited.then(({ code, signal }) => {
      clearTimeout(timer);
      reject(new Error(`${script} ended (${code ?? signal}) before it was ready:\n${output}`));
    });
  });
  return { child, exited, output: () => output };
}

export async function stop(running: Running): Promise<void> {
  running.child.kill("SIGTERM");
  const timer = setTimeout(() => running.child.kill("SIGKILL"), 25_000);
  await running.exited;
  clearTimeout(timer);
}

export interface ServerOptions {
  readonly folder: string;
  readonly port: number;
  readonly sandboxUrl?: string;
  readonly sandboxPort?: number;
  readonly env?: Record<string, string>;
}

export const startServer = ({
  folder,
  port,
  sandboxUrl,
  sandboxPort,
  env,
}: ServerOptions): Promise<Running> =>
  start(
    "src/main.ts",
    {
      PORT: String(port),
      RECOURSE_DATA_DIR: folder,
      RECOURSE_LOG_LEVEL: "warn",
      ...(sandboxUrl === undefined ? {} : { RECOURSE_SANDBOX: sandboxUrl }),
      ...(sandboxPort === undefined ? {} : { RECOURSE_SANDBOX_PORT: String(sandboxPort) }),
      ...env,
    },
    /^Ready\./m,
  );

export const startSandbox = (folder: string, port: number): Promise<Running> =>
  start(
    "sandbox/main.ts",
    { RECOURSE_SANDBOX_PORT: String(port), RECOURSE_DATA_DIR: folder },
    /^sandbox ready/m,
  );

export interface LogEvent {
  readonly seq: number;
  readonly type: string;
  readonly author?: string;
  readonly text?: string;
  readonly state?: string;
  readonly action_id?: string;
  readonly run_id?: string;
  readonly client_message_id?: string;
  readonly at: string;
}

/** A customer with a token. */
export class Customer {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  static async enter(url: string, name: string): Promise<Customer> {
    const response = await fetch(`${url}/demo/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ customer: name }),
    });
    return new Customer(url, ((await response.json()) as { token: string }).token);
  }

  get token(): string {
    return this.#token;
  }

  async request<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(this.#url + path, {
      ...init,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
    });
    if (!response.ok)
      throw new Error(
        `${init.method ?? "GET"} ${path} answered ${response.status}: ${await response.text()}`,
      );
    return (await response.json()) as T;
  }

  async open(): Promise<string> {
    return (
      await this.request<{ conversation_id: string }>("/v1/conversations", { method: "POST", body: "{}" })
    ).conversation_id;
  }

  send(
    conversation: string,
    text: string,
    clientMessageId: string,
  ): Promise<{ run_id: string | null; seq: number }> {
    return this.request(`/v1/conversations/${conversation}/messages`, {
      method: "POST",
      body: JSON.stringify({ client_message_id: clientMessageId, text }),
    });
  }

  async events(conversation: string): Promise<readonly LogEvent[]> {
    return (
      await this.request<{ events: LogEvent[] }>(`/v1/conversations/${conversation}/events?after_seq=0`)
    ).events;
  }

  /** The conversation's events as they come, over SSE. */
  async stream(
    conversation: string,
  ): Promise<{ until(wanted: (event: LogEvent) => boolean): Promise<void>; close(): void }> {
    const ending = new AbortController();
    const response = await fetch(`${this.#url}/v1/conversations/${conversation}/stream?after_seq=0`, {
      headers: { authorization: `Bearer ${this.#token}`, accept: "text/event-stream" },
      signal: ending.signal,
    });
    if (!response.ok || response.body === null) throw new Error(`the stream answered ${response.status}`);
    const seen: LogEvent[] = [];
    let wake = () => {};
    const parser = createParser({
      onEvent: ({ data }) => {
        seen.push(JSON.parse(data) as LogEvent);
        wake();
      },
    });
    const decoder = new TextDecoder();
    const reading = (async () => {
      for await (const chunk of response.body as AsyncIterable<Uint8Array>)
        parser.feed(decoder.decode(chunk, { stream: true }));
    })().catch(() => {});
    return {
      async until(wanted) {
        while (!seen.some(wanted)) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      close() {
        ending.abort();
        void reading;
      },
    };
  }

  /** Waits until the log has what is wanted; the answer is the log. */
  async until(
    conversation: string,
    wanted: (events: readonly LogEvent[]) => boolean,
    withinMs = 30_000,
  ): Promise<readonly LogEvent[]> {
    const endMs = performance.now() + withinMs;
    for (;;) {
      const events = await this.events(conversation);
      if (wanted(events)) return events;
      if (performance.now() > endMs)
        throw new Error(`the log did not show it in ${withinMs} ms: ${JSON.stringify(events.slice(-4))}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

export const agentTexts = (events: readonly LogEvent[]): string[] =>
  events
    .filter((event) => event.type === "message" && event.author === "agent")
    .map((event) => event.text ?? "");

/** What the provider holds for a charge. */
export async function refundsAt(
  sandboxUrl: string,
  charge: string,
): Promise<readonly { amount: number; status: string }[]> {
  const response = await fetch(`${sandboxUrl}/v1/refunds?limit=100&charge=${charge}`, {
    headers: { authorization: "Bearer sk_test_sandbox" },
  });
  return ((await response.json()) as { data: { amount: number; status: string }[] }).data;
}
