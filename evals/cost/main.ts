/**
 * What a resolved conversation costs with the product's tiers, beside sending every message to the large
 * model. Both are the real product with the real router, gateway, filter and books; the model is the
 * scripted server, asked over HTTP. Tokens are what the server counts (a quarter of the characters), prices
 * are the product's own list.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProduct } from "../../bench/product.ts";
import { serveModelSandbox } from "../../sandbox/model/server.ts";
import { handOver } from "../../src/agents/handover.ts";
import { createModelAgent } from "../../src/agents/model/model-agent.ts";
import { loadPrompt } from "../../src/agents/model/prompt.ts";
import { createAssistant } from "../../src/assistant.ts";
import { assert } from "../../src/kernel/errors.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { createModels } from "../../src/models/models.ts";
import { listedPrice, PRICES_OF } from "../../src/models/prices.ts";
import { costMicros, type ModelSettings, type Price, type ProviderName } from "../../src/models/settings.ts";
import { createSpending } from "../../src/models/spending.ts";
import { toolDescriptions } from "../../src/tools/descriptions.ts";
import type { Evaluate, Figure, Table } from "../report.ts";
import { LABELS, MIX, type Opening, openings } from "./day.ts";
import { improvise, UNSURE_SHARE } from "./mind.ts";
import { type Replayed, replay } from "./replay.ts";

const CONVERSATIONS = 200;
/** The mission's: at least 70 % less than sending all to the large tier. */
const LEAST_SAVING = 0.7;
const SMALL = "gpt-6-luna";
const LARGE = "gpt-6-sol";

/** Pairs whose prices are on the list; the first is the one that the floor is about. */
const PAIRS = [
  { small: `openai/${SMALL}`, large: `openai/${LARGE}` },
  { small: "anthropic/claude-haiku-5-5", large: "anthropic/claude-sonnet-5-5" },
  { small: "openai/gpt-5.4-mini", large: "openai/gpt-5.4" },
  { small: `openai/${LARGE}`, large: `openai/${LARGE}` },
] as const;

