/**
 * Which items of an order a message speaks of, and how many: "the jacket", "both pairs of socks",
 * "uno de los calcetines", "alles außer der Jacke", "2x mug". Titles are matched by their words, up to
 * number and one slip, and by the products that their words name in any language; nothing is ever read
 * into a title.
 */
import type { LineItemView } from "../../tools/views.ts";
import { isExcluded, isExcludedAfter } from "./item-exclusions.ts";
import type { Meaning } from "./lexicon/lexicon.ts";
import { saidIn } from "./said.ts";
import { isPlural, similarWord, singular } from "./spelling.ts";
import { countOf, means, phrase, readWords, type Word } from "./words.ts";

export type Quantity =
  | { readonly kind: "count"; readonly count: number }
  /** "all", "the socks". */
  | { readonly kind: "every" }
  /** Two, which may be all there are. */
  | { readonly kind: "both" }
  /** "the mug". */
  | { readonly kind: "unsaid" };

export interface ItemMention {
  /** Lines it can mean; more than one when the words fit several equally well. */
  readonly lineItemIds: readonly string[];
  readonly quantity: Quantity;
  /** "except the jacket", "not the jacket", "keep the jacket". */
  readonly excluded: boolean;
}

export interface ItemsSaid {
  /** "everything", "the whole order". */
  readonly whole: boolean;
  readonly mentions: readonly ItemMention[];
  /** "also the socks", "the socks too". */
  readonly also: boolean;
  /** A count that stands alone: "just one pair", "both". */
  readonly loose: Quantity | null;
  /** Indices of the words that were read as items or counts. */
  readonly at: ReadonlySet<number>;
}

const EMPTY_TITLE_WORDS = new Set("the and for with from of in by a an to your my pair set pack".split(" "));
/** Words of requests: a title that has one of them is found by its others. */
const REQUEST_WORDS = new Set(
  "return refund order item items money package parcel delivery tracking status one two all both every only last first new please good great help gift card".split(
    " ",
  ),
);

/** Said of requests in any language: no title is found by them alone. */
const REQUEST_MEANINGS: readonly Meaning[] = [
  "order",
  "orders",
  "money",
  "refund",
  "refunded",
  "return",
  "giveBack",
  "track",
  "status",
  "every",
  "both",
  "only",
  "whole",
  "one",
  "please",
  "not",
  "and",
  "between",
];

const isRequestWord = (it: Word): boolean =>
  REQUEST_WORDS.has(it.text) || (means(it, ...REQUEST_MEANINGS) && it.sense.products.length === 0);

interface TitleWords {
  readonly lineItemId: string;
  /** The words by which the title is found. */
  readonly words: readonly Word[];
  /** All of its words in order. */
  readonly all: readonly Word[];
}

/** A title is read once for each view of its line; it is the costly part of a long list of orders. */
const READ_TITLES = new WeakMap<LineItemView, TitleWords>();

function titleWords(line: LineItemView): TitleWords {
  const known = READ_TITLES.get(line);
  if (known !== undefined) return known;
  const all = readWords(line.title).filter(({ kind }) => kind === "word");
  const telling = all.filter(
    (it) => it.text.length > 2 && !EMPTY_TITLE_WORDS.has(it.text) && !isRequestWord(it),
  );
  const words = telling.length > 0 ? telling : all.filter(({ text }) => text.length > 1);
  const title = { lineItemId: line.lineItemId, words, all };
  READ_TITLES.set(line, title);
  return title;
}

/** The same word, or words of two languages for one product. */
function isSameThing(title: Word, said: Word, same: (a: string, b: string) => boolean): boolean {
  if (title.sense.products.some((product) => said.sense.products.includes(product))) return true;
  // A word that only another language has is another word, however alike.
  const apart =
    title.sense.languages !== 0 &&
    said.sense.languages !== 0 &&
    (title.sense.languages & said.sense.languages) === 0;
  return !apart && same(title.text, said.text);
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly lineItemIds: readonly string[];
  readonly plural: boolean;
}

/** Reads items out of `words` against the lines of one order. `taken` are words read as something else. */
export function itemsSaid(
  words: readonly Word[],
  lines: readonly LineItemView[],
  taken: ReadonlySet<number> = new Set(),
): ItemsSaid {
  const titles = lines.map(titleWords);
  const groups = groupsIn(words, titles);
  const at = new Set<number>();
  const starts = new Set(groups.map(({ start }) => start));
  const mentions = groups.map((group): ItemMention => {
    for (let index = group.start; index <= group.end; index += 1) at.add(index);
    return {
      lineItemIds: group.lineItemIds,
      quantity: quantityOf(words, group, taken, at),
      excluded: isExcluded(words, group.start) || isExcludedAfter(words, group.end, starts),
    };
  });
  return { ...saidOfAll(words), mentions, loose: looseCount(words, at, taken), at };
}

