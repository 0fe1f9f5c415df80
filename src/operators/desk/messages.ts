/**
 * A person writes to the customer: only in a conversation that a person has, held to the safety filter, and once for
 * each ID that the client chose. What was unanswered is answered by it.
 */
import { createHash } from "node:crypto";
import { checkMayLeave } from "../../actions/reviews/words.ts";
import type { Orders } from "../../commerce/orders.ts";
import { checkText } from "../../conversations/conversations.ts";
import { appendEvents, type LockedConversation, lockConversation } from "../../conversations/events.ts";
import type { Hub } from "../../conversations/hub.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { ConversationId, CustomerId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import { customerScope, type TenantScope } from "../../kernel/scope.ts";
import { orderNumbersIn } from "../../safety/own.ts";
import type { Store, Tx } from "../../store/store.ts";
import { endDraft } from "./beside.ts";

export interface MessageParts {
  readonly store: Store;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly orders: Pick<Orders, "find">;
  readonly merchantOf: (tenantId: TenantId) => {
    readonly linkHosts: readonly string[];
    readonly contacts: readonly string[];
  };
}

export interface OperatorMessage {
  readonly clientMessageId: string;
  readonly text: string;
  readonly operator: string;
  /** The last event that they have seen; null: whatever is there. */
  readonly seenSeq?: number | null;
}

/** Orders named in one message that are looked up; more are no message to a customer. */
const ORDERS_NAMED = 10;

export function createMessages(parts: MessageParts) {
  const { store, hub, clock } = parts;

  /** Orders that the text names and that are this customer's: a person may speak of them. */
  const ordersNamed = async (scope: TenantScope, conversationId: string, text: string) => {
    const numbers = orderNumbersIn(text).slice(0, ORDERS_NAMED);
    if (numbers.length === 0) return [];
    const row = await store.transact(scope, (tx) =>
      tx
        .selectFrom("conversations")
        .select("customer_id")
        .where("tenant_id", "=", scope.tenantId)
        .where("id", "=", conversationId as ConversationId)
        .executeTakeFirst(),
    );
    if (row === undefined) throw new ProblemError("not_found");
    const customer = customerScope(scope.tenantId, row.customer_id as CustomerId);
    // A shop that is away knows no order: the filter then says that it is not the customer's to name.
    const found = await Promise.all(
      numbers.map((number) => parts.orders.find(customer, number).catch(() => null)),
    );
    return found.filter((order) => order !== null).map(({ number }) => ({ number }));
  };

  /**
   * @throws ProblemError `not_found`, `conversation_with_agent`, `conversation_changed`, `message_empty`, `message_too_long`,
   * `client_message_id_reused`, `text_withheld`
   */
  return async (
    scope: TenantScope,
    conversationId: string,
    message: OperatorMessage,
  ): Promise<{ readonly seq: number }> => {
    const text = checkText(message.text);
    const facts = await ordersNamed(scope, conversationId, text);
    const digest = createHash("sha256")
      .update(JSON.stringify([message.operator, text]))
      .digest("base64url");
    // Apart from the IDs that the customer's clients choose.
    const clientMessageId = `operator:${message.clientMessageId}`;
    return store.transact(scope, async (tx) => {
      const conversation = await lockConversation(tx, conversationId as ConversationId);
      if (conversation === null) throw new ProblemError("not_found");
      const prior = await tx
        .selectFrom("events")
        .select(["seq", "internal"])
        .where("tenant_id", "=", scope.tenantId)
        .where("conversation_id", "=", conversation.id)
        .where("client_message_id", "=", clientMessageId)
        .executeTakeFirst();
      if (prior !== undefined) {
        if (prior.internal?.digest !== digest) throw new ProblemError("client_message_id_reused");
        return { seq: prior.seq };
      }
      if (conversation.status !== "with_person") throw new ProblemError("conversation_with_agent");
      if (message.seenSeq != null) await refuseUnseen(tx, conversation, message.seenSeq, message.operator);
      await checkMayLeave(tx, conversation, text, parts.merchantOf(scope.tenantId), facts);
      const seq = conversation.next_seq;
      await appendEvents(
        tx,
        hub,
        conversation,
        clock.now(),
        [
          {
            type: "message",
            author: "operator",
            payload: { text },
            internal: { operator: message.operator, digest },
            clientMessageId,
          },
        ],
        { answered_seq: seq - 1 },
      );
      await endDraft(tx, { conversation_id: conversation.id, operator: message.operator });
      return { seq };
    });
  };
}

/** Their own messages they know; what others wrote since is read before it is answered. */
async function refuseUnseen(
  tx: Tx,
  conversation: LockedConversation,
  seenSeq: number,
  operator: string,
): Promise<void> {
  const written = await tx
    .selectFrom("events")
    .select(["seq", "author", "internal"])
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("type", "=", "message")
    .where("seq", ">", seenSeq)
    .orderBy("seq")
    .limit(LIMITS.eventsPerPage)
    .execute();
  const unseen = written.find((event) => event.internal?.operator !== operator);
  if (unseen === undefined) return;
  throw new ProblemError("conversation_changed", undefined, {
    details: { seen_seq: seenSeq, last_seq: conversation.next_seq - 1, author: unseen.author },
  });
}
