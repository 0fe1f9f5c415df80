/**
 * A language model that plays scripts: a real HTTP server that speaks OpenAI's protocol (chat completions,
 * streamed and whole, tools, log-probabilities, usage) and fails on demand. For trying, for the demo and for
 * tests. Like the rest of the sandbox it knows nothing of the product but its kernel.
 *
 *     POST   /sandbox/model/scripts   {"when": "words", "turns": [Turn…]}   newest first; `when` is looked for
 *                                     in the customer's message (case ignored), "" fits every message
 *     POST   /sandbox/model/faults    {"fault": Fault, "times": n, "retry_after": s}
 *     GET    /sandbox/model/requests  the questions so far
 *     DELETE /sandbox/model           forgets scripts, faults and questions
 *
 * A script is stateless: the turn is chosen by the number of results of its own tools in the question, so
 * that a retried or repeated question gets the same answer, and conversations at once do not disturb each
 * other.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../src/kernel/ports.ts";
import { answerChunks, wholeAnswer } from "./answers.ts";
import { focusOf, json, readBody, readTurns, resultsIn } from "./exchange.ts";
import { playFault } from "./faults.ts";

/** One answer of the model. */
export interface Turn {
  readonly text?: string;
  /** `args` as an object, or as the raw text of an answer that is not JSON. */
  readonly calls?: readonly { readonly name: string; readonly args?: unknown }[];
  readonly finish?: "stop" | "length" | "tool_calls" | "content_filter";
  /** Log-probability of every token; −0.05 unless told. Null: the server does not say. */
  readonly logprob?: number | null;
  /** What is wrong with this turn, each time it is played. */
  readonly fault?: Fault;
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  /** Milliseconds between the tokens of a streamed answer. */
  readonly tokenMs?: number;
}

export const FAULTS = [
  "hang",
  "refuse_connection",
  "error_500",
  "rate_limit",
  "quota",
  "bad_key",
  "context_overflow",
  "filtered_question",
  "not_json",
  "truncated",
  "stall",
  "huge",
  "endless",
  "error_in_stream",
  "no_logprobs",
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Script {
  readonly when: string;
  readonly turns: readonly Turn[];
}

export interface StandingFault {
  readonly fault: Fault;
  times: number;
  /** Seconds, or a date. */
  readonly retryAfter: string | null;
}

export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly logprobs?: boolean;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
  readonly stream_options?: { readonly include_usage?: boolean };
}

export interface ModelSandbox {
  readonly url: string;
  /** The questions so far, oldest first. */
  readonly requests: readonly ChatRequest[];
  /** How many questions are being answered now. */
  readonly open: number;
  script(when: string, ...turns: readonly Turn[]): void;
  fault(fault: Fault, times?: number, retryAfter?: string | null): void;
  reset(): void;
  stop(): Promise<void>;
}

const MOST_REQUESTS = 1_000;

export async function serveModelSandbox(options: {
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock: Clock;
  /** What is answered where no script fits; for measuring with more behaviour than a script has. */
  readonly improvise?: (request: ChatRequest) => Turn;
}): Promise<ModelSandbox> {
  const { clock } = options;
  const host = options.host ?? "127.0.0.1";
  let scripts: Script[] = [];
  let faults: StandingFault[] = [];
  let requests: ChatRequest[] = [];
  let open = 0;

  const turnFor = (request: ChatRequest): Turn => {
    const focus = focusOf(request).toLowerCase();
    const script = scripts.find(({ when }) => focus.includes(when.toLowerCase()));
    if (script === undefined) {
      return (
        options.improvise?.(request) ?? {
          text: "I am a scripted model, and nobody gave me lines for this.",
        }
      );
    }
    const tools = new Set(script.turns.flatMap(({ calls = [] }) => calls.map(({ name }) => name)));
    return script.turns[Math.min(resultsIn(request, tools), script.turns.length - 1)] ?? {};
  };

  const chat = async (request: ChatRequest, response: ServerResponse): Promise<void> => {
    requests = [...requests.slice(-MOST_REQUESTS), request];
    const turn = turnFor(request);
    const standing = faults.find(({ times }) => times > 0);
    if (standing !== undefined) standing.times -= 1;
    const fault = standing?.fault ?? turn.fault;
    if (turn.delayMs !== undefined) await clock.sleep(turn.delayMs);
    if (fault !== undefined && playFault(fault, request, turn, response, standing?.retryAfter ?? null))
      return;
    if (request.stream !== true) {
      json(response, 200, wholeAnswer(request, turn));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of answerChunks(request, turn)) {
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      if (turn.tokenMs !== undefined) await clock.sleep(turn.tokenMs);
    }
    response.end("data: [DONE]\n\n");
  };

  const control = async (
    method: string,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const route = `${method} ${path}`;
    if (route === "GET /sandbox/model/requests") return json(response, 200, { requests });
    if (route === "DELETE /sandbox/model") {
      sandbox.reset();
      return json(response, 200, {});
    }
    const body = (await readBody(request)) as Record<string, unknown> | null;
    if (route === "POST /sandbox/model/scripts") {
      const turns = readTurns(body?.turns);
      if (typeof body?.when !== "string" || turns === null)
        return json(response, 400, { error: "`when` is a text and `turns` a list of answers." });
      sandbox.script(body.when, ...turns);
      return json(response, 200, { scripts: scripts.length });
    }
    if (route === "POST /sandbox/model/faults") {
      const fault = FAULTS.find((name) => name === body?.fault);
      if (fault === undefined)
        return json(response, 400, { error: `\`fault\` is one of ${FAULTS.join(", ")}.` });
      const retryAfter = body?.retry_after;
      sandbox.fault(
        fault,
        typeof body?.times === "number" ? body.times : 1,
        retryAfter === undefined ? null : String(retryAfter),
      );
      return json(response, 200, { fault });
    }
    return json(response, 404, {
      error: { message: `There is no ${route}.`, type: "invalid_request_error" },
    });
  };

  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://model");
    const handle = async () => {
      if (request.method === "GET" && pathname === "/v1/models") {
        json(response, 200, {
          object: "list",
          data: [{ id: "scripted", object: "model", owned_by: "sandbox" }],
        });
        return;
      }
      if (request.method !== "POST" || pathname !== "/v1/chat/completions") {
        await control(request.method ?? "GET", pathname, request, response);
        return;
      }
      const body = (await readBody(request)) as ChatRequest | null;
      if (body === null || typeof body.model !== "string" || !Array.isArray(body.messages)) {
        json(response, 400, {
          error: { message: "model and messages are needed", type: "invalid_request_error" },
        });
        return;
      }
      open += 1;
      response.once("close", () => {
        open -= 1;
      });
      await chat(body, response);
    };
    handle().catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;

  const sandbox: ModelSandbox = {
    url: `http://${host}:${port}/v1`,
    get requests() {
      return requests;
    },
    get open() {
      return open;
    },
    script(when, ...turns) {
      scripts = [{ when, turns }, ...scripts];
    },
    fault(fault, times = 1, retryAfter = null) {
      faults = [...faults.filter((each) => each.times > 0), { fault, times, retryAfter }];
    },
    reset() {
      scripts = [];
      faults = [];
      requests = [];
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return sandbox;
}
