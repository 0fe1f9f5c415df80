/**
 * Room `conversations`: conversations, their event log with sequence numbers, acceptance of
 * messages, pictures, end and rating, a visitor's sign-in. May import `kernel`, `store` and `evidence`.
 * Promises: a message is durable before its acceptance is answered; the same client_message_id, sent
 * any number of times and in parallel, is one event with one answer (G8); `seq` has no gap.
 *
 * If the process dies before the commit, nothing was accepted and the client sends again; after it,
 * the run exists and is found by the queue or the sweep.
 */
import { hash } from "node:crypto";
import { ProblemError } from "../kernel/errors.ts";
import { type ConversationId, type CustomerId, newId, type RunId, type TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Boundary, Clock, Random } from "../kernel/ports.ts";
import type { Assurance, CustomerScope, Scope } from "../kernel/scope.ts";
import { storableText } from "../kernel/text.ts";
import { compiled } from "../store/compiled.ts";
import type { OutboxMessage } from "../store/outbox.ts";
import type { Queue } from "../store/queue.ts";
import type { ConversationStatus } from "../store/schema.ts";
import type { Store, Tx } from "../store/store.ts";
import { adoptConversation } from "./adopting.ts";
import { attachedTo } from "./attachments/attachments.ts";
import { endConversation } from "./ending.ts";
import {
  appendEvents,
  eventsAfter,
  type LockedConversation,
  lockConversation,
  type PublicEvent,
  publicEvent,
} from "./events.ts";
import type { Hub } from "./hub.ts";
import { type OpeningParts, openConversation } from "./opening.ts";
import { type Rating, type RatingState, rateConversation, ratingState } from "./rating.ts";

export interface AcceptedMessage {
  /** The run that will answer; null while the conversation is with a person. */
  readonly runId: RunId | null;
  readonly seq: number;
  /** True when this client_message_id had been accepted before. */
  readonly duplicate: boolean;
}

export interface ConversationView {
  readonly conversationId: ConversationId;
  readonly status: ConversationStatus;
  readonly createdAtMs: number;
  readonly lastSeq: number;
}

export interface Conversations {
  /** @throws ProblemError `too_many_conversations` */
  open(
    scope: CustomerScope,
    how: { channel: "chat" | "email"; assurance: Assurance },
  ): Promise<ConversationId>;
  /**
   * `attachments`: IDs of pictures that were sent to this conversation before.
   * @throws ProblemError `not_found`, `message_empty`, `message_too_long`, `client_message_id_reused`,
   * `attachment_unknown`
   */
  accept(
    scope: CustomerScope,
    conversationId: string,
    message: { clientMessageId: string; text: string; attachments?: readonly string[] },
  ): Promise<AcceptedMessage>;
  /** @throws ProblemError `not_found` */
  view(scope: Scope, conversationId: string): Promise<ConversationView>;
  /** At most `LIMITS.eventsPerPage`, in order. @throws ProblemError `not_found` */
  events(scope: Scope, conversationId: string, afterSeq: number): Promise<readonly PublicEvent[]>;
  /**
   * Calls `wake` after each commit that appended to the conversation, and `onDraft` with what is being written.
   * Ask `view` first: it checks the scope.
   */
  readonly subscribe: Hub["subscribe"];
  /**
   * What `visitorId` said here is the customer's from now on.
   * @throws ProblemError `not_found`, `conversation_busy`
   */
  adopt(scope: CustomerScope, conversationId: string, visitorId: CustomerId): Promise<void>;
  /** @throws ProblemError `not_found`, `conversation_busy` */
  end(scope: CustomerScope, conversationId: string): Promise<void>;
  /** @throws ProblemError `not_found`, `csat_already_given` */
  rate(scope: CustomerScope, conversationId: string, rating: Rating): Promise<void>;
  /** `sinceSeq`: which ending; without it the latest one. @throws ProblemError `not_found` */
  ratingState(scope: Scope, conversationId: string, sinceSeq?: number): Promise<RatingState>;
}

