/**
 * `npm run prove`: attacks the product in every way that it knows, and prints one table: what is promised, how it was
 * attacked, how many cases, how many violations, how long. Exits 1 on any violation, or when an attack did not run.
 *
 *   --deep         hours instead of minutes: more seeds, every seeded fault
 *   --only TEXT    attacks whose row has the text in it
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TEMPLATE } from "../tests/kit/database.ts";
import makeTemplate from "../tests/kit/template.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const { values } = parseArgs({
  options: { deep: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});

interface Outcome {
  readonly cases: number;
  readonly violations: number;
}
interface Attack {
  readonly guarantee: string;
  readonly how: string;
  readonly run: (folder: string) => Promise<Outcome>;
}

/** Runs a script; its last words say how many cases and violations there were. Null: it said neither. */
async function script(
  file: string,
  args: readonly string[],
  read: (said: string) => Outcome | null,
): Promise<Outcome> {
  const { status, said } = await node([join(ROOT, file), ...args]);
  const outcome = read(said);
  if (outcome === null || (status !== 0 && outcome.violations === 0)) {
    process.stderr.write(`${file} ended with ${status}:\n${said.slice(-3_000)}\n`);
    return { cases: outcome?.cases ?? 0, violations: Math.max(1, outcome?.violations ?? 1) };
  }
  if (outcome.violations > 0) process.stderr.write(said.slice(-6_000));
  return outcome;
}

/** Runs test files; each test is a case, and each that fails a violation. */
async function tests(
  folder: string,
  files: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const out = join(folder, "tests.json");
  rmSync(out, { force: true });
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const { status, said } = await node(
    [vitest, "run", ...files, "--no-color", "--reporter=json", `--outputFile=${out}`],
    env,
  );
  try {
    const { numTotalTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
      readFileSync(out, "utf8"),
    ) as Report;
    const failed = testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter((it) => it.status === "failed").map((it) => it.fullName),
    );
    for (const name of failed) process.stderr.write(`failed: ${name}\n`);
    const violations = Math.max(numFailedTests, numFailedTestSuites > 0 || status !== 0 ? 1 : 0);
    return { cases: numTotalTests, violations };
  } catch {
    process.stderr.write(`${files.join(" ")} ended with ${status}:\n${said.slice(-3_000)}\n`);
    return { cases: 0, violations: 1 };
  }
}
interface Report {
  readonly numTotalTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

function node(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ status: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
    });
    child.on("close", (status) => resolve({ status, said }));
  });
}

/** `points=24 killed=24 violations=0`. */
const figures = (cases: string) => (said: string) => {
  const found = new RegExp(`${cases}=(\\d+).*?violations=(\\d+)`).exec(said);
  return found === null ? null : { cases: Number(found[1]), violations: Number(found[2]) };
};

const seeds = values.deep ? 10_000 : 100;
const ATTACKS: readonly Attack[] = [
  {
    guarantee: "G1, G4, G5, G8 at every crash",
    how: "the real server is killed with SIGKILL at each boundary",
    run: () => script("bench/crash-matrix.ts", [], figures("points")),
  },
  {
    guarantee: "G1 to G8 in any order of events",
    how: "seeded simulation: duplicates, faults, operators, webhooks, crashes",
    run: () => script("bench/sim.ts", ["--seeds", String(seeds)], figures("seeds")),
  },
  {
    guarantee: "G9 the model is an adversary",
    how: "a model that proposes anything, on the real gateway and store",
    run: (folder) =>
      tests(
        folder,
        ["tests/orchestrator/adversary.test.ts", "tests/gateway"],
        values.deep ? { SEEDS: "5000" } : {},
      ),
  },
  {
    guarantee: "what customers are promised, end to end",
    how: "scenarios graded on database and provider, in six languages",
    run: () =>
      script("evals/scenarios/run.ts", [], (said) => {
        const found = /^\| all \| (\d+) \| (\d+) \|$/m.exec(said);
        if (found === null) return null;
        return { cases: Number(found[2]), violations: Number(found[2]) - Number(found[1]) };
      }),
  },
  {
    guarantee: "G1, G6 what is public about how others failed",
    how: "each failure is played against this product",
    run: (folder) => tests(folder, ["tests/failures"]),
  },
  {
    guarantee: "G3 and the security review",
    how: "every endpoint × caller × tenant, denials, logs, paths, patterns",
    run: (folder) => tests(folder, ["tests/security", "tests/store"]),
  },
  {
    guarantee: "G2 nothing unconfirmed is said",
    how: "claims, promises and disguises in six languages against the filter",
    run: (folder) => tests(folder, ["tests/safety"]),
  },
  {
    guarantee: "the tests notice",
    how: "guard rails switched off one by one; one that no test notices is a violation",
    run: () =>
      script("bench/mutants.ts", values.deep ? ["--all"] : [], (said) => {
        const found = /mutants=(\d+) caught=\d+ survivors=(\d+)/.exec(said);
        return found === null ? null : { cases: Number(found[1]), violations: Number(found[2]) };
      }),
  },
];

const folder = mkdtempSync(join(tmpdir(), "recourse-prove-"));
const removeTemplate = process.env[TEMPLATE] === undefined ? await makeTemplate() : () => {};
let bad = 0;
try {
  process.stdout.write(
    "| guarantee | attacked by | cases | violations | seconds |\n| --- | --- | --- | --- | --- |\n",
  );
  for (const { guarantee, how, run } of ATTACKS) {
    if (!`${guarantee} ${how}`.includes(values.only)) continue;
    const startedMs = performance.now();
    const { cases, violations } = await run(folder);
    if (violations > 0 || cases === 0) bad += 1;
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    process.stdout.write(`| ${guarantee} | ${how} | ${cases} | ${violations} | ${seconds} |\n`);
  }
} finally {
  removeTemplate();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(bad === 0 ? 0 : 1);
