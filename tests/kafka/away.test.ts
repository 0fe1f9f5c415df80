/** The whole of it in one process, with nothing at the broker's address. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../../bench/processes.ts";
import { topicsOf } from "../../src/channels/kafka/broker.ts";
import { checkOf, type RunningKafka, startKafka } from "../../src/kafka.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import type { Worker } from "../../src/orchestrator/worker.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let kafka: RunningKafka;
let shop: TestSystem;
let warned: string[];

beforeEach(async () => {
  warned = [];
  const late: { inbound: RunningKafka["inbound"] | null } = { inbound: null };
  shop = await createTestSystem({
    inbound: {
      announce: async (...message) => late.inbound?.announce(...message),
      queuedForMs: () => late.inbound?.queuedForMs() ?? 0,
    },
  });
  kafka = await startKafka({
    settings: {
      brokers: [`127.0.0.1:${await freePort()}`],
      topics: topicsOf("t"),
      partitions: 4,
      tls: false,
      credentials: null,
    },
    database: shop.store.database,
    queue: shop.queue,
    clock: systemClock,
    tenants: [NORTHWIND, KESTREL],
    owner: "test",
    log: { warn: (_, text) => warned.push(text), info: () => {} },
    onError: (error) => {
      throw error;
    },
  });
  late.inbound = kafka.inbound;
});
afterEach(async () => {
  await kafka.stop();
  await shop.close();
});

const say = async (text: string): Promise<string> => {
  const ben = shop.scope("ben");
  const conversation = await shop.open(ben);
  await shop.system.conversations.accept(ben, conversation, { clientMessageId: text, text });
  return conversation;
};

describe("while nothing answers at the broker's address", () => {
  test("a message is accepted, probes say so, and a sweep soon finds the run", async () => {
    kafka.work({ attempt: async () => null } satisfies Pick<Worker, "attempt">);
    const conversation = await say("hi there");
    expect(shop.queue.items).toEqual([]);
    const state = await kafka.state();
    expect(state).toMatchObject({ outbox: { rows: 1 }, lag: null, deadLetters: null, isReading: false });
    expect(checkOf(state)).toMatchObject({
      name: "kafka",
      ok: false,
      detail: expect.stringContaining("outbox 1"),
    });
    await expect.poll(() => warned.length, { timeout: 15_000 }).toBeGreaterThan(0);
    expect(kafka.inbound.queuedForMs()).toBe(LIMITS.kafkaAwayMs);
    await shop.system.recovery.sweep();
    expect(await shop.told(shop.scope("ben"), conversation as never)).toHaveLength(0);
    await shop.clock.advance(LIMITS.kafkaAwayMs + 1);
    await shop.system.recovery.sweep();
    expect(await shop.told(shop.scope("ben"), conversation as never)).toHaveLength(1);
  });

  test("past the outbox's limit messages are accepted without a row, and the queue wakes their runs", async () => {
    const session = await shop.store.database.acquire();
    await session.script(
      `insert into recourse.kafka_outbox (tenant_id, channel, conversation_id, seq, run_id, at_ms)
       select '${NORTHWIND}', 'chat', 'conv', n, 'run', 1 from generate_series(1, ${LIMITS.kafkaOutboxRows}) as n`,
    );
    session.release();
    await expect
      .poll(
        async () => {
          await say(`hi ${shop.queue.items.length} ${systemClock.now()}`);
          return shop.queue.items.length;
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBeGreaterThan(0);
    const rows = (await kafka.state()).outbox.rows;
    await say("one more");
    expect(rows).toBe(LIMITS.kafkaOutboxRows);
    expect(shop.queue.items.length).toBeGreaterThan(1);
    await shop.drain();
    expect(shop.errors).toEqual([]);
  });
});
