/** The product's own client against the real broker: groups, rebalances, commits, a broker that freezes. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Broker, groupOf, type Topics, topicsOf } from "../../src/channels/kafka/broker.ts";
import { createBroker } from "../../src/channels/kafka/client.ts";
import { createConsumer, type TopicConsumer, type Woken } from "../../src/channels/kafka/consumer.ts";
import { replayDeadLetters } from "../../src/channels/kafka/dead-letters.ts";
import { keyOf, writeRecord } from "../../src/channels/kafka/records.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import type { OutboxMessage } from "../../src/store/outbox.ts";
import { NORTHWIND } from "../kit/database.ts";
import { securedFor, settingsFor, signalBroker } from "./kafka-broker.ts";

const WAIT = { timeout: 40_000, interval: 50 };
let topics: Topics;
let brokers: Broker[];
let consumers: TopicConsumer[];
let woken: string[];
let letters: string[];
let outages: unknown[];

const connect = (settings = settingsFor(topics)): Broker => {
  const made = createBroker(settings, systemClock);
  brokers.push(made);
  return made;
};
const consumer = (wake: (message: OutboxMessage) => Promise<Woken> = async () => ({ is: "done" })) => {
  const made = createConsumer({
    broker: connect(),
    topics,
    topic: topics.chat,
    inHandMax: 64,
    clock: systemClock,
    wake: (message) => {
      woken.push(`${message.conversationId}/${message.seq}`);
      return wake(message);
    },
    onOutage: (error) => outages.push(error),
    onDeadLetter: (why, _detail, from) => letters.push(`${why} ${from}`),
  });
  consumers.push(made);
  made.start();
  return made;
};
const record = (conversationId: string, seq: number) => {
  const message: OutboxMessage = {
    tenantId: NORTHWIND,
    channel: "chat",
    conversationId: conversationId as never,
    seq,
    runId: "run" as never,
    atMs: 1_800_000_000_000,
  };
  return { topic: topics.chat, key: keyOf(message), value: writeRecord(message) };
};
const lagOf = async (broker: Broker) =>
  (await broker.waiting([{ topic: topics.chat, group: groupOf(topics.chat) }]).catch(() => [-1]))[0];

beforeEach(() => {
  topics = topicsOf(`lane-${Buffer.from(systemRandom.bytes(4)).toString("hex")}`);
  brokers = [];
  consumers = [];
  woken = [];
  letters = [];
  outages = [];
});
afterEach(async () => {
  await Promise.all(consumers.map((each) => each.stop(0)));
  await Promise.all(brokers.map((each) => each.close()));
});

describe("on a real broker", () => {
  test("topics are made by whoever is first; what was sent is read in order for each conversation, and committed", async () => {
    const [one, two] = [connect(), connect()];
    await Promise.all([one.prepare(), two.prepare()]);
    await one.send([record("a", 1), record("b", 1), record("a", 2)]);
    // A broker that is new has no coordinator for groups in its first moments.
    await expect.poll(() => lagOf(one), WAIT).toBe(3);
    consumer();
    await expect.poll(() => lagOf(one), WAIT).toBe(0);
    expect(woken.filter((each) => each.startsWith("a"))).toEqual(["a/1", "a/2"]);
    expect(outages).toEqual([]);
  });

  test("two consumers share the partitions; one joins and one leaves in the middle: nothing is lost, each conversation keeps its order", async () => {
    const sender = connect();
    await sender.prepare();
    const names = Array.from({ length: 20 }, (_, n) => `c${n}`);
    const work = async (): Promise<Woken> => {
      await systemClock.sleep(5);
      return { is: "done" };
    };
    const first = consumer(work);
    for (let seq = 1; seq <= 30; seq += 1) {
      await sender.send(names.map((name) => record(name, seq)));
      if (seq === 8) consumer(work);
      if (seq === 20) await first.stop(5_000);
    }
    await expect.poll(() => lagOf(sender), WAIT).toBe(0);
    for (const name of names) {
      const seen = [...new Set(woken.filter((each) => each.startsWith(`${name}/`)))];
      expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => `${name}/${n + 1}`));
    }
  });

  test("many join and leave at once: nothing is lost, and no process ends of it", async () => {
    const sender = connect();
    await sender.prepare();
    for (let seq = 1; seq <= 12; seq += 1) {
      await sender.send(Array.from({ length: 8 }, (_, n) => record(`c${n}`, seq)));
      consumer();
      if (seq % 2 === 0) void consumers[seq / 2]?.stop(100);
    }
    await expect.poll(() => lagOf(sender), WAIT).toBe(0);
    expect(new Set(woken).size).toBe(96);
  });

  test("a poison record goes to the dead letters, with why; replayed once what it needed is there", async () => {
    const sender = connect();
    await sender.prepare();
    await sender.send([{ topic: topics.chat, key: "k", value: "%%%" }, record("a", 1)]);
    let isThere = false;
    consumer(async () => (isThere ? { is: "done" } : { is: "unknown_tenant", detail: "not here" }));
    await expect
      .poll(() => letters.map((each) => each.split(" ")[0]).toSorted(), WAIT)
      .toEqual(["unknown_tenant", "unreadable"]);
    await expect.poll(() => lagOf(sender), WAIT).toBe(0);
    isThere = true;
    const replayed: string[] = [];
    const { signal } = new AbortController();
    for await (const { letter } of replayDeadLetters(
      { broker: sender, topics, clock: systemClock, signal },
      100,
      false,
    ))
      replayed.push(letter.why);
    expect(replayed.toSorted()).toEqual(["unknown_tenant", "unreadable"]);
    await expect.poll(() => woken.filter((each) => each === "a/1"), WAIT).toHaveLength(2);
    // The one that cannot be mended is aside again.
    await expect.poll(() => letters, WAIT).toHaveLength(3);
  });

  test("that asks who comes lets in who knows the password, and nobody else", async () => {
    await connect(securedFor(topics)).prepare();
    await connect(securedFor(topics)).send([record("a", 1)]);
    await expect.poll(() => lagOf(connect()), WAIT).toBe(1);
    await expect(connect(securedFor(topics, "wrong")).prepare()).rejects.toThrow();
  });

  test("frozen past every time-out, as a machine that is gone without a word: readers and senders give up, and go on when it is back", async () => {
    const sender = connect();
    await sender.prepare();
    await sender.send([record("a", 1)]);
    consumer();
    await expect.poll(() => lagOf(sender), WAIT).toBe(0);
    signalBroker("SIGSTOP");
    try {
      await expect(sender.send([record("a", 2)])).rejects.toThrow();
      await expect.poll(() => outages, WAIT).toHaveLength(1);
    } finally {
      signalBroker("SIGCONT");
    }
    const again = () =>
      sender.send([record("a", 2), record("a", 3)]).then(
        () => true,
        () => false,
      );
    await expect.poll(again, WAIT).toBe(true);
    await expect.poll(() => [...new Set(woken)], WAIT).toEqual(["a/1", "a/2", "a/3"]);
    await expect.poll(() => lagOf(sender), WAIT).toBe(0);
  });
});
