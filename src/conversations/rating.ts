/**
 * A customer rates a conversation, once: in the chat or by a link, whichever comes first. Solved by a person is what a
 * person wrote in, or resolved by hand; all else the agent solved, an approval of its proposal included.
 */
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
}

export interface RatingState {
  readonly customerId: CustomerId;
  readonly language: Language;
  readonly status: ConversationStatus;
  /** Null: not rated. */
  readonly score: number | null;
}

/** @throws ProblemError `not_found`, `csat_already_given` */
export async function rateConversation(
  parts: { readonly store: Store; readonly clock: Clock; readonly redact: (text: string) => string },
  scope: CustomerScope,
  conversationId: string,
  { score, comment, givenBy }: Rating,
): Promise<void> {
  await parts.store.transact(scope, async (tx) => {
    const conversation = await lockConversation(tx, conversationId as ConversationId);
    if (conversation === null) throw new ProblemError("not_found");
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("csat")
      .values({
        tenant_id: scope.tenantId,
        conversation_id: conversation.id,
        customer_id: scope.customerId,
        score,
        comment: comment === null ? null : parts.redact(storableText(comment)),
        solved_by: (await hasPerson(tx, conversation)) ? "person" : "agent",
        given_by: givenBy,
        at_ms: parts.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) throw new ProblemError("csat_already_given");
  });
}

/** @throws ProblemError `not_found` */
export async function ratingState(store: Store, scope: Scope, conversationId: string): Promise<RatingState> {
  return store.transact(scope, async (tx) => {
    const row = await tx
      .selectFrom("conversations as c")
      .leftJoin("csat as r", (join) =>
        join.onRef("r.tenant_id", "=", "c.tenant_id").onRef("r.conversation_id", "=", "c.id"),
      )
      .select(["c.customer_id", "c.language", "c.status", "r.score"])
      .where("c.tenant_id", "=", scope.tenantId)
      .where("c.id", "=", conversationId as ConversationId)
      .executeTakeFirst();
    if (row === undefined) throw new ProblemError("not_found");
    return { customerId: row.customer_id, language: row.language, status: row.status, score: row.score };
  });
}

async function hasPerson(tx: Tx, { tenant_id, id }: LockedConversation): Promise<boolean> {
  const wrote = await tx
    .selectFrom("events")
    .select("seq")
    .where("tenant_id", "=", tenant_id)
    .where("conversation_id", "=", id)
    .where("author", "=", "operator")
    .limit(1)
    .executeTakeFirst();
  if (wrote !== undefined) return true;
  const resolved = await tx
    .selectFrom("reviews")
    .select("id")
    .where("tenant_id", "=", tenant_id)
    .where("conversation_id", "=", id)
    .where("kind", "=", "handoff")
    .where("state", "=", "decided")
    .where((eb) => eb(eb.ref("decision", "->>").key("decision" as never), "=", "resolve" as never))
    .limit(1)
    .executeTakeFirst();
  return resolved !== undefined;
}
