/** From acceptance to the topic: on the real database, with a broker in memory. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { announceBy } from "../../src/channels/kafka/announcing.ts";
import { topicsOf } from "../../src/channels/kafka/broker.ts";
import { createForwarder, type Forwarder } from "../../src/channels/kafka/forwarder.ts";
import { readRecord } from "../../src/channels/kafka/records.ts";
import type { CustomerId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { customerScope } from "../../src/kernel/scope.ts";
import { createOutbox, type Outbox, putIntoOutbox } from "../../src/store/outbox.ts";
import { NORTHWIND } from "../kit/database.ts";
import { MemoryBroker } from "../kit/memory-broker.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

const TOPICS = topicsOf("t");
let broker: MemoryBroker;
let outbox: Outbox;
let shop: TestSystem;
let forwarders: Forwarder[];
let outages: unknown[];
let announce: ReturnType<typeof announceBy>;

const forwarder = (owner = "one"): Forwarder => {
  const made = createForwarder({
    outbox,
    broker,
    topics: TOPICS,
    clock: systemClock,
    owner,
    onOutage: (error) => outages.push(error),
    onError: (error) => {
      throw error;
    },
  });
  forwarders.push(made);
  return made;
};
/** The messages of a topic, each as conversation and number. */
const sent = (channel: "chat" | "email"): string[] =>
  broker.all(TOPICS[channel]).map(({ value }) => {
    const reading = readRecord(value);
    if (reading.is !== "message") throw new Error(reading.detail);
    return `${reading.message.conversationId}/${reading.message.seq}`;
  });
const waiting = async () => (await outbox.waiting(LIMITS.kafkaOutboxRows)).rows;
const accepted = (conversationId: string, text: string, customer = "ben") =>
  shop.system.conversations.accept(shop.scope(customer), conversationId, {
    clientMessageId: `${conversationId} ${text}`,
    text,
  });

beforeEach(async () => {
  broker = new MemoryBroker();
  forwarders = [];
  outages = [];
  announce = (tx, message) => putIntoOutbox(tx, message);
  shop = await createTestSystem({
    inbound: { announce: (...about) => announce(...about), queuedForMs: () => 0 },
  });
  outbox = createOutbox(shop.store.database);
});
afterEach(async () => {
  broker.away = null;
  await Promise.all(forwarders.map((each) => each.stop()));
  await shop.close();
});

describe("an accepted message", () => {
  test("is in the outbox by the commit that accepted it, also while no broker is there; the run waits for it", async () => {
    const conversation = await shop.open(shop.scope("ben"));
    const { runId, seq } = await accepted(conversation, "hi");
    expect(shop.queue.items).toEqual([]);
    const rows = await outbox.take({ owner: "x", nowMs: 1, leaseMs: 10, limit: 10 });
    expect(rows).toMatchObject([
      { tenantId: NORTHWIND, channel: "chat", conversationId: conversation, seq, runId },
    ]);
    expect(JSON.stringify(rows)).not.toContain("hi");
  });

  test("that was sent twice is in it once, and one that was refused not at all", async () => {
    const conversation = await shop.open(shop.scope("ben"));
    await Promise.all([accepted(conversation, "hi"), accepted(conversation, "hi")]);
    await expect(accepted(conversation, "  ")).rejects.toThrow();
    await expect(accepted(conversation, "mine?", "ada")).rejects.toThrow();
    expect(await waiting()).toBe(1);
  });

  test("can be written down for one's own tenant only, and read by nobody who talks to customers", async () => {
    const write = (tenantId: typeof NORTHWIND) =>
      shop.store.transact(customerScope(NORTHWIND, "ben" as CustomerId), (tx) =>
        putIntoOutbox(tx, {
          tenantId,
          channel: "chat",
          conversationId: "cnv" as never,
          seq: 1,
          runId: "run" as never,
          atMs: 1,
        }),
      );
    await expect(write("kestrel" as never)).rejects.toThrow(/row-level security/);
    await write(NORTHWIND);
    const session = await shop.store.database.acquire();
    try {
      for (const sql of [
        "select 1 from kafka_outbox",
        "delete from kafka_outbox",
        "select 1 from kafka_forwarder",
      ]) {
        await expect(
          session.script(
            `begin; set local role recourse_app; set local search_path = recourse; ${sql}; commit`,
          ),
        ).rejects.toThrow(/permission denied/);
        await session.script("rollback");
      }
    } finally {
      session.release();
    }
  });
});

