/** How brokers are reached. Loads nothing: it is read with the configuration. */
import type { Topics } from "./broker.ts";

export const SASL_MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;

export interface BrokerSettings {
  /** `host:port` */
  readonly brokers: readonly string[];
  readonly topics: Topics;
  /** Of a topic that is made; one that is there keeps what it has. */
  readonly partitions: number;
  readonly tls: boolean;
  /** Null: the brokers ask nobody who they are. */
  readonly credentials: {
    readonly mechanism: (typeof SASL_MECHANISMS)[number];
    readonly username: string;
    readonly password: string;
  } | null;
}
