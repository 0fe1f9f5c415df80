/**
 * An embedding model without a model: hashed words and pieces of words, projected onto few dimensions by
 * signs. It knows no synonyms, but starts at once, fits every language, and is what the sentence encoder is
 * measured against. Deterministic.
 */
import { meaningOf } from "../glossary.ts";
import { fold, says, wordsOf } from "../words.ts";
import type { Embedder } from "./embedder.ts";

export function createHashedEmbedder(dimension: number = 256): Embedder {
  const embed = (text: string): Float32Array => {
    const vector = new Float32Array(dimension);
    const add = (feature: string, weight: number): void => {
      let hash = 0x811c9dc5;
      for (let at = 0; at < feature.length; at += 1)
        hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
      // Several signed places a feature: collisions even out.
      for (let place = 0; place < 4; place += 1) {
        hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) + place;
        const index = (hash >>> 8) % dimension;
        vector[index] = (vector[index] ?? 0) + (hash & 1 ? weight : -weight);
      }
    };
    for (const word of wordsOf(text)) {
      add(meaningOf(word) ?? word, says(word) ? 3 : 0.5);
    }
    const line = ` ${fold(text)
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()} `;
    for (let at = 0; at + 4 <= line.length; at += 1) add(line.slice(at, at + 4), 0.5);
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  };
  return {
    model: "hashed-features@1",
    dimension,
    embedQuery: async (text) => embed(text),
    embedTexts: async (texts) => texts.map(embed),
    rest: async () => {},
  };
}
