/** How a worker learns of an accepted message: by the broker, and by the database too while the broker is away. */
import type { ConversationParts } from "../../conversations/conversations.ts";
import { putIntoOutbox } from "../../store/outbox.ts";
import type { Queue } from "../../store/queue.ts";
import type { Forwarder } from "./forwarder.ts";

/**
 * In the transaction that accepts the message. What is in the outbox goes to the broker sooner or later; a run that the
 * database woke a worker for is over by then, and its record does nothing.
 */
export const announceBy =
  (
    forwarder: Pick<Forwarder, "isFull" | "isAway" | "poke">,
    queue: Pick<Queue, "wake">,
  ): NonNullable<ConversationParts["announce"]> =>
  async (tx, message, isNewRun) => {
    if (!forwarder.isFull()) {
      await putIntoOutbox(tx, message);
      tx.afterCommit(forwarder.poke);
    }
    if (isNewRun && (forwarder.isFull() || forwarder.isAway()))
      await queue.wake(tx, { kind: "run", tenantId: message.tenantId, id: message.runId });
  };
