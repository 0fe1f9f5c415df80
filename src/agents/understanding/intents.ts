/**
 * What a message asks for: one or more requests, each with the words that belong to it, and a few
 * signals that are no request. The rules are about meanings, which every language has words for, and about
 * sentences that a language says outright; none of them is about one language.
 */
import type { Meaning } from "./lexicon/lexicon.ts";
import { type Said, saidIn, saysOutright } from "./said.ts";
import { isEnglishOnly } from "./vocabulary.ts";
import { bare, endsSentence, means, phrase, splitAfter, splitsClause, type Word } from "./words.ts";

/** What can be asked for. `problem`: something is wrong with an item, without saying what would help. */
export type Intent =
  | "order_status"
  | "money_status"
  | "return_status"
  | "refund"
  | "return"
  | "policy"
  | "beyond"
  | "problem";

export interface Request {
  readonly intent: Intent;
  /** The part of the message that is about it. */
  readonly words: readonly Word[];
  /** Of these, where the wish itself is said; the rest is its story ("the jacket is great but …"). */
  readonly core: readonly Word[];
}

const MONEY: readonly Meaning[] = ["money", "refund", "refunded"];
const ORDER: readonly Meaning[] = ["order", "orders"];
const GOODS_BACK: readonly Meaning[] = ["return", "giveBack"];

/** An amount or a currency: what is given back is money then. */
const namesMoney = (said: Said, piece: readonly Word[]): boolean =>
  said.has("money", "currency") || piece.some(({ kind }) => kind === "currency");

/** An order's number: four digits and more, or three after a hash. */
const namesNumber = (piece: readonly Word[]): boolean =>
  piece.some(({ kind, hash, text }) => kind === "number" && (hash || /^\d{3,}$/.test(text)));

const FIRST_WORDS = 3;

const asksForTerms = (said: Said): boolean =>
  said.has("policy", "whoPays") ||
  (said.has("howLong") && said.has("return", "giveBack", "refund")) ||
  (said.has("must") && said.has("return", "giveBack", "refund", "cost")) ||
  (said.has("accepts") && said.has("return", "giveBack", "refund", "exchange"));

/** Where money is that was promised, or goods that went back. "When" begins a question, or it asks nothing. */
const asksWhere = (said: Said): boolean =>
  said.has("where", "status", "track", "news") ||
  (said.has("when") && (said.asks || said.early("when", FIRST_WORDS)));

const asksForMoney = (said: Said, piece: readonly Word[]): boolean => {
  const paidBack = said.has("repay") || (said.has("giveBack") && namesMoney(said, piece));
  if (!said.has(...MONEY) && !paidBack) return false;
  if (asksWhere(said) || (said.has("howLong") && said.has("arrive", "money"))) return true;
  if (said.has("want", "repay")) return false;
  return (
    (said.has("not") && said.has("arrive", "refunded")) ||
    said.has("wait") ||
    said.all("says", "refunded") ||
    said.all("still", "wait") ||
    said.all("still", "not") ||
    (said.has("refunded") && (said.asks || said.has("already"))) ||
    (said.has("arrive", "ship") &&
      (said.asks || said.has("already")) &&
      said.has("refund", "money") &&
      !said.has("order"))
  );
};

const asksForReturn = (said: Said): boolean =>
  said.has("return", "giveBack", "returned") &&
  !said.has("want") &&
  (asksWhere(said) || (said.has("arrive") && (said.asks || said.has("already", "not"))));

/** `rendez`, `ridatemi`, "give it back": what the shop is to give back is money, and what "devolver el dinero" names. */
const isPaidBack = (said: Said, piece: readonly Word[]): boolean =>
  said.has("repay") ||
  said.before(["return"], ["money"], 1) ||
  (said.has("giveBack", "back") &&
    namesMoney(said, piece) &&
    (said.near(["money"], ["back"], 1) || !said.near(["send"], ["back"], 2)));

const isReturn = (said: Said, piece: readonly Word[]): boolean =>
  (said.has("return", "giveBack") || said.near(["send"], ["back"], 6)) &&
  !isPaidBack(said, piece) &&
  !(said.has("charged", "rejected") && !said.has("want"));

const isRefund = (said: Said, piece: readonly Word[]): boolean =>
  said.has("refund", "refunded", "compensation") ||
  isPaidBack(said, piece) ||
  ((said.before(["want", "give"], ["money"], 4) || said.before(["money"], ["want"], 0)) &&
    !isDenied(piece, ["money"]));

