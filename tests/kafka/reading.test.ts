/** From the topic to the run: with a broker in memory that can be stopped at any point. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { groupOf, topicsOf } from "../../src/channels/kafka/broker.ts";
import { createConsumer, type TopicConsumer, type Woken } from "../../src/channels/kafka/consumer.ts";
import { type Replayed, replayDeadLetters } from "../../src/channels/kafka/dead-letters.ts";
import { keyOf, writeRecord } from "../../src/channels/kafka/records.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import type { OutboxMessage } from "../../src/store/outbox.ts";
import { NORTHWIND } from "../kit/database.ts";
import { MemoryBroker } from "../kit/memory-broker.ts";

const TOPICS = topicsOf("t");
const GROUP = groupOf(TOPICS.chat);
let broker: MemoryBroker;
let consumers: TopicConsumer[];
let woken: string[];
let letters: string[];
let wake: (message: OutboxMessage) => Promise<Woken>;

const consumer = (inHandMax = 8, name = ""): TopicConsumer => {
  const made = createConsumer({
    broker,
    topics: TOPICS,
    topic: TOPICS.chat,
    inHandMax,
    clock: systemClock,
    wake: (message) => {
      woken.push(`${name}${message.conversationId}/${message.seq}`);
      return wake(message);
    },
    onOutage: () => {},
    onDeadLetter: (why, detail, from) => letters.push(`${why} ${detail} ${from}`),
  });
  consumers.push(made);
  made.start();
  return made;
};
const message = (conversationId: string, seq: number): OutboxMessage => ({
  tenantId: NORTHWIND,
  channel: "chat",
  conversationId: conversationId as never,
  seq,
  runId: `run_${conversationId}_${seq}` as never,
  atMs: 1_800_000_000_000,
});
const put = (...messages: OutboxMessage[]) =>
  broker.send(messages.map((each) => ({ topic: TOPICS.chat, key: keyOf(each), value: writeRecord(each) })));
const committed = () =>
  [0, 1, 2].reduce((sum, partition) => sum + Number(broker.offset(GROUP, partition)), 0);
const done = async (): Promise<Woken> => ({ is: "done" });
/** Work that ends when told. */
const held = () => {
  const open = new Map<string, () => void>();
  wake = ({ conversationId, seq }) =>
    new Promise((resolve) => open.set(`${conversationId}/${seq}`, () => resolve({ is: "done" })));
  return (name: string) => {
    const end = open.get(name);
    open.delete(name);
    end?.();
    return end !== undefined;
  };
};

beforeEach(() => {
  broker = new MemoryBroker();
  consumers = [];
  woken = [];
  letters = [];
  wake = done;
});
afterEach(async () => {
  await Promise.all(consumers.map((each) => each.stop(0)));
});

describe("a consumer", () => {
  test("works on a conversation's records one after another, and on several conversations at once", async () => {
    const end = held();
    await put(message("a", 1), message("a", 2), message("b", 1));
    consumer();
    await expect.poll(() => woken.toSorted()).toEqual(["a/1", "b/1"]);
    expect(end("a/1")).toBe(true);
    await expect.poll(() => woken.at(-1)).toBe("a/2");
  });

  test("commits an offset only after the work, and none past a record that is unfinished", async () => {
    broker = new MemoryBroker(1);
    const end = held();
    await put(message("a", 1), message("b", 1), message("c", 1));
    consumer();
    await expect.poll(() => woken).toHaveLength(3);
    end("b/1");
    end("c/1");
    await systemClock.sleep(LIMITS.kafkaCommitMs * 2);
    expect(committed()).toBe(0);
    end("a/1");
    await expect.poll(committed).toBe(3);
  });

  test("has no more in hand than its limit, however much lies in the topic", async () => {
    const end = held();
    await put(...Array.from({ length: 40 }, (_, n) => message(`c${n}`, 1)));
    consumer(4);
    await expect.poll(() => woken).toHaveLength(4);
    await systemClock.sleep(50);
    expect(woken).toHaveLength(4);
    for (let n = 0; n < 40; n += 1) {
      await expect.poll(() => woken.length).toBeGreaterThan(n);
      expect(end(woken[n] as string)).toBe(true);
    }
    await expect.poll(committed).toBe(40);
  });

  test("that dies before the commit leaves its records to another", async () => {
    held();
    await put(message("a", 1), message("a", 2));
    const dying = consumer(8, "dying ");
    await expect.poll(() => woken).toEqual(["dying a/1"]);
    await dying.stop(0);
    expect(committed()).toBe(0);
    wake = done;
    consumer(8, "other ");
    await expect.poll(() => woken).toEqual(["dying a/1", "other a/1", "other a/2"]);
    await expect.poll(committed).toBe(2);
  });

  test("keeps the order of each conversation while others join and leave", async () => {
    wake = async () => {
      await systemClock.sleep(3);
      return { is: "done" };
    };
    const first = consumer(16, "");
    const names = Array.from({ length: 12 }, (_, n) => `c${n}`);
    for (let seq = 1; seq <= 10; seq += 1) {
      await put(...names.map((name) => message(name, seq)));
      if (seq === 3 || seq === 5) consumer(16, "");
      if (seq === 7) await first.stop(1_000);
    }
    await expect.poll(committed, { timeout: 10_000 }).toBe(120);
    for (const name of names) {
      // A record may come again with those behind it; the first time that each comes is in order.
      const seen = [...new Set(woken.filter((each) => each.startsWith(`${name}/`)))];
      expect(seen).toEqual(Array.from({ length: 10 }, (_, n) => `${name}/${n + 1}`));
    }
  });

  test("waits for a database that is away, and loses nothing", async () => {
    let away = 3;
    wake = async () => (away-- > 0 ? { is: "away" } : { is: "done" });
    await put(message("a", 1));
    consumer();
    await expect.poll(committed, { timeout: 10_000 }).toBe(1);
    expect(woken).toHaveLength(4);
    expect(letters).toEqual([]);
  });

  test("joins anew when its connection breaks, and goes on from the last commit", async () => {
    await put(message("a", 1));
    consumer();
    await expect.poll(committed).toBe(1);
    broker.breakReaders();
    await put(message("a", 2));
    await expect.poll(committed, { timeout: 10_000 }).toBe(2);
    expect(woken).toEqual(["a/1", "a/2"]);
  });
});

