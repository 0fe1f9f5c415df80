/**
 * The answer to an offer that code made. Only `view.consent` (judged by code from the customer's words)
 * lets the same call through; everything else changes the offer, leaves it, or answers what was asked.
 *
 * Whatever is said after an offer takes its place, so an answer that should keep it either makes it again
 * (by proposing the same call) or keeps its terms in the dialogue and asks whether to come back to it.
 */
import type { OrderView } from "../tools/views.ts";
import type { PendingOffer, Proposal, Say } from "./agent.ts";
import { answerCourtesy, leftAlone } from "./conversation.ts";
import { proposeEffect } from "./effect.ts";
import type { Flow } from "./flow.ts";
import { handOver } from "./handover.ts";
import { type Memory, NOTHING, remember, type Unit } from "./memory.ts";
import { isMeant } from "./order-choice.ts";
import { listOrders } from "./reads.ts";
import { answerInfo, type EffectKind, isInfo, startEffect } from "./requests.ts";
import type { Turn } from "./turn.ts";
import { amountsIn } from "./understanding/amounts.ts";
import { judgeConsent } from "./understanding/consent.ts";
import { beginsWithNo, beginsWithYes, courtesyIn } from "./understanding/courtesies.ts";
import { asksHowLong, asksTerms, requestsIn, retracts, wantsItElsewhere } from "./understanding/intents.ts";
import { itemsSaid } from "./understanding/item-references.ts";
import { orderReferences, placeInList, saysPlace } from "./understanding/order-references.ts";
import { readWords, type Word } from "./understanding/words.ts";
import { type Speaking, talkOf } from "./wording.ts";

/** `null` when the message has nothing to do with the offer: it is answered as if there were none. */
export function* answerOffer(turn: Turn, offer: PendingOffer): Flow<Proposal | null> {
  const { view, words } = turn;
  const what = offer.tool === "initiate_return" ? "return" : "refund";
  const offered = memoryOf(offer, turn.memory);
  if (view.later.some((text) => retracts(readWords(text)))) return leftAlone(view, what);
  const accepted = {
    type: "call",
    tool: offer.tool,
    args: offer.args,
    dialogue:
      offered.queued === null ? null : remember("clarify", { asked: "go_on", queued: offered.queued }),
  } as const;
  if (view.consent === "yes") {
    if (!isSettled(view)) return readingOn(view, what, offered);
    return yield* proposeEffect(view, accepted);
  }
  if (view.consent === "no") return yield* leave(turn, what, offered);

  const requests = requestsIn(words);
  const info = requests.filter(isInfo);
  const effect = requests.find(({ intent }) => intent === "refund" || intent === "return");
  if (requests.some(({ intent }) => intent === "beyond")) return null;
  // "How long will it take?" names neither order nor money in most languages: "¿cuánto tarda?".
  if (effect === undefined && what === "refund" && asksHowLong(words)) return timing(turn, offered);
  if (info.length > 0 && effect === undefined) {
    const aboutTiming = what === "refund" && info.every(({ intent }) => intent === "money_status");
    return aboutTiming
      ? timing(turn, offered)
      : withReminder(turn, yield* answerInfo(turn, info), what, offered);
  }
  if (effect === undefined && wantsItElsewhere(words)) return onlyBackTheWay(view, what, offered);
  const corrects = yield* saysSomethingNew(turn, offered);
  const kind = effect?.intent === "refund" || effect?.intent === "return" ? effect.intent : what;
  if (kind !== what || corrects) {
    const begun = { ...offered, asked: corrects || kind === what ? offered.asked : null };
    return yield* startEffect({ ...turn, memory: begun }, kind);
  }
  if (retracts(words) || beginsWithNo(words)) return yield* leave(turn, what, offered);
  const offerIt = (misses: number) =>
    proposeEffect(view, { ...accepted, dialogue: remember(what, { ...offered, misses }) });
  // A yes with anything added, or "which card?": code makes the offer again, with its exact terms.
  if (effect !== undefined || beginsWithYes(words) || asksTerms(words)) {
    return yield* offerIt(0);
  }
  if (offered.misses > 0) {
    return handOver(
      view,
      "not_understood",
      `The customer was offered a ${what} and has answered neither yes nor no.`,
    );
  }
  if (courtesyIn(words) === "identity") {
    return withReminder(turn, answerCourtesy(view, "identity"), what, offered);
  }
  return yield* offerIt(1);
}

function onlyBackTheWay(to: Speaking, what: EffectKind, offered: Memory): Say {
  const { buttons, onlyBackTheWay: text } = talkOf(to);
  return {
    type: "say",
    text: text[what],
    quickReplies: [buttons.yes, buttons.no, buttons.person],
    dialogue: remember(what, offered),
  };
}

