/**
 * The router by intent and confidence: a fixed workflow (no cost) → the small model → the large one → a
 * person. What the workflows understand stays with them: every offer, yes, refund, return and order status
 * that can be read without a model, every alarm and every wish for a person. What they do not understand
 * goes to a model; what the small one is not sure of goes to the large one; what none is sure of, to a person
 * with the reason. With no model to be had, workflows answer as before, and the rest is told that it waits
 * for a person.
 */

import { assert } from "../kernel/errors.ts";
import type { Tier } from "../models/use.ts";
import type { Agent, Proposal, RunView } from "./agent.ts";
import { handOver } from "./handover.ts";
import { describeDoubt } from "./model/confidence.ts";
import { type Attempt, askedByModel, type ModelAgent } from "./model/model-agent.ts";
import type { MessageSignals } from "./understanding/signals.ts";

export interface TierParts {
  readonly workflows: Agent;
  readonly model: ModelAgent;
  /** Reads a message; null where nothing but the workflows' own rules is there. */
  readonly understand: ((text: string) => MessageSignals | Promise<MessageSignals>) | null;
}

/** Who has taken a message on; for the run in hand. */
interface Taken {
  readonly focusSeq: number;
  readonly tier: Tier;
}

/** An answer that a second wish or a long story makes hard goes to the large model at once. */
const HARD_CHARS = 900;
const SECOND_WISH = 0.4;

export function createTieredAgent(parts: TierParts): Agent {
  const { workflows, model } = parts;
  const taken = new WeakMap<AbortSignal, Taken>();
  const understand = async (text: string): Promise<MessageSignals | null> => {
    if (parts.understand === null) return null;
    try {
      return await parts.understand(text);
    } catch {
      // Signals are hints: without them the message goes the longer way.
      return null;
    }
  };

  return {
    name: "assistant",
    async next(view, signal, run) {
      assert(run !== undefined, "a model is asked on behalf of a run");
      const before = taken.get(signal);
      const isTaken = before !== undefined && before.focusSeq === view.focus.seq;
      let ownWay: Proposal | null = null;
      if (!isTaken) {
        ownWay = await workflows.next(view, signal, run);
        if (!isBeyond(ownWay, view)) return ownWay;
      }
      const signals = await understand(view.focus.text);
      const alarm = ownWay === null ? null : alarmed(view, signals);
      if (alarm !== null) return alarm;
      let tier: Tier = isTaken ? before.tier : firstTier(view, signals, model.tiers);
      taken.set(signal, { focusSeq: view.focus.seq, tier });
      const first = await model.attempt(tier, view, signal, run, signals);
      let attempt = first;
      if (attempt.kind === "unsure" && tier === "small" && model.tiers.includes("large")) {
        tier = "large";
        taken.set(signal, { focusSeq: view.focus.seq, tier });
        attempt = await model.attempt(tier, view, signal, run, signals);
      }
      return conclude(first === attempt ? [attempt] : [first, attempt], view, ownWay);
    },
  };
}

/** Whether the workflows are lost, or would answer a model's question with small talk. */
function isBeyond(proposal: Proposal, view: RunView): boolean {
  if (proposal.type === "escalate") return proposal.reason === "not_understood";
  if (proposal.type !== "say") return false;
  if (proposal.isLost === true) return true;
  return askedByModel(view) && view.steps.length === 0;
}

/** What must not wait for a model, in languages whose words the workflows do not know. */
function alarmed(view: RunView, signals: MessageSignals | null): Proposal | null {
  if (signals?.threatensLegally)
    return handOver(view, "legal_or_safety", "The message seems to threaten legal steps or a dispute.");
  if (signals?.wishesPerson) return handOver(view, "asked_for_person", "The customer asks for a person.");
  return null;
}

function firstTier(view: RunView, signals: MessageSignals | null, tiers: readonly Tier[]): Tier {
  if (!tiers.includes("large")) return "small";
  const wishes =
    signals?.intents.filter(({ intent, confidence }) => intent !== "other" && confidence >= SECOND_WISH)
      .length ?? 0;
  return wishes > 1 || view.focus.text.length > HARD_CHARS ? "large" : "small";
}

/** What each attempt came to, for the person who takes over. */
const triedOf = (attempts: readonly Attempt[]): string[] =>
  attempts.flatMap((attempt) => {
    if (attempt.kind === "proposal") return [];
    const what = attempt.kind === "unsure" ? describeDoubt(attempt.doubt) : attempt.fault.kind;
    return [`language model: ${attempt.kind === "unsure" ? "not used" : "no answer"}: ${what}`];
  });

/** `attempts`: at least one; the last one counts. */
function conclude(attempts: readonly Attempt[], view: RunView, ownWay: Proposal | null): Proposal {
  const attempt = attempts.at(-1);
  assert(attempt !== undefined, "a model was asked");
  const more = { tried: triedOf(attempts) };
  switch (attempt.kind) {
    case "proposal":
      return attempt.proposal;
    case "unsure":
      return handOver(
        view,
        "low_confidence",
        `The assistant was not sure enough of its ${attempt.of === "call" ? "next step" : "answer"}: ${describeDoubt(attempt.doubt)}.`,
        more,
      );
    case "unavailable":
      // The budget is spent: the shop works as it does without a model.
      if (attempt.fault.kind === "over_budget" && ownWay !== null) return ownWay;
      return handOver(
        view,
        "model_unavailable",
        `No language model gave an answer (${attempt.fault.kind}); the fixed workflows do not reach this question.`,
        more,
      );
  }
}
