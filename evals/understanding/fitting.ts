/** Fits every head at once with AdaGrad over sparse features: deterministic, a few seconds, no dependency. */
import { BUCKETS, type Features, featuresOf } from "../../src/agents/understanding/features.ts";
import {
  FLAGS,
  HEAD_COUNT,
  HEADS,
  type Model,
  SENTIMENTS,
  scoresOf,
  sigmoid,
  softmax,
} from "../../src/agents/understanding/model.ts";
import { MESSAGE_INTENTS, type MessageIntent } from "../../src/agents/understanding/signals.ts";
import { LANGUAGES } from "../../src/kernel/language.ts";
import { type Example, seeded } from "./written.ts";

export interface Fitting {
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
  /** The share of a message's features that a step does not see: no word may carry an answer alone. */
  readonly dropped: number;
  readonly seed: number;
}
export const FITTING: Fitting = { epochs: 8, rate: 0.1, decay: 2e-6, dropped: 0.3, seed: 1 };

/** Classes get weight by size^-this: 0 leaves them as they are, 1 makes them equal. */
const CLASS_BALANCE = 0.3;
/** Joy is rare and would go unheard. */
const MOOD_BALANCE = 0.8;
/** A head that is this near the truth is left alone: most steps of most heads, and most of the time. */
const SMALLEST_PULL = 0.004;

function balance<T>(
  examples: readonly Example[],
  of: (example: Example) => T,
  power = CLASS_BALANCE,
): Map<T, number> {
  const sizes = new Map<T, number>();
  for (const example of examples) sizes.set(of(example), (sizes.get(of(example)) ?? 0) + example.weight);
  const mean = [...sizes.values()].reduce((sum, size) => sum + size, 0) / sizes.size;
  return new Map([...sizes].map(([key, size]) => [key, (mean / size) ** power]));
}

/** The mean of one fit a mix: what the luck of one mix taught weighs a fraction, what all taught weighs whole. */
export function fitModel(mixes: readonly (readonly Example[])[], fitting: Fitting = FITTING): Model {
  const fits = mixes.map((examples) => fittedOn(examples, fitting));
  const weights = new Float32Array(BUCKETS * HEAD_COUNT);
  const biases = new Float64Array(HEAD_COUNT);
  for (const one of fits) {
    for (const [index, weight] of one.weights.entries()) {
      weights[index] = (weights[index] as number) + weight / fits.length;
    }
    for (const [head, bias] of one.biases.entries()) {
      biases[head] = (biases[head] as number) + bias / fits.length;
    }
  }
  return quantised(weights, biases);
}

function fittedOn(
  examples: readonly Example[],
  { epochs, rate, decay, dropped, seed }: Fitting,
): { weights: Float32Array; biases: Float64Array } {
  const chance = seeded(seed);
  const features = examples.map(({ text }) => featuresOf(text));
  const byIntent = balance(examples, ({ intent }) => intent);
  const byLanguage = balance(examples, ({ language }) => language);
  const bySentiment = balance(
    examples.filter(({ sentiment }) => sentiment !== null),
    ({ sentiment }) => sentiment,
    MOOD_BALANCE,
  );
  const weights = new Float32Array(BUCKETS * HEAD_COUNT);
  const squares = new Float32Array(BUCKETS * HEAD_COUNT).fill(1e-6);
  const biases = new Float64Array(HEAD_COUNT);
  const biasSquares = new Float64Array(HEAD_COUNT).fill(1e-6);
  const order = examples.map((_, index) => index);
  const pull = new Float64Array(HEAD_COUNT);
  const heads = [...pull.keys()];

  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let index = order.length - 1; index > 0; index -= 1) {
      const other = Math.floor(chance() * (index + 1));
      const held = order[index] as number;
      order[index] = order[other] as number;
      order[other] = held;
    }
    for (const index of order) {
      const example = examples[index] as Example;
      const { at, value } = seen(features[index] as Features, dropped, chance);
      const logits = new Float64Array(biases);
      for (let place = 0; place < at.length; place += 1) {
        const row = (at[place] as number) * HEAD_COUNT;
        const amount = value[place] as number;
        for (let head = 0; head < HEAD_COUNT; head += 1) {
          logits[head] = (logits[head] as number) + (weights[row + head] as number) * amount;
        }
      }
      pullOf(example, logits, pull, byIntent, byLanguage, bySentiment);
      const moved = heads.filter((head) => Math.abs(pull[head] as number) > SMALLEST_PULL);
      for (let place = 0; place < at.length; place += 1) {
        const row = (at[place] as number) * HEAD_COUNT;
        const amount = value[place] as number;
        for (const head of moved) {
          const here = row + head;
          const weight = weights[here] as number;
          const gradient = (pull[head] as number) * amount + decay * weight;
          squares[here] = (squares[here] as number) + gradient * gradient;
          weights[here] = weight - (rate * gradient) / Math.sqrt(squares[here] as number);
        }
      }
      for (const head of moved) {
        const slope = pull[head] as number;
        biasSquares[head] = (biasSquares[head] as number) + slope * slope;
        biases[head] =
          (biases[head] as number) - (0.5 * rate * slope) / Math.sqrt(biasSquares[head] as number);
      }
    }
  }
  return { weights, biases };
}

