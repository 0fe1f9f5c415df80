/**
 * What a question's words ask of the text search. A word that stands in every third passage finds every third
 * passage: rare words are looked for alone, common ones only together, so that what has to be ranked stays bounded.
 * Pure.
 */
import { LIMITS } from "../kernel/limits.ts";

export interface SearchedWord {
  /** Letters and digits only. */
  readonly word: string;
  /** 0..1: the share of the tenant's texts that have it, estimated from a sample. */
  readonly share: number;
}

/** Common words that are paired with each other. */
const PAIRED = 4;

/** The text of a `tsquery`, or null without words. `texts`: how many the tenant has. */
export function textQuery(words: readonly SearchedWord[], texts: number): string | null {
  const rarest = [...words].sort((a, b) => a.share - b.share);
  const terms: string[] = [];
  const common: SearchedWord[] = [];
  let expected = 0;
  for (const each of rarest) {
    const more = each.share * texts;
    if (expected + more <= LIMITS.textMatches) {
      terms.push(quoted(each));
      expected += more;
    } else common.push(each);
  }
  const paired = common.slice(0, PAIRED);
  for (const [index, a] of paired.entries()) {
    for (const b of paired.slice(index + 1)) terms.push(`(${quoted(a)} & ${quoted(b)})`);
  }
  // A question of one common word: some of its texts, in no order that means anything.
  if (terms.length === 0) terms.push(...paired.map(quoted));
  return terms.length === 0 ? null : terms.join(" | ");
}

const quoted = ({ word }: SearchedWord): string => `'${word}'`;
