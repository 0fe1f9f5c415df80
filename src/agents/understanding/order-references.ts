/** Which orders a message speaks of: `#1042`, "order 1042", "1042", "my last order", "the other one". */
import { saidIn } from "./said.ts";
import { LAST } from "./vocabulary.ts";
import { countOf, means, phrase, type Word } from "./words.ts";

export interface OrderReferences {
  /** Order numbers that are meant, as typed, in order of mention. */
  readonly numbers: readonly string[];
  /** Numbers that could be order numbers if nothing better is known: "1042" that no list has. */
  readonly perhaps: readonly string[];
  /** "not #1042". */
  readonly excluded: readonly string[];
  readonly latest: boolean;
  readonly oldest: boolean;
  /** "the other order". */
  readonly other: boolean;
  /** "yesterday's order": placed so many calendar days ago. */
  readonly daysAgo: number | null;
  /** Indices of the words that were read as order numbers. */
  readonly at: ReadonlySet<number>;
}

const LONGEST_ORDER_NUMBER = 12;

/** `known` are the numbers of the customer's own orders: a bare number is one only if it is among them. */
export function orderReferences(words: readonly Word[], known: ReadonlySet<string>): OrderReferences {
  const numbers: string[] = [];
  const perhaps: string[] = [];
  const excluded: string[] = [];
  const at = new Set<number>();
  words.forEach((it, index) => {
    // A number with letters in it that look like digits is no order's: named as one, it is not found.
    if (it.kind !== "number" || /[^\p{L}\p{N}]/u.test(it.text) || it.text.length > LONGEST_ORDER_NUMBER)
      return;
    const before = words[index - 1];
    const after = words[index + 1];
    const money =
      before?.kind === "currency" ||
      after?.kind === "currency" ||
      (before !== undefined && means(before, "currency")) ||
      (after !== undefined && means(after, "currency", "refund", "back", "money"));
    const named = it.hash || isIntroduced(words, index) || isJoined(words, index, at);
    const own = known.has(it.text) && !money;
    if (named || own) {
      at.add(index);
      const list = isNegated(words, index) ? excluded : numbers;
      if (!list.includes(it.text)) list.push(it.text);
      return;
    }
    const bare = it.text.length >= 4 && it.text.length <= 8 && !money;
    if (bare && !(before !== undefined && means(before, "otherNumber"))) perhaps.push(it.text);
  });
  const text = phrase(words);
  const said = saidIn(words);
  return {
    numbers: numbers.filter((number) => !excluded.includes(number)),
    perhaps,
    excluded,
    latest:
      / (?:latest|newest|most recent|last|recent|previous)(?: \S+)? (?:orders?|purchase|one|package|parcel|delivery|shipment) /.test(
        text,
      ) ||
      / (?:latest|newest|most recent|just (?:ordered|bought|placed)) /.test(text) ||
      said.near(["latest"], ["order"], 0),
    oldest:
      / (?:oldest|earliest|(?:my|very) first)(?: \S+)? (?:order|purchase|one) /.test(text) ||
      said.near(["oldest"], ["order"], 0),
    other:
      / (?:the|my) other (?:order|one|purchase|package|parcel) /.test(text) ||
      said.near(["other"], ["order"], 0) ||
      isOnlyOther(words),
    daysAgo: daysAgoIn(words),
    at,
  };
}

/** "order 1042", "order number 1042", "order number is 1042", "pedido nº 1042", "Bestellung mit der Nummer 1042". */
function isIntroduced(words: readonly Word[], index: number): boolean {
  // "order 2 socks" counts, it does not name: order numbers have at least three digits.
  if ((words[index]?.text.length ?? 0) < 3) return false;
  let numbered = false;
  for (let back = 1; back <= 4; back += 1) {
    const it = words[index - back];
    if (it === undefined) return false;
    if (means(it, "order", "orders")) return true;
    if (NUMBER_SIGNS.has(it.text) && !means(it, "not")) {
      const before = words[index - back - 1];
      return before === undefined || !means(before, "otherNumber");
    }
    const links = means(it, "number", "is") || it.text === ":" || it.text === "." || it.text === "id";
    // Between an order and its number: "con el", "mit der".
    const plain = numbered && it.kind === "word" && it.sense.meanings.size <= 1 && !means(it, "otherNumber");
    if (!links && !plain) return false;
    numbered ||= means(it, "number");
  }
  return false;
}
const NUMBER_SIGNS = new Set("no nr num nro n º °".split(" "));