/** "Meine Rücksendung", "mon retour": one that is under way already. Only a wish makes it another. */
const isOwnReturn = (said: Said, piece: readonly Word[]): boolean =>
  !said.has("want", "please", "cancel") &&
  piece.some((it, index) => {
    const next = piece[index + 1];
    return means(it, "my") && !isEnglishOnly(it.sense) && next !== undefined && means(next, ...GOODS_BACK);
  });

const isReturned = (said: Said): boolean => said.has("returned") && !said.has("want");

const listsOrders = (said: Said): boolean => said.near(["show", "my", "every"], ["orders"], 2);

const isMissing = (said: Said): boolean =>
  said.near(["not"], ["arrive"], 4) ||
  (said.has("lost") && said.has(...ORDER)) ||
  said.all("says", "delivered", "not");

const asksForOrder = (said: Said, piece: readonly Word[]): boolean =>
  (said.has("where") && said.has("order", "orders", "is", "my", "arrive")) ||
  said.has("track") ||
  (said.has("when") &&
    (said.asks || said.early("when", FIRST_WORDS)) &&
    said.has("arrive", "ship", "order", "orders", "delivered")) ||
  said.near(["not"], ["arrive", "ship"], 4) ||
  ((said.has("still") || said.has(...ORDER)) && said.has("wait")) ||
  (said.has(...ORDER) && said.has("late", "lost", "status", "news")) ||
  (said.has("late") && said.has("arrive", "is", "have")) ||
  (said.has("order") && said.has("arrive", "ship") && said.asks) ||
  said.all("says", "delivered") ||
  (said.all("still", "not") && said.has(...ORDER)) ||
  (said.has("when") && namesNumber(piece)) ||
  (said.asks && (said.has("ship") || (said.has("arrive") && said.has("already", "still")))) ||
  (said.has("howLong") && said.has("arrive", "ship", "shipping", "order")) ||
  (said.has("status") && piece.length <= SHORT_PIECE_WORDS) ||
  listsOrders(said);
const SHORT_PIECE_WORDS = 5;

const isBeyond = (said: Said, piece: readonly Word[]): boolean =>
  said.has("exchange", "outside") ||
  (said.has("cancel") && (said.has(...ORDER) || namesNumber(piece))) ||
  said.all("charged", "twice") ||
  said.all("change", "address");

const isProblem = (said: Said): boolean =>
  said.has("broken", "wrong", "missing") ||
  said.near(["too"], ["small", "big"], 1) ||
  said.near(["not"], ["fit", "works", "described"], 3);

/**
 * True when every mention of `what` is denied: "no reembolso", "ich will keine Erstattung", "je ne veux pas
 * de remboursement". English says its refusals outright: there "why will you not refund me" asks for one.
 */
function isDenied(piece: readonly Word[], what: readonly Meaning[]): boolean {
  const places = piece.flatMap((it, index) => (means(it, ...what) ? [index] : []));
  return places.length > 0 && places.every((place) => isDeniedAt(piece, place));
}

function isDeniedAt(piece: readonly Word[], place: number): boolean {
  for (let back = 1; back <= 5; back += 1) {
    const it = piece[place - back];
    if (it === undefined || it.kind === "mark" || means(it, "clause")) return false;
    if (means(it, "not")) return !isEnglishOnly(it.sense);
    if (means(it, "want")) {
      const before = piece[place - back - 1];
      const denies = before?.sense.meanings.size === 0 ? piece[place - back - 2] : before;
      return denies !== undefined && means(denies, "not") && !isEnglishOnly(denies.sense);
    }
    if (it.sense.meanings.size > 0 && !means(it, "between", "one", "of", "every", "my", "back")) return false;
    if (it.sense.meanings.size === 0 && back > 2) return false;
  }
  return false;
}

function intentsOf(piece: readonly Word[]): Intent[] {
  const said = saidIn(piece);
  if (saysOutright("policy", piece) || asksForTerms(said)) return ["policy"];
  if (asksForMoney(said, piece) || (said.has(...MONEY) && saysOutright("moneyStatus", piece))) {
    return ["money_status"];
  }
  if (asksForReturn(said) || saysOutright("returnStatus", piece)) return ["return_status"];
  if (isOwnReturn(said, piece)) return said.has("rejected") ? ["problem"] : [];
  const found: Intent[] = [];
  if (wantsReturn(said, piece)) found.push("return");
  // "send it back for a refund" is one wish: the return.
  else if (wantsRefund(said, piece)) found.push("refund");
  if (found.length > 0) return found;
  if (isBeyond(said, piece) || saysOutright("beyond", piece)) return ["beyond"];
  if (asksForOrder(said, piece) || saysOutright("orderStatus", piece)) return ["order_status"];
  return isProblem(said) || saysOutright("problem", piece) ? ["problem"] : [];
}

