/**
 * The event log of a conversation: appended under the conversation's row lock, so `seq` has no gap
 * and no repeat; never changed. What clients see is derived here.
 */

import type { Insertable, Selectable } from "kysely";
import { isoInstant } from "../kernel/calendar.ts";
import type { ConversationId, TenantId } from "../kernel/ids.ts";
import type { Author, EventType, Tables } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { Hub } from "./hub.ts";

/** An event as clients get it: `{seq, at, type, …}` with `at` in RFC 3339. */
export interface PublicEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: EventType;
  readonly [member: string]: unknown;
}

export interface NewEvent {
  readonly type: EventType;
  readonly author?: Author;
  /** Shown to the customer. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Never shown to the customer: dialogue memory, offers, the run that answered. */
  readonly internal?: Readonly<Record<string, unknown>>;
  readonly clientMessageId?: string;
}

/** The conversation row, locked by {@link lockConversation}: who appends holds it. */
export type LockedConversation = Selectable<Tables["conversations"]>;

/** Locks the conversation for this transaction; null when the scope does not see it. */
export async function lockConversation(tx: Tx, id: ConversationId): Promise<LockedConversation | null> {
  const row = await tx
    .selectFrom("conversations")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Appends events, writes the conversation's new state and, with `run`, a queued run, in one statement;
 * open streams hear of it after the commit. `changes` may set status, answered_seq and language.
 */
export async function appendEvents(
  tx: Tx,
  hub: Pick<Hub, "announce">,
  conversation: LockedConversation,
  nowMs: number,
  events: readonly NewEvent[],
  changes: Partial<Pick<LockedConversation, "status" | "answered_seq" | "language" | "language_shown">> = {},
  run: Insertable<Tables["runs"]> | null = null,
): Promise<void> {
  const first = conversation.next_seq;
  const all = [...events];
  if (changes.status !== undefined && changes.status !== conversation.status) {
    all.push({ type: "status", payload: { status: changes.status } });
  }
  const rows = all.map(
    (event, index): Insertable<Tables["events"]> => ({
      tenant_id: conversation.tenant_id,
      conversation_id: conversation.id,
      seq: first + index,
      customer_id: conversation.customer_id,
      at_ms: nowMs,
      type: event.type,
      author: event.author ?? null,
      payload: JSON.stringify(event.payload),
      internal: event.internal === undefined ? null : JSON.stringify(event.internal),
      client_message_id: event.clientMessageId ?? null,
    }),
  );
  const update = { ...changes, next_seq: first + rows.length, updated_at_ms: nowMs };
  const updating = tx
    .updateTable("conversations")
    .set(update)
    .where("tenant_id", "=", conversation.tenant_id)
    .where("id", "=", conversation.id);
  if (rows.length === 0) {
    await updating.execute();
  } else {
    const moving = tx.with("moved", () => updating.returning("id"));
    const queueing =
      run === null
        ? moving
        : moving.with("queued", (db) => db.insertInto("runs").values(run).returning("id"));
    await queueing.insertInto("events").values(rows).execute();
    const appended = all.map((event, index) => shown(event, first + index, nowMs));
    await hub.announce(tx, conversation, appended);
  }
  // Further appends in this transaction go on from here.
  Object.assign(conversation, update);
}

/** A new event as clients get it: the same as {@link publicEvent} makes of its row. */
function shown(event: NewEvent, seq: number, atMs: number): PublicEvent {
  return {
    ...event.payload,
    seq,
    at: isoInstant(atMs),
    type: event.type,
    ...(event.author === undefined ? {} : { author: event.author }),
    ...(event.clientMessageId === undefined ? {} : { client_message_id: event.clientMessageId }),
  };
}

/** Events after a seq, in order. */
export async function eventsAfter(
  tx: Tx,
  conversation: { tenantId: TenantId; id: ConversationId },
  afterSeq: number,
  limit: number,
): Promise<Selectable<Tables["events"]>[]> {
  return tx
    .selectFrom("events")
    .selectAll()
    .where("tenant_id", "=", conversation.tenantId)
    .where("conversation_id", "=", conversation.id)
    .where("seq", ">", afterSeq)
    .orderBy("seq")
    .limit(limit)
    .execute();
}

export function publicEvent(row: Selectable<Tables["events"]>): PublicEvent {
  return {
    ...(row.payload as Record<string, unknown>),
    seq: row.seq,
    at: isoInstant(row.at_ms),
    type: row.type,
    ...(row.author === null ? {} : { author: row.author }),
    ...(row.client_message_id === null ? {} : { client_message_id: row.client_message_id }),
  };
}