/** Later messages take nothing back from a yes. */
const isSettled = ({ focus, later }: Turn["view"]): boolean =>
  later.length === 0 || judgeConsent([focus.text, ...later]) === "yes";

const readingOn = (to: Speaking, what: EffectKind, offered: Memory): Say => ({
  type: "say",
  text: talkOf(to).wroteMore[what],
  dialogue: remember(what, offered),
});

/** The offer in the words of the workflows' memory; the dialogue knows more when it belongs to the offer. */
function memoryOf(offer: PendingOffer, dialogue: Memory): Memory {
  const { order_id, items, reason } = (offer.args ?? {}) as Record<string, unknown>;
  const order = typeof order_id === "string" ? order_id : null;
  if (dialogue.asked === "offer" && dialogue.order === order) return dialogue;
  const units = (Array.isArray(items) ? items : []).flatMap((item: unknown): Unit[] => {
    const { line_item_id: id, quantity } = (item ?? {}) as Record<string, unknown>;
    return typeof id === "string" && typeof quantity === "number" ? [{ lineItemId: id, quantity }] : [];
  });
  return {
    ...NOTHING,
    workflow: offer.tool === "initiate_return" ? "return" : "refund",
    asked: "offer",
    order,
    selection: units.length > 0 ? units : "whole",
    reason: typeof reason === "string" ? reason : null,
    queued: dialogue.queued,
  };
}

/** True when the message names another order, other items, another number of them or an amount. */
function* saysSomethingNew({ words }: Turn, offered: Memory): Flow<boolean> {
  if (words.length === 0 || isBareAnswer(words)) return false;
  const orders = yield* listOrders("money");
  const current = orders.find((order) => isMeant(order, offered.order));
  const references = orderReferences(words, new Set(orders.map(({ number }) => number)));
  const elsewhere = references.numbers.some((number) => number !== current?.number);
  if (elsewhere || references.excluded.length > 0 || references.other || references.latest) return true;
  if (references.daysAgo !== null) return true;
  const lines = (order: OrderView | undefined) => (order === undefined ? [] : order.lineItems);
  const said = itemsSaid(words, lines(current), references.at);
  if (said.mentions.length > 0 || said.whole || said.loose !== null) return true;
  if (saysPlace(words) && placeInList(words, lines(current).length) !== null) return true;
  if (orders.some(({ lineItems }) => itemsSaid(words, lineItems).mentions.length > 0)) return true;
  return current !== undefined && amountsIn(words, current.currency, references.at).length > 0;
}

const isBareAnswer = (words: readonly Word[]): boolean => {
  const courtesy = courtesyIn(words);
  return words.length <= 2 && (courtesy === "yes" || courtesy === "no");
};

/** The offer is not wanted; a request that waited behind it comes next. */
function* leave(turn: Turn, what: EffectKind, { queued }: Memory): Flow<Proposal> {
  if (queued === null) return leftAlone(turn.view, what);
  const next = readWords(queued);
  const request = requestsIn(next).find(({ intent }) => intent === "refund" || intent === "return");
  if (request === undefined) return leftAlone(turn.view, what);
  const kind = request.intent === "return" ? "return" : "refund";
  return yield* startEffect({ ...turn, words: next, memory: NOTHING }, kind);
}

function withReminder({ view }: Turn, said: Proposal, what: EffectKind, offered: Memory): Proposal {
  if (said.type !== "say") return said;
  const { buttons, comeBack } = talkOf(view);
  return {
    ...said,
    text: `${said.text}\n\n${comeBack[what]}`,
    quickReplies: [buttons.yes, buttons.no],
    dialogue: remember(what, offered),
  };
}

function timing({ view }: Turn, offered: Memory): Say {
  const known = view.actions.find((it) => it.kind === "refund" && it.orderId === offered.order);
  const { buttons, comeBack, notStarted } = talkOf(view);
  return {
    type: "say",
    text: `${known?.text ?? notStarted}\n\n${comeBack.refund}`,
    quickReplies: [buttons.yes, buttons.no],
    dialogue: remember("refund", { ...offered }),
  };
}

/** The offer is gone (something was said after it), but the dialogue still has its terms: they can be offered again. */
export function* offerAgain(turn: Turn): Flow<Proposal | null> {
  const { words, memory } = turn;
  if (memory.workflow !== "refund" && memory.workflow !== "return") return null;
  if (retracts(words) || courtesyIn(words) === "no") return leftAlone(turn.view, memory.workflow);
  const requests = requestsIn(words);
  if (requests.some(({ intent }) => intent !== memory.workflow)) return null;
  const changes = yield* saysSomethingNew(turn, memory);
  const agrees = requests.length > 0 || beginsWithYes(words) || courtesyIn(words) === "yes";
  if (!agrees && !changes) return null;
  return yield* startEffect(changes ? turn : { ...turn, words: [] }, memory.workflow);
}
