/** Working on what a message asks for: first what only needs an answer, then one thing that changes something. */
import type { OrderView } from "../tools/views.ts";
import type { Escalate, Proposal, Say } from "./agent.ts";
import { askWhatHelps } from "./conversation.ts";
import { type Flow, untilEffect } from "./flow.ts";
import { handOver } from "./handover.ts";
import { type Memory, memorable, NOTHING, readMemory, remember } from "./memory.ts";
import { chooseOrder, shortOrder } from "./order-choice.ts";
import { ReadUnavailable } from "./reads.ts";
import type { Turn } from "./turn.ts";
import { asksForInformation, asksInGeneral, isAngry, type Request } from "./understanding/intents.ts";
import { written } from "./understanding/words.ts";
import { type Speaking, talkOf } from "./wording.ts";
import { documentQuestion } from "./workflows/document-question.ts";
import { moneyStatus } from "./workflows/money-status.ts";
import { orderStatus } from "./workflows/order-status.ts";
import { policyQuestion } from "./workflows/policy-question.ts";
import { refund } from "./workflows/refund.ts";
import { returnItems } from "./workflows/return.ts";

export type EffectKind = "refund" | "return";

export const isInfo = ({ intent }: Request): boolean =>
  intent === "order_status" || intent === "money_status" || intent === "return_status" || intent === "policy";
const isEffect = ({ intent }: Request): boolean => intent === "refund" || intent === "return";

export const startEffect = (turn: Turn, kind: EffectKind): Flow<Proposal> =>
  kind === "return" ? returnItems(turn) : refund(turn);

/** Answers every request that only needs reading, in one text. */
export function* answerInfo(turn: Turn, requests: readonly Request[]): Flow<Say | Escalate> {
  let answer: Say | null = null;
  for (const { intent, words } of requests) {
    const own = { ...turn, words };
    const said: Say | Escalate =
      intent === "money_status"
        ? yield* moneyStatus(own, "refund")
        : intent === "return_status"
          ? yield* moneyStatus(own, "return")
          : intent === "policy"
            ? yield* policyQuestion(own)
            : yield* generalOrOwn(own);
    if (said.type === "escalate") return said;
    answer = answer === null ? said : joined(answer, said);
  }
  return answer ?? askWhatHelps(turn);
}

/** "How long does delivery take?" is about the shop; "how long will it take?" about an order. */
function* generalOrOwn(turn: Turn): Flow<Say | Escalate> {
  const known = asksInGeneral(turn.words) ? yield* documentQuestion(turn, turn.words) : null;
  return known ?? (yield* orderStatus(turn));
}

/** Two answers as one; the open question of the later one stays open. */
export function joined(first: Say, second: Say): Say {
  const { citations: firstCitations = [], cards: firstCards = [] } = first;
  const cards = [...firstCards, ...(second.cards ?? [])].slice(0, MOST_CARDS);
  const citations = [...firstCitations, ...(second.citations ?? [])];
  const quickReplies = second.quickReplies ?? first.quickReplies;
  return {
    type: "say",
    text: `${first.text}\n\n${second.text}`,
    ...(cards.length > 0 ? { cards } : {}),
    ...(citations.length > 0 ? { citations } : {}),
    ...(quickReplies === undefined ? {} : { quickReplies }),
    dialogue: second.dialogue ?? first.dialogue ?? null,
  };
}
const MOST_CARDS = 6;

export function* handleRequests(turn: Turn, requests: readonly Request[]): Flow<Proposal> {
  const info = requests.filter(isInfo);
  const [effect, ...laterEffects] = requests.filter(isEffect);
  const beyond = requests.find(({ intent }) => intent === "beyond");
  if (beyond !== undefined) return yield* beyondUs(turn, info);
  if (effect === undefined && info.length === 0) return askWhatHelps(turn);
  const sorry = isAngry(turn.words) ? talkOf(turn.view).sorry : "";
  if (effect === undefined) return withLead(sorry, yield* answerInfo(turn, info));
  const next = laterEffects[0];
  const queued = next === undefined ? null : memorable(written(next.words));
  const kind: EffectKind = effect.intent === "return" ? "return" : "refund";
  const own: Turn = { ...turn, words: effect.words, core: effect.core, memory: { ...turn.memory, queued } };
  if (info.length === 0) return withLead(sorry, yield* startEffect(own, kind));

  const answer = yield* answerInfo(turn, info);
  if (answer.type === "escalate") return answer;
  const about = readMemory(answer.dialogue ?? null).order ?? turn.memory.order;
  const started = yield* untilEffect(startEffect({ ...own, memory: { ...own.memory, order: about } }, kind));
  const lead = withLead(sorry, answer);
  if (lead.type !== "say") return lead;
  if (started.held !== null) return joined(lead, shallIGoOn(turn.view, kind, started.held.dialogue ?? null));
  return started.said.type === "say" ? joined(lead, started.said) : started.said;
}

function withLead(lead: string, said: Proposal): Proposal {
  return lead === "" || said.type !== "say" ? said : { ...said, text: `${lead} ${said.text}` };
}

/** The effect is ready, but the answer to a question comes first: the customer says when to go on. */
function shallIGoOn(to: Speaking, kind: EffectKind, dialogue: Say["dialogue"]): Say {
  const { buttons, prepareNow } = talkOf(to);
  const draft: Memory = readMemory(dialogue ?? null);
  return {
    type: "say",
    text: prepareNow[kind],
    quickReplies: [buttons.yesPlease, buttons.noThanks],
    dialogue: remember(kind, { ...draft, asked: "go_on" }),
  };
}

/** What needs a person: exchanges, cancelled orders, addresses, invoices. What can be answered is answered first. */
function* beyondUs(turn: Turn, info: readonly Request[]): Flow<Proposal> {
  if (info.length === 0) {
    if (asksForInformation(turn.words)) {
      const known = yield* documentQuestion(turn, null);
      if (known !== null) return known;
    }
    const about = yield* likelyOrder(turn);
    return handOver(
      turn.view,
      "outside_scope",
      `The customer asks for something that the assistant cannot do itself.${about === null ? "" : ` It seems to be about order ${shortOrder(about)}, ${about.state.replace("_", " ")}.`}`,
    );
  }
  const answer = yield* answerInfo({ ...turn, memory: NOTHING }, info);
  if (answer.type === "escalate") return answer;
  const { buttons, restNeedsColleague } = talkOf(turn.view);
  return {
    ...answer,
    text: `${answer.text}\n\n${restNeedsColleague}`,
    quickReplies: [buttons.person, buttons.noThanks],
    dialogue: remember("order-status", { ...readMemory(answer.dialogue ?? null), asked: "contest" }),
  };
}

/** For the person who takes over; a shop that is down does not keep the conversation from one. */
function* likelyOrder(turn: Turn): Flow<OrderView | null> {
  try {
    const choice = yield* chooseOrder(turn, () => true);
    return choice.kind === "chosen" ? choice.order : null;
  } catch (error) {
    if (error instanceof ReadUnavailable) return null;
    throw error;
  }
}
