/**
 * Moves accepted messages from the outbox to their topics, in the order of acceptance, and removes what the broker
 * has. Any process may forward, one does at a time (`store/outbox.ts` says what a crash leaves behind).
 *
 * While the broker is away, the outbox keeps what comes, up to a limit. `isFull` then tells who accepts to wake a
 * worker by the database instead; nothing is refused because of the broker.
 */
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { Outbox } from "../../store/outbox.ts";
import type { Broker, Topics } from "./broker.ts";
import { pauseMs } from "./pace.ts";
import { keyOf, writeRecord } from "./records.ts";

export interface Forwarder {
  /** Rows may have come. */
  poke(): void;
  isFull(): boolean;
  /** The broker does not take what this process sends, or the oldest row has waited for too long. */
  isAway(): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createForwarder(parts: {
  outbox: Outbox;
  broker: Broker;
  topics: Topics;
  clock: Clock;
  owner: string;
  /** Told once an outage, and once its end (null). */
  onOutage: (error: unknown) => void;
  onError: (error: unknown, about: string) => void;
}): Forwarder {
  const { outbox, broker, topics, clock, owner, onOutage, onError } = parts;
  const stopping = new AbortController();
  let wake = new AbortController();
  let gauge: { readonly rows: number; readonly oldestMs: number | null } = { rows: 0, oldestMs: null };
  let gaugedMs = Number.NEGATIVE_INFINITY;
  let isPrepared = false;
  let failures = 0;
  let running: Promise<void> = Promise.resolve();
  let unlisten: () => Promise<void> = async () => {};

  /** One batch; answers whether there may be more at once. */
  const forward = async (): Promise<boolean> => {
    const nowMs = clock.now();
    const rows = await outbox.take({
      owner,
      nowMs,
      leaseMs: LIMITS.kafkaForwarderLeaseMs,
      limit: LIMITS.kafkaBatchRecords,
    });
    if (clock.now() - gaugedMs >= LIMITS.kafkaGaugeMs) {
      gauge = await outbox.waiting(LIMITS.kafkaOutboxRows);
      gaugedMs = clock.now();
    }
    if (rows === null || rows.length === 0) return false;
    try {
      if (!isPrepared) await broker.prepare();
      isPrepared = true;
      await broker.send(
        rows.map((row) => ({ topic: topics[row.channel], key: keyOf(row), value: writeRecord(row) })),
      );
    } catch (error) {
      isPrepared = false;
      failures += 1;
      if (failures === 1) onOutage(error);
      await clock.sleep(pauseMs(failures), stopping.signal);
      return true;
    }
    if (failures > 0) onOutage(null);
    failures = 0;
    await outbox.remove(rows);
    return rows.length === LIMITS.kafkaBatchRecords;
  };

  /** Of the database; those of the broker are counted in `failures`. */
  let misses = 0;
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      let hasMore = false;
      try {
        hasMore = await forward();
        misses = 0;
      } catch (error) {
        misses += 1;
        if (misses === 1) onError(error, "forwarding to Kafka");
        await clock.sleep(pauseMs(misses), stopping.signal);
      }
      if (!hasMore && !stopping.signal.aborted) await clock.sleep(LIMITS.kafkaForwardPollMs, wake.signal);
    }
  };

  return {
    poke: () => wake.abort(),
    isFull: () => gauge.rows >= LIMITS.kafkaOutboxRows,
    isAway: () =>
      failures > 0 || (gauge.oldestMs !== null && clock.now() - gauge.oldestMs >= LIMITS.kafkaAwayMs),
    async start() {
      unlisten = await outbox.listen(() => wake.abort());
      running = loop();
    },
    async stop() {
      stopping.abort();
      wake.abort();
      await running;
      await unlisten();
      await outbox.release(owner).catch(() => {});
    },
  };
}
