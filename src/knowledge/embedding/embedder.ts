/**
 * The port of embedding models: text in, a vector of length 1 out. A vector is only ever compared with
 * vectors of the same model and dimension.
 */
import { ProblemError } from "../../kernel/errors.ts";

export interface Embedder {
  /** Name and version: a change of either makes other vectors. */
  readonly model: string;
  readonly dimension: number;
  /** Questions, which somebody waits for; they go before texts that are being indexed. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** Gives back what it holds; it may be used again. */
  rest(): Promise<void>;
}

/** Lengths that have an index, as the migration made them. */
export const WIDTHS = [256, 384, 512, 768, 1_024, 1_536] as const;

/** @throws ProblemError `embedding_dimension_unsupported` */
export function widthOf(dimension: number): number {
  const width = WIDTHS.find((each) => each >= dimension);
  if (width === undefined || !Number.isInteger(dimension) || dimension < 1) {
    throw new ProblemError(
      "embedding_dimension_unsupported",
      `Embeddings of ${dimension} dimensions cannot be kept.`,
    );
  }
  return width;
}

/**
 * The vector as it came, when it is what its model promises.
 * @throws ProblemError `embedding_dimension_unsupported`
 */
export function checkedVector(vector: Float32Array, dimension: number): Float32Array {
  if (vector.length === dimension && vector.every(Number.isFinite)) return vector;
  throw new ProblemError(
    "embedding_dimension_unsupported",
    vector.length === dimension
      ? "The embedding model answered with something that is no number."
      : `The embedding model answered with ${vector.length} numbers instead of ${dimension}.`,
  );
}

/**
 * pgvector's text form, filled up with zeros to the width.
 * @throws ProblemError `embedding_dimension_unsupported` for a vector that is not what its model promises
 */
export function vectorText(vector: Float32Array, dimension: number, width: number): string {
  const numbers: string[] = [];
  for (const value of checkedVector(vector, dimension)) numbers.push(value.toFixed(5));
  for (let at = vector.length; at < width; at += 1) numbers.push("0");
  return `[${numbers.join(",")}]`;
}