export interface ConversationParts extends OpeningParts {
  readonly store: Store;
  readonly queue: Queue;
  readonly hub: Hub;
  /**
   * Tells workers of a message that was accepted, in its transaction; absent: the queue wakes its run. `isNewRun`:
   * false when a run that is under way will answer it.
   */
  readonly announce?: (tx: Tx, message: OutboxMessage, isNewRun: boolean) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly boundary: Boundary;
  /** Takes out of a customer's words what must not be stored: card numbers and their codes. */
  readonly redact: (text: string) => string;
  /** What somebody hears who writes again while a person has the conversation; absent: nothing. */
  readonly whileWaiting?: (tenantId: TenantId, nowMs: number, language: Language) => string;
  /**
   * A person who has the conversation may have asked something: takes the message as the answer, and says whose
   * the conversation is from now on. Null: nothing was asked.
   */
  readonly takeAnswer?: (
    tx: Tx,
    conversation: LockedConversation,
    text: string,
    nowMs: number,
  ) => Promise<ConversationStatus | null>;
  /** Lets go of what people have open in a conversation that its customer ends. */
  readonly releasePeople?: (tx: Tx, conversation: LockedConversation, nowMs: number) => Promise<void>;
}

export function createConversations(parts: ConversationParts): Conversations {
  const { store, queue, hub, clock, random, boundary, redact, whileWaiting } = parts;
  const announce =
    parts.announce ??
    (async (tx: Tx, { tenantId, runId }: OutboxMessage, isNewRun: boolean) => {
      if (isNewRun) await queue.wake(tx, { kind: "run", tenantId, id: runId });
    });

  /**
   * A client's own ID as it came, unless it repeats a number that the text may not keep, or is one. Then a
   * few bits of its digest tell two of them apart, too few to lead back.
   */
  const keptId = (id: string, hasRedacted: boolean): string => {
    const kept = redact(id);
    const isAllOfIt = !/[\p{L}\p{N}]/u.test(kept.replace(/\[[^\]]*\]/gu, ""));
    return kept === id || !(hasRedacted || isAllOfIt) ? id : `removed-${textDigest(id).slice(0, 4)}`;
  };

  return {
    open: (scope, how) => store.transact(scope, (tx) => openConversation(tx, parts, scope, how)),

    async accept(scope, conversationId, message) {
      const whole = checkText(message.text);
      const text = redact(whole);
      // Of what is kept: a digest of so few digits would lead back to them.
      const attachmentIds = message.attachments ?? [];
      const digest = textDigest(attachmentIds.length === 0 ? text : JSON.stringify([text, attachmentIds]));
      const clientMessageId = keptId(message.clientMessageId, text !== whole);
      const accepted = await store.transact(scope, async (tx) => {
        const nowMs = clock.now();
        const conversation = await lockConversation(tx, conversationId as ConversationId);
        if (conversation === null) throw new ProblemError("not_found");
        const [known] = await knownOf(tx, { ...conversation, clientMessageId });
        const prior = (known?.prior as { runId: RunId | null; seq: number; digest: string }[] | null)?.[0];
        if (prior !== undefined) {
          if (prior.digest !== digest) throw new ProblemError("client_message_id_reused");
          return { runId: prior.runId, seq: prior.seq, duplicate: true };
        }
        const attachments = await attachedTo(tx, conversation, attachmentIds);
        const withPerson = conversation.status === "with_person";
        const runId = withPerson ? null : ((known?.liveRun as RunId | null) ?? newId("run", clock, random));
        const isNewRun = runId !== null && known?.liveRun === null;
        const seq = conversation.next_seq;
        const run = isNewRun && runId !== null ? ({ id: runId, cause: "message" } as const) : null;
        const backTo = withPerson ? await parts.takeAnswer?.(tx, conversation, redact(text), nowMs) : null;
        const isAnswer = backTo !== null && backTo !== undefined;
        await appendEvents(
          tx,
          hub,
          conversation,
          nowMs,
          [
            {
              type: "message",
              author: "customer",
              payload: { text, ...(attachments.length === 0 ? {} : { attachments }) },
              internal: { runId, seq, digest },
              clientMessageId,
            },
            ...(isNewRun ? [{ type: "run" as const, payload: { run_id: runId, state: "queued" } }] : []),
            ...(withPerson &&
            whileWaiting !== undefined &&
            (isAnswer || (await hasWaited(tx, conversation, nowMs)))
              ? [
                  {
                    type: "message" as const,
                    author: "agent" as const,
                    payload: { text: whileWaiting(scope.tenantId, nowMs, conversation.language) },
                    internal: { waiting: true },
                  },
                ]
              : []),
          ],
          isAnswer ? { status: backTo, answered_seq: seq } : withPerson ? {} : { status: "with_agent" },
          run,
        );
        if (runId !== null)
          await announce(
            tx,
            {
              tenantId: scope.tenantId,
              channel: conversation.channel,
              conversationId: conversation.id,
              seq,
              runId,
              atMs: nowMs,
            },
            isNewRun,
          );
        await boundary("message.before-accept-commit");
        return { runId, seq, duplicate: false };
      });
      await boundary("message.after-accept-commit");
      return accepted;
    },

    view: (scope, conversationId) =>
      store.transact(scope, async (tx) => {
        const row = await tx
          .selectFrom("conversations")
          .select(["id", "status", "created_at_ms", "next_seq"])
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", conversationId as ConversationId)
          .executeTakeFirst();
        if (row === undefined) throw new ProblemError("not_found");
        return {
          conversationId: row.id,
          status: row.status,
          createdAtMs: row.created_at_ms,
          lastSeq: row.next_seq - 1,
        };
      }),

    events: (scope, conversationId, afterSeq) =>
      store.transact(scope, async (tx) => {
        const id = conversationId as ConversationId;
        const rows = await eventsAfter(tx, { tenantId: scope.tenantId, id }, afterSeq, LIMITS.eventsPerPage);
        if (rows.length === 0) {
          const seen = await tx
            .selectFrom("conversations")
            .select("id")
            .where("tenant_id", "=", scope.tenantId)
            .where("id", "=", id)
            .executeTakeFirst();
          if (seen === undefined) throw new ProblemError("not_found");
        }
        return rows.map(publicEvent);
      }),

    subscribe: hub.subscribe,

    adopt: (scope, conversationId, visitorId) => adoptConversation(parts, scope, conversationId, visitorId),

    end: (scope, conversationId) => endConversation(parts, scope, conversationId),

    rate: (scope, conversationId, rating) => rateConversation(parts, scope, conversationId, rating),
    ratingState: (scope, conversationId, sinceSeq) => ratingState(store, scope, conversationId, sinceSeq),
  };
}

