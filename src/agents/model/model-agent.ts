/**
 * A language model as an agent: one step at a time, and nothing but proposals. It has no state of its own:
 * what was tried before comes from `view.steps`. Calls beyond the first of one answer are kept for the run
 * in hand only; lost with a crash, the model is asked again and may choose anew.
 *
 * Promises: a proposal that code has read, or a reason why there is none; no text of a provider's error
 * reaches a customer or a model; every retry with another question is bounded here (one a kind of trouble),
 * every retry of the same question in the room `models`.
 */

import { assert } from "../../kernel/errors.ts";
import {
  type HearText,
  ModelFault,
  type ModelQuestion,
  type Models,
  type ToolDescription,
} from "../../models/models.ts";
import type { Tier } from "../../models/use.ts";
import type { Call, Proposal, RunContext, RunView } from "../agent.ts";
import { remember } from "../memory.ts";
import type { MessageSignals } from "../understanding/signals.ts";
import { citationsFor } from "./citations.ts";
import { type Doubt, disagreement, inventedOrder, ungrounded, unlikely } from "./confidence.ts";
import type { Prompt } from "./prompt.ts";
import { begunSentences, isProse, readAnswer, wasMade } from "./reading.ts";
import { questionOf, type WindowOptions } from "./window.ts";

/** What came of asking a model for the next step. */
export type Attempt =
  | { readonly kind: "proposal"; readonly proposal: Proposal }
  /** It answered, but not so that a customer should hear it. */
  | { readonly kind: "unsure"; readonly doubt: Doubt; readonly of: "answer" | "call" }
  /** It could not be asked, or gave no answer. */
  | { readonly kind: "unavailable"; readonly fault: ModelFault };

export interface ModelAgent {
  readonly tiers: readonly Tier[];
  /** @throws the signal's reason when it aborts */
  attempt(
    tier: Tier,
    view: RunView,
    signal: AbortSignal,
    run: RunContext,
    signals: MessageSignals | null,
  ): Promise<Attempt>;
}

export interface ModelAgentParts {
  readonly models: Models;
  readonly tools: readonly ToolDescription[];
  readonly prompt: Prompt;
  /** Mean log-probability below which an answer counts as a guess. */
  readonly minConfidence: number;
}

/** Calls of an answer that wait for their turn: made one by one, after the step that they follow. */
interface Waiting {
  readonly focusSeq: number;
  readonly afterSteps: number;
  readonly calls: readonly Call[];
}

/** Text that was proposed. Asked again at the same place, it was not sent. */
interface Said {
  readonly focusSeq: number;
  readonly afterSteps: number;
  readonly text: string;
}

const NOT_SENT =
  "your last answer was not sent, because the shop's filter held it back. Answer in other words: no claim that anything was done, nothing that a tool did not return, no personal data, no links.";