/** A message without some of its features, the others the stronger for it. */
function seen({ at, value }: Features, dropped: number, chance: () => number): Features {
  const kept = new Uint32Array(at.length);
  const amount = new Float32Array(at.length);
  let count = 0;
  for (let place = 0; place < at.length; place += 1) {
    if (chance() < dropped) continue;
    kept[count] = at[place] as number;
    amount[count] = (value[place] as number) / (1 - dropped);
    count += 1;
  }
  return { at: kept.subarray(0, count), value: amount.subarray(0, count) };
}

/** What each head is to be moved by: prediction minus truth, weighed. */
function pullOf(
  example: Example,
  logits: Float64Array,
  pull: Float64Array,
  byIntent: ReadonlyMap<string, number>,
  byLanguage: ReadonlyMap<string, number>,
  bySentiment: ReadonlyMap<string | null, number>,
): void {
  pull.fill(0);
  const { weight } = example;
  const one = (start: number, names: readonly string[], truth: string, scale: number): void => {
    const shares = softmax(logits, start, names.length);
    for (const [index, name] of names.entries()) {
      pull[start + index] = ((shares[index] ?? 0) - (name === truth ? 1 : 0)) * scale;
    }
  };
  one(HEADS.intent, MESSAGE_INTENTS, example.intent, weight * (byIntent.get(example.intent) ?? 1));
  for (const [index, intent] of MESSAGE_INTENTS.entries()) {
    const truth = intent === example.intent || example.also?.includes(intent) === true ? 1 : 0;
    const head = HEADS.asks + index;
    pull[head] = (sigmoid(logits[head] ?? 0) - truth) * weight * (truth === 0 ? silence(example, intent) : 1);
  }
  if (example.sentiment !== null) {
    one(HEADS.sentiment, SENTIMENTS, example.sentiment, weight * (bySentiment.get(example.sentiment) ?? 1));
  }
  one(HEADS.language, LANGUAGES, example.language, weight * (byLanguage.get(example.language) ?? 1));
  for (const [index, flag] of FLAGS.entries()) {
    const truth = example[flag];
    if (truth === null) continue;
    const head = HEADS.flags + index;
    // Flags are rare: a positive counts several times, or the head would learn to say no.
    pull[head] = (sigmoid(logits[head] ?? 0) - (truth ? 1 : 0)) * weight * (truth ? 4 : 1);
  }
}

/** What it says that an example does not name a wish: little where its source names only the main one. */
function silence({ intent, also }: Example, unnamed: MessageIntent): number {
  if (also !== null || intent === "other") return 1;
  return unnamed === "complaint" ? 0 : 0.5;
}

function quantised(weights: Float32Array, biases: Float64Array): Model {
  const most = new Float64Array(HEAD_COUNT);
  for (let index = 0; index < weights.length; index += 1) {
    const head = index % HEAD_COUNT;
    most[head] = Math.max(most[head] as number, Math.abs(weights[index] as number));
  }
  const steps = [...most].map((it) => (it === 0 ? 1 : Number((it / 127).toPrecision(8))));
  const small = new Int8Array(weights.length);
  for (let index = 0; index < weights.length; index += 1) {
    const step = steps[index % HEAD_COUNT] as number;
    small[index] = Math.max(-127, Math.min(127, Math.round((weights[index] as number) / step)));
  }
  return {
    header: {
      buckets: BUCKETS,
      heads: HEAD_COUNT,
      steps,
      biases: [...biases].map((bias) => Number(bias.toPrecision(8))),
      temperature: 1,
      asksTemperature: 1,
      languageTemperature: 1,
      madeOf: "",
    },
    weights: small,
  };
}

/** The temperature under which the log-likelihood of held-out truths is greatest. */
export function temperatureFor(
  model: Model,
  heldOut: readonly Example[],
  loss: (logits: Float64Array, example: Example, temperature: number) => number,
): number {
  const read = heldOut.map((example) => ({ example, logits: scoresOf(model, featuresOf(example.text)) }));
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let step = 0; step <= 60; step += 1) {
    const temperature = Number((0.3 * 1.06 ** step).toFixed(4));
    let sum = 0;
    for (const { example, logits } of read) sum += loss(logits, example, temperature);
    if (sum < least) {
      least = sum;
      best = temperature;
    }
  }
  return best;
}
