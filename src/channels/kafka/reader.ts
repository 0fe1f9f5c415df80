/**
 * {@link Reader} by a consumer of `@platformatic/kafka`.
 *
 * When our partitions change, the stream is made anew: what an old one had fetched of a partition that went away and
 * came back could be older or newer than what the group has committed. A consumer that has no heartbeat
 * any more is given up; its records come again to who joins next.
 */
import type { Consumer, MessagesStream } from "@platformatic/kafka";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { IncomingRecord, Reader } from "./broker.ts";
import { closed } from "./closing.ts";

/** A session, and half of one for a join in which others are waited for. */
const SILENT_MS = LIMITS.kafkaSessionMs * 1.5;

type Stream = MessagesStream<Buffer, Buffer, Buffer, Buffer>;

export async function createReader(from: {
  make: () => Consumer<Buffer, Buffer, Buffer, Buffer>;
  topic: string;
  onAssigned: (partitions: ReadonlySet<number>) => void;
  clock: Clock;
}): Promise<Reader> {
  const { topic, onAssigned, clock } = from;
  const consumer = from.make();
  let owned: ReadonlySet<number> = new Set();
  let isClosed = false;
  /** The one stream whose records count, with its promise while it opens. */
  let current: Promise<Stream> | null = null;
  let stream: Stream | null = null;
  let failure: unknown = null;
  let cancelWatch = () => {};
  let heardMs = clock.now();
  consumer.on("consumer:heartbeat:end", () => {
    heardMs = clock.now();
  });

  const fail = (error: unknown): void => {
    failure ??= error;
    stream?.destroy();
  };
  const open = async (): Promise<Stream> => {
    const opened = await consumer.consume({
      topics: [topic],
      mode: "committed",
      fallbackMode: "earliest",
      autocommit: false,
    });
    // Its reader hears of it; without a listener it would end the process before there is one.
    opened.on("error", () => {});
    return opened;
  };
  const begin = (): Promise<Stream> => {
    const opening = open();
    current = opening;
    opening.then(
      (opened) => {
        if (current === opening && !isClosed && failure === null) stream = opened;
        else opened.destroy();
      },
      // `records` throws it.
      () => {},
    );
    return opening;
  };
  const assigned = (): ReadonlySet<number> =>
    new Set(consumer.assignments?.find((each) => each.topic === topic)?.partitions ?? []);
  const onJoin = (): void => {
    heardMs = clock.now();
    const now = assigned();
    if (now.size === owned.size && [...now].every((partition) => owned.has(partition))) return;
    owned = now;
    onAssigned(now);
    // The first join is part of opening. Later, the new one is asked for before the old one ends: in
    // between, the consumer would have no topic, and join anew.
    if (current === null || isClosed) return;
    const old = stream;
    begin();
    old?.destroy();
  };
  consumer.on("consumer:group:join", onJoin);
  // A rejoin that failed; without a listener it would end the process.
  consumer.on("error", fail);

  const watch = (): void => {
    cancelWatch = clock.after(LIMITS.kafkaSessionMs / 10, () => {
      // The library goes on asking; the group has given us up long ago.
      if (clock.now() - heardMs > SILENT_MS) fail(new Error(`no heartbeat for ${clock.now() - heardMs} ms`));
      else watch();
    });
  };

  try {
    await begin();
  } catch (error) {
    isClosed = true;
    await closed(consumer.close(true), clock);
    throw error;
  }
  heardMs = clock.now();
  watch();

  return {
    async *records() {
      for (;;) {
        const opening = current as Promise<Stream>;
        const opened = await opening;
        try {
          for await (const message of opened) {
            if (opening !== current) break;
            yield incoming(message);
          }
        } catch (error) {
          // A stream that is destroyed ends its readers with an error of its own.
          if (opening === current && !isClosed) throw failure ?? error;
        }
        if (failure !== null) throw failure;
        if (isClosed) return;
        if (opening === current) throw new Error("the stream of records ended");
      }
    },
    owns: (partition) => owned.has(partition),
    commit: (offsets) =>
      consumer.commit({
        offsets: [...offsets].map(([partition, offset]) => ({ topic, partition, offset, leaderEpoch: -1 })),
      }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      cancelWatch();
      consumer.off("consumer:group:join", onJoin);
      stream?.destroy();
      // Leaves the group, so that others have the partitions at once.
      await closed(consumer.close(true), clock);
    },
  };
}

function incoming(message: {
  partition: number;
  offset: bigint;
  key: Buffer | undefined;
  value: Buffer | undefined;
  headerEntries: [Buffer | undefined, Buffer | undefined][];
}): IncomingRecord {
  const headers = message.headerEntries.map(([name, value]) => [String(name ?? ""), String(value ?? "")]);
  return {
    partition: message.partition,
    offset: message.offset,
    key: message.key ?? new Uint8Array(),
    value: message.value ?? new Uint8Array(),
    headers: Object.fromEntries(headers),
  };
}
