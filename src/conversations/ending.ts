/**
 * The customer ends a conversation: it is resolved, and what a person was to do in it is theirs to do no more. Money
 * goes its own way: an action that is recorded goes on, and is told of. A message afterwards opens it again.
 */
import { appendAudit } from "../evidence/audit.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Clock } from "../kernel/ports.ts";
import type { CustomerScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { appendEvents, type LockedConversation, lockConversation } from "./events.ts";
import type { Hub } from "./hub.ts";
import { refuseWhileBusy } from "./live-run.ts";

export interface EndingParts {
  readonly store: Store;
  readonly hub: Hub;
  readonly clock: Clock;
  /** Lets go of what people have open in it. */
  readonly releasePeople?: (tx: Tx, conversation: LockedConversation, nowMs: number) => Promise<void>;
}

/**
 * Repeated, it is answered the same.
 * @throws ProblemError `not_found`, `conversation_busy` while it is being answered
 */
export async function endConversation(
  { store, hub, clock, releasePeople }: EndingParts,
  scope: CustomerScope,
  conversationId: string,
): Promise<void> {
  await store.transact(scope, async (tx) => {
    const conversation = await lockConversation(tx, conversationId as ConversationId);
    if (conversation === null) throw new ProblemError("not_found");
    if (conversation.status === "resolved") return;
    // An answer would come after the end.
    await refuseWhileBusy(tx, conversation);
    const nowMs = clock.now();
    await releasePeople?.(tx, conversation, nowMs);
    await end(tx, hub, conversation, nowMs, { by: "customer" });
  });
}

/** Resolved, with nothing left to answer; `why` is for the audit log. */
export async function end(
  tx: Tx,
  hub: Hub,
  conversation: LockedConversation,
  nowMs: number,
  why: Readonly<Record<string, unknown>> & { readonly by: "customer" | "idle" | "erasure" },
): Promise<void> {
  await appendEvents(tx, hub, conversation, nowMs, [], {
    status: "resolved",
    answered_seq: conversation.next_seq - 1,
  });
  await appendAudit(tx, nowMs, [
    {
      kind: "conversation.ended",
      subject: conversation.id,
      customerId: conversation.customer_id,
      body: why,
    },
  ]);
}
