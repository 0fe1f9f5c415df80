/** Servers and workers as real processes, with a real broker and a real PostgreSQL server between them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
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
import { type Broker, groupOf, type Topics, topicsOf } from "../../src/channels/kafka/broker.ts";
import { createBroker } from "../../src/channels/kafka/client.ts";
import { depthOf } from "../../src/channels/kafka/depth.ts";
import { runCommand } from "../../src/cli/main.ts";
import type { ConversationId } from "../../src/kernel/ids.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { migrate } from "../../src/store/migrate.ts";
import { createOutbox } from "../../src/store/outbox.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore } from "../../src/store/store.ts";
import { NORTHWIND } from "../kit/database.ts";
import { emptyServer, SERVER_URL } from "../kit/server-database.ts";
import { BROKERS, killBroker, settingsFor, startBroker } from "./kafka-broker.ts";

const CHARGE = "ch_nw_1044";
const WAIT = { timeout: 45_000, interval: 100 };
const database = openServer(SERVER_URL, systemClock);
const store = createStore(database);
const outbox = createOutbox(database);
let folder: string;
let url: string;
let sandboxUrl: string;
let running: Running[];
let topics: Topics;
let broker: Broker;

const environment = (): Record<string, string> => ({
  DATABASE_URL: SERVER_URL,
  RECOURSE_DATA_DIR: folder,
  RECOURSE_SANDBOX: sandboxUrl,
  RECOURSE_PUBLIC_URL: url,
  RECOURSE_LOG_LEVEL: "warn",
  RECOURSE_KAFKA_BROKERS: BROKERS,
  RECOURSE_KAFKA_TOPIC: topics.chat.replace(/\.chat$/, ""),
  RECOURSE_KAFKA_PARTITIONS: "4",
});
const launch = async (role: string, port: number, env: Record<string, string> = {}): Promise<Running> => {
  const ready = /^Ready\./m;
  const launched = await start(
    "src/main.ts",
    { ...environment(), PORT: String(port), RECOURSE_ROLE: role, ...env },
    ready,
  );
  running.push(launched);
  return launched;
};
/** A worker that has joined the group. */
const work = async (env: Record<string, string> = {}): Promise<Running> => {
  const port = await freePort();
  const worker = await launch("work", port, env);
  await expect.poll(() => kafkaAt(port).then(({ reads }) => reads), WAIT).toBe(true);
  return worker;
};
const kafkaAt = async (port: number): Promise<{ ok: boolean; detail: string; reads: boolean }> => {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).then((response) => response.json());
  const { checks } = answer as { checks: { name: string; ok: boolean; detail: string }[] };
  const check = checks.find(({ name }) => name === "kafka") ?? { ok: false, detail: "" };
  return { ...check, reads: check.detail.includes("this process reads") };
};
/** How many jobs PostgreSQL's own queue has had for it. */
const jobsFor = async (id: string | null): Promise<number> => {
  const session = await database.acquire();
  try {
    return (await session.query("select 1 from pgboss.job where data->>'id' = $1", [id])).rows.length;
  } finally {
    session.release();
  }
};
const waiting = async () => (await outbox.waiting(1_000)).rows;
const lag = () =>
  depthOf(broker, topics).then(
    ({ chat }) => chat,
    () => -1,
  );
/** Where everything that was accepted is done with. */
const settled = () => expect.poll(async () => [await waiting(), await lag()], WAIT).toEqual([0, 0]);
const offered = (events: readonly LogEvent[]): boolean =>
  agentTexts(events).some((said) => said.includes("Shall I go ahead?"));
const confirmed = (events: readonly LogEvent[]): boolean =>
  agentTexts(events).some((said) => said.includes("has confirmed your refund"));
/** The runs of a log that ended, each as often as it says so. */
const ended = (events: readonly LogEvent[]): string[] =>
  events
    .filter(({ type, state }) => type === "run" && state === "completed")
    .map(({ run_id }) => String(run_id));
const command = async (...args: string[]): Promise<{ code: number; output: string }> => {
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk) => {
    text += String(chunk);
  });
  const code = await runCommand(args, {
    env: environment(),
    input: new PassThrough(),
    output,
    error: output,
    clock: systemClock,
    random: systemRandom,
    interrupted: new AbortController().signal,
  });
  return { code, output: text };
};

/** One server and one shop for all: what comes in goes on from test to test. */
let lasting: Running[] = [];

beforeAll(async () => {
  await migrate(database);
  await emptyServer(database);
  topics = topicsOf(`lane-${Buffer.from(systemRandom.bytes(4)).toString("hex")}`);
  broker = createBroker(settingsFor(topics), systemClock);
  folder = mkdtempSync(join(tmpdir(), "recourse-kafka-"));
  const sandboxPort = await freePort();
  sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  running = [await startSandbox(folder, sandboxPort)];
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  await launch("serve", port);
  lasting = running;
});
afterAll(async () => {
  await Promise.all(lasting.map((each) => stop(each)));
  await broker.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => stop(each)));
});

