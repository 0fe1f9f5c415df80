/**
 * The event log of a conversation: appended under the conversation's row lock, so `seq` has no gap
 * and no repeat; never changed. What clients see is derived here.
 */

import { type Kysely, type Selectable, sql } from "kysely";
import { isoInstant } from "../kernel/calendar.ts";
import type { ConversationId, RunId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { compiled } from "../store/compiled.ts";
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
  const [row] = await lockedRow(tx, { tenantId: tx.scope.tenantId, id });
  return row ?? null;
}

const lockedRow = compiled((db, { tenantId, id }: { tenantId: TenantId; id: ConversationId }) =>
  db
    .selectFrom("conversations")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .forUpdate(),
);

/**
 * Appends events, writes the conversation's new state and, with `run`, the row of a run that waits for a worker, in
 * one statement; open streams hear of it after the commit. `changes` may set status, answered_seq and language. The
 * partial unique index refuses a second live run.
 */
export async function appendEvents(
  tx: Tx,
  hub: Pick<Hub, "announce">,
  conversation: LockedConversation,
  nowMs: number,
  events: readonly NewEvent[],
  changes: Partial<Pick<LockedConversation, "status" | "answered_seq" | "language" | "language_shown">> = {},
  run: { readonly id: RunId; readonly cause: "message" | "action" } | null = null,
): Promise<void> {
  const first = conversation.next_seq;
  const all = [...events];
  if (changes.status !== undefined && changes.status !== conversation.status) {
    all.push({ type: "status", payload: { status: changes.status } });
  }
  // Further appends in this transaction go on from here.
  Object.assign(conversation, changes, { next_seq: first + all.length, updated_at_ms: nowMs });
  const numbered = all.map((event, index) => ({ seq: first + index, ...event }));
  const values = { ...conversation, events: JSON.stringify(numbered) };
  if (run === null) await appended(tx, values);
  else
    await appendedWithRun(tx, {
      ...values,
      runId: run.id,
      cause: run.cause,
      deadlineMs: nowMs + LIMITS.chatDeadlineMs,
      urgentAtMs: conversation.channel === "email" ? nowMs + LIMITS.mailWaitsMs : nowMs,
    });
  if (all.length === 0) return;
  const heard = all.map((event, index) => shown(event, first + index, nowMs));
  await hub.announce(tx, conversation, heard);
}

/** A conversation as it is to be, and what is appended to it: JSON, each {@link NewEvent} with its `seq`. */
interface Appended extends LockedConversation {
  readonly events: string;
}

interface AppendedWithRun extends Appended {
  readonly runId: RunId;
  readonly cause: "message" | "action";
  readonly deadlineMs: number;
  readonly urgentAtMs: number;
}

const moved = (db: Kysely<Tables>, it: Appended) =>
  db.with("moved", (inner) =>
    inner
      .updateTable("conversations")
      .set({
        status: it.status,
        answered_seq: it.answered_seq,
        language: it.language,
        language_shown: it.language_shown,
        next_seq: it.next_seq,
        updated_at_ms: it.updated_at_ms,
      })
      .where("tenant_id", "=", it.tenant_id)
      .where("id", "=", it.id)
      .returning("id"),
  );

const rowsOf = (it: Appended) => sql`
  select ${it.tenant_id}, ${it.id}, seq, ${it.customer_id}, ${it.updated_at_ms}, type, author, payload, internal, "clientMessageId"
    from jsonb_to_recordset(${it.events})
      as event (seq integer, type text, author text, payload jsonb, internal jsonb, "clientMessageId" text)`;

const EVENT_COLUMNS = [
  "tenant_id",
  "conversation_id",
  "seq",
  "customer_id",
  "at_ms",
  "type",
  "author",
  "payload",
  "internal",
  "client_message_id",
] as const;

const appended = compiled((db, it: Appended) =>
  moved(db, it).insertInto("events").columns(EVENT_COLUMNS).expression(rowsOf(it)),
);

const appendedWithRun = compiled((db, it: AppendedWithRun) =>
  moved(db, it)
    .with("queued", (inner) =>
      inner
        .insertInto("runs")
        .values({
          tenant_id: it.tenant_id,
          id: it.runId,
          conversation_id: it.id,
          customer_id: it.customer_id,
          cause: it.cause,
          state: "queued",
          deadline_ms: it.deadlineMs,
          urgent_at_ms: it.urgentAtMs,
          created_at_ms: it.updated_at_ms,
          updated_at_ms: it.updated_at_ms,
        })
        .returning("id"),
    )
    .insertInto("events")
    .columns(EVENT_COLUMNS)
    .expression(rowsOf(it)),
);

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
