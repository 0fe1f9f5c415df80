/**
 * `npm run mutants`: switches off one guard rail at a time, in a copy of the repository, and runs the
 * tests that are named after it. A mutant that no test catches is a survivor, and this exits 1.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const COPIED = ["src", "sandbox", "tests", "policies", "package.json", "tsconfig.json", "vitest.config.ts"];

interface Mutant {
  readonly guard: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  /** Must be among the tests that fail. */
  readonly named: string;
}

const MUTANTS: readonly Mutant[] = [
  {
    guard: "G1 barrier 1: a stable action ID",
    file: "src/gateway/gateway.ts",
    find: "String(context.offer.seq),",
    replace: "context.runId,",
    test: "tests/actions/once.test.ts",
    named: "barrier 1",
  },
  {
    guard: "G1 barrier 2: one live allocation a unit",
    file: "src/store/migrations/0001_spine.sql",
    find: "create unique index allocations_one_live",
    replace: "create index allocations_one_live",
    test: "tests/actions/once.test.ts",
    named: "barrier 2",
  },
  {
    guard: "G1 barrier 2: a balance not below zero",
    file: "src/store/migrations/0001_spine.sql",
    find: "captured_minor - held_minor - refunded_minor - external_minor >= 0)",
    replace: "captured_minor >= 0)",
    test: "tests/actions/once.test.ts",
    named: "barrier 2",
  },
  {
    guard: "G1 barrier 3: one key an action",
    file: "src/actions/carrying-out.ts",
    find: "idempotencyKey: action.idempotency_key,\n        actionId",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    replace: "idempotencyKey: `${action.idempotency_key}:${action.attempts}`,\n        actionId",
    test: "tests/actions/once.test.ts",
    named: "barrier 3",
  },
  {
    guard: "G2 a claim needs a confirmed outcome",
    file: "src/actions/wording.ts",
    find: "is still being checked: the payment provider has not given us a clear answer yet. It cannot be paid twice, and I will",
    replace:
      "has confirmed your refund: the payment provider has not given us a clear answer yet. It cannot be paid twice, and I will",
    test: "tests/actions/once.test.ts",
    named: "timeout_after_accept",
  },
  {
    guard: "G3 row-level security",
    file: "src/store/migrations/0001_spine.sql",
    find: "or row_customer = current_setting('recourse.customer', true)) $$",
    replace: "or true) $$",
    test: "tests/store/tenancy.test.ts",
    named: "a customer sees only their own rows",
  },
  {
    guard: "G8 the same message is stored once",
    file: "src/conversations/conversations.ts",
    find: "if (prior !== undefined) {",
    replace: "if (prior !== undefined && prior.seq < 0) {",
    test: "tests/actions/once.test.ts",
    named: "the same message sent 200 times",
  },
];

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
