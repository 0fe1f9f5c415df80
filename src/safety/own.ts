/**
 * What of a text belongs to this conversation: contact details that the customer wrote or the merchant
 * publishes, orders that the customer named or was shown, and what the tools of this run answered with. Pure,
 * linear.
 */
import type { PersonalData } from "./personal-data.ts";
import { plainDecimal } from "./policy-numbers.ts";
import { everyMatch, folded } from "./reading.ts";

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,253}[\p{L}\p{N}]/gu;
const NUMBER = /\d(?:[ ()./-]{0,2}\d){4,18}/g;
/** Digits that tell one phone from another, wherever it is called from. */
const SUBSCRIBER_DIGITS = 8;

/** Only digits and letters count: how a number is grouped says nothing. */
const bareOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
/** `ada (at) example dot com` as it is meant. */
const emailOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ ?(?:[([{]at[)\]}]| at ) ?/u, "@")
    .replace(/ ?(?:[([{](?:dot|punkt|punto|point)[)\]}]| dot ) ?/gu, ".");

/** Whether a finding's value stands in one of the texts, whole. */
export function knownIn(texts: readonly string[]): (found: PersonalData) => boolean {
  let read: { plain: readonly string[]; emails: ReadonlySet<string>; numbers: ReadonlySet<string> } | null =
    null;
  const reading = () => {
    if (read !== null) return read;
    const plain = texts.map((text) => folded(text).text);
    const all = (pattern: RegExp) => plain.flatMap((text) => [...text.matchAll(pattern)].map(([it]) => it));
    read = {
      plain: plain.map(bareOf),
      emails: new Set(all(EMAIL).map(emailOf)),
      numbers: new Set(all(NUMBER).map(bareOf)),
    };
    return read;
  };
  const isKnown = ({ kind, value }: PersonalData): boolean => {
    const { plain, emails, numbers } = reading();
    if (kind === "email") return emails.has(emailOf(value));
    if (kind === "phone") return isPhoneOf(value.replace(/\D/g, ""), numbers);
    const wanted = bareOf(value);
    return wanted.length >= 5 && plain.some((text) => text.includes(wanted));
  };
  const judged = new Map<string, boolean>();
  return (found) => {
    const key = `${found.kind} ${found.value}`;
    const before = judged.get(key);
    if (before !== undefined) return before;
    const known = isKnown(found);
    judged.set(key, known);
    return known;
  };
}

/** The same digits, or the same subscriber with and without the country's code. */
function isPhoneOf(digits: string, numbers: ReadonlySet<string>): boolean {
  if (numbers.has(digits)) return true;
  const short = digits.replace(/^0+/, "");
  for (const number of numbers) {
    const other = number.replace(/^0+/, "");
    const [less, more] = short.length < other.length ? [short, other] : [other, short];
    if (less.length >= SUBSCRIBER_DIGITS && more.endsWith(less)) return true;
  }
  return false;
}

// Orders

const ORDER_WORD =
  "orders?|order (?:number|no\\.?)|purchases?|bestellung(?:en)?|bestellnummer|auftrag(?:snummer)?|kauf|pedidos?|compras?|commandes?|achats?|encomendas?|ordin[ei]|acquist[oi]";
const NUMBER_WORD = "number|no\\.?|n[ºo°]\\.?|nummer|nr\\.?|num[eé]ro|n[uú]mero|numero|mit der nummer";
const NAME = "[A-Za-z]{0,3}-?\\d{3,12}";
const UNIT =
  " ?(?:€|\\$|£|usd|eur|gbp|euros?|dollars?|days?|items?|times?|pieces?|pairs?|units?|points?|g|kg|ml|cm|mm|tage?n?|st[uü]ck|paar|jours?|articles?|d[ií]as?|art[ií]culos?|unidades|giorni|articoli|dias|artigos)(?!\\p{L})";