/** "the socks too", but not "too small". */
const ALSO = / (?:also|as well|add|in addition|plus|additionally|too(?: please)?(?: [.,!?\n]| $)) ?/;
const WHOLE =
  / (?:everything|every item|(?:whole|entire|complete|full|total) (?:order|thing|lot|amount|refund|purchase|sum|price)|the lot|all (?:of )?(?:it|them|this|that|items|my items|the items|the things|the stuff|my stuff|my order|the order|of my order)|it all|them all|(?:refund|return|send back|just|want) all(?: please)?|in full|refund fully|fully refund(?:ed)?) |^ (?:all|all please|just all)(?: [.!])? $/;
const NOT_WHOLE = / not (?:everything|all|the (?:whole|entire|full)|in full)/;

const SAID_OF_ALL = new WeakMap<readonly Word[], Pick<ItemsSaid, "whole" | "also">>();

/** What does not depend on the order: read once, however many orders the words are held against. */
function saidOfAll(words: readonly Word[]): Pick<ItemsSaid, "whole" | "also"> {
  const known = SAID_OF_ALL.get(words);
  if (known !== undefined) return known;
  const text = phrase(words);
  const heard = saidIn(words);
  const said = {
    whole:
      (WHOLE.test(text) || saysWhole(words)) && !NOT_WHOLE.test(text) && !heard.before(["not"], ["whole"], 0),
    also: ALSO.test(text) || heard.has("also"),
  };
  SAID_OF_ALL.set(words, said);
  return said;
}

/** "Alles", "todo el pedido"; "alle", "todos" only as an answer of their own. */
function saysWhole(words: readonly Word[]): boolean {
  if (saidIn(words).has("whole")) return true;
  const told = words.filter(({ kind }) => kind === "word");
  return (
    told.length <= 3 &&
    told.some((it) => means(it, "every")) &&
    told.every((it) => means(it, "every", "please", "between"))
  );
}

