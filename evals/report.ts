/**
 * What every evaluation set answers with: measured figures beside a baseline, and the floor below which
 * the run fails. A set lives in `evals/NAME/main.ts` and exports `evaluate: Evaluate`.
 */
export interface Figure {
  /** What was measured, with its unit: "macro-F1, hand/dev (n = 100)". */
  readonly what: string;
  readonly measured: number;
  /** The peer or floor it is measured beside, in the same run or published with the data. */
  readonly baseline: number | null;
  /** Below this (or above it, when lower is better) the run fails. Null: reported only. */
  readonly floor: number | null;
  readonly better: "higher" | "lower";
}

export interface Table {
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Printed under the table: confusion, curves, the worst cases. Markdown. */
  readonly notes?: string;
}

export type Evaluate = (options: { readonly seed: number }) => Promise<readonly Table[]>;

export function misses(figure: Figure): boolean {
  if (figure.floor === null) return false;
  return figure.better === "higher" ? figure.measured < figure.floor : figure.measured > figure.floor;
}

/** `depth`: of its heading. */
export function printed(table: Table, depth = 2): string {
  const rows = table.figures.map((figure) => [
    figure.what,
    shown(figure.measured),
    figure.baseline === null ? "–" : shown(figure.baseline),
    figure.floor === null ? "–" : `${figure.better === "higher" ? "≥" : "≤"} ${shown(figure.floor)}`,
    misses(figure) ? "BELOW THE FLOOR" : "ok",
  ]);
  const head = ["what", "measured", "baseline", "floor", ""];
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [
    `${"#".repeat(depth)} ${table.title}`,
    "",
    ...lines,
    ...(table.notes ? ["", table.notes] : []),
    "",
  ].join("\n");
}

const shown = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 3 : 1);
