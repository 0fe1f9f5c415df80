/**
 * Which items of an order a message speaks of, and how many: "the jacket", "both pairs of socks",
 * "one of the socks", "everything except the jacket", "2x mug". Titles are matched by their words, up to
 * number and one slip; nothing is ever read into a title.
 */
import type { LineItemView } from "../../tools/views.ts";
import { isPlural, similarWord, singular } from "./spelling.ts";
import { countOf, phrase, readWords, type Word } from "./words.ts";

export type Quantity =
  | { readonly kind: "count"; readonly count: number }
  /** "both", "all", "the socks". */
  | { readonly kind: "every" }
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

interface TitleWords {
  readonly lineItemId: string;
  /** The words by which the title is found. */
  readonly words: readonly string[];
  /** All of its words in order. */
  readonly all: readonly string[];
}

/** A title is read once for each view of its line; it is the costly part of a long list of orders. */
const READ_TITLES = new WeakMap<LineItemView, TitleWords>();

function titleWords(line: LineItemView): TitleWords {
  const known = READ_TITLES.get(line);
  if (known !== undefined) return known;
  const all = readWords(line.title).flatMap(({ kind, text }) => (kind === "word" ? [text] : []));
  const telling = all.filter(
    (text) => text.length > 2 && !EMPTY_TITLE_WORDS.has(text) && !REQUEST_WORDS.has(text),
  );
  const words = telling.length > 0 ? telling : all.filter((text) => text.length > 1);
  const title = { lineItemId: line.lineItemId, words, all };
  READ_TITLES.set(line, title);
  return title;
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
  const mentions = groups.map((group): ItemMention => {
    for (let index = group.start; index <= group.end; index += 1) at.add(index);
    return {
      lineItemIds: group.lineItemIds,
      quantity: quantityOf(words, group, taken, at),
      excluded: isExcluded(words, group.start),
    };
  });
  const text = phrase(words);
  return {
    whole: WHOLE.test(text) && !NOT_WHOLE.test(text),
    mentions,
    also: ALSO.test(text),
    loose: looseCount(words, at, taken),
    at,
  };
}

/** "the socks too", but not "too small". */
const ALSO = / (?:also|as well|add|in addition|plus|additionally|too(?: please)?(?: [.,!?\n]| $)) ?/;
const WHOLE =
  / (?:everything|every item|(?:whole|entire|complete|full|total) (?:order|thing|lot|amount|refund|purchase|sum|price)|the lot|all (?:of )?(?:it|them|this|that|items|my items|the items|the things|the stuff|my stuff|my order|the order|of my order)|it all|them all|(?:refund|return|send back|just|want) all(?: please)?|in full|refund fully|fully refund(?:ed)?) |^ (?:all|all please|just all)(?: [.!])? $/;
const NOT_WHOLE = / not (?:everything|all|the (?:whole|entire|full)|in full)/;

/** Neighbouring words that fit titles, each with the lines that they fit best. */
function groupsIn(words: readonly Word[], titles: readonly TitleWords[]): Group[] {
  const cache = new Map<string, readonly number[]>();
  const linesFor = (text: string): readonly number[] => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const fits = REQUEST_WORDS.has(text) || EMPTY_TITLE_WORDS.has(text) ? [] : fitting(text, titles);
    cache.set(text, fits);
    return fits;
  };
  const groups: Group[] = [];
  for (let start = 0; start < words.length; ) {
    let end = start;
    while (end < words.length && words[end]?.kind === "word" && linesFor(words[end]?.text ?? "").length > 0)
      end += 1;
    if (end === start) {
      start += 1;
      continue;
    }
    let from = start;
    while (from < end) {
      const best = bestRun(words, from, end, linesFor);
      const lines = byHeadNoun(best.lines, words[best.end - 1]?.text ?? "", titles);
      groups.push({
        start: titleStart(words, from, lines, titles),
        end: best.end - 1,
        lineItemIds: lines.flatMap((index) => titles[index]?.lineItemId ?? []),
        plural: isPlural(words[best.end - 1]?.text ?? ""),
      });
      from = best.end;
    }
    start = end;
  }
  return groups;
}