/** The second of "orders 1042 and 1043". */
function isJoined(words: readonly Word[], index: number, at: ReadonlySet<number>): boolean {
  const length = words[index]?.text.length ?? 0;
  const join = words[index - 1];
  const joins = join !== undefined && (means(join, "and") || join.text === "," || join.text === "&");
  return length >= 3 && joins && at.has(index - 2);
}

function isNegated(words: readonly Word[], index: number): boolean {
  for (let back = 1; back <= 5; back += 1) {
    const it = words[index - back];
    if (it === undefined || it.kind !== "word") return false;
    if (means(it, "not", "instead", "except")) return true;
    if (it.text === "of" && words[index - back - 1]?.text === "instead") return true;
    const passes =
      means(it, "order", "orders", "number", "between", "of", "my") ||
      ["the", "for", "from", "on"].includes(it.text);
    if (!passes) return false;
  }
  return false;
}

/** "Die andere", "el otro", as a whole answer. */
function isOnlyOther(words: readonly Word[]): boolean {
  const told = words.filter(({ kind }) => kind === "word");
  return (
    told.length <= 4 &&
    told.length === words.filter(({ kind }) => kind !== "mark").length &&
    told.some((it) => means(it, "other")) &&
    told.every(
      (it) => it.sense.languages !== 0 && means(it, "other", "between", "please", "no", "not", "only"),
    )
  );
}

/** "Mi pedido de ayer", "die gestrige Bestellung", "the order I placed yesterday": not "my order arrived yesterday". */
function daysAgoIn(words: readonly Word[]): number | null {
  const said = saidIn(words);
  for (const [days, day] of (["today", "yesterday", "dayBefore"] as const).entries()) {
    if (!said.has(day)) continue;
    const at = words.findIndex((it) => means(it, day));
    const before = words[at - 1];
    const link = before !== undefined && means(before, "of", "between") ? words[at - 2] : before;
    const after = words[at + 1];
    const ofOrder = link !== undefined && means(link, "order", "placed");
    if (ofOrder || (after !== undefined && means(after, "order"))) return days;
    if (said.near(["placed"], [day], 1)) return days;
  }
  return null;
}

/** "the first one", "2nd", "number 3", "2", "the last one": a place in a list of `size`, from 0; or null. */
export function placeInList(words: readonly Word[], size: number): number | null {
  const content = words.filter(({ kind }) => kind === "word" || kind === "number");
  for (const [index, it] of content.entries()) {
    const { ordinal } = it.sense;
    const next = content[index + 1];
    if (ordinal === LAST && !(next !== undefined && means(next, "period"))) return size - 1;
    if (ordinal !== null && ordinal < Math.min(size, LAST)) return ordinal;
    const after = next?.text ?? "";
    const before = content[index - 1];
    const count = countOf(it);
    const counted = it.kind === "number" && count !== null && count >= 1 && count <= size;
    const numbered = before !== undefined && means(before, "number");
    if (counted && (["st", "nd", "rd", "th", "o", "a", "er", "ere", "e"].includes(after) || numbered)) {
      return count - 1;
    }
    if (counted && content.length <= 2) return count - 1;
  }
  return null;
}

/** "The second one", "el segundo": a place and nothing else. */
export function saysPlace(words: readonly Word[]): boolean {
  if (/ (?:first|second|third|fourth|fifth|last) (?:one|item|thing) /.test(phrase(words))) return true;
  const told = words.filter(({ kind }) => kind !== "mark");
  return (
    told.length <= LONGEST_PLACE_WORDS &&
    told.some(({ sense }) => sense.ordinal !== null) &&
    !told.some((it) => means(it, "period"))
  );
}
const LONGEST_PLACE_WORDS = 3;
