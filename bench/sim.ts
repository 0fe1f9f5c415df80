/**
 * `npm run sim -- --seeds 200`: seeded interleavings of customers, conversations, duplicate deliveries,
 * faults of the provider, operators, and crashes, on the real code with the embedded database and a
 * clock that only the seed moves. After each seed the guarantees G1–G6 and G8 are checked on rows and at
 * the provider. Prints `seeds=… steps=… violations=0`; a failing seed replays with `--first N --seeds 1 --verbose`.
 */
import { parseArgs } from "node:util";
import { simulate } from "./simulation/simulate.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    first: { type: "string", default: "1" },
    steps: { type: "string", default: "40" },
    verbose: { type: "boolean", default: false },
  },
});
const first = Number(values.first);
const seeds = Number(values.seeds);
let steps = 0;
let violations = 0;
const reached = new Map<string, number>();
for (let seed = first; seed < first + seeds; seed += 1) {
  const result = await simulate(
    seed,
    Number(values.steps),
    values.verbose ? (line) => process.stdout.write(`  ${line}\n`) : () => {},
  );
  steps += result.steps;
  for (const name of result.reached) reached.set(name, (reached.get(name) ?? 0) + 1);
  for (const violation of result.violations) {
    violations += 1;
    process.stdout.write(`seed ${seed}: ${violation}\n`);
  }
  if (result.violations.length > 0) {
    process.stdout.write(
      `  replay: npm run sim -- --first ${seed} --seeds 1 --steps ${values.steps} --verbose\n`,
    );
  }
}
process.stdout.write(
  `reached ${[...reached]
    .sort()
    .map(([name, count]) => `${name}×${count}`)
    .join(" ")}\n`,
);
process.stdout.write(`seeds=${seeds} steps=${steps} violations=${violations}\n`);
process.exit(violations === 0 ? 0 : 1);