export function createModelAgent(parts: ModelAgentParts): ModelAgent {
  const { models, prompt, minConfidence } = parts;
  // By the run's own signal: it lives as long as the run, and no two runs share one.
  const waiting = new WeakMap<AbortSignal, Waiting>();
  const lastSaid = new WeakMap<AbortSignal, Said>();

  /** Sentences are told of while they are trusted as an answer would be; the first that is not takes all back. */
  const drafting = (view: RunView, tell: (text: string) => void): HearText => {
    let heardChars = 0;
    let told = "";
    let isOver = false;
    return (text, confidence) => {
      // A retry begins again.
      if (text.length < heardChars) [told, isOver] = ["", false];
      heardChars = text.length;
      const sentences = isOver ? told : begunSentences(text);
      if (sentences === told) return;
      told = sentences;
      isOver =
        !isProse(sentences) ||
        unlikely(confidence, minConfidence) !== null ||
        ungrounded(sentences, view) !== null;
      tell(isOver ? "" : sentences);
    };
  };

  const ask = (tier: Tier, question: ModelQuestion, view: RunView, signal: AbortSignal, run: RunContext) =>
    models.ask(tier, question, {
      tenantId: run.tenantId,
      runId: run.runId,
      promptVersion: prompt.version,
      signal,
      usedSoFar: run.modelUses,
      onUse: run.onModelUse,
      ...(run.onDraft === undefined ? {} : { onText: drafting(view, run.onDraft) }),
    });

  /** The first answer that can be read; each kind of trouble changes the question once. */
  const answered = async (tier: Tier, view: RunView, signal: AbortSignal, run: RunContext) => {
    let options: WindowOptions = {
      instructions: prompt.instructions(view),
      tools: parts.tools,
      contextTokens: models.contextTokens,
      answerTokens: models.answerTokens,
      ...(wasHeldBack(lastSaid.get(signal), view) ? { note: NOT_SENT } : {}),
    };
    let hasHalved = false;
    let hasTold = false;
    for (;;) {
      try {
        const answer = await ask(tier, questionOf(view, options), view, signal, run);
        const reading = readAnswer(answer, view);
        if (reading.kind !== "unusable" || hasTold) return { answer, reading };
        hasTold = true;
        options = {
          ...options,
          note: reading.note,
        };
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error;
        if (error.kind === "context_overflow" && !hasHalved) {
          hasHalved = true;
          options = { ...options, contextTokens: Math.floor(options.contextTokens / 2) };
        } else if (error.kind === "content_filter" && options.withoutHistory !== true) {
          // Something said before may have set it off: the message itself gets its own chance.
          options = { ...options, withoutHistory: true };
        } else throw error;
      }
    }
  };

  return {
    tiers: models.tiers,
    async attempt(tier, view, signal, run, signals) {
      assert(
        view.steps.every(({ call }) => call.type === "call"),
        "steps are calls",
      );
      const queued = nextWaiting(waiting.get(signal), view);
      if (queued !== null) {
        waiting.set(signal, queued.rest);
        return { kind: "proposal", proposal: queued.call };
      }
      let result: Awaited<ReturnType<typeof answered>>;
      try {
        result = await answered(tier, view, signal, run);
      } catch (error) {
        if (error instanceof ModelFault) return { kind: "unavailable", fault: error };
        throw error;
      }
      const { answer, reading } = result;
      const unsure = (doubt: Doubt): Attempt => {
        // Its sentences passed one by one; the answer as a whole does not.
        run.onDraft?.("");
        return { kind: "unsure", doubt, of: reading.kind === "calls" ? "call" : "answer" };
      };
      const guess = unlikely(answer.confidence, minConfidence);
      if (guess !== null) return unsure(guess);
      switch (reading.kind) {
        case "unusable":
          return unsure({ kind: "unusable", what: reading.what });
        case "text": {
          const doubt = ungrounded(reading.text, view) ?? saidBefore(reading.text, view);
          if (doubt !== null) return unsure(doubt);
          lastSaid.set(signal, {
            focusSeq: view.focus.seq,
            afterSteps: view.steps.length,
            text: reading.text,
          });
          return { kind: "proposal", proposal: said(reading.text, view) };
        }
        case "calls": {
          const [first, ...rest] = reading.calls as [Call, ...Call[]];
          const doubt = inventedOrder(first, view) ?? disagreement(first, signals);
          if (doubt !== null) return unsure(doubt);
          waiting.set(signal, { focusSeq: view.focus.seq, afterSteps: view.steps.length, calls: rest });
          return { kind: "proposal", proposal: first };
        }
      }
    },
  };
}

/** The next of the waiting calls, if the run is where they were left. */
function nextWaiting(left: Waiting | undefined, view: RunView): { call: Call; rest: Waiting } | null {
  if (left === undefined || left.focusSeq !== view.focus.seq || left.afterSteps !== view.steps.length - 1)
    return null;
  // What went wrong may change what is wanted: the model looks again.
  if (view.steps.at(-1)?.outcome.kind !== "result") return null;
  const calls = left.calls.filter((call) => !wasMade(call, view.steps));
  const [call, ...rest] = calls;
  if (call === undefined || inventedOrder(call, view) !== null) return null;
  return { call, rest: { focusSeq: view.focus.seq, afterSteps: view.steps.length, calls: rest } };
}

const wasHeldBack = (said: Said | undefined, view: RunView): boolean =>
  said !== undefined && said.focusSeq === view.focus.seq && said.afterSteps === view.steps.length;

/** Word for word what was said last, to a new message: it goes round in circles. */
function saidBefore(text: string, view: RunView): Doubt | null {
  const last = view.transcript.findLast(({ author }) => author === "agent");
  return last?.text.trim() === text ? { kind: "unusable", what: "the same answer again" } : null;
}

/** Text of a model; that it asked something is remembered, so that a "yes" finds its way back to it. */
function said(text: string, view: RunView): Proposal {
  const asks = /[?？]["'”’)\]]*\s*$/u.test(text);
  const memory = remember("clarify", {});
  const citations = citationsFor(text, view);
  return {
    type: "say",
    text,
    ...(citations.length > 0 ? { citations } : {}),
    dialogue: { ...memory, slots: { ...memory.slots, by: "model", ...(asks ? { asks: true } : {}) } },
  };
}

/** Whether the last words to the customer were a model's question. */
export function askedByModel(view: Pick<RunView, "dialogue">): boolean {
  const slots = view.dialogue?.slots ?? {};
  return slots.by === "model" && slots.asks === true;
}
