/** Likeness of training rows to rows of a test set: what is trained on must not be what is tested with. */
import { publicExamples } from "./examples.ts";
import { writtenExamples } from "./written.ts";

function gramsOf(text: string): Set<string> {
  const plain = text
    .toLowerCase()
    .replace(/\d/g, "0")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const grams = new Set<string>();
  for (let at = 0; at + 4 <= plain.length; at += 1) grams.add(plain.slice(at, at + 4));
  return grams;
}

/** Messages shorter than this are said by everybody in the same words ("where is my refund"). */
const SHORTEST_OWN_WORDS = 6;

/** The most alike pair of a training sentence and one of `texts` that has words of its own. */
export function closestTo(texts: readonly string[]): { similarity: number; training: string; test: string } {
  const tests = texts
    .filter((text) => text.split(/\s+/).length >= SHORTEST_OWN_WORDS)
    .map((text) => ({ text, grams: gramsOf(text) }));
  let best = { similarity: 0, training: "", test: "" };
  for (const { text } of [...writtenExamples(1, 8), ...publicExamples()]) {
    const grams = gramsOf(text);
    for (const test of tests) {
      const fewer = Math.min(grams.size, test.grams.size);
      const more = Math.max(grams.size, test.grams.size);
      if (fewer / more <= best.similarity) continue;
      let shared = 0;
      for (const gram of grams) if (test.grams.has(gram)) shared += 1;
      const similarity = shared / (grams.size + test.grams.size - shared);
      if (similarity > best.similarity) best = { similarity, training: text, test: test.text };
    }
  }
  return best;
}
