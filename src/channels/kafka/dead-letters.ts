/**
 * Records that nobody can work on: put aside with why, so that the others go on; replayed by `recourse kafka replay`.
 * A letter keeps key and value as they came; the headers say where it lay and what was wrong with it.
 */
import { isoInstant } from "../../kernel/calendar.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import {
  type Broker,
  type IncomingRecord,
  type OutgoingRecord,
  replayGroupOf,
  type Topics,
} from "./broker.ts";
import { RECORD_VERSION } from "./records.ts";

/** `failed`: it could be read, and each attempt to work on it met an error that was no outage. */
export type WhyDead = "unreadable" | "unknown_version" | "unknown_tenant" | "failed";

const HEADER = {
  why: "recourse-why",
  detail: "recourse-detail",
  topic: "recourse-topic",
  partition: "recourse-partition",
  offset: "recourse-offset",
  at: "recourse-at",
  reader: "recourse-reader-version",
  replays: "recourse-replays",
  /** Bytes that it had, where not all were kept. Such a letter is not replayed. */
  cut: "recourse-cut-from-bytes",
} as const;

export function deadLetter(
  topics: Topics,
  topic: string,
  record: IncomingRecord,
  why: WhyDead,
  detail: string,
  nowMs: number,
): OutgoingRecord {
  const keep = (bytes: Uint8Array) => bytes.subarray(0, LIMITS.kafkaRecordBytes);
  const bytes = Math.max(record.key.length, record.value.length);
  return {
    topic: topics.deadLetters,
    key: keep(record.key),
    value: keep(record.value),
    headers: {
      [HEADER.why]: why,
      [HEADER.detail]: detail.slice(0, 300),
      [HEADER.topic]: topic,
      [HEADER.partition]: String(record.partition),
      [HEADER.offset]: String(record.offset),
      [HEADER.at]: isoInstant(nowMs),
      [HEADER.reader]: String(RECORD_VERSION),
      [HEADER.replays]: record.headers[HEADER.replays] ?? "0",
      ...(bytes > LIMITS.kafkaRecordBytes ? { [HEADER.cut]: String(bytes) } : {}),
    },
  };
}

/** A dead letter as people see it; nothing of what it held. */
export interface Letter {
  readonly offset: string;
  readonly at: string;
  readonly why: string;
  readonly detail: string;
  /** Topic, partition and offset where it lay. */
  readonly from: string;
  readonly replays: number;
  readonly isCut: boolean;
}

const letterOf = ({ offset, headers }: IncomingRecord): Letter => ({
  offset: String(offset),
  at: headers[HEADER.at] ?? "",
  why: headers[HEADER.why] ?? "",
  detail: headers[HEADER.detail] ?? "",
  from: `${headers[HEADER.topic] ?? "?"}/${headers[HEADER.partition] ?? "?"}/${headers[HEADER.offset] ?? "?"}`,
  replays: Number(headers[HEADER.replays] ?? 0),
  isCut: HEADER.cut in headers,
});

export interface Replayed {
  readonly letter: Letter;
  /** `left`: it was cut, or came from no topic of ours; it cannot be replayed. */
  readonly outcome: "replayed" | "left";
}

/**
 * Sends the letters that lie there now to the topics they came from, oldest first, at most `limit`, and answers with
 * each. A letter is done with once its topic has it; ended in between, the next replay begins with it again.
 * `onlyLook`: shows them and leaves all as it is.
 */
export async function* replayDeadLetters(
  parts: { broker: Broker; topics: Topics; clock: Clock; signal: AbortSignal },
  limit: number,
  onlyLook: boolean,
): AsyncGenerator<Replayed> {
  const { broker, topics } = parts;
  const topic = topics.deadLetters;
  const group = replayGroupOf(topics);
  const [waiting = 0] = await broker.waiting([{ topic, group }]);
  // Those that fail again come behind: a replay never meets its own.
  let left = Math.min(waiting, limit);
  if (left === 0) return;
  const reader = await broker.read({ topic, group, onAssigned: () => {} });
  const close = () => void reader.close();
  const cancel = parts.clock.after(LIMITS.kafkaSessionMs * 2, close);
  parts.signal.addEventListener("abort", close, { once: true });
  try {
    for await (const record of reader.records()) {
      cancel();
      const letter = letterOf(record);
      const to = [topics.chat, topics.email].find((each) => each === record.headers[HEADER.topic]);
      const isPossible = to !== undefined && !letter.isCut;
      if (isPossible && !onlyLook) {
        await broker.send([
          {
            topic: to,
            key: record.key,
            value: record.value,
            headers: { [HEADER.replays]: String(letter.replays + 1) },
          },
        ]);
      }
      if (!onlyLook) await reader.commit(new Map([[record.partition, record.offset + 1n]]));
      yield { letter, outcome: isPossible ? "replayed" : "left" };
      left -= 1;
      if (left === 0) return;
    }
  } finally {
    cancel();
    parts.signal.removeEventListener("abort", close);
    await reader.close();
  }
}
