/**
 * The agents that need no model: a router over fixed workflows (order status, return, refund, "where is
 * my money?").
 *
 * Room `agents/`: reads a {@link RunView} and proposes, nothing else. May import `kernel/`, `wording/`, and types of
 * `tools/` and `commerce/`. Promises: pure (the same view, the same proposal), no model, no clock, no
 * effect; a proposal for every text in time linear in it; no call twice in a run; no sentence that claims
 * an effect; text from customers and shops is data.
 *
 * Order of precedence: alarms (legal, safety), the wish for a person, the answer to an offer, the answer
 * to our open question, what the message asks for, small talk. What is not understood is asked once.
 */
import { LIMITS } from "../kernel/limits.ts";
import type { Agent, Proposal, RunView } from "./agent.ts";
import { pressed } from "./buttons.ts";
import { answerCourtesy, clarify, hearComplaint, leftAlone, systemSilent } from "./conversation.ts";
import { advance, type Flow } from "./flow.ts";
import { handOver } from "./handover.ts";
import { heard } from "./hearing.ts";
import { NOTHING, readMemory } from "./memory.ts";
import { continueDialogue } from "./open-question.ts";
import { answerOffer } from "./pending-offer.ts";
import { ReadUnavailable } from "./reads.ts";
import { handleRequests, startEffect } from "./requests.ts";
import type { Turn } from "./turn.ts";
import { alarmIn, wishesPerson } from "./understanding/alarms.ts";
import { courtesyIn } from "./understanding/courtesies.ts";
import { asksHowItStands, cancelsEffect, isAngry, requestsIn, retracts } from "./understanding/intents.ts";
import { understand } from "./understanding/understand.ts";
import { means, readWords, type Word } from "./understanding/words.ts";
import { documentQuestion } from "./workflows/document-question.ts";

/** The router with its workflows as one agent. */
export function createWorkflowAgent(): Agent {
  return {
    name: "workflows",
    async next(view: RunView): Promise<Proposal> {
      // One step is left for the run to end in.
      if (view.steps.length >= LIMITS.stepsPerRun - 1) {
        return handOver(view, "no_progress", "The assistant needed too many steps for this message.");
      }
      // The same words would be withheld again.
      if (view.rejected !== undefined && view.rejected.length > 0) {
        return handOver(view, "safety_filter", "What the assistant would say here may not be sent.");
      }
      try {
        return advance(answer(view), view.steps);
      } catch (error) {
        if (error instanceof ReadUnavailable) return systemSilent(view, readMemory(view.dialogue));
        throw error;
      }
    },
  };
}

function* answer(view: RunView): Flow<Proposal> {
  const words = readWords(pressed(view.focus.text, view.language));
  const alarm = alarmIn(words);
  if (alarm !== null) {
    return handOver(
      view,
      "legal_or_safety",
      alarm === "legal"
        ? "The customer mentions legal steps, a payment dispute or data protection."
        : "The message speaks of harm or danger: please read it now.",
    );
  }
  if (wishesPerson(words)) return handOver(view, "asked_for_person", "The customer asks for a person.");
  const turn = retried({ view, words, memory: readMemory(view.dialogue) });
  const { asked } = turn.memory;
  // An offer is answered only when it is what we asked last: a "yes" to another question is not for it.
  const answered =
    view.offer !== null && (asked === null || asked === "offer")
      ? yield* answerOffer(turn, view.offer)
      : yield* continueDialogue(turn);
  if (answered !== null) return answered;
  return yield* freshRequest(turn);
}

/** "Try again" after an outage: the message that could not be worked on, once more. */
function retried(turn: Turn): Turn {
  const { retry } = turn.memory;
  if (retry === null) return turn;
  const again = turn.words.some((it) => means(it, "again")) || courtesyIn(turn.words) === "yes";
  return again
    ? { ...turn, words: readWords(pressed(retry, turn.view.language)) }
    : { ...turn, memory: { ...turn.memory, retry: null } };
}

function* freshRequest(turn: Turn): Flow<Proposal> {
  const { view, words, memory } = turn;
  const changesItsMind = view.later.some((text) => retracts(readWords(text)));
  const requests = requestsIn(words);
  const wantsEffect = requests.some(({ intent }) => intent === "refund" || intent === "return");
  if (cancelsEffect(words)) return stopEffect(turn);
  if (retracts(words) && (!wantsEffect || memory.asked !== null)) return leftAlone(view, null);
  if (wantsEffect && changesItsMind) return leftAlone(view, null);
  if (requests.length > 0) {
    // An old draft does not leak into a new request; the order that was spoken of may.
    const about = memory.asked === "wish" ? null : memory.order;
    return yield* handleRequests({ ...turn, memory: { ...NOTHING, order: about } }, requests);
  }
  const courtesy = courtesyIn(words);
  if (memory.queued !== null && (courtesy === "thanks" || courtesy === "yes")) {
    const queued = readWords(memory.queued);
    const kind = requestsIn(queued).some(({ intent }) => intent === "return") ? "return" : "refund";
    return yield* startEffect({ ...turn, words: queued, memory: NOTHING }, kind);
  }
  if (isAngry(words)) return hearComplaint(turn);
  if (courtesy !== null && isAllCourtesy(words)) return answerCourtesy(view, courtesy);
  if (words.length > 0 && words.every(({ kind }) => kind === "emoji")) return answerCourtesy(view, "thanks");
  if (view.actions.length > 0 && asksHowItStands(words)) {
    return yield* handleRequests({ ...turn, memory: NOTHING }, [
      { intent: "money_status", words, core: words },
    ]);
  }
  return yield* guess(turn);
}

/** Where the rules recognise nothing: what the model is sure of, in any language; else we ask. */
function* guess(turn: Turn): Flow<Proposal> {
  const { view, words } = turn;
  const { text } = view.focus;
  const signals = understand(text);
  if (signals.threatensLegally) {
    return handOver(view, "legal_or_safety", "The customer seems to mention legal steps.");
  }
  if (signals.wishesPerson) return handOver(view, "asked_for_person", "The customer asks for a person.");
  const about = heard(text, words, signals);
  switch (about.kind) {
    case "request":
      return yield* handleRequests({ ...turn, memory: { ...NOTHING, order: turn.memory.order } }, [
        about.request,
      ]);
    case "complaint":
      return hearComplaint(turn);
    case "nothing": {
      // Nothing that a workflow does: perhaps something that a document answers.
      const known = words.length > 1 ? yield* documentQuestion(turn, null) : null;
      return known ?? clarify(turn);
    }
  }
}

const LONGEST_COURTESY_WORDS = 12;
const isAllCourtesy = (words: readonly Word[]): boolean =>
  words.length <= LONGEST_COURTESY_WORDS && !words.some(({ kind }) => kind === "number");

/** "Cancel my refund": one that is on its way, only a person can try to stop. */
function stopEffect({ view }: Turn): Proposal {
  const live = view.actions.find(({ state }) =>
    ["awaiting_approval", "scheduled", "executing", "pending", "unknown"].includes(state),
  );
  return live === undefined
    ? leftAlone(view, null)
    : handOver(view, "outside_scope", `The customer wants to stop a ${live.kind} that is on record already.`);
}
