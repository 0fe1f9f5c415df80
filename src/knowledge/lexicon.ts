/**
 * How much a word says, and how alike two texts are by their letters. The weights come from a sample of the
 * tenant's own texts: a word that is in every text says nothing. Pure but for its own tables.
 */
import { keepingLatest } from "../kernel/latest.ts";
import { LIMITS } from "../kernel/limits.ts";
import { meaningOf } from "./glossary.ts";
import { fold, says, stem, wordsOf } from "./words.ts";

/** Features of short texts: words, pairs of words, pieces of three to five letters; hashed into this many. */
const BUCKETS = 1 << 18;

export interface Lexicon {
  /** Counts the words of one more text. */
  learn(text: string): void;
  weightOf(word: string): number;
  /** 0..1: the share of the texts that have the word, in any of its forms. */
  shareOf(word: string): number;
  /** A text for comparing with others. */
  features(text: string): Features;
}

/** Sparse and of length 1: hashed feature → weight. */
export type Features = ReadonlyMap<number, number>;

export function createLexicon(): Lexicon {
  const seenIn = new Uint16Array(BUCKETS);
  const wordsIn = new Map<string, number>();
  let texts = 0;
  const rarity = (count: number): number => Math.log((texts + 1) / (count + 1) + 1);
  const freshFeatures = (text: string): Features => {
    const counts = new Map<number, number>();
    for (const feature of hashesOf(text)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    let square = 0;
    for (const [feature, count] of counts) {
      const weight = Math.sqrt(count) * rarity(seenIn[feature] ?? 0);
      counts.set(feature, weight);
      square += weight * weight;
    }
    const length = Math.sqrt(square) || 1;
    for (const [feature, weight] of counts) counts.set(feature, weight / length);
    return counts;
  };
  // The questions of a document come up again and again; what is learned weighs them anew.
  const keepFeatures = () => keepingLatest(freshFeatures, LIMITS.keptFeatures);
  let features = keepFeatures();
  return {
    learn(text) {
      features = keepFeatures();
      texts += 1;
      for (const feature of new Set(hashesOf(text)))
        seenIn[feature] = Math.min(65_535, (seenIn[feature] ?? 0) + 1);
      for (const word of new Set(wordsOf(text).map(keyOf))) wordsIn.set(word, (wordsIn.get(word) ?? 0) + 1);
    },
    weightOf: (word) => rarity(wordsIn.get(keyOf(word)) ?? 0),
    shareOf: (word) => (texts === 0 ? 0 : (wordsIn.get(keyOf(word)) ?? 0) / texts),
    features: (text) => features(text),
  };
}

/** 0..1: the cosine of two texts' features. */
export function likeness(a: Features, b: Features): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [feature, weight] of small) sum += weight * (large.get(feature) ?? 0);
  return sum;
}

/** What a word is compared by: its meaning where the glossary knows one, else its stem. Kept for the words of late. */
export const keyOf = keepingLatest((word) => meaningOf(word) ?? stem(word), LIMITS.keptWordKeys);

export interface Coverage {
  /** 0..1: the share of what the question says that the text says too, by weight. */
  readonly share: number;
  /** Words of the question that the text does not have, heaviest first. */
  readonly missing: readonly string[];
}

/** A question's words that say something: what each is compared by, and what it weighs. */
export type Asked = readonly { readonly key: string; readonly word: string; readonly weight: number }[];

export function askedOf(lexicon: Lexicon, question: string): Asked {
  const words = new Map(
    wordsOf(question)
      .filter(says)
      .map((word) => [keyOf(word), word]),
  );
  return [...words].map(([key, word]) => ({ key, word, weight: lexicon.weightOf(word) }));
}

/** `texts`: the keys of everything that counts as the text. */
export function coverage(asked: Asked, texts: readonly ReadonlySet<string>[]): Coverage {
  let whole = 0;
  let found = 0;
  const missing: { word: string; weight: number }[] = [];
  for (const { key, word, weight } of asked) {
    whole += weight;
    if (texts.some((text) => text.has(key))) found += weight;
    else missing.push({ word, weight });
  }
  return {
    share: whole === 0 ? 0 : found / whole,
    missing: missing.sort((a, b) => b.weight - a.weight).map(({ word }) => word),
  };
}

/** The keys of a text's words. Kept for the texts that were asked for last: passages do not change. */
export const keysOf: (text: string) => ReadonlySet<string> = keepingLatest(
  (text) => new Set(wordsOf(text).map(keyOf)),
  LIMITS.keptWordSets,
);

function hashesOf(text: string): number[] {
  const words =
    fold(text)
      .replace(/\d/g, "0")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const hashes: number[] = [];
  let before = 0;
  for (const word of words) {
    const hash = hashOf(word, 0, word.length, 1);
    hashes.push(hash % BUCKETS);
    if (before !== 0) hashes.push(((Math.imul(before, 31) + hash) >>> 0) & (BUCKETS - 1));
    before = hash;
  }
  const line = ` ${words.join(" ")} `;
  for (let length = 3; length <= 5; length += 1) {
    for (let at = 0; at + length <= line.length; at += 1) {
      hashes.push(hashOf(line, at, at + length, 7) % BUCKETS);
    }
  }
  return hashes;
}

/** FNV-1a over a piece of a text, without making the piece. */
function hashOf(text: string, from: number, to: number, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The question with every word of another language put into English: for finding, not for reading. */
export function gloss(question: string): string {
  return wordsOf(question)
    .map((word) => meaningOf(word) ?? (says(word) ? word : ""))
    .filter((word) => word !== "")
    .join(" ");
}
