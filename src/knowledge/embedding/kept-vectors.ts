/**
 * Vectors of the texts that every new deployment starts with, made beforehand: the first start embeds nothing, so the
 * encoder's thread need not run. A text is known by its hash; one that was changed is embedded as any other. The file
 * is written by `npm run vectors`. Pure.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Embedder } from "./embedder.ts";

export interface KeptVectors {
  readonly model: string;
  readonly dimension: number;
  /** By {@link hashOf} of the text. */
  readonly vectors: ReadonlyMap<string, Int8Array>;
}

const file = z.strictObject({
  model: z.string(),
  dimension: z.int().min(1),
  vectors: z.record(z.string(), z.string()),
});

export const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 22);

/** @throws when the file is there and is not what {@link keptAs} writes */
export function readKeptVectors(path: string): KeptVectors {
  const { model, dimension, vectors } = file.parse(JSON.parse(readFileSync(path, "utf8")));
  return {
    model,
    dimension,
    vectors: new Map(
      Object.entries(vectors).map(([hash, text]) => {
        const bytes = Buffer.from(text, "base64");
        if (bytes.length !== dimension) throw new Error(`${path}: ${hash} has ${bytes.length} numbers.`);
        return [hash, new Int8Array(bytes)];
      }),
    ),
  };
}

/** A byte a number: the cosine with the vector itself stays above 0.999. */
export function keptAs(
  { model, dimension }: Pick<Embedder, "model" | "dimension">,
  entries: readonly (readonly [text: string, vector: Float32Array])[],
): string {
  const vectors = entries
    .map(([text, vector]) => {
      const most = vector.reduce((before, value) => Math.max(before, Math.abs(value)), 0) || 1;
      const bytes = Int8Array.from(vector, (value) => Math.round((value / most) * 127));
      return [hashOf(text), Buffer.from(bytes.buffer).toString("base64")] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ model, dimension, vectors: Object.fromEntries(vectors) }, null, 2)}\n`;
}

/** The embedder, which is asked only for what is not kept; as it was when the kept ones are another model's. */
export function withKeptVectors(embedder: Embedder, kept: KeptVectors): Embedder {
  if (kept.model !== embedder.model || kept.dimension !== embedder.dimension) return embedder;
  const find = (text: string): Float32Array | null => {
    const bytes = kept.vectors.get(hashOf(text));
    return bytes === undefined ? null : ofLengthOne(bytes);
  };
  return {
    ...embedder,
    embedQuery: async (text, signal) => find(text) ?? embedder.embedQuery(text, signal),
    async embedTexts(texts, signal) {
      const found = texts.map(find);
      const others = texts.filter((_, index) => found[index] === null);
      const made = others.length === 0 ? [] : await embedder.embedTexts(others, signal);
      let next = 0;
      return found.map((vector) => vector ?? (made[next++] as Float32Array));
    },
  };
}

function ofLengthOne(bytes: Int8Array): Float32Array {
  const length = Math.hypot(...bytes) || 1;
  return Float32Array.from(bytes, (value) => value / length);
}
