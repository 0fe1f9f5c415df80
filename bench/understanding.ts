/** What understanding a message costs: medians over the public rows that the model was trained on, warm. */
import { readFileSync } from "node:fs";
import { normalised } from "../src/agents/understanding/features.ts";
import { decodeModel, MODEL_FILE } from "../src/agents/understanding/model.ts";
import { read, understand } from "../src/agents/understanding/understand.ts";
import type { Figure } from "./main.ts";
import { ms, percentile, times } from "./statistics.ts";

const ROWS = new URL("../data/training/public.jsonl", import.meta.url);
const MESSAGES = 2_000;
const ROUNDS = 5;

function messages(): readonly string[] {
  return readFileSync(ROWS, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .filter((_, index) => index % 2 === 0)
    .slice(0, MESSAGES)
    .map((line) => (JSON.parse(line) as { readonly text: string }).text);
}

/** Milliseconds a message: the fastest of a few rounds each, for the machine has other work too. */
function fastest(texts: readonly string[], work: (text: string) => unknown): readonly number[] {
  const least = texts.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, text] of texts.entries()) {
      const from = performance.now();
      work(text);
      least[index] = Math.min(least[index] ?? 0, performance.now() - from);
    }
  }
  return least;
}

const us = (value: number): string => `${(value * 1_000).toFixed(1)} µs`;

export async function measureUnderstanding(): Promise<readonly Figure[]> {
  const from = performance.now();
  const bytes = readFileSync(MODEL_FILE);
  const reading = performance.now() - from;
  const model = decodeModel(bytes);
  const loading = performance.now() - from;

  const texts = messages();
  // Nothing can be known of a text without folding it and finding its words.
  const words = percentile(
    fastest(texts, (text) => normalised(text).match(/\p{L}+/gu)),
    50,
  );
  const hashed = percentile(
    fastest(texts, (text) => read(text, model)),
    50,
  );
  const all = fastest(texts, (text) => understand(text, model));
  return [
    {
      what: "understanding: hashed stage, a message (median)",
      measured: us(hashed),
      floor: `${us(words)} to find its words`,
      ratio: times(hashed / words),
      budget: "≤ 50 µs",
    },
    {
      what: "understanding: all signals, a message (median, p99)",
      measured: `${us(percentile(all, 50))}, ${us(percentile(all, 99))}`,
      floor: `${us(hashed)} for the hashed stage`,
      ratio: times(percentile(all, 50) / hashed),
      budget: "≤ 15 ms",
    },
    {
      what: `understanding: load the model (${(bytes.length / 2 ** 20).toFixed(2)} MiB)`,
      measured: ms(loading),
      floor: `${ms(reading)} to read the file`,
      ratio: times(loading / reading),
      budget: "≤ 200 ms",
    },
  ];
}
