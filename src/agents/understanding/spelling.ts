/** Small tolerance for how people type: one slip of the finger in a longer word, singular and plural. */

/**
 * True when one insertion, deletion, substitution or swap of neighbours turns `a` into `b`.
 * Linear in the length of the words: it compares what is left between common start and common end.
 */
export function withinOneEdit(a: string, b: string): boolean {
  if (a === b) return true;
  const difference = a.length - b.length;
  if (difference > 1 || difference < -1) return false;
  let start = 0;
  const shortest = Math.min(a.length, b.length);
  while (start < shortest && a[start] === b[start]) start += 1;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const leftA = a.slice(start, endA);
  const leftB = b.slice(start, endB);
  if (leftA.length <= 1 && leftB.length <= 1) return true;
  return leftA.length === 2 && leftB.length === 2 && leftA[0] === leftB[1] && leftA[1] === leftB[0];
}

/** Below this length one edit makes another word, not a typo. */
const SHORTEST_TYPO = 5;

/** Same word up to number and, in words of five letters or more, one slip. */
export function similarWord(a: string, b: string): boolean {
  if (a === b) return true;
  const singularA = singular(a);
  const singularB = singular(b);
  if (singularA === singularB) return true;
  if (a.length < SHORTEST_TYPO || b.length < SHORTEST_TYPO) return false;
  return withinOneEdit(a, b) || withinOneEdit(singularA, singularB);
}

/** A rough singular of an English noun; both sides of a comparison go through it. */
export function singular(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

export const isPlural = (word: string): boolean => singular(word) !== word;
