/**
 * One worker's part in reading one topic: wakes the run that each record names, several conversations at once and the
 * records of one conversation one after another, and commits what is finished.
 *
 * An offset is committed only after the database has what its record led to. If the process dies before, the record comes
 * again, to whoever has its partition then; the run's row says whether anything is left to do, so nothing is done
 * twice. A record that cannot be worked on becomes a dead letter before its offset is committed.
 */
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { OutboxMessage } from "../../store/outbox.ts";
import { type Broker, groupOf, type IncomingRecord, type Reader, type Topics } from "./broker.ts";
import { deadLetter, type WhyDead } from "./dead-letters.ts";
import { pauseMs } from "./pace.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readRecord } from "./records.ts";

/** `done`: the database has it, or nothing was left to do. `away`: what is needed cannot be reached now. */
export type Woken =
  | { readonly is: "done" }
  | { readonly is: "away" }
  | { readonly is: "unknown_tenant" | "failed"; readonly detail: string };

export interface ConsumerParts {
  readonly broker: Broker;
  readonly topics: Topics;
  readonly topic: string;
  /** How many records it has in hand at most. */
  readonly inHandMax: number;
  readonly clock: Clock;
  /** Does the run's work. Never throws. */
  readonly wake: (message: OutboxMessage) => Promise<Woken>;
  readonly onOutage: (error: unknown) => void;
  readonly onDeadLetter: (why: WhyDead, detail: string, from: string) => void;
}

export interface TopicConsumer {
  start(): void;
  /** True while it is a member of the group. */
  isReading(): boolean;
  /** Takes no more, waits for what is in hand, at most `graceMs`, commits what is finished and leaves the group. */
  stop(graceMs: number): Promise<void>;
}

export function createConsumer(parts: ConsumerParts): TopicConsumer {
  const { broker, topics, topic, clock, inHandMax, onOutage } = parts;
  const stopping = new AbortController();
  const inHand = new Set<Promise<void>>();
  /** The last record of each conversation: the next one waits for it. */
  const chains = new Map<string, Promise<void>>();
  let reader: Reader | null = null;
  let progress = new Map<number, Progress>();
  /** Changes with each assignment: what was read before is read again. */
  let epoch = 0;
  let freed = () => {};
  let commitDue: (() => void) | null = null;
  let failures = 0;
  /** Commits that were refused, in a row. */
  let unCommitted = 0;
  let running: Promise<void> = Promise.resolve();

  const putAside = async (record: IncomingRecord, why: WhyDead, detail: string): Promise<boolean> => {
    const letter = deadLetter(topics, topic, record, why, detail, clock.now());
    for (let attempt = 1; !stopping.signal.aborted; attempt += 1) {
      try {
        await broker.send([letter]);
        parts.onDeadLetter(why, detail, `${topic}/${record.partition}/${record.offset}`);
        return true;
      } catch {
        await clock.sleep(pauseMs(attempt), stopping.signal);
      }
    }
    return false;
  };

  /** True when its offset may be committed. */
  const work = async (record: IncomingRecord, mine: Progress): Promise<boolean> => {
    const reading = readRecord(record.value);
    if (reading.is !== "message") return putAside(record, reading.is, reading.detail);
    let failed = 0;
    for (let attempt = 1; !stopping.signal.aborted; attempt += 1) {
      // Another member has the partition, and the record comes to it.
      if (progress.get(record.partition) !== mine) return false;
      const woken = await parts.wake(reading.message);
      if (woken.is === "done") return true;
      if (woken.is === "unknown_tenant") return putAside(record, woken.is, woken.detail);
      if (woken.is === "failed") {
        failed += 1;
        if (failed >= LIMITS.kafkaAttempts) return putAside(record, "failed", woken.detail);
      }
      await clock.sleep(pauseMs(attempt), stopping.signal);
    }
    return false;
  };

  const commit = async (): Promise<void> => {
    const from = reader;
    const due = new Map<number, bigint>();
    for (const [partition, of] of progress) {
      const next = of.toCommit();
      if (next !== null) due.set(partition, next);
    }
    if (from === null || due.size === 0) return;
    const of = progress;
    await from.commit(due);
    for (const [partition, offset] of due) of.get(partition)?.committed(offset);
  };
  const commitSoon = (afterMs: number = LIMITS.kafkaCommitMs): void => {
    commitDue ??= clock.after(afterMs, () => {
      commitDue = null;
      commit().then(
        () => {
          unCommitted = 0;
        },
        (error: unknown) => {
          // What is not committed comes again. One that is refused time and again is looked at by joining anew.
          unCommitted += 1;
          if (unCommitted < LIMITS.kafkaAttempts) commitSoon(pauseMs(unCommitted));
          else {
            unCommitted = 0;
            onOutage(error);
            void reader?.close();
          }
        },
      );
    });
  };

  const begin = (record: IncomingRecord): void => {
    const mine = progress.get(record.partition);
    if (mine === undefined || !mine.take(record.offset)) return;
    const key = Buffer.from(record.key).toString("base64");
    const before = chains.get(key) ?? Promise.resolve();
    const job = before
      .then(() => work(record, mine))
      .then((isFinished) => {
        if (!isFinished) return;
        mine.finish(record.offset);
        commitSoon();
      })
      .finally(() => {
        if (chains.get(key) === job) chains.delete(key);
        inHand.delete(job);
        freed();
      });
    chains.set(key, job);
    inHand.add(job);
  };
  const room = async (): Promise<void> => {
    while (inHand.size >= inHandMax && !stopping.signal.aborted)
      await new Promise<void>((resolve) => {
        freed = resolve;
      });
  };

  const assign = (partitions: ReadonlySet<number>): void => {
    epoch += 1;
    progress = new Map(
      [...partitions].map((partition) => [partition, progress.get(partition) ?? createProgress()]),
    );
  };

  const read = async (): Promise<void> => {
    // A reader that is new begins at the last commit: so does what is known of it.
    progress = new Map();
    await broker.prepare();
    reader = await broker.read({ topic, group: groupOf(topic), onAssigned: assign });
    if (stopping.signal.aborted) return;
    if (failures > 0) onOutage(null);
    failures = 0;
    for await (const record of reader.records()) {
      const then = epoch;
      await room();
      if (stopping.signal.aborted) return;
      if (then === epoch) begin(record);
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await read();
      } catch (error) {
        failures += 1;
        if (failures === 1 && !stopping.signal.aborted) onOutage(error);
      }
      if (stopping.signal.aborted) return;
      await leave();
      await clock.sleep(pauseMs(Math.max(1, failures)), stopping.signal);
    }
  };
  const leave = async (): Promise<void> => {
    const old = reader;
    reader = null;
    await old?.close();
  };

  return {
    start() {
      running = loop();
    },
    isReading: () => reader !== null,
    async stop(graceMs) {
      stopping.abort();
      freed();
      const grace = new AbortController();
      await Promise.race([Promise.allSettled([...inHand]), clock.sleep(graceMs, grace.signal)]);
      commitDue?.();
      await commit().catch((error: unknown) => onOutage(error));
      // It may be joining just now, and leaves then.
      await leave();
      await Promise.race([running.then(leave), clock.sleep(graceMs, grace.signal)]);
      grace.abort();
    },
  };
}
