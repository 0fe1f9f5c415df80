/**
 * What the product adds to a turn of four model calls: accepted, leased, looked up through the gateway,
 * filtered, kept with its cost, and told to a stream; beside a bare loop of the AI SDK that asks the same
 * server with the same tools and has their results in memory. First with a model that answers at once, so
 * that nothing hides behind it; then with one that thinks for a while, as real ones do.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, jsonSchema, streamText, tool } from "ai";
import { type ModelSandbox, serveModelSandbox } from "../sandbox/model/server.ts";
import { loadPrompt } from "../src/agents/model/prompt.ts";
import { createAssistant } from "../src/assistant.ts";
import { systemClock, systemRandom } from "../src/kernel/ports.ts";
import { FREE, type ModelSettings } from "../src/models/settings.ts";
import { toolDescriptions } from "../src/tools/descriptions.ts";
import type { Figure } from "./main.ts";
import { NORTHWIND, type Product, startProduct } from "./product.ts";
import { ms, percentile, times } from "./statistics.ts";

const TURNS = 150;
const WARM_UP = 60;
const SLOW_TURNS = 12;
const SLOW_MS = 250;
const STREAMED_TURNS = 12;
const WORD_MS = 15;
const CALLS = 4;
/** Nothing that a workflow reads: the model is asked at once. */
const QUESTION = "quagga zebra brunch";
const ANSWER =
  "Your parcel is on its way. It should be with you soon. Is there anything else you want to know?";

export async function measureModelTurns(folder: string): Promise<Figure[]> {
  const model = await serveModelSandbox({ port: 0, clock: systemClock });
  const play = (delayMs: number) => {
    model.reset();
    model.script(
      QUESTION,
      ...["list_orders", "get_policy", "get_action"].map((name) => ({ calls: [{ name }], delayMs })),
      { text: ANSWER, delayMs },
    );
  };
  const settings: ModelSettings = {
    small: { provider: "compatible", id: "scripted", price: FREE },
    large: null,
    fallback: null,
    providers: {
      openai: { apiKey: null, baseUrl: null },
      anthropic: { apiKey: null, baseUrl: null },
      compatible: { apiKey: null, baseUrl: model.url },
    },
    contextTokens: 16_000,
    answerTokens: 800,
    timeoutMs: 10_000,
    messageBudgetMicros: 1_000_000,
    dayBudgetMicros: 1_000_000_000,
    minConfidence: -2,
    asksLogprobs: true,
    reasoning: null,
    openaiInterface: "responses",
  };
  let settled = async (): Promise<void> => {};
  const product = await startProduct({
    folder,
    knowledge: false,
    onError: (error, about) => process.stderr.write(`${about}: ${String(error)}\n`),
    agent: (parts) => {
      const assistant = createAssistant({
        ...parts,
        settings,
        clock: systemClock,
        random: systemRandom,
        understand: null,
      });
      settled = async () => assistant.models?.settled();
      return assistant.agent;
    },
  });
  const people = product.world.customers.filter(({ tenant }) => tenant === NORTHWIND);
  let turns = 0;

  const ours = async (): Promise<void> => {
    // A conversation a turn, and nobody with more of them than one person may have.
    const scope = product.scope(people[turns++ % people.length]?.id ?? "");
    const heard = await product.ask(scope, await product.open(scope), QUESTION);
    if (!heard.some(({ text }) => String(text).includes(ANSWER))) throw new Error("the turn had another end");
  };
  play(0);
  await ours();
  const results = resultsIn(model.requests.at(-1));
  const { turn: bare, stream: bareText } = bareLoop(model.url, results);
  const asked = model.requests.length;
  await bare();
  if (model.requests.length - asked !== CALLS) throw new Error("the bare loop asked another number of times");

  const fast = await sideBySide(ours, bare, TURNS, WARM_UP);
  play(SLOW_MS);
  const slow = await sideBySide(ours, bare, SLOW_TURNS, 2);
  const first = await firstWords(model, product, bareText);
  await settled();
  await product.stop();
  await model.stop();
  const figure = (what: string, { mine, floor }: Sides, p: number, budget: string): Figure => ({
    what,
    measured: ms(percentile(mine, p)),
    floor: `${ms(percentile(floor, p))} in a bare loop of the AI SDK, in memory`,
    ratio: times(percentile(mine, p) / percentile(floor, p)),
    budget,
  });
  return [
    figure(`turn of ${CALLS} model calls, model answers at once (p50)`, fast, 50, "≤ 2 ×"),
    figure("the same (p99)", fast, 99, "–"),
    figure(`the same, model thinks ${SLOW_MS} ms a call (p50)`, slow, 50, "≤ 2 ×"),
    {
      what: `first sentence on the screen, a word each ${WORD_MS} ms (p50); the message comes after ${ms(percentile(first.whole, 50))}`,
      measured: ms(percentile(first.seen, 50)),
      floor: `${ms(percentile(first.written, 50))} until the bare stream has it`,
      ratio: times(percentile(first.seen, 50) / percentile(first.written, 50)),
      budget: "–",
    },
  ];
}

