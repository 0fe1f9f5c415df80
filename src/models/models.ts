/**
 * Room `models`: language models behind one function. May import `kernel` and `store`.
 * Promises: one question, one bounded answer or a {@link ModelFault}; retries happen here and nowhere
 * else; a provider that fails is left alone for a while; no answer is asked for that a budget does not
 * cover; what an answer cost is recorded even if nobody can use it. Nothing here can act: tools are
 * described to a model, never given to it.
 *
 * One question: for each model of the tier's chain (its own, the fallback, the other tier's)
 *   1. is its provider asked at all (breaker, pause)?   2. does the budget cover the dearest answer?
 *   3. ask; record what it cost   4. a fault that may pass → wait (backoff, jitter, `Retry-After`), again
 *   5. any other fault → the next model. If it dies after 3, what was paid is lost from the books at most
 *      for the answer in hand.
 */
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { askOnce, type HearText, type ModelAnswer, type ModelQuestion, type RawAnswer } from "./call.ts";
import { ModelFault } from "./faults.ts";
import { type LoadedModel, loadModel } from "./providers.ts";
import {
  costMicros,
  dearestMicros,
  type ModelChoice,
  type ModelSettings,
  type ProviderName,
} from "./settings.ts";
import type { Spending } from "./spending.ts";
import { estimateTokens } from "./tokens.ts";
import type { ModelUse, Tier } from "./use.ts";

export type { HearText, ModelAnswer, ModelQuestion, ToolDescription } from "./call.ts";
export { ModelFault } from "./faults.ts";

/** For whom a question is asked. */
export interface AskContext {
  readonly tenantId: TenantId;
  readonly runId: string;
  readonly promptVersion: string;
  readonly signal: AbortSignal;
  /** What this message has used so far; its budget counts from there. */
  readonly usedSoFar: readonly ModelUse[];
  readonly onUse: (use: ModelUse) => void;
  /** Hears the answer while it comes. A retry, or another model, begins again with a shorter text. */
  readonly onText?: HearText;
}

export interface Models {
  /** The tiers that are configured, cheapest first: one or both. */
  readonly tiers: readonly Tier[];
  /** Tokens that a question may have in all, answer included. */
  readonly contextTokens: number;
  /** Tokens that an answer may have. */
  readonly answerTokens: number;
  /**
   * Asks the tier's model, or one that stands in for it.
   * @throws ModelFault when no model gave a usable answer; the signal's reason when it aborts
   */
  ask(tier: Tier, question: ModelQuestion, context: AskContext): Promise<ModelAnswer>;
  /** Loads the libraries, so that the first question does not wait for them. Never throws. */
  warm(): Promise<void>;
  /** Resolves once what was spent is on record. */
  settled(): Promise<void>;
}

export interface ModelsParts {
  readonly settings: ModelSettings;
  readonly spending: Spending;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown, about: string) => void;
  /** Tests: how providers are reached. */
  readonly fetch?: typeof fetch;
}

