/**
 * What one language says for the things that the rules ask about: data, one file a language, English among
 * them. The rules are one for all and live elsewhere in this folder; adding a language is adding a file to
 * `LEXICONS` in `lexicons.ts`.
 *
 * Words are written as people spell them, accents included, separated by bars; where an accent is missing
 * in a message, the word is still understood. `*` ends a stem (`reembols*`); `!` ends a word that is another
 * one without its accents (`où!` is "where", `ou` is "or"). Several words are a phrase: the longest one
 * counts, and hides what its words mean alone (`kein problem` denies nothing).
 */
import type { Language } from "../../../kernel/language.ts";

/** Phrases separated by bars: `yes|go ahead|sounds good`. They may go over several lines. */
export type Phrases = string;

export interface Answers {
  /** Plain agreement to what was just offered, and nothing that could mean anything else. */
  readonly yes: Phrases;
  readonly no: Phrases;
  /** Beside a yes or a no it changes neither. */
  readonly courtesy: Phrases;
  /** Made of words that agree or refuse, but said of something else: laughter, "no problem". */
  readonly neither: Phrases;
}

/** What words can mean to the rules. Each lexicon says them all; an empty list is a decision. */
export const MEANINGS = [
  // Questions.
  "where",
  "when",
  /** "How long", "how many days". */
  "howLong",
  "how",
  // What a shop's mail is about. `order` is the order or its parcel, `orders` several.
  "order",
  "orders",
  "money",
  "shipping",
  "cost",
  // Requests. Participles stand apart: what is done already is not asked for.
  "refund",
  "refunded",
  "return",
  "returned",
  /** A return of goods, a refund of money: `devolver`, `rendre`, `restituire`. */
  "giveBack",
  /** Said to the shop: `ridatemi`, `rendez-moi`. What it is to give back is money. */
  "repay",
  /** With `money`: `gebt`, `überweisen`, `denme`. */
  "give",
  "back",
  /** With `back`: a return. */
  "send",
  "exchange",
  "cancel",
  "compensation",
  /** Says what a sum is for that is the price of nothing: trouble, a discount. */
  "goodwill",
  /** What no workflow does: invoices, passwords, stock. */
  "outside",
  "charged",
  "twice",
  "change",
  "address",
  "want",
  "please",
  // Where things are.
  "arrive",
  "ship",
  "track",
  "status",
  "news",
  "late",
  "lost",
  "wait",
  /** "The carrier says", with `delivered`. */
  "says",
  "delivered",
  /** "Is", "remains": with `where`. */
  "is",
  "have",
  "my",
  "show",
  // Terms.
  "policy",
  "must",
  /** "Do you accept", "is there". */
  "accepts",
  "whoPays",
  /** "Do you ship (to)". */
  "delivers",
  // Small words that turn a sentence.
  "not",
  "still",
  "already",
  "anymore",
  "instead",
  "and",
  /** Begins another clause. */
  "clause",
  // What is wrong with an item.
  "broken",
  "wrong",
  /** A return that the shop turned down. */
  "rejected",
  "missing",
  "too",
  "small",
  "big",
  "fit",
  "works",
  "described",
  "dislike",
  "mistake",
  "changedMind",
  "noReason",
  // Taking something back.
  "forget",
  "stop",
  "angry",
  "again",
  // Small talk.
  "yes",
  "no",
  "thanks",
  "bye",
  "greeting",
  "help",
  // Orders.
  "latest",
  "oldest",
  "other",
  "number",
  /** Ordered, bought: with a day, when an order was placed. */
  "placed",
  /** A number beside it is no order's: sizes, telephones, months. */
  "otherNumber",
  /** Weeks and times: "last week" is no order. */
  "period",
  "today",
  "yesterday",
  "dayBefore",
  // Items and counts.
  "whole",
  "every",
  "both",
  "also",
  "one",
  "pair",
  "pairs",
  /** May stand between a count and its item. */
  "between",
  "except",
  "keep",
  "only",
  "currency",
  /** May stand beside an amount without a currency: "of", "for", "from". */
  "of",
  // Answers to an offer or to a denial.
  /** A refund to somewhere else than where the payment came from. */
  "elsewhere",
  /** Asks what exactly was offered. */
  "terms",
  "found",
  "contest",
  "accepted",
] as const;
export type Meaning = (typeof MEANINGS)[number];

