/**
 * `npm run chaos`: a load while everything goes wrong at once: PostgreSQL restarted without a shutdown, workers killed
 * with SIGKILL, workers frozen past their lease and let go again, faults and outages of the payment provider, and Kafka
 * restarted where one is used. It ends with what must hold, read from the database and the provider: `violations=0`.
 *
 *   --minutes M (3)  --workers W (3)  --customers C at once (4 a worker)  --seed S  --json
 *
 * RECOURSE_TEST_POSTGRES_RESTART and RECOURSE_TEST_KAFKA_RESTART are shell commands that restart them; `.ci/postgres`
 * sets the first.
 */
import { execFile } from "node:child_process";
import { parseArgs, promisify } from "node:util";
import { LIMITS } from "../src/kernel/limits.ts";
import { armOne } from "./load/faults.ts";
import type { Fleet } from "./load/fleet.ts";
import { countOf, play, print, restUntil, say, type Tally, wantedDatabase } from "./load/playing.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    workers: { type: "string", default: "3" },
    customers: { type: "string" },
    seed: { type: "string", default: String(Math.floor(Date.now() / 1_000) % 100_000) },
    json: { type: "boolean", default: false },
  },
});
/** Longer than a lease: what a frozen worker had in hand is another's by then. */
const FROZEN_MS = LIMITS.leaseMs + 3_000;
const OUTAGE_MS = 4_000;
const PAUSE_MS = 3_000;
/** Messages in a minute that a crowd is made for. */
const PER_MINUTE = 1_500;

const run = promisify(execFile);
const restart = async (variable: string): Promise<boolean> => {
  const command = process.env[variable];
  if (command === undefined || command === "") return false;
  await run("bash", ["-c", command], { timeout: 60_000 });
  return true;
};

type Blow = (fleet: Fleet, over: AbortSignal, tally: Tally, chance: () => number) => Promise<void>;
const victimOf = (fleet: Fleet, n: number) =>
  fleet.workers[n % fleet.workers.length] as Fleet["workers"][number];

const kill: Blow = async (fleet, _over, tally) => {
  const victim = victimOf(fleet, tally.kills);
  tally.kills += 1;
  say(`${victim.name}: SIGKILL`);
  await fleet.replace(victim);
};
const freeze: Blow = async (fleet, over, tally) => {
  // Not the one that is killed next.
  const victim = victimOf(fleet, tally.kills + 1);
  const { child } = victim.running;
  tally.freezes += 1;
  say(`${victim.name}: frozen for ${FROZEN_MS} ms`);
  child.kill("SIGSTOP");
  try {
    await restUntil(over, FROZEN_MS);
  } finally {
    child.kill("SIGCONT");
  }
};
const restartDatabase: Blow = async (_fleet, _over, tally) => {
  if (!(await restart("RECOURSE_TEST_POSTGRES_RESTART"))) return;
  tally.restarts += 1;
  say("PostgreSQL was restarted");
};
const restartKafka: Blow = async () => {
  if (process.env.RECOURSE_KAFKA_BROKERS !== undefined && (await restart("RECOURSE_TEST_KAFKA_RESTART")))
    say("Kafka was restarted");
};
const outage: Blow = async ({ sandboxUrl }, over, tally) => {
  const set = (down: boolean) =>
    fetch(`${sandboxUrl}/sandbox/outage`, { method: "POST", body: JSON.stringify({ down }) });
  tally.faults += 1;
  say("the payment provider is away");
  await set(true);
  await restUntil(over, OUTAGE_MS);
  await set(false);
};
const faults: Blow = async ({ sandboxUrl }, _over, tally, chance) => {
  for (let n = 0; n < 5; n += 1) await armOne(sandboxUrl, chance);
  tally.faults += 5;
};

/** Two at once: one after the other they meet every other state of the rest. */
const LINES: readonly (readonly Blow[])[] = [
  [faults, freeze, outage],
  [kill, restartDatabase, faults, restartKafka],
];

const minutes = Number(values.minutes);
const workers = Number(values.workers);
say(`seed ${values.seed}`);
const report = await play({
  databaseUrl: wantedDatabase("chaos"),
  workers,
  expected: Math.ceil(minutes * PER_MINUTE),
  faultEvery: 50,
  mayRepeatMails: true,
  load: {
    seed: Number(values.seed),
    messages: Number.POSITIVE_INFINITY,
    forMs: minutes * 60_000,
    rate: null,
    customers: Number(values.customers ?? workers * 4),
  },
  async weather(fleet, over, tally, chance) {
    await Promise.all(
      LINES.map(async (blows) => {
        for (let n = 0; !over.aborted; n += 1) {
          await restUntil(over, PAUSE_MS);
          if (!over.aborted) await blows[n % blows.length]?.(fleet, over, tally, chance);
        }
      }),
    );
  },
});
print(report, values.json);
const violations = countOf(report.findings);
(values.json ? process.stderr : process.stdout).write(`violations=${violations}\n`);
const { kills, freezes } = report.tally;
const wasCalm = report.messages === 0 || kills === 0 || freezes === 0;
if (wasCalm) say("Too little happened for this to say anything: give it more minutes.");
process.exit(violations > 0 || wasCalm ? 1 : 0);
