/**
 * Whether a named item is one that is left out: "not the jacket", "alles außer der Jacke", "los calcetines me
 * los quedo". What is said before the item, and what languages with the verb at the end say after it.
 */
import type { Meaning } from "./lexicon/lexicon.ts";
import { endsSentence, means, type Word } from "./words.ts";

const ASKS: readonly Meaning[] = ["only", "refund", "return", "giveBack", "send", "want"];
/** After "not": what makes it say "this one not", unlike "I do not want the jacket any more". */
const NEGATED: readonly Meaning[] = [
  "between",
  "every",
  "both",
  "one",
  "my",
  "refund",
  "return",
  "giveBack",
  "send",
];
const NEGATED_WORDS = new Set("the a including include for".split(" "));
const LONGEST_EXCLUSION_WORDS = 16;

export function isExcluded(words: readonly Word[], start: number): boolean {
  let sameClause = true;
  for (let index = start - 1; index >= 0 && index >= start - LONGEST_EXCLUSION_WORDS; index -= 1) {
    const it = words[index];
    if (it === undefined || endsSentence(it)) return false;
    const before = words[index - 1];
    const afterNot = before !== undefined && means(before, "not");
    if (means(it, "except", "keep", "instead")) return true;
    if (means(it, "not") && sameClause) {
      // "Je ne veux pas la veste" is about the jacket, as "no quiero la chaqueta" is.
      if (before !== undefined && means(before, "want")) return false;
      const next = words[index + 1];
      return index + 1 === start || (next !== undefined && isNegatable(next));
    }
    if (means(it, ...ASKS)) return afterNot && isNegatable(it);
    if (it.kind === "mark" || means(it, "clause")) sameClause = means(it, "and") && sameClause;
  }
  return false;
}

const isNegatable = (it: Word): boolean => means(it, ...NEGATED) || NEGATED_WORDS.has(it.text);

/** "Die Socken nicht", "la chaqueta no", "die Jacke möchte ich behalten", "la veste, je la garde". */
export function isExcludedAfter(words: readonly Word[], end: number, starts: ReadonlySet<number>): boolean {
  const next = words[end + 1];
  const isOpen = (it: Word | undefined) =>
    it === undefined || it.kind === "mark" || means(it, "clause", "only");
  if (next !== undefined && means(next, "not") && !hasVerbBefore(words, end)) {
    const after = words[end + 2];
    if (isOpen(after) || (after !== undefined && means(after, "return", "refund", "giveBack", "send")))
      return true;
  }
  for (let index = end + 1; index < words.length && index <= end + MOST_WORDS_TO_KEEP; index += 1) {
    const it = words[index];
    if (it === undefined || endsSentence(it) || means(it, "clause", "not")) return false;
    if (starts.has(index)) return false;
    if (means(it, "keep")) return !isNamedAfter(index, starts);
  }
  return false;
}
const MOST_WORDS_TO_KEEP = 6;

/** "Refund the socks and keep the jacket": what is kept is named after the verb, and is not what stands before it. */
function isNamedAfter(verb: number, starts: ReadonlySet<number>): boolean {
  for (let index = verb + 1; index <= verb + MOST_WORDS_TO_KEEP; index += 1)
    if (starts.has(index)) return true;
  return false;
}

/** "Mir passt die Jacke nicht" says what is wrong with it, not that it stays. */
function hasVerbBefore(words: readonly Word[], end: number): boolean {
  for (let index = end; index >= 0; index -= 1) {
    const it = words[index];
    if (it === undefined || it.kind === "mark" || means(it, "clause")) return false;
    if (means(it, "fit", "works", "dislike", "want", "arrive", "have", "is")) return true;
  }
  return false;
}
