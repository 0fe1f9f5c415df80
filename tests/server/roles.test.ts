/** Real processes with a part of the work each, on one PostgreSQL server, beside one shop and payment provider. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  agentTexts,
  Customer,
  freePort,
  type LogEvent,
  type Running,
  refundsAt,
  start,
  startSandbox,
  stop,
} from "../../bench/processes.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore } from "../../src/store/store.ts";
import { NORTHWIND } from "../kit/database.ts";
import { emptyServer, SERVER_URL } from "../kit/server-database.ts";

const CHARGE = "ch_nw_1044";
const database = openServer(SERVER_URL, systemClock);
let folder: string;
let url: string;
let sandboxUrl: string;
let running: Running[];

const launch = async (role: string, port: number, env: Record<string, string> = {}): Promise<Running> => {
  const process = await start(
    "src/main.ts",
    {
      PORT: String(port),
      DATABASE_URL: SERVER_URL,
      RECOURSE_ROLE: role,
      RECOURSE_DATA_DIR: folder,
      RECOURSE_SANDBOX: sandboxUrl,
      RECOURSE_PUBLIC_URL: url,
      RECOURSE_LOG_LEVEL: "warn",
      ...env,
    },
    /^Ready\./m,
  );
  running.push(process);
  return process;
};

const confirmed = (events: readonly LogEvent[]): boolean =>
  agentTexts(events).some((said) => said.includes("has confirmed your refund"));
const offered = (events: readonly LogEvent[]): boolean =>
  agentTexts(events).some((said) => said.includes("Shall I go ahead?"));
/** Waits until a worker holds the refund and asks the provider; answers with the end of its lease. */
const untilExecuting = async (): Promise<number> => {
  const store = createStore(database);
  const endMs = performance.now() + 20_000;
  for (;;) {
    const actions = await store.transact(tenantScope(NORTHWIND), (tx) =>
      tx.selectFrom("actions").select(["state", "lease_until_ms"]).execute(),
    );
    const held = actions.find(({ state }) => state === "executing");
    if (held !== undefined) return held.lease_until_ms ?? 0;
    if (performance.now() > endMs) throw new Error(`no action is executing: ${JSON.stringify(actions)}`);
    await systemClock.sleep(10);
  }
};

beforeAll(() => migrate(database));
afterAll(() => database.close());
beforeEach(async () => {
  await emptyServer(database);
  running = [];
  folder = mkdtempSync(join(tmpdir(), "recourse-roles-"));
  const sandboxPort = await freePort();
  sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  running.push(await startSandbox(folder, sandboxPort));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  await launch("serve", port);
});
afterEach(async () => {
  await Promise.all(running.map((each) => stop(each)));
  rmSync(folder, { recursive: true, force: true });
});

describe("processes with a part of the work each", () => {
  test("a message waits while nobody works; a worker's answer reaches the stream of a server; a worker serves probes only, and stops when told", async () => {
    const ben = await Customer.enter(url, "ben");
    const conversation = await ben.open();
    const stream = await ben.stream(conversation);
    const { run_id } = await ben.send(conversation, "hi there", "m1");
    const workerPort = await freePort();
    const working = await launch("work", workerPort);
    await stream.until((event) => event.type === "message" && event.author === "agent");
    await stream.until((event) => event.run_id === run_id && event.state === "completed");
    stream.close();

    const worker = `http://127.0.0.1:${workerPort}`;
    const ready = await fetch(`${worker}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { ready: true, checks: [{ name: "database" }, { name: "role", detail: "work" }] },
    ]);
    expect((await fetch(`${worker}/healthz`)).status).toBe(200);
    expect((await fetch(`${worker}/v1/conversations`, { method: "POST" })).status).toBe(404);
    working.child.kill("SIGTERM");
    expect(await working.exited).toEqual({ code: 0, signal: null });
  });

  test("a worker killed before it asks the provider, another one beside it: one refund, told once", async () => {
    const doomed = await launch("work", 0, { RECOURSE_CRASH_AT: "action.before-provider" });
    const ben = await Customer.enter(url, "ben");
    const conversation = await ben.open();
    await ben.send(conversation, "I want a refund for order 1044", "m1");
    await ben.until(conversation, offered);
    await ben.send(conversation, "yes", "m2");
    expect(await doomed.exited).toMatchObject({ signal: "SIGKILL" });
    await launch("work", 0);
    const log = await ben.until(conversation, confirmed, 50_000);
    expect(agentTexts(log).filter((said) => said.includes("has confirmed your refund"))).toHaveLength(1);
    expect(await refundsAt(sandboxUrl, CHARGE)).toMatchObject([{ amount: 6400, status: "succeeded" }]);
  });

  test("a worker frozen past its lease wakes up after another has done its work: one refund, told once", async () => {
    const zombie = await launch("work", 0);
    // Long enough to be frozen with the question on the wire; and no webhook tells what became of it.
    for (const fault of [
      { fault: "slow", delay_ms: 3_000 },
      { fault: "lost", times: 20 },
    ]) {
      const armed = await fetch(`${sandboxUrl}/sandbox/faults`, {
        method: "POST",
        body: JSON.stringify(fault),
      });
      expect(armed.status).toBe(200);
    }
    const ben = await Customer.enter(url, "ben");
    const conversation = await ben.open();
    await ben.send(conversation, "I want a refund for order 1044", "m1");
    await ben.until(conversation, offered);
    await ben.send(conversation, "yes", "m2");
    const leaseUntilMs = await untilExecuting();
    zombie.child.kill("SIGSTOP");
    try {
      await launch("work", 0);
      await ben.until(conversation, confirmed, 50_000);
      expect(systemClock.now()).toBeGreaterThan(leaseUntilMs);
    } finally {
      zombie.child.kill("SIGCONT");
    }
    // It takes part again: what it had in hand is refused, what comes is answered.
    await ben.send(conversation, "hi there", "m3");
    const log = await ben.until(conversation, (events) => {
      const said = events.findIndex((event) => event.type === "message" && event.text === "hi there");
      return said >= 0 && agentTexts(events.slice(said)).length > 0;
    });
    expect(agentTexts(log).filter((said) => said.includes("has confirmed your refund"))).toHaveLength(1);
    expect(await refundsAt(sandboxUrl, CHARGE)).toMatchObject([{ amount: 6400, status: "succeeded" }]);
  });
});