/** Whole sentences that no set of words describes: patterns over the text without accents and contractions. */
export const RULES = [
  "policy",
  "moneyStatus",
  "refund",
  "noRefund",
  "return",
  "notReturn",
  "noReturn",
  "alreadyReturned",
  "returnStatus",
  "listsOrders",
  "orderStatus",
  "notReceived",
  "beyond",
  "problem",
  "retracts",
  "retractsWhole",
  "cancelsEffect",
  "withdraws",
  "angry",
  "general",
  "wantsDone",
  "damaged",
  "notDescribed",
  "tooSmall",
  "tooBig",
  "doesNotFit",
  "tooLate",
  "unwanted",
  "agrees",
  "beginsWithYes",
  "beginsWithNo",
  "accepts",
  "contests",
  "howLong",
  "terms",
  "shippingBack",
  "declines",
  "thanks",
  "bye",
  "greets",
  "howItStands",
  "legal",
  /** May be a threat, and may be said of a form or a deadline: a signal, no alarm. */
  "legalHint",
  "noThreat",
  "safety",
  "person",
  "noPerson",
  "identity",
  "whatCanYouDo",
] as const;
export type Rule = (typeof RULES)[number];
export type Patterns = Readonly<Partial<Record<Rule, readonly RegExp[]>>>;

export interface Lexicon {
  readonly language: Language;
  readonly answers: Answers;
  readonly words: Readonly<Record<Meaning, Phrases>>;
  readonly patterns: Patterns;
  /** Zero to ten, each with its other spellings: `zero|one|two`, `null|eins, ein|zwei, zwo`. */
  readonly numbers: Phrases;
  /** First to fifth, and last, spelled like `numbers`. */
  readonly ordinals: Phrases;
  /** Product words by their English name: `chaqueta, chaquetas|cazadora, cazadoras`, singular first. */
  readonly products: Readonly<Partial<Record<string, Phrases>>>;
  /** True where products are written together: `Wollsocken` are socks. */
  readonly compounds: boolean;
  /** Frequent words that mean nothing to the rules: they tell the language, and no other language claims them. */
  readonly plain: Phrases;
  /** `short=written out`. */
  readonly short: Phrases;
  /** Words that lose their end before a vowel: `l|d|qu` for `l'`, `d'`, `qu'`. */
  readonly elided: Phrases;
  /** Words of requests in which a slip of the finger is put right. */
  readonly spelled: Phrases;
}

export const phrasesOf = (phrases: Phrases): readonly string[] =>
  phrases
    .split("|")
    .map((phrase) => phrase.trim().replace(/\s+/g, " "))
    .filter((phrase) => phrase !== "");

/**
 * Ways in which a phrase is typed: each word with its accents or without, umlauts also as two letters,
 * apostrophes left out or as a space. Lower case. A message that has another accent than the phrase is
 * another word: Portuguese `já` is not German `ja`.
 */
export function spellingsOf(phrase: string): readonly string[] {
  let ways = [""];
  for (const word of phrase.toLowerCase().normalize("NFC").split(" ")) {
    const typed = new Set([word, ...(UMLAUT.test(word) ? [twoLetters(word)] : [])]);
    const plain = [...typed].flatMap((it) => [it, withoutAccents(it)]);
    const words = new Set(plain.flatMap((it) => [it.replaceAll("'", ""), it.replaceAll("'", " ")]));
    ways = ways.flatMap((way) => [...words].map((it) => (way === "" ? it : `${way} ${it}`)));
  }
  return ways;
}

const PLAIN = /^[ -~]*$/;
const UMLAUT = /[äöü]/;
const twoLetters = (word: string): string => word.replace(/[äöü]/g, (letter) => `${withoutAccents(letter)}e`);

/** The word as it is looked up: without accents, and where it has umlauts also with two letters for each. */
export function plainSpellings(word: string): readonly string[] {
  const lower = word.toLowerCase().normalize("NFC");
  const plain = withoutAccents(lower);
  return UMLAUT.test(lower) ? [plain, withoutAccents(twoLetters(lower))] : [plain];
}

/** `é` is `e`, `ß` is `ss`, `œ` is `oe`. */
export const withoutAccents = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.normalize("NFD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").replace(/œ/g, "oe").normalize("NFC");
