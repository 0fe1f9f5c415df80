/** Which orders a message speaks of: `#1042`, "order 1042", "1042", "my last order", "the other one". */
import { countOf, phrase, type Word } from "./words.ts";

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
  /** Indices of the words that were read as order numbers. */
  readonly at: ReadonlySet<number>;
}

const INTRODUCES = new Set("order orders no nr num ordernumber bestellung pedido commande".split(" "));
const JOINS = new Set("and or , & plus".split(" "));
const PAY_WORDS = new Set(
  "refund me back amount usd eur gbp jpy kwd dollars dollar euros euro pounds".split(" "),
);
const NOT_AN_ORDER = new Set(
  "size sku model phone tel zip code postcode plz since year january february march april may june july august september october november december".split(
    " ",
  ),
);
const LONGEST_ORDER_NUMBER = 12;

/** `known` are the numbers of the customer's own orders: a bare number is one only if it is among them. */
export function orderReferences(words: readonly Word[], known: ReadonlySet<string>): OrderReferences {
  const numbers: string[] = [];
  const perhaps: string[] = [];
  const excluded: string[] = [];
  const at = new Set<number>();
  words.forEach((it, index) => {
    if (it.kind !== "number" || !/^\d+$/.test(it.text) || it.text.length > LONGEST_ORDER_NUMBER) return;
    const before = words[index - 1];
    const after = words[index + 1];
    const money =
      before?.kind === "currency" || after?.kind === "currency" || PAY_WORDS.has(after?.text ?? "");
    const named = it.hash || isIntroduced(words, index) || isJoined(words, index, at);
    const own = known.has(it.text) && !money;
    if (named || own) {
      at.add(index);
      const list = isNegated(words, index) ? excluded : numbers;
      if (!list.includes(it.text)) list.push(it.text);
      return;
    }
    const bare = it.text.length >= 4 && it.text.length <= 8 && !money;
    if (bare && !NOT_AN_ORDER.has(before?.text ?? "")) perhaps.push(it.text);
  });
  const text = phrase(words);
  return {
    numbers: numbers.filter((number) => !excluded.includes(number)),
    perhaps,
    excluded,
    latest:
      / (?:latest|newest|most recent|last|recent|previous)(?: \S+)? (?:orders?|purchase|one|package|parcel|delivery|shipment) /.test(
        text,
      ) || / (?:latest|newest|most recent|just (?:ordered|bought|placed)) /.test(text),
    oldest: / (?:oldest|earliest|(?:my|very) first)(?: \S+)? (?:order|purchase|one) /.test(text),
    other: / (?:the|my) other (?:order|one|purchase|package|parcel) /.test(text),
    at,
  };
}

/** "order 1042", "order number 1042", "order number is 1042", "order: 1042". */
function isIntroduced(words: readonly Word[], index: number): boolean {
  for (let back = 1; back <= 3; back += 1) {
    const text = words[index - back]?.text ?? "";
    if (INTRODUCES.has(text)) {
      // "order 2 socks" counts, it does not name: order numbers have at least three digits.
      return (words[index]?.text.length ?? 0) >= 3;
    }
    if (text !== "number" && text !== "is" && text !== ":" && text !== "." && text !== "id") return false;
  }
  return false;
}

/** The second of "orders 1042 and 1043". */
function isJoined(words: readonly Word[], index: number, at: ReadonlySet<number>): boolean {
  const length = words[index]?.text.length ?? 0;
  return length >= 3 && JOINS.has(words[index - 1]?.text ?? "") && at.has(index - 2);
}

function isNegated(words: readonly Word[], index: number): boolean {
  for (let back = 1; back <= 5; back += 1) {
    const text = words[index - back]?.text ?? "";
    if (text === "not") return true;
    if (text === "of" && words[index - back - 1]?.text === "instead") return true;
    if (!INTRODUCES.has(text) && !["number", "the", "for", "from", "on", "my", "of"].includes(text))
      return false;
  }
  return false;
}

const ORDINALS = "first second third fourth fifth".split(" ");

/** "the first one", "2nd", "number 3", "2", "the last one": a place in a list of `size`, from 0; or null. */
export function placeInList(words: readonly Word[], size: number): number | null {
  const content = words.filter(({ kind }) => kind === "word" || kind === "number");
  for (const [index, it] of content.entries()) {
    const ordinal = ORDINALS.indexOf(it.text);
    if (ordinal >= 0 && ordinal < size) return ordinal;
    if (it.text === "last" && content[index + 1]?.text !== "week") return size - 1;
    const after = content[index + 1]?.text ?? "";
    const count = countOf(it);
    const counted = it.kind === "number" && count !== null && count >= 1 && count <= size;
    if (counted && (["st", "nd", "rd", "th"].includes(after) || content[index - 1]?.text === "number")) {
      return count - 1;
    }
    if (counted && content.length <= 2) return count - 1;
  }
  return null;
}
