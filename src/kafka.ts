/** Kafka put together for a running process: what goes to the broker, what comes from it, and how both are. */
import { announceBy } from "./channels/kafka/announcing.ts";
import { createConsumer, type TopicConsumer, type Woken } from "./channels/kafka/consumer.ts";
import { depthOf } from "./channels/kafka/depth.ts";
import { describe } from "./channels/kafka/describe.ts";
import { createForwarder } from "./channels/kafka/forwarder.ts";
import type { BrokerSettings } from "./channels/kafka/settings.ts";
import { ProblemError } from "./kernel/errors.ts";
import type { TenantId } from "./kernel/ids.ts";
import { LIMITS } from "./kernel/limits.ts";
import type { Clock } from "./kernel/ports.ts";
import type { Worker } from "./orchestrator/worker.ts";
import type { Database } from "./store/database.ts";
import { createOutbox, type OutboxMessage } from "./store/outbox.ts";
import type { Queue } from "./store/queue.ts";
import type { SystemParts } from "./system.ts";

export interface KafkaState {
  readonly outbox: {
    /** Accepted and not yet at the broker; counted up to `LIMITS.kafkaOutboxRows`. */
    readonly rows: number;
    readonly oldestAgeMs: number;
  };
  /** At the broker and not finished by a worker, by channel; null: the broker does not answer. */
  readonly lag: { readonly chat: number; readonly email: number } | null;
  /** Put aside and not replayed; null: the broker does not answer. */
  readonly deadLetters: number | null;
  /** This process is a member of the group for chats; null where it does not work. */
  readonly isReading: boolean | null;
}

export interface RunningKafka {
  readonly inbound: NonNullable<SystemParts["inbound"]>;
  /** Lag and what waits, at most `LIMITS.kafkaGaugeMs` old; answers within `LIMITS.kafkaProbeMs` or so. Never throws. */
  state(): Promise<KafkaState>;
  /** Reads as a worker. */
  work(worker: Pick<Worker, "attempt">): void;
  /** Takes nothing more, and finishes what is in hand. */
  stopWork(): Promise<void>;
  stop(): Promise<void>;
}

/** Reads the log of a process. */
interface Log {
  warn(about: object, text: string): void;
  info(about: object, text: string): void;
}

export async function startKafka(parts: {
  readonly settings: BrokerSettings;
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly tenants: readonly TenantId[];
  /** Names this process, unique a start. */
  readonly owner: string;
  readonly log: Log;
  readonly onError: (error: unknown, about: string) => void;
}): Promise<RunningKafka> {
  const { settings, clock, log } = parts;
  const { createBroker } = await import("./channels/kafka/client.ts");
  const broker = createBroker(settings, clock);
  const { topics } = settings;
  const outbox = createOutbox(parts.database);
  const outageOf = (what: string) => (error: unknown) => {
    if (error === null) log.info({ kafka: what }, "Kafka is there again");
    else log.warn({ kafka: what, why: describe(error) }, "Kafka is away; messages are accepted all the same");
  };
  const forwarder = createForwarder({ ...parts, outbox, broker, topics, onOutage: outageOf("forwarding") });
  await forwarder.start();
  const consumers = new Map<"chat" | "email", TopicConsumer>();

  const isHealthy = () => !forwarder.isAway() && [...consumers.values()].every((each) => each.isReading());
  const stopWork = async (): Promise<void> => {
    await Promise.all([...consumers.values()].map((each) => each.stop(LIMITS.shutdownGraceMs)));
  };

  return {
    inbound: {
      announce: announceBy(forwarder, parts.queue),
      queuedForMs: () => (isHealthy() ? LIMITS.kafkaLateMs : LIMITS.kafkaAwayMs),
    },
    state: kept(clock, async () => {
      const [rows, depth] = await Promise.all([
        outbox.waiting(LIMITS.kafkaOutboxRows).catch(() => ({ rows: 0, oldestMs: null })),
        // A broker that says nothing must not keep a probe waiting.
        Promise.race([
          depthOf(broker, topics).catch(() => null),
          clock.sleep(LIMITS.kafkaProbeMs).then(() => null),
        ]),
      ]);
      return {
        outbox: {
          rows: rows.rows,
          oldestAgeMs: rows.oldestMs === null ? 0 : Math.max(0, clock.now() - rows.oldestMs),
        },
        lag: depth === null ? null : { chat: depth.chat, email: depth.email },
        deadLetters: depth?.deadLetters ?? null,
        isReading: consumers.get("chat")?.isReading() ?? null,
      };
    }),
    work(worker) {
      const wake = async ({ tenantId, runId }: OutboxMessage): Promise<Woken> => {
        if (!parts.tenants.includes(tenantId)) return { is: "unknown_tenant", detail: "no such tenant here" };
        const went = await worker.attempt(tenantId, runId);
        if (went === null) return { is: "done" };
        const { error } = went;
        if (error instanceof ProblemError && error.code === "database_unavailable") return { is: "away" };
        return { is: "failed", detail: error instanceof ProblemError ? error.code : (error as Error).name };
      };
      for (const [channel, inHandMax] of [
        ["chat", LIMITS.kafkaChatsInHand],
        ["email", LIMITS.kafkaMailsInHand],
      ] as const) {
        const consumer = createConsumer({
          broker,
          topics,
          topic: topics[channel],
          inHandMax,
          clock,
          wake,
          onOutage: outageOf(`reading ${channel}`),
          onDeadLetter: (why, detail, from) =>
            log.warn({ kafka: from, why, detail }, "a record of Kafka is a dead letter"),
        });
        consumers.set(channel, consumer);
        consumer.start();
      }
    },
    stopWork,
    async stop() {
      await stopWork();
      await forwarder.stop();
      await broker.close();
    },
  };
}

/** One answer for all who ask at once or soon after. */
function kept<T>(clock: Clock, ask: () => Promise<T>): () => Promise<T> {
  let asked: { readonly atMs: number; readonly answer: Promise<T> } | null = null;
  return () => {
    if (asked === null || clock.now() - asked.atMs > LIMITS.kafkaGaugeMs)
      asked = { atMs: clock.now(), answer: ask() };
    return asked.answer;
  };
}

/** For probes and people: what is odd about it, or how it is. It is never a reason not to be ready. */
export function checkOf(state: KafkaState): { name: string; ok: boolean; detail: string } {
  const { outbox, lag, deadLetters, isReading } = state;
  const parts = [
    ...(lag === null ? ["away: messages are accepted, workers find them later"] : []),
    ...(lag === null ? [] : [`lag ${lag.chat} (chat) and ${lag.email} (email)`]),
    `outbox ${outbox.rows}${outbox.rows > 0 ? ` (oldest ${Math.round(outbox.oldestAgeMs / 1_000)} s)` : ""}`,
    ...(deadLetters === null ? [] : [`dead letters ${deadLetters}`]),
    ...(isReading === null ? [] : [isReading ? "this process reads" : "this process does not read yet"]),
  ];
  return { name: "kafka", ok: lag !== null, detail: parts.join(", ") };
}