export const evaluate: Evaluate = async ({ seed }) => {
  const day = openings(CONVERSATIONS, seed);
  if (day === null) {
    process.stderr.write("Skipped: the shared data sets are not on this machine (RECOURSE_DATA_SETS).\n");
    return [];
  }
  let opening = day[0] as Opening;
  const model = await serveModelSandbox({
    port: 0,
    clock: systemClock,
    improvise: (request) => improvise(request, opening, SMALL),
  });
  const folder = mkdtempSync(join(tmpdir(), "recourse-cost-"));
  const settings = settingsFor(model.url);
  const play = async (name: string, made: (parts: AgentParts) => Asking): Promise<Replayed> => {
    let asking: Asking | undefined;
    const product = await startProduct({
      folder: join(folder, name),
      knowledge: true,
      onError: (error, about) => process.stderr.write(`${about}: ${String(error)}\n`),
      agent: (parts) => {
        asking = made({ ...parts, settings, clock: systemClock, random: systemRandom });
        return asking.agent;
      },
    });
    const begin = (next: Opening) => {
      opening = next;
    };
    try {
      return await replay(product, day, begin, async () => asking?.models?.settled());
    } finally {
      await product.stop();
    }
  };
  try {
    const tiers = await play("tiers", createAssistant);
    const large = await play("large", allToLarge);
    return [table(tiers, large)];
  } finally {
    await model.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

type AgentParts = Parameters<typeof createAssistant>[0] & { readonly settings: ModelSettings };
type Asking = ReturnType<typeof createAssistant>;

/** What the tiers are compared with: the same model agent, asked for every message, the large model only. */
function allToLarge(parts: AgentParts): Asking {
  const models = createModels({ ...parts, spending: createSpending(parts) });
  const model = createModelAgent({
    models,
    tools: toolDescriptions(),
    prompt: loadPrompt(),
    minConfidence: parts.settings.minConfidence,
  });
  return {
    models,
    asks: null,
    agent: {
      name: "all-to-large",
      async next(view, signal, run) {
        assert(run !== undefined, "a model is asked on behalf of a run");
        const attempt = await model.attempt("large", view, signal, run, null);
        return attempt.kind === "proposal"
          ? attempt.proposal
          : handOver(view, "low_confidence", "The large model had no usable answer.");
      },
    },
  };
}

function settingsFor(url: string): ModelSettings {
  // Asked as a server of one's own, which tells log-probabilities, at the prices of the hosted models.
  const choice = (id: string) => ({ provider: "compatible" as const, id, price: priceOf(`openai/${id}`) });
  const nowhere = { apiKey: null, baseUrl: null };
  return {
    small: choice(SMALL),
    large: choice(LARGE),
    fallback: null,
    providers: { openai: nowhere, anthropic: nowhere, compatible: { apiKey: null, baseUrl: url } },
    openaiInterface: "responses",
    contextTokens: 16_000,
    answerTokens: 800,
    timeoutMs: 10_000,
    messageBudgetMicros: 50_000,
    dayBudgetMicros: 20_000_000,
    minConfidence: -2,
    asksLogprobs: true,
    reasoning: null,
  };
}

function priceOf(name: string): Price {
  const [provider, id] = name.split("/") as [ProviderName, string];
  const price = listedPrice(provider, id);
  assert(price !== null, `${name} is on the price list`);
  return price;
}

/** Micro-dollars of all questions at a pair's prices. */
function costOf({ asked }: Replayed, pair: { readonly small: string; readonly large: string }): number {
  const prices = { small: priceOf(pair.small), large: priceOf(pair.large) };
  return asked.reduce(
    (sum, call) => sum + costMicros(call.tier === "small" ? prices.small : prices.large, call),
    0,
  );
}

function table(tiers: Replayed, large: Replayed): Table {
  const each = (replayed: Replayed, pair: (typeof PAIRS)[number]): number =>
    costOf(replayed, pair) / 1_000_000 / replayed.resolved;
  const [main] = PAIRS;
  const share = (tier: string): number => (tiers.byTier.get(tier) ?? 0) / tiers.messages;
  const reported = (what: string, measured: number, baseline: number | null): Figure => ({
    what,
    measured,
    baseline,
    floor: null,
    better: "higher",
  });
  return {
    title: `Cost: a day's mix of ${tiers.conversations} conversations, through the tiers and all to the large model`,
    figures: [
      {
        what: `saved for a resolved conversation (${main.small}, ${main.large})`,
        measured: 1 - each(tiers, main) / each(large, main),
        baseline: 0,
        floor: LEAST_SAVING,
        better: "higher",
      },
      ...PAIRS.slice(1).map((pair) =>
        reported(`the same (${pair.small}, ${pair.large})`, 1 - each(tiers, pair) / each(large, pair), 0),
      ),
      reported(
        "conversations resolved without a person",
        tiers.resolved / tiers.conversations,
        large.resolved / large.conversations,
      ),
      reported("share of messages: a fixed workflow alone", share("workflow"), 0),
      reported("of these: the shop's documents", tiers.byDocuments / tiers.messages, null),
      reported("share of messages: the small model at most", share("small"), 0),
      reported("share of messages: the large model", share("large"), 1),
      reported(
        "questions to models a conversation",
        tiers.asked.length / tiers.conversations,
        large.asked.length / large.conversations,
      ),
    ],
    notes: [
      "| models | US cents for a resolved conversation, tiers | all to the large one |",
      "| --- | --- | --- |",
      ...PAIRS.map(
        (pair) =>
          `| ${pair.small}, ${pair.large} | ${(100 * each(tiers, pair)).toFixed(4)} | ${(100 * each(large, pair)).toFixed(4)} |`,
      ),
      "",
      `The mix, of 100: ${LABELS.map((label) => `${MIX[label]} ${label}`).join(", ")}; an assumption, not a measurement.`,
      `The small model is unsure of ${100 * UNSURE_SHARE} % of what it is asked, and the large one is asked then; an assumption too.`,
      `Prices of ${PRICES_OF}, without discounts for cached input. A person's time is in neither column.`,
    ].join("\n"),
  };
}
