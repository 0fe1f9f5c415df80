/**
 * `npm run evals -- NAME…`: how good it is, measured. Each name is a folder here; without a name all run.
 * Prints a table per set with its baseline; exits 1 when a figure is below its recorded floor, 2 for a
 * name that does not exist. `--json` prints the tables as JSON, `--seed N` seeds what is random, `--write` puts
 * the tables of the sets that ran into docs/quality.md.
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { writeQualityPage } from "./quality-page.ts";
import { type Evaluate, misses, printed, type Table } from "./report.ts";

const sets = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !sets.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no evaluation "${unknown.join('", "')}". There are: ${sets.join(", ")}.\n`);
  process.exit(2);
}

const tables: Table[] = [];
for (const name of positionals.length > 0 ? positionals : sets) {
  const { evaluate } = (await import(`./${name}/main.ts`)) as { evaluate: Evaluate };
  const measured = await evaluate({ seed: Number(values.seed) });
  tables.push(...measured);
  if (!values.json) for (const table of measured) process.stdout.write(`${printed(table)}\n`);
  if (values.write) writeQualityPage(name, measured);
}
if (values.json) process.stdout.write(`${JSON.stringify(tables, null, 2)}\n`);
const missed = tables.flatMap((table) => table.figures.filter(misses));
for (const figure of missed) process.stderr.write(`Below its floor: ${figure.what}\n`);
process.exit(missed.length > 0 ? 1 : 0);