/** Neighbouring words that fit titles, each with the lines that they fit best. */
function groupsIn(words: readonly Word[], titles: readonly TitleWords[]): Group[] {
  const cache = new Map<string, readonly number[]>();
  const linesFor = (it: Word | undefined): readonly number[] => {
    if (it === undefined || it.kind !== "word") return [];
    const key = `${it.text} ${it.sense.languages} ${it.sense.products.length}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const fits = isRequestWord(it) || EMPTY_TITLE_WORDS.has(it.text) ? [] : fitting(it, titles);
    cache.set(key, fits);
    return fits;
  };
  const groups: Group[] = [];
  for (let start = 0; start < words.length; ) {
    let end = start;
    while (end < words.length && linesFor(words[end]).length > 0) end += 1;
    if (end === start) {
      start += 1;
      continue;
    }
    let from = start;
    while (from < end) {
      const best = bestRun(words, from, end, linesFor);
      const last = words[best.end - 1];
      const lines = last === undefined ? best.lines : byHeadNoun(best.lines, last, titles);
      groups.push({
        start: titleStart(words, from, lines, titles),
        end: best.end - 1,
        lineItemIds: lines.flatMap((index) => titles[index]?.lineItemId ?? []),
        plural: words.slice(from, best.end).some(saysSeveral),
      });
      from = best.end;
    }
    start = end;
  }
  return groups;
}

/** Of a product word its lexicon says; of another the last letter, as English has it. */
const saysSeveral = ({ sense, text }: Word): boolean =>
  sense.products.length > 0 && sense.plural !== null ? sense.plural : isPlural(text);

function fitting(said: Word, titles: readonly TitleWords[]): number[] {
  const pick = (same: (a: string, b: string) => boolean) =>
    titles.flatMap(({ words }, index) =>
      words.some((title) => isSameThing(title, said, same)) ? [index] : [],
    );
  const exact = pick((title, word) => singular(title) === singular(word));
  return exact.length > 0 ? exact : pick(similarWord);
}

/** The longest run from `from` whose words all fit the same line. */
function bestRun(
  words: readonly Word[],
  from: number,
  to: number,
  linesFor: (it: Word | undefined) => readonly number[],
): { end: number; lines: readonly number[] } {
  let lines = linesFor(words[from]);
  let end = from + 1;
  while (end < to) {
    const next = linesFor(words[end]);
    const both = lines.filter((line) => next.includes(line));
    if (both.length === 0) break;
    lines = both;
    end += 1;
  }
  return { end, lines };
}

/** "the headphones" are the studio headphones, not the headphone cable: a title is named by its last word. */
function byHeadNoun(lines: readonly number[], last: Word, titles: readonly TitleWords[]): readonly number[] {
  if (lines.length < 2) return lines;
  const named = lines.filter((index) => {
    const head = titles[index]?.words.at(-1);
    return head !== undefined && isSameThing(head, last, similarWord);
  });
  return named.length > 0 ? named : lines;
}

/** The "two" of "the two person tent" is no count when the title begins so. */
function titleStart(
  words: readonly Word[],
  from: number,
  [only, ...more]: readonly number[],
  titles: readonly TitleWords[],
): number {
  const title = only === undefined || more.length > 0 ? [] : (titles[only]?.all ?? []);
  let at = title.findIndex(({ text }) => similarWord(text, words[from]?.text ?? ""));
  let start = from;
  while (at > 0 && words[start - 1]?.text === title[at - 1]?.text) {
    at -= 1;
    start -= 1;
  }
  return start;
}

function quantityOf(
  words: readonly Word[],
  group: Group,
  taken: ReadonlySet<number>,
  at: Set<number>,
): Quantity {
  const after = words[group.end + 1];
  const afterNext = words[group.end + 2];
  const times = after?.text === "x" && afterNext !== undefined ? countOf(afterNext) : null;
  if (times !== null && !taken.has(group.end + 2)) {
    at.add(group.end + 2);
    return { kind: "count", count: times };
  }
  let pair: "none" | "one" | "many" = "none";
  for (let back = 1; back <= 6; back += 1) {
    const index = group.start - back;
    const it = words[index];
    if (it === undefined || taken.has(index)) break;
    const count = countOf(it);
    if (count !== null) {
      at.add(index);
      return { kind: "count", count };
    }
    if (means(it, "every", "both")) {
      at.add(index);
      return { kind: means(it, "both") ? "both" : "every" };
    }
    if (means(it, "one")) {
      at.add(index);
      return { kind: "count", count: 1 };
    }
    if (means(it, "pair")) pair = "one";
    else if (means(it, "pairs")) pair = "many";
    else if (!means(it, "between")) break;
  }
  if (pair === "one") return { kind: "count", count: 1 };
  return pair === "many" || group.plural ? { kind: "every" } : { kind: "unsaid" };
}

const ONE_OF_A_KIND = new Set(
  "the that this which other first second third last latest newest oldest another any no every each".split(
    " ",
  ),
);

/** "just one pair", "both", "2 please": a count that belongs to no item and no other number. */
function looseCount(
  words: readonly Word[],
  at: ReadonlySet<number>,
  taken: ReadonlySet<number>,
): Quantity | null {
  for (const [index, it] of words.entries()) {
    if (at.has(index) || taken.has(index)) continue;
    const before = words[index - 1];
    const after = words[index + 1];
    if (means(it, "both")) return { kind: "both" };
    const count = countOf(it);
    if (count !== null && count > 0) {
      if (ONE_OF_A_KIND.has(before?.text ?? "") && it.kind === "word") continue;
      if (before?.kind === "currency" || after?.kind === "currency") continue;
      const unit =
        after === undefined ||
        after.kind === "mark" ||
        LOOSE_AFTER.has(after.text) ||
        means(after, "pair", "pairs", "please", "thanks", "only") ||
        (means(after, "between") && !means(it, "one"));
      const led =
        before === undefined ||
        before.kind === "mark" ||
        LOOSE_BEFORE.has(before.text) ||
        means(before, "only", "yes", "no", "please", "keep", "refund", "return", "want");
      if (unit && led) return { kind: "count", count };
    }
    if (means(it, "one") && after !== undefined && (means(after, "pair") || after.text === "single"))
      return { kind: "count", count: 1 };
  }
  return null;
}
const LOOSE_AFTER = new Set(
  "pair pairs of unit units piece pieces item items x only please is thanks them those these".split(" "),
);
const LOOSE_BEFORE = new Set(
  "just only refund return want make keep no yes please all actually x for about".split(" "),
);
