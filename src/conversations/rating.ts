/**
 * A customer rates how a conversation ended, once each time that it does: in the chat or by a link, whichever comes first.
 * What is rated is what was said since the ending before. Solved by a person is where a person wrote, or resolved by hand;
 * all else the agent solved, an approval of its proposal included.
 */
import { sql } from "kysely";
import { ProblemError } from "../kernel/errors.ts";
import type { ConversationId, CustomerId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import type { Clock } from "../kernel/ports.ts";
import type { CustomerScope, Scope } from "../kernel/scope.ts";
import { storableText } from "../kernel/text.ts";
import type { ConversationStatus } from "../store/schema.ts";
import type { Store, Tx } from "../store/store.ts";
import { type LockedConversation, lockConversation } from "./events.ts";

export interface Rating {
  /** 1 to 5. */
  readonly score: number;
  readonly comment: string | null;
  readonly givenBy: "chat" | "link";
  /** Which ending, as {@link RatingState} named it; without it the latest one. */
  readonly sinceSeq?: number;
}

export interface RatingState {
  readonly customerId: CustomerId;
  readonly language: Language;
  readonly status: ConversationStatus;
  /** The ending that the answer is about: the event of the one before it, 0 for the first. */
  readonly sinceSeq: number;
  /** Of that ending; null: not rated. */
  readonly score: number | null;
}

/** @throws ProblemError `not_found`, `csat_already_given` */
export async function rateConversation(
  parts: { readonly store: Store; readonly clock: Clock; readonly redact: (text: string) => string },
  scope: CustomerScope,
  conversationId: string,
  { score, comment, givenBy, sinceSeq }: Rating,
): Promise<void> {
  await parts.store.transact(scope, async (tx) => {
    const conversation = await lockConversation(tx, conversationId as ConversationId);
    if (conversation === null) throw new ProblemError("not_found");
    const endings = await endingsOf(tx, conversation.id);
    const since = sinceSeq ?? sinceOf(endings, conversation.status);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("csat")
      .values({
        tenant_id: scope.tenantId,
        conversation_id: conversation.id,
        since_seq: since,
        customer_id: scope.customerId,
        score,
        comment: comment === null ? null : parts.redact(storableText(comment)),
        solved_by: (await hadPerson(tx, conversation, stretchOf(endings, since))) ? "person" : "agent",
        given_by: givenBy,
        at_ms: parts.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) throw new ProblemError("csat_already_given");
  });
}

/** `sinceSeq`: which ending; without it the latest one. @throws ProblemError `not_found` */
export async function ratingState(
  store: Store,
  scope: Scope,
  conversationId: string,
  sinceSeq?: number,
): Promise<RatingState> {
  return store.transact(scope, async (tx) => {
    const id = conversationId as ConversationId;
    const row = await tx
      .selectFrom("conversations")
      .select(["customer_id", "language", "status"])
      .where("tenant_id", "=", scope.tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    if (row === undefined) throw new ProblemError("not_found");
    const { customer_id: customerId, language, status } = row;
    const since = sinceSeq ?? (await ratedSince(tx, id, status));
    const rated = await tx
      .selectFrom("csat")
      .select("score")
      .where("tenant_id", "=", scope.tenantId)
      .where("conversation_id", "=", id)
      .where("since_seq", "=", since)
      .executeTakeFirst();
    return { customerId, language, status, sinceSeq: since, score: rated?.score ?? null };
  });
}

interface Ending {
  readonly seq: number;
  readonly at_ms: number;
}

/** Each time that it ended, oldest first. */
const endingsOf = (tx: Tx, id: ConversationId): Promise<readonly Ending[]> =>
  tx
    .selectFrom("events")
    .select(["seq", "at_ms"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", id)
    .where("type", "=", "status")
    .where(sql<string>`payload ->> 'status'`, "=", "resolved")
    .orderBy("seq")
    .execute();

/** The ending that a rating given now would be about, as {@link RatingState} names it. */
export const ratedSince = async (tx: Tx, id: ConversationId, status: ConversationStatus): Promise<number> =>
  sinceOf(await endingsOf(tx, id), status);

/** What is rated now began after this event: the ending before the latest, or, while it goes on, the latest. */
const sinceOf = (endings: readonly Ending[], status: ConversationStatus): number =>
  endings.at(status === "resolved" ? -2 : -1)?.seq ?? 0;

/** What one rating is about: after `since`, up to the next ending if there was one. */
interface Stretch {
  readonly since: Ending;
  readonly until: Ending | null;
}

const stretchOf = (endings: readonly Ending[], sinceSeq: number): Stretch => ({
  since: endings.find(({ seq }) => seq === sinceSeq) ?? { seq: 0, at_ms: 0 },
  until: endings.find(({ seq }) => seq > sinceSeq) ?? null,
});

async function hadPerson(
  tx: Tx,
  { tenant_id, id, next_seq }: LockedConversation,
  { since, until }: Stretch,
): Promise<boolean> {
  const wrote = await tx
    .selectFrom("events")
    .select("seq")
    .where("tenant_id", "=", tenant_id)
    .where("conversation_id", "=", id)
    .where("author", "=", "operator")
    .where("seq", ">", since.seq)
    .where("seq", "<", until?.seq ?? next_seq)
    .limit(1)
    .executeTakeFirst();
  if (wrote !== undefined) return true;
  const resolved = await tx
    .selectFrom("reviews")
    .select(sql<string>`decision ->> 'at'`.as("at"))
    .where("tenant_id", "=", tenant_id)
    .where("conversation_id", "=", id)
    .where("kind", "=", "handoff")
    .where("state", "=", "decided")
    .where((eb) => eb(eb.ref("decision", "->>").key("decision" as never), "=", "resolve" as never))
    .execute();
  return resolved.some(({ at }) => {
    const atMs = Date.parse(at);
    return atMs > since.at_ms && (until === null || atMs <= until.at_ms);
  });
}
