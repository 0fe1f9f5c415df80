/**
 * The small model: one matrix of int8 weights over hashed features, read by every head at once. Written by
 * `npm run train`, which is deterministic; what it was trained on is in `data/README.md`. Loaded from
 * its file at the first message (one synchronous read of 3 MB), never before.
 */
import { readFileSync } from "node:fs";
import { LANGUAGES } from "../../kernel/language.ts";
import { BUCKETS, type Features } from "./features.ts";
import { MESSAGE_INTENTS } from "./signals.ts";

export const SENTIMENTS = ["negative", "neutral", "positive"] as const;
export const FLAGS = ["legal", "person", "injection"] as const;

/** Where each group of heads starts in a row of weights. */
export const HEADS = {
  /** Softmax: the one intent that the message is mainly about. */
  intent: 0,
  /** Sigmoid each: the message asks for this, perhaps among other things. */
  asks: MESSAGE_INTENTS.length,
  sentiment: 2 * MESSAGE_INTENTS.length,
  language: 2 * MESSAGE_INTENTS.length + SENTIMENTS.length,
  flags: 2 * MESSAGE_INTENTS.length + SENTIMENTS.length + LANGUAGES.length,
} as const;
export const HEAD_COUNT = HEADS.flags + FLAGS.length;

export interface ModelHeader {
  readonly buckets: number;
  readonly heads: number;
  /** What one step of an int8 weight is worth, a head. */
  readonly steps: readonly number[];
  readonly biases: readonly number[];
  /** Divide the logits of the intent by it: its confidences are then as often right as they say. */
  readonly temperature: number;
  /** The same for the heads of `asks`. */
  readonly asksTemperature: number;
  /** And for the language. */
  readonly languageTemperature: number;
  /** SHA-256 of what it was fitted on, as features: a test compares it with what the repository would fit on now. */
  readonly madeOf: string;
}

export interface Model {
  readonly header: ModelHeader;
  /** `weights[bucket * heads + head]` */
  readonly weights: Int8Array;
}

const MAGIC = "RECOURSE-UNDERSTANDING-1\n";

export function encodeModel({ header, weights }: Model): Buffer {
  return Buffer.concat([
    Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`),
    Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength),
  ]);
}

/** Throws when the bytes are no model that this code can read: weights and features belong together. */
export function decodeModel(bytes: Buffer): Model {
  const headerEnd = bytes.indexOf("\n", MAGIC.length);
  if (bytes.toString("latin1", 0, MAGIC.length) !== MAGIC || headerEnd < 0) {
    throw new Error("The file of the understanding model is not one. Run `npm run train`.");
  }
  const header = JSON.parse(bytes.toString("utf8", MAGIC.length, headerEnd)) as ModelHeader;
  const body = bytes.subarray(headerEnd + 1);
  if (header.buckets !== BUCKETS || header.heads !== HEAD_COUNT || body.length !== BUCKETS * HEAD_COUNT) {
    throw new Error("The understanding model belongs to other features. Run `npm run train`.");
  }
  return { header, weights: new Int8Array(body.buffer, body.byteOffset, body.length) };
}

export const MODEL_FILE = new URL("./understanding.model", import.meta.url);
let loaded: Model | null = null;

export function theModel(): Model {
  loaded ??= decodeModel(readFileSync(MODEL_FILE));
  return loaded;
}

/** The logit of every head. */
export function scoresOf({ header, weights }: Model, { at, value }: Features): Float64Array {
  const sums = new Float64Array(HEAD_COUNT);
  for (let index = 0; index < at.length; index += 1) {
    const row = (at[index] ?? 0) * HEAD_COUNT;
    const weight = value[index] ?? 0;
    for (let head = 0; head < HEAD_COUNT; head += 1) {
      sums[head] = (sums[head] ?? 0) + (weights[row + head] ?? 0) * weight;
    }
  }
  for (let head = 0; head < HEAD_COUNT; head += 1) {
    sums[head] = (sums[head] ?? 0) * (header.steps[head] ?? 0) + (header.biases[head] ?? 0);
  }
  return sums;
}

export function softmax(logits: ArrayLike<number>, start: number, count: number, temperature = 1): number[] {
  let most = Number.NEGATIVE_INFINITY;
  for (let index = start; index < start + count; index += 1) most = Math.max(most, logits[index] ?? 0);
  const shares: number[] = [];
  let total = 0;
  for (let index = start; index < start + count; index += 1) {
    const share = Math.exp(((logits[index] ?? 0) - most) / temperature);
    shares.push(share);
    total += share;
  }
  return shares.map((share) => share / total);
}

export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));
