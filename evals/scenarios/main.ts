/**
 * The regression set: scenarios of customers, shops and faults, graded on what database and provider hold, then on words.
 * Each `*.yaml` here is a list of them (`format.ts`).
 */
import type { Evaluate, Figure } from "../report.ts";
import { readScenarios } from "./format.ts";
import { play, type Result } from "./play.ts";
import { dimensionsOf, markdown } from "./report.ts";

export async function playAll(wanted: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const scenario of readScenarios(import.meta.dirname).filter(({ id, kind }) =>
    `${kind} ${id}`.includes(wanted),
  )) {
    results.push(await play(scenario));
  }
  return results;
}

export const evaluate: Evaluate = async () => {
  const results = await playAll("");
  const figures: Figure[] = dimensionsOf(results).map(({ name, passed, count }) => ({
    what: `${name}, share of ${count} scenarios`,
    measured: passed / count,
    baseline: null,
    floor: 1,
    better: "higher",
  }));
  return [{ title: "Scenarios", figures, notes: markdown(results) }];
};
