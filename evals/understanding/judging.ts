/** What the tables of this set share: a judged message, a figure, the abstention curve, found flags. */
import type { MessageIntent } from "../../src/agents/understanding/signals.ts";
import { SURE_AT, understand } from "../../src/agents/understanding/understand.ts";
import type { Figure } from "../report.ts";
import { abstaining, type Detected, detection, type Judged } from "./scores.ts";

/** From here on a second intent counts as heard. */
export const SECOND_AT = 0.3;
/** From here on a mood counts as one. */
const MOOD_AT = 0.33;

export function judge(text: string, gold: string, accept: readonly string[] = []): Judged {
  const [first] = understand(text).intents;
  return { gold, said: first?.intent ?? "", confidence: first?.confidence ?? 0, accept };
}

export const moodOf = (sentiment: number): "negative" | "neutral" | "positive" =>
  sentiment < -MOOD_AT ? "negative" : sentiment > MOOD_AT ? "positive" : "neutral";

export const figure = (
  what: string,
  measured: number,
  baseline: number | null,
  floor: number | null,
  better: Figure["better"] = "higher",
): Figure => ({ what, measured, baseline, floor, better });

/** Precision and recall of one flag, with their floors. */
export function flagFigures(
  name: string,
  rows: readonly Detected[],
  floors: { readonly precision: number | null; readonly recall: number | null },
): Figure[] {
  const found = detection(rows);
  const there = rows.filter(({ gold }) => gold).length;
  return [
    figure(`${name}: precision`, found.precision, null, floors.precision),
    figure(`${name}: recall (${there} to find)`, found.recall, null, floors.recall),
  ];
}

/** Wishes beside the main one: how many are heard, and how often one is heard that is not there. */
export interface Seconds {
  there: number;
  heard: number;
  absent: number;
  imagined: number;
}

export function countSeconds(
  counts: Seconds,
  intents: readonly { readonly intent: MessageIntent; readonly confidence: number }[],
  gold: string,
  also: readonly string[],
): void {
  for (const { intent, confidence } of intents) {
    if (intent === gold || intent === "other") continue;
    const heard = confidence >= SECOND_AT ? 1 : 0;
    if (also.includes(intent)) {
      counts.there += 1;
      counts.heard += heard;
    } else {
      counts.absent += 1;
      counts.imagined += heard;
    }
  }
}

export function abstention(judged: readonly Judged[]): string {
  return [
    "| answers only at or above | answered | of these right |",
    "| ---: | ---: | ---: |",
    ...[0, 0.4, 0.5, SURE_AT, 0.6, 0.7, 0.8, 0.9].map((threshold) => {
      const { answered, right } = abstaining(judged, threshold);
      return `| ${threshold}${threshold === SURE_AT ? " (the product)" : ""} | ${answered.toFixed(3)} | ${right.toFixed(3)} |`;
    }),
  ].join("\n");
}
