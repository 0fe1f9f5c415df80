/**
 * `npm run bench -- NAME…`: what the budgets of the design are about, each beside its floor in the same
 * run; without a name all of it. `--json` prints JSON; `--write` puts the whole table into
 * docs/performance.md; `--seconds N` is the length of the sustained load (default 20). `pages` is a table of its own,
 * measured in Chromium when it is named: `npm run bench -- pages`, with `--write` into its part of the page.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measurePolicy, measureTurns } from "./in-process.ts";
import { measureKnowledge } from "./knowledge.ts";
import { measureModelTurns } from "./model-turn.ts";
import { measurePages, type PageFigure } from "./pages.ts";
import { measureServer } from "./served.ts";
import { measureUnderstanding } from "./understanding.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    seconds: { type: "string", default: "20" },
  },
});

export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** What it is compared with, measured in the same run. */
  readonly floor: string;
  readonly ratio: string;
  readonly budget: string;
}

const folder = mkdtempSync(join(tmpdir(), "recourse-bench-"));
const SETS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  workflow: () => measureTurns(join(folder, "turns")),
  turn: () => measureModelTurns(join(folder, "model-turns")),
  understanding: measureUnderstanding,
  knowledge: () => measureKnowledge(join(folder, "knowledge")),
  policy: async () => [await measurePolicy()],
  served: () => measureServer(folder, Number(values.seconds)),
};
const PAGES = "pages";
const onlyPages = positionals.length === 1 && positionals[0] === PAGES;
const unknown = onlyPages ? [] : positionals.filter((name) => SETS[name] === undefined);
if (unknown.length > 0 || (values.write && positionals.length > 0 && !onlyPages)) {
  process.stderr.write(
    unknown.length > 0
      ? `There is no "${unknown.join('", "')}" to measure. There are: ${Object.keys(SETS).join(", ")}; and ${PAGES}, alone.\n`
      : "--write writes the whole table: leave the names out.\n",
  );
  process.exit(2);
}
// Before the work of measuring counts in it.
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const load = (loadavg()[0] ?? 0).toFixed(1);
const figures: Figure[] = [];
const pages: PageFigure[] = [];
try {
  if (onlyPages) pages.push(...(await measurePages(folder)));
  else
    for (const [name, measure] of Object.entries(SETS)) {
      if (positionals.length === 0 || positionals.includes(name)) figures.push(...(await measure()));
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const columns: readonly string[] = onlyPages
  ? ["page", "on", "largest paint", "blocking time", "layout shift", "over the wire", "of it scripts"]
  : ["what", "measured", "floor", "ratio", "budget"];
const rows: readonly (readonly string[])[] = onlyPages
  ? pages.map((each) => [each.page, each.on, each.paint, each.blocking, each.shift, each.bytes, each.scripts])
  : figures.map((each) => [each.what, each.measured, each.floor, each.ratio, each.budget]);

if (values.json) {
  const measured = onlyPages ? { machine, load, pages } : { machine, figures };
  process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
} else {
  const widths = columns.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  process.stdout.write(`${machine}\n\n${[columns, ...rows].map(line).join("\n")}\n`);
}
if (values.write && onlyPages) {
  writePart("pages", "npm run bench -- pages --write", `${machine}. Load when it began: ${load}.`, columns);
} else if (values.write) {
  const [what = "", measured = "", , ...more] = columns;
  const headings = [what, measured, "beside it in the same run", ...more];
  writePart("figures", "npm run bench -- --write", `${machine}.`, headings);
}
process.exit(0);

/** Writes the table into its marked part of the page. */
function writePart(part: string, command: string, on: string, headings: readonly string[]): void {
  const path = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
  const page = readFileSync(path, "utf8");
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [
    `<!-- ${part}: written by \`${command}\` -->`,
    `Machine: ${on}`,
    "",
    line(headings),
    line(headings.map(() => "---")),
    ...rows.map(line),
    `<!-- end of ${part} -->`,
  ].join("\n");
  writeFileSync(
    path,
    page.replace(new RegExp(`<!-- ${part}:[\\s\\S]*<!-- end of ${part} -->`), () => table),
  );
}
