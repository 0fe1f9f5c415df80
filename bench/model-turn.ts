/**
 * What the product adds to a turn of four model calls: accepted, leased, looked up through the gateway,
 * filtered, kept with its cost, and told to a stream; beside a bare loop of the AI SDK that asks the same
 * server with the same tools and has their results in memory. First with a model that answers at once, so
 * that nothing hides behind it; then with one that thinks for a while, as real ones do.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, jsonSchema, streamText, tool } from "ai";
import { serveModelSandbox } from "../sandbox/model/server.ts";
import { loadPrompt } from "../src/agents/model/prompt.ts";
import { createAssistant } from "../src/assistant.ts";
import { systemClock, systemRandom } from "../src/kernel/ports.ts";
import { FREE, type ModelSettings } from "../src/models/settings.ts";
import { toolDescriptions } from "../src/tools/descriptions.ts";
import type { Figure } from "./main.ts";
import { NORTHWIND, startProduct } from "./product.ts";
import { ms, percentile, times } from "./statistics.ts";

const TURNS = 150;
const WARM_UP = 60;
const SLOW_TURNS = 12;
const SLOW_MS = 250;
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
  const product = await startProduct({
    folder,
    knowledge: false,
    onError: (error, about) => process.stderr.write(`${about}: ${String(error)}\n`),
    agent: (parts) =>
      createAssistant({ ...parts, settings, clock: systemClock, random: systemRandom, understand: null })
        .agent,
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
  const bare = bareLoop(model.url, results);
  const asked = model.requests.length;
  await bare();
  if (model.requests.length - asked !== CALLS) throw new Error("the bare loop asked another number of times");

  const fast = await sideBySide(ours, bare, TURNS, WARM_UP);
  play(SLOW_MS);
  const slow = await sideBySide(ours, bare, SLOW_TURNS, 2);
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
  ];
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

function bareLoop(url: string, results: ReadonlyMap<string, string>): () => Promise<void> {
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
  return async () => {
    const answer = streamText({
      model: provider.chatModel("scripted"),
      instructions: system,
      prompt: QUESTION,
      tools,
      temperature: 0,
      maxOutputTokens: 800,
      maxRetries: 0,
      stopWhen: isStepCount(CALLS + 1),
    });
    if ((await answer.text) !== ANSWER) throw new Error("the bare loop had another end");
  };
}
