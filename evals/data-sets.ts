/**
 * Public data sets that evaluations read and the product does not ship: in the folder that
 * `RECOURSE_DATA_SETS` names. `docs/quality.md` says where each can be had. What is absent is skipped,
 * and said so.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = process.env.RECOURSE_DATA_SETS ?? resolve(import.meta.dirname, "../../shared/data");

/** The path of a data set's file, or null when this machine does not have it. */
export function dataSet(path: string): string | null {
  const whole = join(folder, path);
  return existsSync(whole) ? whole : null;
}

/** The rows of a JSONL data set, or null when this machine does not have it. */
export function dataSetRows<Row>(path: string): readonly Row[] | null {
  const whole = dataSet(path);
  if (whole === null) return null;
  return readFileSync(whole, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);
}
