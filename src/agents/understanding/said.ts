/** What a stretch of words says: which meanings it has and where, for rules that hold in every language. */
import { anyOf } from "../../safety/reading.ts";
import type { Meaning, Rule } from "./lexicon/lexicon.ts";
import { LEXICONS } from "./lexicon/lexicons.ts";
import { ENGLISH } from "./vocabulary.ts";
import { phrase, type Word } from "./words.ts";

export interface Said {
  /** True when any of these is said. */
  readonly has: (...any: readonly Meaning[]) => boolean;
  readonly all: (...every: readonly Meaning[]) => boolean;
  /** One of `a`, then one of `b` with at most `gap` words between them. */
  readonly before: (a: readonly Meaning[], b: readonly Meaning[], gap: number) => boolean;
  /** The same in either order. */
  readonly near: (a: readonly Meaning[], b: readonly Meaning[], gap: number) => boolean;
  /** Said among the first words. */
  readonly early: (meaning: Meaning, words: number) => boolean;
  /** Ends in a question mark somewhere. */
  readonly asks: boolean;
}

/** By language and rule, its patterns as one: a dozen rules are asked of each piece of a message. */
const OUTRIGHT = LEXICONS.map(
  ({ patterns }) =>
    new Map(Object.entries(patterns).map(([rule, its]) => [rule as Rule, anyOf(its, its[0]?.flags ?? "")])),
);

const KNOWN = new WeakMap<readonly Word[], Said>();

export function saidIn(words: readonly Word[]): Said {
  const known = KNOWN.get(words);
  if (known !== undefined) return known;
  const places = new Map<Meaning, number[]>();
  // Marks take no place ("the order, which …" is near), and a phrase takes one.
  let at = 0;
  for (const { kind, sense } of words) {
    if (kind === "mark" || kind === "emoji" || sense.isContinued) continue;
    for (const meaning of sense.meanings) {
      const list = places.get(meaning);
      if (list === undefined) places.set(meaning, [at]);
      else list.push(at);
    }
    at += 1;
  }
  const placesOf = (any: readonly Meaning[]) => any.flatMap((meaning) => places.get(meaning) ?? []);
  const apart = (a: readonly Meaning[], b: readonly Meaning[], holds: (distance: number) => boolean) => {
    const second = placesOf(b);
    return second.length > 0 && placesOf(a).some((first) => second.some((other) => holds(other - first)));
  };
  const said: Said = {
    has: (...any) => any.some((meaning) => places.has(meaning)),
    all: (...every) => every.every((meaning) => places.has(meaning)),
    before: (a, b, gap) => apart(a, b, (distance) => distance > 0 && distance <= gap + 1),
    near: (a, b, gap) => apart(a, b, (distance) => distance !== 0 && Math.abs(distance) <= gap + 1),
    early: (meaning, words) => (places.get(meaning)?.[0] ?? words) < words,
    asks: words.some(({ text }) => text === "?"),
  };
  KNOWN.set(words, said);
  return said;
}

/**
 * True when a sentence of some language says this outright: patterns of the languages that the words are
 * read in. English is read in every message, for its sentences were here first and know more.
 */
export function saysOutright(
  rule: Rule,
  words: readonly Word[],
  textOf: (words: readonly Word[]) => string = phrase,
): boolean {
  if (!words.some(({ kind }) => kind === "word")) return false;
  const text = textOf(words);
  const read = languagesIn(words) | ENGLISH;
  return OUTRIGHT.some((rules, index) => (read & (1 << index)) !== 0 && rules.get(rule)?.test(text));
}

/** The languages that any of the words were read in; all where none was. */
function languagesIn(words: readonly Word[]): number {
  return words.reduce((bits, { sense }) => bits | sense.languages, 0) || ~0;
}
