/**
 * `npm run mutants`: switches off one guard rail at a time, in a copy of the repository, and runs the
 * tests that are named after it. A mutant that no test catches is a survivor, and this exits 1.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MUTANTS } from "./mutant-list.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const COPIED = ["src", "sandbox", "tests", "policies", "package.json", "tsconfig.json", "vitest.config.ts"];

const root = mkdtempSync(join(tmpdir(), "recourse-mutants-"));
let caught = 0;
try {
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const mutant of MUTANTS) {
    const path = join(root, mutant.file);
    const original = readFileSync(path, "utf8");
    if (original.split(mutant.find).length !== 2)
      throw new Error(`${mutant.guard}: its line is not there exactly once in ${mutant.file}`);
    writeFileSync(
      path,
      original.replace(mutant.find, () => mutant.replace),
    );
    const run = spawnSync(
      process.execPath,
      [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", mutant.test, "-t", mutant.named, "--no-color"],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    writeFileSync(path, original);
    // The named test itself must fail; a copy that does not even load would fail without naming it.
    const failed =
      run.status !== 0 &&
      run.stdout.split("\n").some((line) => line.includes("×") && line.includes(mutant.named));
    if (failed) caught += 1;
    process.stdout.write(
      `${failed ? "caught  " : "SURVIVED"} ${mutant.guard}  (${mutant.test}: "${mutant.named}")\n`,
    );
    if (!failed) process.stdout.write(run.stdout.slice(-2_000));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.stdout.write(`mutants=${MUTANTS.length} caught=${caught} survivors=${MUTANTS.length - caught}\n`);
process.exit(caught === MUTANTS.length ? 0 : 1);