const wantsReturn = (said: Said, piece: readonly Word[]): boolean =>
  (isReturn(said, piece) || (saysOutright("return", piece) && !isPaidBack(said, piece))) &&
  !saysOutright("notReturn", piece) &&
  !saysOutright("noReturn", piece) &&
  !isDenied(piece, GOODS_BACK) &&
  !isReturned(said) &&
  !saysOutright("alreadyReturned", piece) &&
  !said.before(["instead"], GOODS_BACK, 2);

const wantsRefund = (said: Said, piece: readonly Word[]): boolean =>
  (isRefund(said, piece) || saysOutright("refund", piece)) &&
  !saysOutright("noRefund", piece) &&
  !isDenied(piece, ["refund"]) &&
  !said.before(["instead"], ["refund"], 2);

/** Enough for anything a person asks in one message; more is noise. */
const MOST_REQUESTS = 4;

interface Piece {
  readonly words: readonly Word[];
  readonly intents: readonly Intent[];
  /** Index of its sentence. */
  readonly sentence: number;
}

/** Clauses, or whole sentences where only the whole makes sense ("send the socks and the jacket back"). */
function piecesOf(words: readonly Word[]): Piece[] {
  return splitAfter(words, endsSentence).flatMap((sentence, index) => {
    const pieceOf = (piece: readonly Word[]): Piece => ({
      words: piece,
      intents: intentsOf(piece),
      sentence: index,
    });
    const clauses = splitAfter(sentence, splitsClause).map(pieceOf);
    const readable = clauses.some(({ intents }) => intents.some((intent) => intent !== "problem"));
    return readable || clauses.length > MOST_CLAUSES ? clauses : [pieceOf(sentence)];
  });
}
const MOST_CLAUSES = 12;

/** "And the socks.", "Only the jacket.": a sentence that goes on with the wish before it. */
const goesOn = ([first]: readonly Word[]): boolean =>
  first !== undefined && means(first, "and", "also", "only", "not", "except", "clause");

/** The requests of a message in order of mention. A part that asks for nothing belongs to its neighbour. */
export function requestsIn(words: readonly Word[]): Request[] {
  const open: { intent: Intent; words: Word[]; core: Word[]; sentence: number }[] = [];
  let before: Word[] = [];
  const read = piecesOf(words);
  const asks = read.some(({ intents }) => intents.some((intent) => intent !== "problem"));
  for (const { words: piece, sentence, intents } of read) {
    const intent = intents.find((it) => !asks || it !== "problem");
    const last = open.at(-1);
    if (intent === undefined) {
      if (last === undefined) before.push(...piece);
      else {
        last.words.push(...piece);
        if (sentence === last.sentence || goesOn(piece)) last.core.push(...piece);
      }
    } else if (last !== undefined && (last.intent === intent || open.length >= MOST_REQUESTS)) {
      last.words.push(...piece);
      last.core.push(...piece);
      last.sentence = sentence;
    } else {
      open.push({ intent, words: [...before, ...piece], core: [...piece], sentence });
      before = [];
    }
  }
  return withoutEchoes(open);
}

/** Nothing but the wish itself: no item, no order, no number, and no word that no language knows. */
const isGeneric = (words: readonly Word[]): boolean =>
  words.every(
    (it) =>
      it.kind === "mark" ||
      (it.kind === "word" &&
        it.sense.languages !== 0 &&
        it.sense.products.length === 0 &&
        !means(it, "order", "orders", "latest", "other", "whole", "every", "both", "except", "only", "not")),
  );

/** "return the jacket and get my money back" is one wish; so is a status question asked twice. */
function withoutEchoes(requests: readonly Request[]): Request[] {
  const wantsReturn = requests.some(({ intent }) => intent === "return");
  const kept = requests.filter(({ intent, words }) => {
    return !(intent === "refund" && wantsReturn && isGeneric(words));
  });
  const merged: { intent: Intent; words: Word[]; core: Word[] }[] = [];
  for (const { intent, words, core } of kept) {
    const same = merged.find((it) => it.intent === intent && intent !== "refund" && intent !== "return");
    if (same === undefined) merged.push({ intent, words: [...words], core: [...core] });
    else {
      same.words.push(...words);
      same.core.push(...core);
    }
  }
  return merged;
}

/** "Show me my orders." */
export const asksForList = (words: readonly Word[]): boolean =>
  saysOutright("listsOrders", words) || listsOrders(saidIn(words));

/** The customer says that something which should be there is not. */
export const saysNotReceived = (words: readonly Word[]): boolean =>
  saysOutright("notReceived", words) || isMissing(saidIn(words));

