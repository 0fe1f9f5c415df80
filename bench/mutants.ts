/**
 * `npm run mutants`: switches off one guard rail at a time, in a copy of the repository, and runs the
 * tests that are named after it. A mutant that no test catches is a survivor, and this exits 1.
 *
 *   --all          every one; without it those that CI has time for
 *   --only TEXT    those whose room, guard or file has the text in it
 *   --every N      each N-th of those, for a first look (1)
 *   --lanes N      copies at work beside each other (2)
 */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TEMPLATE } from "../tests/kit/database.ts";
import makeTemplate from "../tests/kit/template.ts";
import { MUTANTS_BY_ROOM } from "./mutants/list.ts";
import type { Mutant } from "./mutants/mutant.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const COPIED = ["src", "sandbox", "tests", "policies", "package.json", "tsconfig.json", "vitest.config.ts"];
/** A test that has not ended by then has not noticed anything. */
const RUN_MS = 180_000;

const { values } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    every: { type: "string", default: "1" },
    lanes: { type: "string", default: "2" },
  },
});

interface Entry extends Mutant {
  readonly room: string;
}
const wanted: Entry[] = Object.entries(MUTANTS_BY_ROOM)
  .flatMap(([room, mutants]) =>
    mutants
      .filter((it) => [room, it.guard, it.file].some((text) => text.includes(values.only)))
      .filter((it) => values.all || values.only !== "" || it.inCi)
      .map((it) => ({ room, ...it })),
  )
  .filter((_, index) => index % Number(values.every) === 0);
const waiting = wanted.filter((it) => it.survives === undefined);
const known = wanted.filter((it) => it.survives !== undefined);
const caught = new Map<string, number>();
const survivors: Entry[] = [];

/** Runs the named test over the changed file; the file is put back. */
async function isCaught(lane: string, mutant: Entry): Promise<{ failed: boolean; said: string }> {
  const path = join(lane, mutant.file);
  const original = readFileSync(path, "utf8");
  if (original.split(mutant.find).length !== 2)
    throw new Error(`${mutant.guard}: its line is not there exactly once in ${mutant.file}`);
  writeFileSync(
    path,
    original.replace(mutant.find, () => mutant.replace),
  );
  const env = { ...process.env };
  // A changed migration needs a database of its own.
  if (mutant.file.includes("/migrations/")) delete env[TEMPLATE];
  const args = ["run", mutant.test, "-t", escaped(mutant.named), "--reporter=json", "--maxWorkers=1"];
  const { status, said } = await run(lane, args, env);
  writeFileSync(path, original);
  // The named test itself must fail; a copy that does not even load would fail without naming it.
  const failed = status !== 0 && failedTests(said).some((name) => name.includes(mutant.named));
  return { failed, said };
}

/** Full names (groups and test, with a space between) of what failed, from Vitest's JSON report. */
function failedTests(said: string): string[] {
  const from = said.indexOf(`{"numTotalTestSuites"`);
  if (from < 0) return [];
  const report: { testResults: { assertionResults: { fullName: string; status: string }[] }[] } = JSON.parse(
    said.slice(from),
  );
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ fullName }) => fullName);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function run(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ status: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: RUN_MS,
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
    });
    child.on("close", (status) => resolve({ status, said }));
  });
}

async function work(lane: string): Promise<void> {
  for (const name of COPIED) cpSync(join(ROOT, name), join(lane, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(lane, "node_modules"));
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const startedMs = performance.now();
    const { failed, said } = await isCaught(lane, mutant);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    if (failed) caught.set(mutant.room, (caught.get(mutant.room) ?? 0) + 1);
    else survivors.push(mutant);
    process.stdout.write(
      `${failed ? "caught  " : "SURVIVED"} ${seconds.padStart(5)} s  ${mutant.room}: ${mutant.guard}  (${mutant.test}: "${mutant.named}")\n`,
    );
    if (!failed) process.stdout.write(said.slice(-2_000));
  }
}

const lanes = Array.from({ length: Number(values.lanes) }, () =>
  mkdtempSync(join(tmpdir(), "recourse-mutants-")),
);
const removeTemplate = await makeTemplate();
const beganMs = performance.now();
try {
  await Promise.all(lanes.map(work));
} finally {
  removeTemplate();
  for (const lane of lanes) rmSync(lane, { recursive: true, force: true });
}

for (const { room, guard, survives } of known) {
  process.stdout.write(`survives          ${room}: ${guard}: ${survives}\n`);
}
for (const room of Object.keys(MUTANTS_BY_ROOM)) {
  const tried = wanted.filter((it) => it.room === room && it.survives === undefined).length;
  if (tried > 0) process.stdout.write(`${room.padEnd(16)} ${caught.get(room) ?? 0} of ${tried}\n`);
}
const total = [...caught.values()].reduce((sum, each) => sum + each, 0);
const tried = wanted.length - known.length;
const seconds = Math.round((performance.now() - beganMs) / 1_000);
process.stdout.write(
  `mutants=${wanted.length} caught=${total} survivors=${survivors.length} known_survivors=${known.length} kill_rate=${((100 * total) / Math.max(1, wanted.length)).toFixed(1)}% seconds=${seconds}\n`,
);
process.exit(total === tried && tried > 0 ? 0 : 1);
