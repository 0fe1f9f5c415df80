/** The broker of the lane: where it is, how it dies, and how it comes back. `.ci/kafka` starts and ends it. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Topics } from "../../src/channels/kafka/broker.ts";
import type { BrokerSettings } from "../../src/channels/kafka/settings.ts";
import { systemClock } from "../../src/kernel/ports.ts";

const { RECOURSE_KAFKA_BROKERS, RECOURSE_TEST_KAFKA_SECURED, RECOURSE_TEST_KAFKA_FOLDER } = process.env;
if (RECOURSE_KAFKA_BROKERS === undefined || RECOURSE_TEST_KAFKA_FOLDER === undefined)
  throw new Error("RECOURSE_KAFKA_BROKERS is not set: run `.ci/postgres .ci/kafka npm run test:services`.");
const folder: string = RECOURSE_TEST_KAFKA_FOLDER;

export const BROKERS: string = RECOURSE_KAFKA_BROKERS;

export const settingsFor = (topics: Topics, partitions = 4): BrokerSettings => ({
  brokers: [BROKERS],
  topics,
  partitions,
  tls: false,
  credentials: null,
});

/** Where a user and a password are asked for. */
export const securedFor = (topics: Topics, password = "of-the-lane"): BrokerSettings => ({
  ...settingsFor(topics),
  brokers: [String(RECOURSE_TEST_KAFKA_SECURED)],
  credentials: { mechanism: "SCRAM-SHA-256", username: "recourse", password },
});

const brokerPid = (): number => Number(readFileSync(join(folder, "pid"), "utf8"));

export function signalBroker(signal: "SIGSTOP" | "SIGCONT"): void {
  process.kill(brokerPid(), signal);
}

/** As if the machine had lost its power. */
export async function killBroker(): Promise<void> {
  const pid = brokerPid();
  process.kill(pid, "SIGKILL");
  while (existsSync(`/proc/${pid}/exe`)) await systemClock.sleep(20);
}

/** Resolves once it takes connections. */
export function startBroker(): void {
  const started = spawnSync(join(folder, "start"), {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 40_000,
  });
  if (started.status !== 0) throw new Error(`the broker did not start (${started.status ?? started.signal})`);
}
