/**
 * {@link Broker} by `@platformatic/kafka`, loaded only where brokers are configured.
 *
 * The library retries nothing here but joins: whoever calls goes on trying, at one level. A client that met an error is closed
 * and made anew, for what it remembers of a broker that was restarted cannot be told from outside.
 */
import {
  Admin,
  type BaseOptions,
  type Connection,
  Consumer,
  Producer,
  stringSerializers,
} from "@platformatic/kafka";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { Broker, OutgoingRecord } from "./broker.ts";
import { closed } from "./closing.ts";
import { describe } from "./describe.ts";
import { createReader } from "./reader.ts";
import type { BrokerSettings } from "./settings.ts";

/** All replicas in sync have the record. */
const ACKS_ALL = -1;
const BROKERS_OWN = -1;
const REJOINS = 10;
const LATEST = -1n;
const EARLIEST = -2n;

export function createBroker(settings: BrokerSettings, clock: Clock): Broker {
  const { topics } = settings;
  const options: BaseOptions = {
    clientId: "recourse",
    bootstrapBrokers: [...settings.brokers],
    retries: 0,
    connectTimeout: LIMITS.kafkaAnswerMs,
    requestTimeout: LIMITS.kafkaAnswerMs,
    timeout: LIMITS.kafkaAnswerMs,
    autocreateTopics: false,
    ...(settings.tls ? { tls: {}, tlsServerName: true } : {}),
    ...(settings.credentials === null ? {} : { sasl: { ...settings.credentials } }),
  };
  const kept = <T extends Connecting & { close(): Promise<void> }>(make: () => T) => {
    let client: T | null = null;
    return {
      async use<R>(fn: (client: T) => Promise<R>): Promise<R> {
        client ??= quiet(make());
        const used = client;
        try {
          return await fn(used);
        } catch (error) {
          if (client === used) client = null;
          void closed(used.close(), clock);
          throw error;
        }
      },
      async drop(): Promise<void> {
        if (client !== null) await closed(client.close(), clock);
        client = null;
      },
    };
  };
  const admin = kept(() => new Admin(options));
  const producer = kept(
    () =>
      new Producer<Buffer, Buffer, string, string>({
        ...options,
        acks: ACKS_ALL,
        serializers: { headerKey: stringSerializers.headerKey, headerValue: stringSerializers.headerValue },
      }),
  );
  const bytes = (part: string | Uint8Array): Buffer =>
    typeof part === "string" ? Buffer.from(part) : Buffer.from(part);

  return {
    prepare: () =>
      admin.use(async (client) => {
        const there = await client.listTopics();
        for (const topic of Object.values(topics)) {
          if (there.includes(topic)) continue;
          const isAside = topic === topics.deadLetters;
          await client
            .createTopics({
              topics: [topic],
              // Few letters, and replayed in the order in which they came.
              partitions: isAside ? 1 : settings.partitions,
              replicas: BROKERS_OWN,
              ...(isAside
                ? { configs: [{ name: "retention.ms", value: String(LIMITS.kafkaDeadLettersMs) }] }
                : {}),
            })
            // Another process was faster.
            .catch((error: unknown) => {
              if (!/TOPIC_ALREADY_EXISTS/.test(describe(error))) throw error;
            });
        }
      }),

    send: (records) =>
      producer.use(async (client) => {
        await client.send({
          messages: records.map(({ topic, key, value, headers = {} }: OutgoingRecord) => ({
            topic,
            key: bytes(key),
            value: bytes(value),
            headers: { ...headers },
          })),
        });
      }),

    read: ({ topic, group, onAssigned }) =>
      createReader({
        make: () =>
          quiet(
            new Consumer<Buffer, Buffer, Buffer, Buffer>({
              ...options,
              // While others join too, a join is asked for again and again: that is how a group agrees.
              retries: REJOINS,
              retryDelay: LIMITS.kafkaCommitMs,
              // A long poll is no silence.
              requestTimeout: LIMITS.kafkaAnswerMs * 2,
              groupId: group,
              autocommit: false,
              sessionTimeout: LIMITS.kafkaSessionMs,
              rebalanceTimeout: LIMITS.kafkaSessionMs,
              heartbeatInterval: LIMITS.kafkaSessionMs / 5,
              maxWaitTime: 1_000,
              highWaterMark: LIMITS.kafkaChatsInHand,
            }),
          ),
        topic,
        onAssigned,
        clock,
      }),

    waiting: (groups) =>
      admin.use(async (client) => {
        const made = await client.listTopics();
        const there = groups.filter(({ topic }) => made.includes(topic));
        if (there.length === 0) return groups.map(() => 0);
        const { topics: known } = await client.metadata({ topics: there.map(({ topic }) => topic) });
        const offsetsAt = async (timestamp: bigint) => {
          const listed = await client.listOffsets({
            topics: there.map(({ topic }) => ({
              name: topic,
              partitions: Array.from(
                { length: known.get(topic)?.partitionsCount ?? 0 },
                (_, partitionIndex) => ({
                  partitionIndex,
                  timestamp,
                }),
              ),
            })),
          });
          return (topic: string, partition: number): bigint =>
            listed
              .find(({ name }) => name === topic)
              ?.partitions.find(({ partitionIndex }) => partitionIndex === partition)?.offset ?? 0n;
        };
        const [first, end] = [await offsetsAt(EARLIEST), await offsetsAt(LATEST)];
        const groupIds = groups.map(({ group }) => group);
        const committed = await client.listConsumerGroupOffsets({ groups: groupIds });
        return groups.map(({ topic, group }) => {
          const read = committed
            .find(({ groupId }) => groupId === group)
            ?.topics.find(({ name }) => name === topic)?.partitions;
          let waiting = 0n;
          for (let partition = 0; partition < (known.get(topic)?.partitionsCount ?? 0); partition += 1) {
            const done =
              read?.find(({ partitionIndex }) => partitionIndex === partition)?.committedOffset ?? -1n;
            const start = first(topic, partition);
            const from = done > start ? done : start;
            if (end(topic, partition) > from) waiting += end(topic, partition) - from;
          }
          return Number(waiting);
        });
      }),

    async close() {
      await Promise.all([admin.drop(), producer.drop()]);
    },
  };
}

interface Connecting {
  on(event: "client:broker:connect", listener: (payload: { connection: Connection }) => void): unknown;
}

/** A connection that breaks tells whoever waits for it; a second error of it, heard by nobody, would end the process. */
function quiet<T extends Connecting>(client: T): T {
  client.on("client:broker:connect", ({ connection }) => void connection.on("error", () => {}));
  return client;
}
