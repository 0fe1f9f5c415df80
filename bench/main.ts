/**
 * `npm run bench -- NAME…`: what the budgets of the design are about, each beside its floor in the same
 * run; without a name all of it. `--json` prints JSON; `--write` puts the whole table into
 * docs/performance.md; `--seconds N` is the length of the sustained load (default 20).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measurePolicy, measureTurns } from "./in-process.ts";
import { measureKnowledge } from "./knowledge.ts";
import { measureModelTurns } from "./model-turn.ts";
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
const unknown = positionals.filter((name) => SETS[name] === undefined);
if (unknown.length > 0 || (values.write && positionals.length > 0)) {
  process.stderr.write(
    unknown.length > 0
      ? `There is no "${unknown.join('", "')}" to measure. There are: ${Object.keys(SETS).join(", ")}.\n`
      : "--write writes the whole table: leave the names out.\n",
  );
  process.exit(2);
}
const figures: Figure[] = [];
try {
  for (const [name, measure] of Object.entries(SETS)) {
    if (positionals.length === 0 || positionals.includes(name)) figures.push(...(await measure()));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
if (values.json) process.stdout.write(`${JSON.stringify({ machine, figures }, null, 2)}\n`);
else {
  const columns = ["what", "measured", "floor", "ratio", "budget"] as const;
  const widths = columns.map((name) =>
    Math.max(name.length, ...figures.map((figure) => figure[name].length)),
  );
  const row = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  process.stdout.write(
    `${machine}\n\n${row(columns)}\n${figures.map((figure) => row(columns.map((name) => figure[name]))).join("\n")}\n`,
  );
}
if (values.write) writePage(machine, figures);
process.exit(0);

function writePage(on: string, rows: readonly Figure[]): void {
  const path = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
  const page = readFileSync(path, "utf8");
  const table = [
    "<!-- figures: written by `npm run bench -- --write` -->",
    `Machine: ${on}.`,
    "",
    "| what | measured | beside it in the same run | ratio | budget |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map(
      (figure) =>
        `| ${figure.what} | ${figure.measured} | ${figure.floor} | ${figure.ratio} | ${figure.budget} |`,
    ),
    "<!-- end of figures -->",
  ].join("\n");
  writeFileSync(
    path,
    page.replace(/<!-- figures[\s\S]*<!-- end of figures -->/, () => table),
  );
}