describe("the forwarder", () => {
  test("sends each conversation's messages in their order, to one partition, and leaves nothing behind", async () => {
    const conversations = await Promise.all(
      ["ada", "ben"].map(async (customer) => ({ customer, id: await shop.open(shop.scope(customer)) })),
    );
    for (const text of ["one", "two", "three"])
      for (const { id, customer } of conversations) await accepted(id, text, customer);
    await forwarder().start();
    await expect.poll(waiting).toBe(0);
    for (const { id } of conversations) {
      const seqs = sent("chat")
        .filter((each) => each.startsWith(`${id}/`))
        .map((each) => Number(each.split("/")[1]));
      expect(seqs).toHaveLength(3);
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
      const partitions = broker
        .all(TOPICS.chat)
        .filter(({ key }) => Buffer.from(key).toString() === `${NORTHWIND}/${id}`)
        .map(({ partition }) => partition);
      expect(new Set(partitions).size).toBe(1);
    }
  });

  test("takes chats before mails, whatever came first", async () => {
    const mail = await shop.system.conversations.open(shop.scope("ada"), {
      channel: "email",
      assurance: "authenticated",
    });
    const chat = await shop.open(shop.scope("ben"));
    await accepted(mail, "a mail", "ada");
    await accepted(chat, "a chat");
    const rows = await outbox.take({ owner: "x", nowMs: 1, leaseMs: 10, limit: 1 });
    expect(rows).toMatchObject([{ channel: "chat" }]);
  });

  test("keeps everything while the broker is away, and sends it in order when it is there again", async () => {
    broker.away = new Error("connection refused");
    const works = forwarder();
    await works.start();
    const conversation = await shop.open(shop.scope("ben"));
    const seqs: number[] = [];
    for (const text of ["one", "two", "three"]) seqs.push((await accepted(conversation, text)).seq);
    await expect.poll(() => outages).toEqual([broker.away]);
    expect(await waiting()).toBe(3);
    expect(works.isFull()).toBe(false);
    broker.away = null;
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
    expect(sent("chat")).toEqual(seqs.map((seq) => `${conversation}/${seq}`));
    expect(outages).toHaveLength(2);
  });

  test("wakes a worker by the database too while the broker is away, and by the broker alone before and after", async () => {
    const works = forwarder();
    await works.start();
    announce = announceBy(works, shop.queue);
    const wake = async (text: string) => {
      const conversation = await shop.open(shop.scope("ben"));
      const { runId } = await accepted(conversation, text);
      return shop.queue.items.some(({ id }) => id === runId);
    };
    expect(await wake("before")).toBe(false);
    await expect.poll(waiting).toBe(0);
    broker.away = new Error("connection refused");
    await wake("the one that finds it out");
    await expect.poll(() => works.isAway()).toBe(true);
    expect(await wake("while it is known")).toBe(true);
    expect(await waiting()).toBe(2);
    broker.away = null;
    await expect.poll(() => works.isAway(), { timeout: 10_000 }).toBe(false);
    expect(await wake("after")).toBe(false);
    await expect.poll(waiting).toBe(0);
    expect(sent("chat")).toHaveLength(4);
  });

  test("that did not hear the broker's answer sends again: twice, and never not at all", async () => {
    broker.losesAnswer = true;
    const conversation = await shop.open(shop.scope("ben"));
    await accepted(conversation, "one");
    await forwarder().start();
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
    expect(sent("chat")).toEqual([`${conversation}/1`, `${conversation}/1`]);
  });

  test("is one process at a time; another goes on at once when it stops, and after its lease when it died", async () => {
    const take = (owner: string, nowMs: number) => outbox.take({ owner, nowMs, leaseMs: 100, limit: 1 });
    expect(await take("one", 1_000)).toEqual([]);
    expect(await take("two", 1_099)).toBeNull();
    expect(await take("one", 1_090)).toEqual([]);
    expect(await take("two", 1_150)).toBeNull();
    expect(await take("two", 1_200)).toEqual([]);
    expect(await take("one", 1_250)).toBeNull();
    await outbox.release("two");
    expect(await take("one", 1_251)).toEqual([]);
    // One that was frozen cannot give away what is not its own any more.
    await outbox.release("two");
    expect(await take("two", 1_252)).toBeNull();
  });
});
