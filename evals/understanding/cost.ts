/** What understanding costs on this machine: medians over messages of the training data, warm. */
import { readFileSync } from "node:fs";
import { decodeModel, MODEL_FILE } from "../../src/agents/understanding/model.ts";
import { read, understand } from "../../src/agents/understanding/understand.ts";
import { publicExamples } from "./examples.ts";

const MESSAGES = 2_000;
const ROUNDS = 5;

let texts: readonly string[] | null = null;
function messages(): readonly string[] {
  texts ??= publicExamples()
    .filter((_, index) => index % 2 === 0)
    .slice(0, MESSAGES)
    .map(({ text }) => text);
  return texts;
}

/** Microseconds a message: the median over messages of the fastest of a few rounds. */
function microseconds(work: (text: string) => unknown): number {
  const least = messages().map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, text] of messages().entries()) {
      const started = performance.now();
      work(text);
      least[index] = Math.min(least[index] ?? 0, performance.now() - started);
    }
  }
  return (least.sort((a, b) => a - b)[Math.floor(least.length / 2)] ?? 0) * 1_000;
}

export const hashedStage = (): number => microseconds((text) => read(text));
export const wholeReading = (): number => microseconds((text) => understand(text));

/** Milliseconds to read and decode the model's file, as the first message pays it. */
export function loading(): number {
  const started = performance.now();
  decodeModel(readFileSync(MODEL_FILE));
  return performance.now() - started;
}
