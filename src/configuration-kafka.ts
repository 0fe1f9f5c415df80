/** A Kafka broker between who accepts messages and who works on them; null: PostgreSQL wakes the workers. */
import { topicsOf } from "./channels/kafka/broker.ts";
import type { BrokerSettings } from "./channels/kafka/settings.ts";
import type { Faults, Reader } from "./configuration-reading.ts";

export function readKafka(from: {
  readonly read: Reader;
  readonly faults: Faults;
  readonly databaseUrl: string | null;
}): BrokerSettings | null {
  const { read, faults, databaseUrl } = from;
  const brokers = read.value("RECOURSE_KAFKA_BROKERS", []);
  const prefix = read.value("RECOURSE_KAFKA_TOPIC", "recourse.messages");
  const partitions = read.value("RECOURSE_KAFKA_PARTITIONS", 12);
  const tls = read.value("RECOURSE_KAFKA_TLS", false);
  const mechanism = read.value("RECOURSE_KAFKA_MECHANISM", "SCRAM-SHA-256");
  const username = read.value("RECOURSE_KAFKA_USERNAME", null);
  const password = read.value("RECOURSE_KAFKA_PASSWORD", null);
  if (brokers.length === 0) return null;
  if (databaseUrl === null) {
    faults.add(
      "RECOURSE_KAFKA_BROKERS",
      "is set, and the embedded database has one process only: there is nobody to hand messages to",
      "Set DATABASE_URL to a PostgreSQL server, or leave RECOURSE_KAFKA_BROKERS out.",
    );
  }
  if ((username === null) !== (password === null)) {
    faults.add(
      username === null ? "RECOURSE_KAFKA_USERNAME" : "RECOURSE_KAFKA_PASSWORD",
      "is needed beside the other",
      "Set both, or neither where the brokers ask nobody who they are.",
    );
  }
  return {
    brokers,
    topics: topicsOf(prefix),
    partitions,
    tls,
    credentials: username === null || password === null ? null : { mechanism, username, password },
  };
}
