/** Figures as people read them. Pure. */
import type { Figure } from "../../api/insights.ts";
import { duration, reasonText } from "../../words.ts";

export interface Group {
  readonly metric: string;
  readonly title: string;
  readonly first: Figure;
  readonly rows: readonly { readonly now: Figure; readonly before: Figure | null }[];
}

/** By metric in the server's order, each with the same of the period before. */
export function grouped(now: readonly Figure[], before: readonly Figure[]): readonly Group[] {
  return [...Map.groupBy(now, ({ metric }) => metric)].flatMap(([metric, figures]) => {
    const [first] = figures;
    if (first === undefined) return [];
    const rows = figures.map((figure) => ({
      now: figure,
      before: before.find((each) => each.metric === metric && each.label === figure.label) ?? null,
    }));
    return [{ metric, title: first.title, first, rows }];
  });
}

export function valueText({ value, unit }: Figure): string {
  if (value === null) return "–";
  switch (unit) {
    case "ratio":
      return `${(value * 100).toFixed(1)} %`;
    case "seconds":
      return duration(value * 1_000);
    case "usd":
      return `$${value.toFixed(4)}`;
    case "count":
      return String(value);
  }
}

/** What the value is made of: `82 of 100`. */
export function madeOf({ unit, numerator, denominator }: Figure): string {
  if (denominator === null) return "";
  const top =
    unit === "seconds"
      ? duration(numerator * 1_000)
      : unit === "usd"
        ? `$${numerator.toFixed(2)}`
        : String(numerator);
  return `${top} ${unit === "ratio" ? "of" : "over"} ${denominator}`;
}

/** How it has moved since the period before; null where one of them has no value. */
export function moved(now: Figure, before: Figure | null): string | null {
  if (now.value === null || before === null || before.value === null) return null;
  const by = now.value - before.value;
  if (by === 0) return "as before";
  const word = by > 0 ? "up" : "down";
  return now.unit === "ratio"
    ? `${word} ${Math.abs(by * 100).toFixed(1)} points`
    : `${word} from ${valueText(before)}`;
}

export const labelText = ({ by, label }: Figure): string =>
  label === null ? "All" : by === "reason" ? reasonText(label) : label.replaceAll("_", " ");
