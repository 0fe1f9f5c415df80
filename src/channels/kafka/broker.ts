/** What is asked of a broker. `client.ts` asks Apache Kafka; tests have one in memory. */

/** The topics of an installation; other installations on the same brokers have another prefix. */
export interface Topics {
  readonly chat: string;
  readonly email: string;
  readonly deadLetters: string;
}

export const topicsOf = (prefix: string): Topics => ({
  chat: `${prefix}.chat`,
  email: `${prefix}.email`,
  deadLetters: `${prefix}.dead-letters`,
});

/** Who has read how far: a group per topic, so that chats and mails never wait for each other. */
export const groupOf = (topic: string): string => `${topic}.workers`;
export const replayGroupOf = ({ deadLetters }: Topics): string => `${deadLetters}.replay`;

export interface OutgoingRecord {
  readonly topic: string;
  readonly key: string | Uint8Array;
  readonly value: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface IncomingRecord {
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** One member of a group that reads one topic. */
export interface Reader {
  /** In each partition in order; again from the last commit on after a rebalance. Ends or throws when it is broken. */
  records(): AsyncIterable<IncomingRecord>;
  /** False once the partition is another member's. */
  owns(partition: number): boolean;
  /** Everything below each partition's offset is finished. */
  commit(offsets: ReadonlyMap<number, bigint>): Promise<void>;
  close(): Promise<void>;
}

export interface Broker {
  /** Makes the topics that are missing. Throws while the broker is away. */
  prepare(): Promise<void>;
  /** In order for each key; resolves when every replica in sync has all of them. */
  send(records: readonly OutgoingRecord[]): Promise<void>;
  /**
   * Joins the topic's group. `onAssigned`: which partitions are ours now; those that were not before begin at
   * the group's last commit.
   */
  read(from: {
    topic: string;
    group: string;
    onAssigned: (partitions: ReadonlySet<number>) => void;
  }): Promise<Reader>;
  /** How many records of each topic its group has not committed. */
  waiting(groups: readonly { topic: string; group: string }[]): Promise<readonly number[]>;
  close(): Promise<void>;
}
