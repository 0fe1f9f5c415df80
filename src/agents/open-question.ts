/** The answer to a question of ours: it fits the question, changes the subject, or is not understood. */
import type { Proposal, Say } from "./agent.ts";
import { clarify, leftAlone } from "./conversation.ts";
import type { Flow } from "./flow.ts";
import { handOver } from "./handover.ts";
import { type Memory, NOTHING } from "./memory.ts";
import { offerAgain } from "./pending-offer.ts";
import { answerInfo, type EffectKind, handleRequests, isInfo, startEffect } from "./requests.ts";
import type { Turn } from "./turn.ts";
import { acceptsDenial, beginsWithYes, contestsDenial, courtesyIn } from "./understanding/courtesies.ts";
import { asksWhereabouts, isAngry, requestsIn, retracts, saysFound } from "./understanding/intents.ts";
import { reasonIn } from "./understanding/reasons.ts";
import { LINE_END, means, readWords, type Word } from "./understanding/words.ts";
import { talkOf } from "./wording.ts";
import { orderStatus } from "./workflows/order-status.ts";

/** `null` when the message is to be answered as a new one. */
export function* continueDialogue(turn: Turn): Flow<Proposal | null> {
  switch (turn.memory.asked) {
    case "order":
    case "items":
    case "quantity":
    case "reason":
    case "amount":
      return yield* continueRequest(turn);
    case "go_on":
    case "start":
      return yield* goOn(turn);
    case "offer":
      return yield* offerAgain(turn);
    case "contest":
      return contest(turn);
    case "missing":
      return missing(turn);
    case "wish":
      return yield* wish(turn);
    case null:
      return null;
  }
}

const effectOf = ({ workflow }: Memory): EffectKind | null =>
  workflow === "refund" || workflow === "return" ? workflow : null;

function* continueRequest(turn: Turn): Flow<Proposal | null> {
  const { view, words, memory } = turn;
  const own = effectOf(memory);
  const givesReason = memory.asked === "reason" && reasonIn(words) !== null;
  if (!givesReason && (retracts(words) || isBareNo(words))) return leftAlone(view, own);
  if (own !== null && view.later.some((text) => retracts(readWords(text)))) return leftAlone(view, own);
  const requests = requestsIn(words);
  if (requests.some(({ intent }) => intent === "beyond") && !givesReason) return null;
  const info = requests.filter(isInfo);
  const effects = requests.filter(({ intent }) => intent === "refund" || intent === "return");
  if (own === null) {
    // "Which order?" was about where it is; another wish is a new request.
    return effects.length > 0 ? null : yield* orderStatus(turn);
  }
  const other = effects.find(({ intent }) => intent !== own);
  if (other !== undefined && !givesReason && !effects.some(({ intent }) => intent === own)) {
    const kind: EffectKind = other.intent === "return" ? "return" : "refund";
    return yield* startEffect(
      { ...turn, memory: { ...memory, asked: memory.asked === "order" ? "order" : null } },
      kind,
    );
  }
  if (info.length > 0 && effects.length === 0 && !givesReason && isQuestion(words, info)) {
    return yield* answerBetween(turn, own, info);
  }
  return yield* startEffect(turn, own);
}

/** In the answer to "why?" only a real question is one: "it never arrived on time" is a reason. */
const isQuestion = (words: readonly Word[], info: ReturnType<typeof requestsIn>): boolean =>
  words.some(({ text }) => text === "?") ||
  info.some(({ intent, words: own }) => intent !== "order_status" || asksWhereabouts(own));

function* answerBetween(turn: Turn, own: EffectKind, info: ReturnType<typeof requestsIn>): Flow<Proposal> {
  const said = yield* answerInfo({ ...turn, memory: { ...NOTHING, order: turn.memory.order } }, info);
  if (said.type === "escalate" || turn.memory.asked === null) return said;
  const { quickReplies: _, ...rest } = said;
  const { backTo, backQuestion } = talkOf(turn.view);
  const { asked } = turn.memory;
  const question =
    asked in backQuestion ? backQuestion[asked as keyof typeof backQuestion] : backQuestion.other;
  return {
    ...rest,
    text: `${said.text}\n\n${backTo[own]} ${question}`,
    dialogue: turn.view.dialogue,
  };
}

