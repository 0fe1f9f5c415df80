/** The regression set covers what it says, and is read as it is written. */
import { expect, test } from "vitest";
import { KINDS, readScenarios } from "../../evals/scenarios/format.ts";
import { play } from "../../evals/scenarios/play.ts";
import { junit } from "../../evals/scenarios/report.ts";

const SCENARIOS = readScenarios(new URL("../../evals/scenarios", import.meta.url).pathname);
const AT_LEAST = 150;

test(`there are at least ${AT_LEAST}, of every kind, for both merchants, in each language, over chat and mail`, () => {
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(AT_LEAST);
  expect(new Set(SCENARIOS.map(({ kind }) => kind)).size).toBe(Object.keys(KINDS).length);
  expect(new Set(SCENARIOS.map(({ tenant }) => tenant)).size).toBe(2);
  expect([...new Set(SCENARIOS.map(({ language }) => language))].sort()).toEqual([
    "de",
    "en",
    "es",
    "fr",
    "it",
    "pt",
  ]);
  expect(new Set(SCENARIOS.map(({ channel }) => channel)).size).toBe(2);
});

test("one that expects what is not so fails with what is, and is a failure in the report", async () => {
  const [scenario] = SCENARIOS.filter(({ id }) => id === "jacket");
  if (scenario === undefined) throw new Error("no such scenario");
  const good = await play(scenario);
  expect(good.faults).toEqual([]);
  const wrong = {
    ...scenario,
    expect: { ...scenario.expect, actions: [], refunds: {}, said: ["never said"] },
  };
  const bad = await play(wrong);
  expect(bad.faults).toHaveLength(3);
  expect(bad.faults[0]).toBe("actions: refund 8900 succeeded; wanted: none");
  expect(junit([good, bad])).toContain('tests="2" failures="1"');
});
