/**
 * A broker in memory, for what a test wants to steer exactly: away, slow, forgetting a member. How the real one
 * behaves is for `tests/services/`.
 */
import type { Broker, IncomingRecord, OutgoingRecord, Reader } from "../../src/channels/kafka/broker.ts";

interface Member {
  partitions: ReadonlySet<number>;
  next: Map<number, number>;
  wake: () => void;
  isOver: boolean;
  onAssigned: (partitions: ReadonlySet<number>) => void;
}

export class MemoryBroker implements Broker {
  readonly #partitions: number;
  readonly logs = new Map<string, IncomingRecord[][]>();
  readonly committed = new Map<string, bigint>();
  readonly #members = new Map<string, Member[]>();
  /** What is sent and read meets this error. */
  away: Error | null = null;
  /** The next answer to a sender is lost, though the records are there. */
  losesAnswer = false;

  constructor(partitions = 3) {
    this.#partitions = partitions;
  }

  all(topic: string): IncomingRecord[] {
    return (this.logs.get(topic) ?? []).flat();
  }

  offset(group: string, partition: number): bigint {
    return this.committed.get(`${group}/${partition}`) ?? 0n;
  }

  async prepare(): Promise<void> {
    if (this.away !== null) throw this.away;
  }

  async send(records: readonly OutgoingRecord[]): Promise<void> {
    if (this.away !== null) throw this.away;
    for (const { topic, key, value, headers = {} } of records) {
      const bytes = (part: string | Uint8Array) => (typeof part === "string" ? Buffer.from(part) : part);
      const log = this.#log(topic);
      const partition = bytes(key).reduce((sum, byte) => (sum * 31 + byte) % log.length, 7 % log.length);
      const lane = log[partition] as IncomingRecord[];
      lane.push({ partition, offset: BigInt(lane.length), key: bytes(key), value: bytes(value), headers });
    }
    for (const member of [...this.#members.values()].flat()) member.wake();
    if (this.losesAnswer) {
      this.losesAnswer = false;
      throw new Error("the answer was lost");
    }
  }

  async read(from: Parameters<Broker["read"]>[0]): Promise<Reader> {
    if (this.away !== null) throw this.away;
    const { topic, group, onAssigned } = from;
    const member: Member = {
      partitions: new Set(),
      next: new Map(),
      wake: () => {},
      isOver: false,
      onAssigned,
    };
    const members = this.#members.get(group) ?? [];
    this.#members.set(group, [...members, member]);
    this.#assign(group, topic);
    const take = (): IncomingRecord | null => {
      for (const partition of member.partitions) {
        const at = member.next.get(partition) ?? 0;
        const record = this.#log(topic)[partition]?.[at];
        if (record === undefined) continue;
        member.next.set(partition, at + 1);
        return record;
      }
      return null;
    };
    const broker = this;
    return {
      async *records() {
        while (!member.isOver) {
          if (broker.away !== null) throw broker.away;
          const record = take();
          if (record !== null) yield record;
          else
            await new Promise<void>((resolve) => {
              member.wake = resolve;
            });
        }
      },
      owns: (partition) => member.partitions.has(partition),
      async commit(offsets) {
        if (broker.away !== null) throw broker.away;
        for (const [partition, offset] of offsets) broker.committed.set(`${group}/${partition}`, offset);
      },
      close: async () => {
        if (member.isOver) return;
        member.isOver = true;
        member.wake();
        const others = (this.#members.get(group) ?? []).filter((each) => each !== member);
        this.#members.set(group, others);
        this.#assign(group, topic);
      },
    };
  }

  async waiting(groups: readonly { topic: string; group: string }[]): Promise<readonly number[]> {
    if (this.away !== null) throw this.away;
    return groups.map(({ topic, group }) =>
      this.#log(topic).reduce(
        (sum, lane, partition) => sum + lane.length - Number(this.offset(group, partition)),
        0,
      ),
    );
  }

  async close(): Promise<void> {}

  /** Ends every reader as a broken connection does. */
  breakReaders(): void {
    for (const member of [...this.#members.values()].flat()) {
      member.isOver = true;
      member.wake();
    }
    this.#members.clear();
  }

  #log(topic: string): IncomingRecord[][] {
    const log =
      this.logs.get(topic) ??
      Array.from({ length: topic.endsWith(".dead-letters") ? 1 : this.#partitions }, () => []);
    this.logs.set(topic, log);
    return log;
  }

  /** As a rebalance: partitions go round, and who has one now begins at the group's commit. */
  #assign(group: string, topic: string): void {
    const members = this.#members.get(group) ?? [];
    const count = this.#log(topic).length;
    for (const [index, member] of members.entries()) {
      const mine = Array.from({ length: count }, (_, partition) => partition).filter(
        (partition) => partition % members.length === index,
      );
      member.partitions = new Set(mine);
      member.next = new Map(mine.map((partition) => [partition, Number(this.offset(group, partition))]));
      member.onAssigned(member.partitions);
      member.wake();
    }
  }
}