const isBareNo = (words: readonly Word[]): boolean => courtesyIn(words) === "no";
const isBareYes = (words: readonly Word[]): boolean => courtesyIn(words) === "yes";

/** "Shall I go on?", "Shall I start one?" */
function* goOn(turn: Turn): Flow<Proposal | null> {
  const { words, memory } = turn;
  const kind = effectOf(memory);
  if (retracts(words) || isBareNo(words)) return leftAlone(turn.view, kind);
  const agrees = isBareYes(words) || beginsWithYes(words);
  const queued = memory.queued;
  if (kind === null) {
    const next = queued === null ? [] : readWords(queued);
    const wanted = requestsIn(next).find(({ intent }) => intent === "refund" || intent === "return");
    const waits =
      agrees ||
      courtesyIn(words) === "thanks" ||
      words.some((it) => means(it, "other") || NEXT_WORDS.has(it.text));
    if (wanted === undefined || !waits || requestsIn(words).length > 0) return null;
    return yield* startEffect(
      { ...turn, words: next, memory: NOTHING },
      wanted.intent === "return" ? "return" : "refund",
    );
  }
  const requests = requestsIn(words);
  const sameKind = requests.length > 0 && requests.every(({ intent }) => intent === kind);
  if (!agrees && !sameKind) return null;
  if (requests.length > 0 && !sameKind) return null;
  const draft = { ...memory, asked: null, misses: 0 };
  return yield* startEffect({ ...turn, words: isBareYes(words) ? [] : words, memory: draft }, kind);
}

const NEXT_WORDS = new Set("next second rest".split(" "));

/** Policy said no: who sees it differently gets a person. */
function contest(turn: Turn): Proposal | null {
  const { view, words, memory } = turn;
  const kind = effectOf(memory);
  const requests = requestsIn(words);
  const accepts = isBareNo(words) || retracts(words) || acceptsDenial(words);
  const asks = contestsDenial(words);
  const insists = asks || isAngry(words) || requests.some(({ intent }) => intent === kind);
  const names = words.some(({ kind: it, text }) => it === "number" && text.length >= 3);
  if (kind === null)
    return accepts ? leftAlone(view, null) : asks && requests.length === 0 ? contested(view) : null;
  if (insists && !names && !accepts) return contested(view);
  if (requests.length > 0) return null;
  if (accepts) {
    const end: Say = {
      type: "say",
      text: talkOf(view).thanksForUnderstanding,
      dialogue: null,
    };
    return end;
  }
  return contested(view);
}

const contested = (view: Turn["view"]): Proposal =>
  handOver(view, "policy_denied_contested", "The customer does not accept what policy answered.", {
    recommended: "Check whether an exception is fair.",
  });

/** "It says delivered": shall a person look for the parcel? */
function missing({ view, words }: Turn): Proposal | null {
  if (saysFound(words)) {
    return { type: "say", text: talkOf(view).goodToHear, dialogue: null };
  }
  if (isBareNo(words) || retracts(words)) return leftAlone(view, null);
  const other = requestsIn(words).filter(({ intent }) => intent !== "order_status");
  if (other.length > 0) return null;
  return handOver(
    view,
    "outside_scope",
    "A parcel that the carrier reports as delivered has not reached the customer.",
    { recommended: "Take it up with the carrier, then replace or refund." },
  );
}

/** "What would you like?": the answer is read together with what was said before. */
function* wish(turn: Turn): Flow<Proposal | null> {
  const { words, memory } = turn;
  if (retracts(words)) return leftAlone(turn.view, null);
  const requests = requestsIn(words);
  if (memory.said === null) return null;
  if (requests.length === 0) {
    return courtesyIn(words) === null && !isAngry(words) ? clarify(turn) : null;
  }
  // What was said before has no request of its own, so it only adds its order, items and reason.
  const before = readWords(memory.said);
  const together = requests.map((request) => ({
    ...request,
    words: [...before, LINE_END, ...request.words],
  }));
  return yield* handleRequests({ ...turn, memory: NOTHING }, together);
}