export function createModels(parts: ModelsParts): Models {
  const { settings, spending, clock, random } = parts;
  const breakers = new Map<ProviderName, Breaker>();
  const loaded = new Map<string, Promise<LoadedModel>>();
  /** Models that refused a question for its wish for log-probabilities: llama.cpp does, beside tools. */
  const tellNoLogprobs = new Set<string>();

  const breakerOf = (provider: ProviderName): Breaker => {
    const breaker = breakers.get(provider) ?? createBreaker(clock);
    breakers.set(provider, breaker);
    return breaker;
  };
  const load = (choice: ModelChoice): Promise<LoadedModel> => {
    const known = loaded.get(nameOf(choice));
    if (known !== undefined) return known;
    const asksLogprobs = settings.asksLogprobs && !tellNoLogprobs.has(nameOf(choice));
    const loading = loadModel({ ...settings, asksLogprobs }, choice, parts.fetch);
    loaded.set(nameOf(choice), loading);
    // A library that failed to load is tried again with the next question.
    loading.catch(() => loaded.delete(nameOf(choice)));
    return loading;
  };

  /** One attempt at one model, within budget and on record. @throws ModelFault */
  const attempt = async (
    tier: Tier,
    choice: ModelChoice,
    question: ModelQuestion,
    context: AskContext,
  ): Promise<ModelAnswer> => {
    const breaker = breakerOf(choice.provider);
    if (!breaker.mayAsk()) throw new ModelFault("left_alone", `${choice.provider} is left alone for a while`);
    const inputTokens = estimateTokens(JSON.stringify(question));
    const dearest = dearestMicros(choice.price, inputTokens, question.maxOutputTokens);
    const soFar = context.usedSoFar.reduce((sum, use) => sum + use.costMicros, 0);
    if (soFar + dearest > settings.messageBudgetMicros)
      throw new ModelFault("over_budget", "the budget of a message does not cover another answer");
    const reservation = await spending.reserve(context.tenantId, dearest, settings.dayBudgetMicros);
    if (reservation === null)
      throw new ModelFault("over_budget", "the budget of the day does not cover another answer");
    const startedMs = clock.now();
    const keep = (raw: Pick<RawAnswer, "usage" | "characters">, outcome: string): void => {
      const used = raw.usage ?? { inputTokens, cachedTokens: 0, outputTokens: Math.ceil(raw.characters / 3) };
      const use: ModelUse = {
        tier,
        model: nameOf(choice),
        promptVersion: context.promptVersion,
        ...used,
        costMicros: costMicros(choice.price, used),
        outcome,
        tookMs: Math.max(0, Math.round(clock.now() - startedMs)),
      };
      context.onUse(use);
      spending.record(context.tenantId, context.runId, use);
    };
    try {
      const model = await load(choice);
      const raw = await askOnce(model, question, {
        signal: context.signal,
        clock,
        timeoutMs: settings.timeoutMs,
        ...(context.onText === undefined ? {} : { onText: context.onText }),
      });
      breaker.answered();
      keep(raw, "answered");
      return { ...raw.answer, tier, model: nameOf(choice) };
    } catch (error) {
      if (context.signal.aborted) {
        breaker.released();
        if (error instanceof ModelFault && error.characters > 0)
          keep({ usage: null, characters: error.characters }, "aborted");
        throw context.signal.reason;
      }
      const fault =
        error instanceof ModelFault ? error : new ModelFault("unavailable", String(error), { cause: error });
      if (fault.isOfProvider) breaker.failed();
      else breaker.answered();
      if (fault.retryAfterMs !== null) breaker.pause(Math.min(fault.retryAfterMs, LIMITS.modelPauseMs));
      // A refused question costs nothing; one that was answered, or half answered, does.
      if (fault.characters > 0 || fault.usage !== null) keep(fault, fault.kind);
      throw fault;
    } finally {
      reservation.release();
    }
  };

  /** A model with its bounded retries. @throws ModelFault */
  const askModel = async (
    tier: Tier,
    choice: ModelChoice,
    question: ModelQuestion,
    context: AskContext,
  ): Promise<ModelAnswer> => {
    for (let n = 1; ; n += 1) {
      try {
        return await attempt(tier, choice, question, context);
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error;
        if (error.kind === "no_logprobs" && !tellNoLogprobs.has(nameOf(choice))) {
          parts.onError(error, `model ${nameOf(choice)}: asked without log-probabilities from now on`);
          tellNoLogprobs.add(nameOf(choice));
          loaded.delete(nameOf(choice));
          continue;
        }
        if (!error.mayPass || n >= LIMITS.modelAttempts) throw error;
        const backoffMs = LIMITS.modelRetryBaseMs * 2 ** (n - 1);
        const jittered = backoffMs / 2 + (backoffMs / 2) * random.fraction();
        // A server that names a time is asked a little after it, not all at once.
        const waitMs = error.retryAfterMs === null ? jittered : error.retryAfterMs + jittered;
        if (waitMs > LIMITS.modelWaitMs) throw error;
        await clock.sleep(waitMs, context.signal);
        if (context.signal.aborted) throw context.signal.reason;
      }
    }
  };

  return {
    tiers: settings.large === null ? ["small"] : ["small", "large"],
    contextTokens: settings.contextTokens,
    answerTokens: settings.answerTokens,
    async ask(tier, question, context) {
      const faults: ModelFault[] = [];
      for (const choice of chainOf(settings, tier)) {
        try {
          return await askModel(tier, choice, question, context);
        } catch (error) {
          if (!(error instanceof ModelFault)) throw error;
          faults.push(error);
          parts.onError(error, `model ${nameOf(choice)}`);
          // The question itself is at fault: no other model will like it better.
          if (error.kind === "context_overflow" || error.kind === "content_filter") break;
        }
      }
      throw ModelFault.ofAll(faults);
    },
    async warm() {
      const all = [settings.small, settings.large, settings.fallback].filter((choice) => choice !== null);
      await Promise.allSettled(all.map(load));
    },
    settled: () => spending.settled(),
  };
}

/** As runs record it. */
export const nameOf = ({ provider, id }: ModelChoice): string => `${provider}/${id}`;

/** Who is asked, in order: the tier's own model, the fallback, the other tier's. */
function chainOf(settings: ModelSettings, tier: Tier): readonly ModelChoice[] {
  const own = tier === "large" ? (settings.large ?? settings.small) : settings.small;
  const other = tier === "large" ? settings.small : settings.large;
  const chain = [own, settings.fallback, other].filter((choice) => choice !== null);
  return chain.filter(
    (choice, index) => chain.findIndex((each) => nameOf(each) === nameOf(choice)) === index,
  );
}
