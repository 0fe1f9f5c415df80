/** How the broker between acceptance and workers is, where one is used: gauges of a whole server, not of a tenant. */
import { Gauge, type Registry } from "prom-client";

export interface BrokerFigures {
  /** At the broker and not finished by a worker, by channel; null: the broker does not answer. */
  readonly lag: Readonly<Record<"chat" | "email", number>> | null;
  /** Accepted and not yet at the broker. */
  readonly outbox: { readonly rows: number; readonly oldestAgeMs: number };
  /** Put aside and not replayed; null: the broker does not answer. */
  readonly deadLetters: number | null;
}

const HELP = {
  recourse_kafka_up: "Whether the broker answers",
  recourse_kafka_lag: "Messages at the broker that no worker has finished",
  recourse_kafka_outbox: "Accepted messages that are not at the broker yet",
  recourse_kafka_outbox_age_seconds: "Time since the oldest of those was accepted",
  recourse_kafka_dead_letters: "Records that were put aside and not replayed",
} as const;

/** The names that rules use. */
export const BROKER_SERIES = Object.keys(HELP) as readonly (keyof typeof HELP)[];
export const BROKER_LABELS = ["channel"] as const;

/** What a broker that is away cannot say has no series: no number is better than an old one. */
export function addBrokerGauges(registry: Registry, { lag, outbox, deadLetters }: BrokerFigures): void {
  const set = (name: keyof typeof HELP, value: number | null, channel?: string) => {
    if (value === null) return;
    const known = registry.getSingleMetric(name) as Gauge | undefined;
    const labelNames = channel === undefined ? [] : BROKER_LABELS;
    const gauge = known ?? new Gauge({ name, help: HELP[name], labelNames, registers: [registry] });
    gauge.set(channel === undefined ? {} : { channel }, value);
  };
  set("recourse_kafka_up", lag === null ? 0 : 1);
  for (const [channel, messages] of Object.entries(lag ?? {})) set("recourse_kafka_lag", messages, channel);
  set("recourse_kafka_outbox", outbox.rows);
  set("recourse_kafka_outbox_age_seconds", outbox.oldestAgeMs / 1_000);
  set("recourse_kafka_dead_letters", deadLetters);
}