/** "never mind", "stop", "no wait": what was begun is not wanted (any more). */
export function retracts(words: readonly Word[]): boolean {
  if (saysOutright("retracts", words) || saysOutright("retracts", words, bare)) return true;
  if (saysOutright("retractsWhole", words, bare) || isOnlyStop(words)) return true;
  return splitAfter(words, (it) => endsSentence(it) || splitsClause(it)).some((clause) => {
    const said = saidIn(clause);
    // "doch nicht" takes back; in a longer sentence it is said of something else.
    if (said.has("forget") && clause.length <= LONGEST_RETRACTION_WORDS) return true;
    if (said.has("changedMind")) return true;
    return said.has("anymore") && said.has("want") && isDenied(clause, ["refund", "return", "giveBack"]);
  });
}
const LONGEST_RETRACTION_WORDS = 6;

/** "Stopp bitte", "no, espera". */
function isOnlyStop(words: readonly Word[]): boolean {
  const said = words.filter(({ kind }) => kind !== "mark" && kind !== "emoji");
  const filler: readonly Meaning[] = ["stop", "forget", "cancel", "please", "thanks", "no", "not", "again"];
  return (
    said.length <= LONGEST_RETRACTION_WORDS &&
    said.some((it) => means(it, "stop", "forget")) &&
    said.every((it) => means(it, ...filler))
  );
}

/** "cancel my refund": of something that was asked for before. An order that is cancelled is another thing. */
export function cancelsEffect(words: readonly Word[]): boolean {
  if (saysOutright("cancelsEffect", words)) return true;
  if (saidIn(words).has(...ORDER)) return false;
  if (saysOutright("withdraws", words, bare)) return true;
  return splitAfter(words, (it) => endsSentence(it) || splitsClause(it)).some((clause) => {
    const said = saidIn(clause);
    return said.before(["cancel"], ["refund", "return", "giveBack"], 3) && !namesMoney(said, clause);
  });
}

export const isAngry = (words: readonly Word[]): boolean =>
  saysOutright("angry", words, bare) || saidIn(words).has("angry");

/** A question about how the shop works, not about an order of one's own. */
export function asksInGeneral(words: readonly Word[]): boolean {
  const said = saidIn(words);
  const general =
    saysOutright("general", words) ||
    said.has("delivers") ||
    (said.has("shipping") && said.has("howLong", "cost"));
  return general && !said.has("my") && !namesNumber(words) && !/ it /.test(phrase(words));
}

/** Of what is beyond the workflows: something to be told, not something to be done. */
export const asksForInformation = (words: readonly Word[]): boolean => !saysOutright("wantsDone", words);

/** "Is it done?", "any news?": about whatever is on record, said without naming it. */
export const asksHowItStands = (words: readonly Word[]): boolean =>
  words.length <= LONGEST_STATUS_QUESTION_WORDS && saysOutright("howItStands", words);
const LONGEST_STATUS_QUESTION_WORDS = 12;

/** "How long does that take?", of what was just offered. */
export const asksHowLong = (words: readonly Word[]): boolean =>
  saysOutright("howLong", words, bare) || saidIn(words).has("howLong");

/** "Which card?", "how much?": what exactly was offered. */
export const asksTerms = (words: readonly Word[]): boolean =>
  saysOutright("terms", words, bare) || saidIn(words).has("terms");

/** The money somewhere else than where it came from: store credit, another card. */
export const wantsItElsewhere = (words: readonly Word[]): boolean => saidIn(words).has("elsewhere");

/** A question for where or when, not only the story of a parcel. */
export const asksWhereabouts = (words: readonly Word[]): boolean =>
  saidIn(words).has("where", "when", "track", "status");

/** "Found it", "it has arrived after all". */
export function saysFound(words: readonly Word[]): boolean {
  const said = saidIn(words);
  return said.has("found", "arrive") && !said.has("not") && !said.asks;
}

/** What a sum is for that is the price of nothing. */
export const explainsSum = (words: readonly Word[]): boolean => saidIn(words).has("goodwill");

/** The costs of shipping. A word that is also the parcel's ("Lieferung") is theirs only beside "costs". */
export function wantsShippingBack(words: readonly Word[]): boolean {
  if (saysOutright("shippingBack", words)) return true;
  const said = saidIn(words);
  if (!said.has("shipping")) return false;
  if (said.has("cost") && !words.some(({ sense }) => sense.products.length > 0)) return true;
  const only = words.findIndex((it) => means(it, "shipping") && !means(it, "order", "orders"));
  return only >= 0 && said.near(["refund", "giveBack"], ["shipping"], 3);
}
