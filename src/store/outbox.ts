/**
 * Accepted messages on their way to a Kafka broker. A row is written in the transaction that accepts its message,
 * so that there is one for each that was acknowledged; it goes once the broker has said that it has the record.
 *
 * If the forwarding process dies before the broker's answer, the row is sent again; between answer and
 * deletion, too: a record may come twice, and never not at all. One process forwards at a time, by a lease. One that
 * was frozen past its lease can send again what another has sent: also a record that comes twice.
 */
import type { ConversationId, RunId, TenantId } from "../kernel/ids.ts";
import { transaction } from "./binding.ts";
import type { Database, Session } from "./database.ts";
import { executeIn, SWEEP, type Tx } from "./store.ts";

/** Told at each commit with new rows. */
export const OUTBOX_CHANNEL = "recourse_outbox";

export interface OutboxMessage {
  readonly tenantId: TenantId;
  readonly channel: "chat" | "email";
  readonly conversationId: ConversationId;
  /** The message's own number in its conversation. */
  readonly seq: number;
  readonly runId: RunId;
  readonly atMs: number;
}

export interface OutboxRow extends OutboxMessage {
  readonly position: number;
}

export interface Outbox {
  /**
   * Takes or keeps the lease, and reads what is to go first: chats before mails, in the order of acceptance.
   * Null: another process forwards.
   */
  take(by: {
    owner: string;
    nowMs: number;
    leaseMs: number;
    limit: number;
  }): Promise<readonly OutboxRow[] | null>;
  /** The broker has them. */
  remove(rows: readonly OutboxRow[]): Promise<void>;
  /** Lets go of the lease, so that another process goes on at once. */
  release(owner: string): Promise<void>;
  /** How much waits, counted up to `limit`, and since when the oldest does. */
  waiting(limit: number): Promise<{ readonly rows: number; readonly oldestMs: number | null }>;
  /** Calls back when rows may have come, from any process. */
  listen(heard: () => void): Promise<() => Promise<void>>;
}

/** Writes a message down for the broker; call in the transaction that accepts it, under its conversation's lock. */
export async function putIntoOutbox(tx: Tx, message: OutboxMessage): Promise<void> {
  await executeIn(
    tx,
    `with put as (
       insert into kafka_outbox (tenant_id, channel, conversation_id, seq, run_id, at_ms)
       values ($1, $2, $3, $4, $5, $6) returning 1)
     select pg_notify('${OUTBOX_CHANNEL}', '') from put`,
    [message.tenantId, message.channel, message.conversationId, message.seq, message.runId, message.atMs],
  );
}

export function createOutbox(database: Database): Outbox {
  const sweep = <T>(fn: (session: Pick<Session, "query">) => Promise<T>): Promise<T> =>
    transaction(database, SWEEP, fn);
  return {
    take: ({ owner, nowMs, leaseMs, limit }) =>
      sweep(async (session) => {
        const held = await session.query("select owner, lease_until_ms from kafka_forwarder where id = 1");
        const [row] = held.rows as { owner: string; lease_until_ms: number }[];
        if (row !== undefined && row.owner !== owner && row.lease_until_ms >= nowMs) return null;
        // Kept by its first half: an idle outbox writes nothing.
        if (row?.owner !== owner || row.lease_until_ms < nowMs + leaseMs / 2) {
          const { affected } = await session.query(
            `insert into kafka_forwarder (id, owner, lease_until_ms) values (1, $1, $2)
             on conflict (id) do update set owner = excluded.owner, lease_until_ms = excluded.lease_until_ms
               where kafka_forwarder.owner = excluded.owner or kafka_forwarder.lease_until_ms < $3`,
            [owner, nowMs + leaseMs, nowMs],
          );
          if (affected === 0) return null;
        }
        const { rows } = await session.query(
          `select tenant_id as "tenantId", position, channel, conversation_id as "conversationId", seq,
                  run_id as "runId", at_ms as "atMs"
             from kafka_outbox order by channel, position limit $1`,
          [limit],
        );
        return rows as unknown as OutboxRow[];
      }),
    async remove(rows) {
      if (rows.length === 0) return;
      await sweep((session) =>
        session.query(
          `delete from kafka_outbox using unnest($1::text[], $2::bigint[]) as sent (tenant_id, position)
            where kafka_outbox.tenant_id = sent.tenant_id and kafka_outbox.position = sent.position`,
          [rows.map(({ tenantId }) => tenantId), rows.map(({ position }) => position)],
        ),
      );
    },
    async release(owner) {
      await sweep((session) =>
        session.query("update kafka_forwarder set lease_until_ms = 0 where owner = $1", [owner]),
      );
    },
    waiting: (limit) =>
      sweep(async (session) => {
        const { rows } = await session.query(
          `select count(*)::int as rows, min(at_ms) as "oldestMs"
             from (select at_ms from kafka_outbox order by channel, position limit $1) as first`,
          [limit],
        );
        return rows[0] as { rows: number; oldestMs: number | null };
      }),
    listen: (heard) => database.listen(OUTBOX_CHANNEL, heard, heard),
  };
}