/** What the same client ID was answered before, and the run that is live now. One row. */
const knownOf = compiled((db, it: { tenant_id: TenantId; id: ConversationId; clientMessageId: string }) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom("events")
      .select((e) => e.fn.jsonAgg(e.ref("internal")).as("i"))
      .where("tenant_id", "=", it.tenant_id)
      .where("conversation_id", "=", it.id)
      .where("client_message_id", "=", it.clientMessageId)
      .as("prior"),
    eb
      .selectFrom("runs")
      .select("id")
      .where("tenant_id", "=", it.tenant_id)
      .where("conversation_id", "=", it.id)
      .where("state", "in", ["queued", "running"])
      .as("liveRun"),
  ]),
);

/** True when nobody has said anything to a waiting customer for a while. */
async function hasWaited(tx: Tx, conversation: LockedConversation, nowMs: number): Promise<boolean> {
  const last = await tx
    .selectFrom("events")
    .select("at_ms")
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("type", "=", "message")
    .where("author", "!=", "customer")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return last === undefined || last.at_ms <= nowMs - LIMITS.waitingWordMs;
}

/** Characters that show nothing: separators, controls, formats such as zero-width joiners, fillers. */
const INVISIBLE =
  /\p{Z}|\p{C}|\p{Variation_Selector}|\u115f|\u1160|\u3164|\uffa0|\u2800|\u034f|\u17b4|\u17b5/gu;

/**
 * The text as it is stored.
 * @throws ProblemError `message_empty`, `message_too_long`
 */
export function checkText(text: string): string {
  const clean = storableText(text);
  if (clean.length > LIMITS.messageChars) {
    throw new ProblemError(
      "message_too_long",
      `The message has ${clean.length} characters; the limit is ${LIMITS.messageChars}.`,
    );
  }
  if (clean.replace(INVISIBLE, "") === "") throw new ProblemError("message_empty");
  return clean;
}

const textDigest = (text: string): string => hash("sha256", text, "base64url");