describe("a record that nobody can work on", () => {
  const poison = (value: string) => broker.send([{ topic: TOPICS.chat, key: "northwind/a", value }]);
  const replay = async (onlyLook = false): Promise<Replayed[]> => {
    const seen: Replayed[] = [];
    const { signal } = new AbortController();
    for await (const each of replayDeadLetters(
      { broker, topics: TOPICS, clock: systemClock, signal },
      LIMITS.kafkaReplayRecords,
      onlyLook,
    ))
      seen.push(each);
    return seen;
  };

  test("becomes a dead letter that says why and holds what came; those behind it go on", async () => {
    await put(message("a", 1));
    await poison('{"version":7}');
    await poison("%%%");
    await put(message("a", 2));
    consumer();
    await expect.poll(committed).toBe(4);
    expect(woken).toEqual(["a/1", "a/2"]);
    const [newer, garbage] = broker.all(TOPICS.deadLetters);
    expect(newer?.headers).toMatchObject({
      "recourse-why": "unknown_version",
      "recourse-detail": "version 7; known is 1",
      "recourse-topic": TOPICS.chat,
      "recourse-offset": "1",
      "recourse-replays": "0",
    });
    expect(Buffer.from(newer?.value ?? []).toString()).toBe('{"version":7}');
    expect(garbage?.headers["recourse-why"]).toBe("unreadable");
    expect(letters).toHaveLength(2);
  });

  test("of a tenant that is not here, or that fails each time, is put aside after its attempts", async () => {
    wake = async ({ seq }) => ({ is: seq === 1 ? "unknown_tenant" : "failed", detail: "Oops" });
    await put(message("a", 1), message("b", 2));
    consumer();
    await expect.poll(committed, { timeout: 10_000 }).toBe(2);
    expect(letters.map((each) => each.split(" ").slice(0, 2).join(" ")).toSorted()).toEqual([
      "failed Oops",
      "unknown_tenant Oops",
    ]);
    expect(woken.filter((each) => each === "b/2")).toHaveLength(LIMITS.kafkaAttempts);
  });

  test("is not committed while the dead-letter topic cannot be written", async () => {
    await poison("%%%");
    const send = broker.send.bind(broker);
    let refused = 0;
    broker.send = async (records) => {
      if (records[0]?.topic === TOPICS.deadLetters && refused++ < 2) throw new Error("away");
      await send(records);
    };
    consumer();
    await expect.poll(() => refused).toBeGreaterThan(0);
    expect(committed()).toBe(0);
    await expect.poll(committed, { timeout: 10_000 }).toBe(1);
    expect(broker.all(TOPICS.deadLetters)).toHaveLength(1);
  });

  test("is replayed once to where it came from; one that fails again waits for the next replay", async () => {
    wake = async ({ tenantId }) =>
      tenantId === NORTHWIND ? { is: "done" } : { is: "unknown_tenant", detail: "" };
    await put({ ...message("a", 1), tenantId: "later" as never });
    await poison("%%%");
    consumer();
    await expect.poll(() => letters).toHaveLength(2);
    expect(await replay(true)).toMatchObject([{ outcome: "replayed" }, { outcome: "replayed" }]);
    wake = done;
    expect(await replay()).toMatchObject([
      { outcome: "replayed", letter: { why: "unknown_tenant", replays: 0 } },
      { outcome: "replayed", letter: { why: "unreadable", replays: 0 } },
    ]);
    await expect.poll(() => letters).toHaveLength(3);
    await expect.poll(committed).toBe(4);
    expect(woken.filter((each) => each === "a/1").length).toBeGreaterThan(1);
    expect(await replay()).toMatchObject([{ letter: { why: "unreadable", replays: 1 } }]);
    await expect.poll(() => letters).toHaveLength(4);
  });

  test("that is too long is kept in part, said to be, and not replayed", async () => {
    await poison("x".repeat(LIMITS.kafkaRecordBytes + 1));
    consumer();
    await expect.poll(() => letters).toHaveLength(1);
    expect(broker.all(TOPICS.deadLetters)[0]?.value).toHaveLength(LIMITS.kafkaRecordBytes);
    expect(await replay()).toMatchObject([{ outcome: "left", letter: { isCut: true } }]);
    expect(await replay()).toEqual([]);
  });
});
