/**
 * A day's conversations of a shop: messages of real people from the public sets, in the proportions of
 * {@link MIX}, each for another customer of the sandbox's shop. Only sets of shops are taken; banks and
 * smart speakers write otherwise. The proportions are an assumption, and printed with the result.
 */
import { seededRandom } from "../../src/kernel/ports.ts";
import { dataSetRows } from "../data-sets.ts";

export const LABELS = ["order-status", "return-request", "refund-request", "complaint", "other"] as const;
export type Label = (typeof LABELS)[number];

/** Of a hundred conversations. */
export const MIX: Readonly<Record<Label, number>> = {
  "order-status": 40,
  "return-request": 12,
  "refund-request": 10,
  complaint: 8,
  other: 30,
};

export interface Opening {
  readonly label: Label;
  readonly text: string;
  readonly source: string;
}

const SOURCES = ["bitext", "cucom", "hint3-curekart", "hint3-sofmattress", "taubench"];
const FILES = ["cdla-sharing", "odbl", "permissive"].map(
  (licence) => `understanding/intents/test.${licence}.jsonl`,
);

/** Openings by label, sources in turns so that the largest set is not all of it; null without the data. */
export function openings(count: number, seed: number): readonly Opening[] | null {
  const parts = FILES.map((file) => dataSetRows<Opening>(file));
  if (parts.includes(null)) return null;
  const rows = parts.flatMap((part) => part ?? []).filter(({ source }) => SOURCES.includes(source));
  const random = seededRandom(seed);
  return shuffled(
    LABELS.flatMap((label) => {
      const bySource = SOURCES.map((source) =>
        shuffled(
          rows.filter((row) => row.label === label && row.source === source),
          random.fraction,
        ),
      );
      const wanted = Math.round((count * MIX[label]) / 100);
      return inTurns(bySource).slice(0, wanted);
    }),
    random.fraction,
  );
}

function shuffled<T>(values: readonly T[], chance: () => number): T[] {
  return values
    .map((value) => ({ value, at: chance() }))
    .sort((one, two) => one.at - two.at)
    .map(({ value }) => value);
}

function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}
