/**
 * A message as hashed features: word 1- and 2-grams, character 3- to 5-grams, concepts with their
 * neighbours, and what the surface shows (question mark, shouting, length). One linear pass; no text and
 * no vocabulary are kept, so weights over these features hold no text either.
 */
import { conceptsIn } from "./concepts.ts";
import { fold } from "./words.ts";

/** Buckets of the hash: a power of two. */
export const BUCKETS = 1 << 17;
/** What a message says in its first kilobyte decides; more would only cost time. */
const LONGEST_READ_CHARS = 1_000;
const MOST_CONCEPTS = 40;
/** Concepts are few and mean much: each weighs as much as this many plain n-grams. */
const CONCEPT_WEIGHT = 2.5;
/** Characters are many and overlap: each weighs less. */
const CHARS_WEIGHT = 0.5;

export interface Features {
  /** Buckets, each once. */
  readonly at: Uint32Array;
  /** The weight of each, L2-normalised. */
  readonly value: Float32Array;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const bucketOf = (hash: number): number => {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 13)) >>> 0) & (BUCKETS - 1);
};

function hashOf(text: string, kind: number): number {
  let hash = FNV_OFFSET ^ kind;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return bucketOf(hash);
}

const KIND = {
  word: 1,
  pair: 2,
  chars: 3,
  concept: 4,
  conceptPair: 5,
  near: 6,
  surface: 7,
  accent: 8,
} as const;
const DIACRITICS = /[\u0300-\u036f]/g;

/** Lower case, digits as 0, without diacritics, with single spaces around words. */
export function normalised(text: string): string {
  return ` ${fold(text.slice(0, LONGEST_READ_CHARS))
    .normalize("NFD")
    .replace(DIACRITICS, "")
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/\d/g, "0")
    .replace(/'/g, "")
    .replace(/[^\p{L}\p{N}?!#$€£.,:;%/@\p{Extended_Pictographic}-]+/gu, " ")
    .trim()} `;
}

const WORD = /[\p{L}]+|0[0-9a-z/.,-]*|[?!]|\p{Extended_Pictographic}/gu;

// Scratch memory: reading is synchronous, so one table serves every message.
const counts = new Float32Array(BUCKETS);
const touched = new Uint32Array(BUCKETS);

export function featuresOf(text: string): Features {
  let used = 0;
  const add = (bucket: number, weight: number): void => {
    if (counts[bucket] === 0) touched[used++] = bucket;
    counts[bucket] = (counts[bucket] ?? 0) + weight;
  };
  const say = (name: string, kind: number, weight: number): void => add(hashOf(name, kind), weight);

  const plain = normalised(text);
  const words = plain.match(WORD) ?? [];
  for (const [index, word] of words.entries()) {
    const calm = word.startsWith("0") ? "0" : word;
    say(calm, KIND.word, 1);
    const next = words[index + 1];
    if (next !== undefined) say(`${calm} ${next.startsWith("0") ? "0" : next}`, KIND.pair, 1);
  }
  // The 3-, 4- and 5-gram of a place share their beginning, so one running hash serves all three.
  for (let start = 0; start < plain.length - 2; start += 1) {
    const end = Math.min(plain.length, start + 5);
    let hash = FNV_OFFSET ^ KIND.chars;
    for (let index = start; index < end; index += 1) {
      hash = Math.imul(hash ^ plain.charCodeAt(index), FNV_PRIME);
      if (index >= start + 2) add(bucketOf(hash), CHARS_WEIGHT);
    }
  }
  const concepts = conceptsIn(words).slice(0, MOST_CONCEPTS);
  for (const [index, concept] of concepts.entries()) {
    say(concept, KIND.concept, CONCEPT_WEIGHT);
    const next = concepts[index + 1];
    if (next !== undefined && next !== concept) say(`${concept}>${next}`, KIND.conceptPair, CONCEPT_WEIGHT);
    for (let ahead = index + 1; ahead < Math.min(concepts.length, index + 6); ahead += 1) {
      const other = concepts[ahead] ?? concept;
      if (other !== concept)
        say(concept < other ? `${concept}~${other}` : `${other}~${concept}`, KIND.near, 1);
    }
  }
  say(`first ${concepts[0] ?? "none"}`, KIND.surface, 1);
  for (const name of surfaceOf(text, words)) say(name, KIND.surface, 1);
  for (const letter of text
    .slice(0, LONGEST_READ_CHARS)
    .toLowerCase()
    .match(/[ñß¿¡äöüàâçèéêëîïôùûãõáíóúìòœ]/gu) ?? []) {
    say(letter, KIND.accent, 1);
  }

  const at = touched.slice(0, used);
  const value = new Float32Array(used);
  let squares = 0;
  for (let index = 0; index < used; index += 1) {
    const bucket = at[index] ?? 0;
    const count = Math.sqrt(counts[bucket] ?? 0);
    counts[bucket] = 0;
    value[index] = count;
    squares += count * count;
  }
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let index = 0; index < used; index += 1) value[index] = (value[index] ?? 0) * scale;
  return { at, value };
}

function surfaceOf(text: string, words: readonly string[]): string[] {
  const names: string[] = [];
  const length = words.length;
  names.push(
    length <= 2 ? "tiny" : length <= 5 ? "short" : length <= 12 ? "medium" : length <= 30 ? "long" : "huge",
  );
  if (text.includes("?")) names.push("asks");
  if (text.includes("!")) names.push(/!\s*!/.test(text) ? "shouts" : "exclaims");
  if (text.includes("...") || text.includes("…")) names.push("dots");
  const capitals = text.match(/\b[A-Z]{3,}\b/g)?.length ?? 0;
  if (capitals >= 2) names.push("capitals");
  if (/\d/.test(text)) names.push("digits");
  if (/[:;]-?\)|😀|😊|🙂|👍|❤|😍|🎉/u.test(text)) names.push("smiles");
  if (/:-?\(|😡|🤬|😠|👎|🙄|😤|💔/u.test(text)) names.push("frowns");
  return names;
}