describe("with a broker between servers and workers", () => {
  test("a message goes over the topic, not over PostgreSQL's queue, and is answered; commands and probes say how it is", async () => {
    await work();
    const ben = await Customer.enter(url, "ben");
    const conversation = await ben.open();
    const { run_id } = await ben.send(conversation, "hi there", "m1");
    const log = await ben.until(conversation, (events) => ended(events).length > 0);
    expect(ended(log)).toEqual([run_id]);
    await settled();
    expect(await jobsFor(run_id)).toBe(0);
    expect(await broker.waiting([{ topic: topics.chat, group: "nobody" }])).toEqual([1]);
    expect(await kafkaAt(Number(new URL(url).port))).toMatchObject({
      ok: true,
      detail: expect.stringContaining("lag 0 (chat) and 0 (email), outbox 0, dead letters 0"),
    });

    // What no version of ours wrote is put aside, and the next message is answered all the same.
    await broker.send([{ topic: topics.chat, key: `northwind/${conversation}`, value: '{"version":9}' }]);
    await ben.send(conversation, "thanks", "m2");
    await ben.until(conversation, (events) => ended(events).length > 1);
    await settled();
    expect(await command("kafka", "status", "--json")).toMatchObject({
      code: 0,
      output: expect.stringContaining('"chat":0,"email":0,"deadLetters":1,"outbox":0'),
    });
    const listed = await command("kafka", "dead-letters");
    expect(listed.output).toContain("unknown_version");
    expect(listed.output).toContain("1 can be replayed.");
    expect(await command("kafka", "replay")).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 replayed."),
    });
    await expect
      .poll(async () => (await command("kafka", "dead-letters")).output, WAIT)
      .toContain("(replayed 1 times)");
  });

  test("messages are accepted and answered while the broker is down, and forwarded when it is back", async () => {
    await work();
    const ben = await Customer.enter(url, "ben");
    const conversation = await ben.open();
    await ben.send(conversation, "hi there", "m1");
    await ben.until(conversation, (events) => ended(events).length === 1);
    await killBroker();
    try {
      await ben.send(conversation, "Where is my order 1044?", "m2");
      await ben.until(conversation, (events) => ended(events).length === 2);
      await ben.send(conversation, "thank you", "m3");
      await ben.until(conversation, (events) => ended(events).length === 3);
      expect(await waiting()).toBeGreaterThan(0);
      expect(await kafkaAt(Number(new URL(url).port))).toMatchObject({ ok: false });
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(await command("kafka", "status")).toMatchObject({ code: 3 });
    } finally {
      startBroker();
    }
    await settled();
    const log = await ben.events(conversation);
    // Nothing that came late made anything happen again.
    expect(ended(log)).toHaveLength(3);
    expect(new Set(ended(log)).size).toBe(3);
  });

  test("a worker killed after the database has its answer and before its offset is committed: the record comes again, and nothing is said twice", async () => {
    const doomed = await work({ RECOURSE_CRASH_AT: "run.after-answer-commit" });
    const ben = await Customer.enter(url, "ben");
    const conversation = await ben.open();
    await ben.send(conversation, "hi there", "m1");
    expect(await doomed.exited).toMatchObject({ signal: "SIGKILL" });
    expect(await lag()).toBe(1);
    await work();
    await settled();
    const log = await ben.events(conversation);
    expect([agentTexts(log).length, ended(log).length]).toEqual([1, 1]);
  });

  test("a worker killed before it asks the provider for a refund: one refund, told once", async () => {
    const doomed = await work({ RECOURSE_CRASH_AT: "action.before-provider" });
    const ben = await Customer.enter(url, "ben");
    const conversation = await ben.open();
    await ben.send(conversation, "I want a refund for order 1044", "m1");
    await ben.until(conversation, offered);
    await ben.send(conversation, "yes", "m2");
    expect(await doomed.exited).toMatchObject({ signal: "SIGKILL" });
    await work();
    const log = await ben.until(conversation, confirmed, 50_000);
    await settled();
    expect(new Set(ended(log)).size).toBe(ended(log).length);
    expect(agentTexts(log).filter((said) => said.includes("has confirmed your refund"))).toHaveLength(1);
    expect(await refundsAt(sandboxUrl, CHARGE)).toMatchObject([{ amount: 6400, status: "succeeded" }]);
  });

  test("workers join, leave and die in the middle of many conversations: each message is answered once, in order", async () => {
    const first = await work();
    const names = ["ada", "ben", "cleo", "ada", "ben", "cleo"];
    const crowd = await Promise.all(
      names.map(async (name) => {
        const customer = await Customer.enter(url, name);
        return { customer, conversation: await customer.open(), sent: 0 };
      }),
    );
    const round = () =>
      Promise.all(
        crowd.map(async (one) => {
          one.sent += 1;
          await one.customer.send(one.conversation, "hi there", `m${one.sent}`);
        }),
      );
    await round();
    const second = await work();
    await round();
    await stop(first);
    await round();
    await work();
    await round();
    second.child.kill("SIGKILL");
    await round();
    await settled();
    for (const { customer, conversation, sent } of crowd) {
      const log = await customer.until(
        conversation,
        (events) => events.filter(({ type }) => type === "run").at(-1)?.state === "completed",
      );
      const said = log.filter(({ type, author }) => type === "message" && author === "customer");
      expect(said.map(({ client_message_id }) => client_message_id)).toEqual(
        Array.from({ length: sent }, (_, n) => `m${n + 1}`),
      );
      expect(new Set(ended(log)).size).toBe(ended(log).length);
      const { answered_seq } = await store.transact(tenantScope(NORTHWIND), (tx) =>
        tx
          .selectFrom("conversations")
          .select("answered_seq")
          .where("id", "=", conversation as ConversationId)
          .executeTakeFirstOrThrow(),
      );
      expect(answered_seq).toBeGreaterThanOrEqual(Number(said.at(-1)?.seq));
    }
    expect(await broker.waiting([{ topic: topics.chat, group: groupOf(topics.chat) }])).toEqual([0]);
  });
});