function fitting(text: string, titles: readonly TitleWords[]): number[] {
  const pick = (fits: (title: string) => boolean) =>
    titles.flatMap(({ words }, index) => (words.some(fits) ? [index] : []));
  const exact = pick((title) => singular(title) === singular(text));
  return exact.length > 0 ? exact : pick((title) => similarWord(title, text));
}

/** The longest run from `from` whose words all fit the same line. */
function bestRun(
  words: readonly Word[],
  from: number,
  to: number,
  linesFor: (text: string) => readonly number[],
): { end: number; lines: readonly number[] } {
  let lines = linesFor(words[from]?.text ?? "");
  let end = from + 1;
  while (end < to) {
    const next = linesFor(words[end]?.text ?? "");
    const both = lines.filter((line) => next.includes(line));
    if (both.length === 0) break;
    lines = both;
    end += 1;
  }
  return { end, lines };
}

/** "the headphones" are the studio headphones, not the headphone cable: a title is named by its last word. */
function byHeadNoun(
  lines: readonly number[],
  last: string,
  titles: readonly TitleWords[],
): readonly number[] {
  if (lines.length < 2) return lines;
  const named = lines.filter((index) => similarWord(titles[index]?.words.at(-1) ?? "", last));
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
  let at = title.findIndex((text) => similarWord(text, words[from]?.text ?? ""));
  let start = from;
  while (at > 0 && words[start - 1]?.text === title[at - 1]) {
    at -= 1;
    start -= 1;
  }
  return start;
}

const BETWEEN = new Set(
  "of the my those these your this that pieces piece pcs pc x units unit new more".split(" "),
);
const EVERY = new Set("both all every each".split(" "));

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
    if (EVERY.has(it.text)) {
      at.add(index);
      return { kind: "every" };
    }
    if (it.text === "a" || it.text === "an" || it.text === "single" || it.text === "another") {
      at.add(index);
      return { kind: "count", count: 1 };
    }
    if (it.text === "pair") pair = "one";
    else if (it.text === "pairs") pair = "many";
    else if (!BETWEEN.has(it.text)) break;
  }
  if (pair === "one") return { kind: "count", count: 1 };
  return pair === "many" || group.plural ? { kind: "every" } : { kind: "unsaid" };
}

const FAR_EXCLUSIONS = new Set("except excluding without minus keep keeping".split(" "));
const POSITIVE = new Set("only just refund return send want need".split(" "));
/** After "not": what makes it say "this one not", unlike "I do not want the jacket any more". */
const NEGATED = new Set(
  "the my a those these that this both all refund return send include including for".split(" "),
);

function isExcluded(words: readonly Word[], start: number): boolean {
  let sameClause = true;
  for (let index = start - 1; index >= 0 && index >= start - 16; index -= 1) {
    const { text, kind } = words[index] ?? { text: "", kind: "mark" };
    const before = words[index - 1]?.text ?? "";
    if (kind === "mark" && /^[.!?;\n]$/.test(text)) return false;
    if (FAR_EXCLUSIONS.has(text)) return true;
    if ((text === "from" && before === "apart") || (text === "than" && before === "other")) return true;
    if (text === "out" && before === "leave") return true;
    if (text === "of" && before === "instead") return true;
    if (text === "not" && sameClause) {
      return index + 1 === start || NEGATED.has(words[index + 1]?.text ?? "");
    }
    if (POSITIVE.has(text)) return before === "not" && NEGATED.has(text);
    if (kind === "mark" || text === "but" || text === "and") sameClause = text === "and" && sameClause;
  }
  return false;
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
    if (it.text === "both") return { kind: "every" };
    const count = countOf(it);
    if (count !== null && count > 0) {
      if (ONE_OF_A_KIND.has(before?.text ?? "") && it.kind === "word") continue;
      if (before?.kind === "currency" || after?.kind === "currency") continue;
      const unit = after === undefined || after.kind === "mark" || LOOSE_AFTER.has(after.text);
      const led = before === undefined || before.kind === "mark" || LOOSE_BEFORE.has(before.text);
      if (unit && led) return { kind: "count", count };
    }
    if (it.text === "a" && (after?.text === "pair" || after?.text === "single"))
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
