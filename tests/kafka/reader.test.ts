/** What the reader makes of the library's events: those that a broker gives rarely, given on purpose. */
import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Reader } from "../../src/channels/kafka/broker.ts";
import { createReader } from "../../src/channels/kafka/reader.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { type Clock, systemClock } from "../../src/kernel/ports.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

class Library extends EventEmitter {
  assignments = [{ topic: "t", partitions: [0] }];
  readonly streams: Readable[] = [];
  isClosed = false;
  async consume(): Promise<Readable> {
    const stream = new Readable({ objectMode: true, read() {} });
    this.streams.push(stream);
    return stream;
  }
  async close(): Promise<void> {
    this.isClosed = true;
  }
  /** A rebalance after which these are ours. */
  join(...partitions: number[]): void {
    this.assignments = [{ topic: "t", partitions }];
    this.emit("consumer:group:join");
  }
}
const message = (partition: number, offset: number) => ({
  partition,
  offset: BigInt(offset),
  key: Buffer.from("k"),
  value: Buffer.from("v"),
  headerEntries: [[Buffer.from("name"), Buffer.from("said")]],
});
const open = async (
  clock: Clock = systemClock,
): Promise<{ library: Library; reader: Reader; assigned: number[][] }> => {
  const library = new Library();
  const assigned: number[][] = [];
  const reader = await createReader({
    make: () => library as never,
    topic: "t",
    onAssigned: (partitions) => void assigned.push([...partitions]),
    clock,
  });
  library.join(0);
  return { library, reader, assigned };
};
const next = async (records: AsyncIterator<{ offset: bigint }>): Promise<bigint | undefined> =>
  (await records.next()).value?.offset;

test("a rejoin that failed ends the reader, and not the process", async () => {
  const { library, reader } = await open();
  const first = reader.records()[Symbol.asyncIterator]().next();
  const failure = new Error("The group is rebalancing");
  library.emit("error", failure);
  await expect(first).rejects.toBe(failure);
  await reader.close();
  expect(library.isClosed).toBe(true);
});

test("what was fetched before the partitions changed is not read: the new stream begins at the commit", async () => {
  const { library, reader, assigned } = await open();
  const records = reader.records()[Symbol.asyncIterator]();
  library.streams.at(-1)?.push(message(0, 7));
  expect(await next(records)).toBe(7n);
  library.streams.at(-1)?.push(message(0, 8));
  library.streams.at(-1)?.push(message(0, 9));
  const before = library.streams.length;
  library.join(0, 1);
  expect(library.streams.length).toBe(before + 1);
  expect(library.streams.at(-2)?.destroyed).toBe(true);
  library.streams.at(-1)?.push(message(1, 3));
  expect(await next(records)).toBe(3n);
  expect(reader.owns(1)).toBe(true);
  // The same partitions again change nothing.
  library.join(0, 1);
  expect(library.streams.length).toBe(before + 1);
  expect(assigned.at(-1)).toEqual([0, 1]);
  await reader.close();
});

test("a stream that breaks ends the reader; one that was closed ends without an error", async () => {
  const broken = await open();
  const failure = new Error("connection reset");
  const reading = broken.reader.records()[Symbol.asyncIterator]().next();
  broken.library.streams.at(-1)?.destroy(failure);
  await expect(reading).rejects.toBe(failure);
  await broken.reader.close();

  const closed = await open();
  const ending = closed.reader.records()[Symbol.asyncIterator]().next();
  await closed.reader.close();
  expect((await ending).done).toBe(true);
});

test("a group that was not heard of for longer than a session ends the reader", async () => {
  const clock = new VirtualClock(0);
  const { library, reader } = await open(clock);
  const reading = reader.records()[Symbol.asyncIterator]().next();
  reading.catch(() => {});
  await clock.advance(LIMITS.kafkaSessionMs);
  library.emit("consumer:heartbeat:end");
  await clock.advance(LIMITS.kafkaSessionMs);
  expect(library.streams.at(-1)?.destroyed).toBe(false);
  await clock.advance(LIMITS.kafkaSessionMs);
  await expect(reading).rejects.toThrow("no heartbeat");
  const closing = reader.close();
  await clock.advance(1);
  await closing;
});