/** `#1042` anywhere; `order 1042`, `orders 1042, 1043 and 1044` by their word. */
const MARKED = /(?<![\p{L}\p{N}&/])#\s?([A-Za-z]{0,3}-?\d{2,12})(?![\p{L}\p{N}])/giu;
const NAMED = new RegExp(
  `(?<!\\p{L})(?:${ORDER_WORD})(?!\\p{L})(?: (?:${NUMBER_WORD}))?[ :]{1,3}(#?${NAME}(?:(?:,| and| or| und| oder| et| ou| y| o| e|,? &) ?#?${NAME}){0,20})(?![\\p{L}\\p{N}%]|${UNIT})`,
  "giu",
);

/** Any number in a text that may be an order's: whole, and without its letters. */
const SPOKEN = /(?<![\p{L}\p{N}])[a-z]{0,3}-?(\d{2,12})(?![\p{L}\p{N}])/gu;

/** The order numbers that a text names, without `#`, as they are written. */
export function orderNumbersIn(text: string): readonly string[] {
  const plain = folded(text).text;
  const marked = [...everyMatch(plain, MARKED)].map(([, number = ""]) => number);
  const named = [...everyMatch(plain, NAMED)].flatMap(
    ([, list = ""]) => list.match(/[A-Za-z]{0,3}-?\d{3,12}/g) ?? [],
  );
  return [...new Set([...marked, ...named])];
}

/** True when the text names an order that is neither among `shown` nor in one of the texts. */
export function namesForeignOrder(
  text: string,
  shown: ReadonlySet<string>,
  texts: readonly string[],
): boolean {
  const unknown = orderNumbersIn(text)
    .map((number) => number.toLowerCase())
    .filter((number) => !shown.has(number));
  if (unknown.length === 0) return false;
  // Who writes "#W2702727" has named 2702727 too: a few letters before a number are its shop's.
  const spoken = new Set(
    texts.flatMap((it) => [...folded(it).text.toLowerCase().matchAll(SPOKEN)].flatMap((match) => [...match])),
  );
  return unknown.some((number) => !spoken.has(number));
}

// What the tools of this run showed

export interface Shown {
  readonly orders: ReadonlySet<string>;
  readonly links: ReadonlySet<string>;
  /** Tracking numbers: no phones or cards, whatever they look like. */
  readonly references: readonly string[];
  /** Worked out when it is asked for: few texts are compared with them. */
  readonly amounts: () => ReadonlySet<string>;
  /** One of the orders is cancelled. */
  readonly isCancelled: boolean;
}

const MOST_FACTS = 20_000;

/** Numbers, links and amounts of the customer's own orders, by the names of their fields. */
export function shownIn(facts: readonly unknown[]): Shown {
  const orders = new Set<string>();
  const links = new Set<string>();
  const references = new Set<string>();
  const minors = new Set<number>();
  let isCancelled = false;
  const open: unknown[] = [...facts];
  for (let seen = 0; open.length > 0 && seen < MOST_FACTS; seen += 1) {
    const value = open.pop();
    if (value === null || typeof value !== "object") continue;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "string") {
        if (name === "state" && inner === "cancelled" && "number" in value) isCancelled = true;
        else if (name === "number" || name === "orderNumber") orders.add(inner.toLowerCase());
        else if (name === "trackingUrl" || name === "labelUrl") links.add(inner);
        else if (name === "trackingNumber" && /^[A-Za-z0-9-]{4,40}$/.test(inner)) references.add(inner);
      } else if (typeof inner === "number") {
        if (name.endsWith("Minor")) minors.add(inner);
      } else open.push(inner);
    }
  }
  return { orders, links, references: [...references], amounts: () => decimalsOf(minors), isCancelled };
}

/** Amounts in minor units as decimals of a currency with none, two or three: which it is, is not told. */
function decimalsOf(minors: ReadonlySet<number>): ReadonlySet<string> {
  const plain = [...minors].flatMap((minor) =>
    [0, 2, 3].map((decimals) => plainDecimal((minor / 10 ** decimals).toFixed(decimals))),
  );
  return new Set(plain.filter((it) => it !== null));
}