/**
 * When a customer who watches sees the first sentence, which has been through the filter by then, while the
 * model goes on writing; beside the moment at which the bare stream has that sentence and the next one begins.
 */
async function firstWords(
  model: ModelSandbox,
  product: Product,
  stream: () => AsyncIterable<string>,
): Promise<{ seen: number[]; whole: number[]; written: number[] }> {
  model.reset();
  model.script(QUESTION, { text: ANSWER, tokenMs: WORD_MS });
  const scope = product.scope("eve");
  const [seen, whole, written]: [number[], number[], number[]] = [[], [], []];
  for (let n = 0; n < STREAMED_TURNS; n += 1) {
    const conversation = await product.open(scope);
    const from = performance.now();
    let at: number | null = null;
    const stop = product.system.conversations.subscribe(
      scope,
      conversation,
      () => {},
      () => (at ??= performance.now() - from),
    );
    await product.ask(scope, conversation, QUESTION);
    stop();
    whole.push(performance.now() - from);
    seen.push(at ?? Number.NaN);
    const bareFrom = performance.now();
    let text = "";
    for await (const piece of stream()) {
      text += piece;
      if (/\. \S/.test(text)) break;
    }
    written.push(performance.now() - bareFrom);
  }
  return { seen, whole, written };
}

interface Sides {
  readonly mine: readonly number[];
  readonly floor: readonly number[];
}

/** In turns, so that a busy moment of the machine meets both. */
async function sideBySide(
  ours: () => Promise<void>,
  bare: () => Promise<void>,
  rounds: number,
  warmUp: number,
): Promise<Sides> {
  const time = async (work: () => Promise<void>): Promise<number> => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };
  const mine: number[] = [];
  const floor: number[] = [];
  for (let n = 0; n < rounds + warmUp; n += 1) {
    const [own, other] = [await time(ours), await time(bare)];
    if (n < warmUp) continue;
    mine.push(own);
    floor.push(other);
  }
  return { mine, floor };
}

/** What the product's tools answered with, by tool, as the model was shown it. */
function resultsIn(
  request: { readonly messages: readonly object[] } | undefined,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const results = new Map<string, string>();
  for (const message of (request?.messages ?? []) as {
    role: string;
    content?: unknown;
    tool_call_id?: string;
    tool_calls?: { id: string; function: { name: string } }[];
  }[]) {
    for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name);
    const name = names.get(message.tool_call_id ?? "");
    if (message.role === "tool" && name !== undefined) results.set(name, String(message.content));
  }
  return results;
}

function bareLoop(
  url: string,
  results: ReadonlyMap<string, string>,
): { turn: () => Promise<void>; stream: () => AsyncIterable<string> } {
  const provider = createOpenAICompatible({
    name: "compatible",
    baseURL: url,
    includeUsage: true,
    transformRequestBody: (body) => ({ ...body, logprobs: true }),
  });
  const system = loadPrompt().instructions({
    tenant: { name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
    now: systemClock.now(),
  });
  const tools = Object.fromEntries(
    toolDescriptions().map(({ name, description, parameters }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: async () => results.get(name) ?? "",
      }),
    ]),
  );
  const answerOf = () =>
    streamText({
      model: provider.chatModel("scripted"),
      instructions: system,
      prompt: QUESTION,
      tools,
      temperature: 0,
      maxOutputTokens: 800,
      maxRetries: 0,
      stopWhen: isStepCount(CALLS + 1),
    });
  return {
    async turn() {
      if ((await answerOf().text) !== ANSWER) throw new Error("the bare loop had another end");
    },
    stream: () => answerOf().textStream,
  };
}
