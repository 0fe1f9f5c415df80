/**
 * One question to one model: streamed, so that an answer that goes wrong is cut off while it comes. The
 * tools have no `execute`: what the model wants is returned, and nothing happens.
 */
import type { ModelMessage, ToolSet } from "ai";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import { faultOf, ModelFault, type UsedTokens } from "./faults.ts";
import { likelihood } from "./likelihood.ts";
import type { LoadedModel } from "./providers.ts";
import type { Tier } from "./use.ts";

/** A tool as it is described to a model. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelQuestion {
  /** The only system text; nothing that a customer, a shop or a document wrote is in it. */
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDescription[];
  readonly maxOutputTokens: number;
}

/** A call as the model wrote it: the name may not exist, the arguments may not be JSON. */
export interface WantedCall {
  readonly tool: string;
  readonly args: unknown;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly WantedCall[];
  /** The token limit ended the answer, not the model. */
  readonly isCut: boolean;
  /** Mean log-probability of its tokens; null where the provider does not say. */
  readonly confidence: number | null;
  readonly tier: Tier;
  readonly model: string;
}

export interface RawAnswer {
  readonly answer: Omit<ModelAnswer, "tier" | "model">;
  /** Null when the provider did not say. */
  readonly usage: UsedTokens | null;
  readonly characters: number;
}

/** Hears an answer while it comes: all of its text so far, and how likely it was to itself so far. */
export type HearText = (text: string, confidence: number | null) => void;

/** @throws ModelFault; its `characters` say how much of an answer had come */
export async function askOnce(
  loaded: LoadedModel,
  question: ModelQuestion,
  how: {
    readonly signal: AbortSignal;
    readonly clock: Clock;
    readonly timeoutMs: number;
    readonly onText?: HearText;
  },
): Promise<RawAnswer> {
  const cut = new AbortController();
  const cancelTimer = how.clock.after(how.timeoutMs, () =>
    cut.abort(new ModelFault("timeout", `no answer within ${how.timeoutMs} ms`)),
  );
  let text = "";
  let thoughtChars = 0;
  let argumentChars = 0;
  const calls: WantedCall[] = [];
  const likely = likelihood();
  let finish: { reason: string; usage: UsedTokens | null } | null = null;
  const characters = () => text.length + thoughtChars + argumentChars;
  try {
    const { stream } = loaded.streamText({
      model: loaded.model,
      instructions: question.instructions,
      messages: [...question.messages],
      tools: toolSet(loaded, question),
      maxOutputTokens: question.maxOutputTokens,
      // The same view should lead to the same proposal, as far as a model can.
      temperature: 0,
      maxRetries: 0,
      ...(loaded.reasoning === null ? {} : { reasoning: loaded.reasoning }),
      abortSignal: AbortSignal.any([how.signal, cut.signal]),
      providerOptions: loaded.providerOptions,
      // Where the log-probabilities are, token by token; the library keeps them to itself until the end.
      include: { rawChunks: true },
      onError: () => {},
    });
    for await (const part of stream) {
      switch (part.type) {
        case "raw":
          likely.read(part.rawValue);
          break;
        case "text-delta":
          text += part.text;
          checkText(text);
          how.onText?.(text, likely.mean());
          break;
        case "reasoning-delta":
          thoughtChars += part.text.length;
          break;
        case "tool-input-delta":
          argumentChars += part.delta.length;
          if (argumentChars > LIMITS.modelAnswerChars)
            throw new ModelFault("too_long", "arguments of a call");
          break;
        case "tool-call":
          calls.push({ tool: part.toolName, args: part.input });
          break;
        case "error":
          throw faultOf(part.error, how.clock.now());
        case "abort":
          throw new ModelFault("unavailable", "the answer was broken off");
        case "finish-step":
          finish = {
            reason: part.finishReason,
            usage: usageOf(part.usage),
          };
          break;
        default:
          break;
      }
    }
  } catch (error) {
    const reason = cut.signal.aborted && !how.signal.aborted ? cut.signal.reason : error;
    const fault = faultOf(reason, how.clock.now());
    // An answer that had begun and broke off is another thing than a server that is away.
    const kind = fault.kind === "unavailable" && characters() > 0 ? "truncated" : fault.kind;
    throw new ModelFault(kind, fault.message, {
      retryAfterMs: fault.retryAfterMs,
      characters: Math.max(characters(), fault.characters),
      cause: fault,
    });
  } finally {
    cancelTimer();
    // Whatever is still under way for this question ends here.
    cut.abort(new ModelFault("unavailable", "the question is over"));
  }
  if (finish === null)
    throw new ModelFault("truncated", "the stream ended early", { characters: characters() });
  const spent = { characters: characters(), usage: finish.usage };
  if (finish.reason === "content-filter")
    throw new ModelFault("content_filter", "the provider's filter", spent);
  if (finish.reason === "error") throw new ModelFault("truncated", "the provider reports an error", spent);
  // It thought until its tokens were used up: asked again, it would do the same.
  if (text.trim() === "" && calls.length === 0 && finish.reason === "length")
    throw new ModelFault("too_long", "no word of an answer within its tokens", spent);
  if (text.trim() === "" && calls.length === 0)
    throw new ModelFault("empty", "neither text nor a call", {
      ...spent,
      characters: Math.max(1, spent.characters),
    });
  return {
    answer: { text, calls, isCut: finish.reason === "length", confidence: likely.mean() },
    ...spent,
  };
}

function toolSet({ library }: LoadedModel, { tools }: ModelQuestion): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      // No validation here: the gateway checks arguments, once, for every agent.
      library.tool({ description, inputSchema: library.jsonSchema(parameters) }),
    ]),
  );
}

const TAIL_CHARS = 400;
const SHORTEST_PERIOD = 3;
const MOST_REPEATS = 6;

/** @throws ModelFault for text that is too long, or goes round in circles */
function checkText(text: string): void {
  if (text.length > LIMITS.modelAnswerChars) throw new ModelFault("too_long", `${text.length} characters`);
  const tail = text.slice(-TAIL_CHARS);
  if (tail.length === TAIL_CHARS && repeats(tail))
    throw new ModelFault("repetitive", "the same words again and again");
}

/** Whether a text is one piece, at least six times over. A ruled line of a table is not words. */
export function repeats(text: string): boolean {
  if (!/\p{L}/u.test(text)) return false;
  for (let period = SHORTEST_PERIOD; period <= text.length / MOST_REPEATS; period += 1) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}

function usageOf(usage: {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails?: { cacheReadTokens: number | undefined };
}): UsedTokens | null {
  const whole = (value: number | undefined) =>
    value !== undefined && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
  const inputTokens = whole(usage.inputTokens);
  const outputTokens = whole(usage.outputTokens);
  if (inputTokens === null || outputTokens === null) return null;
  return { inputTokens, outputTokens, cachedTokens: whole(usage.inputTokenDetails?.cacheReadTokens) ?? 0 };
}
