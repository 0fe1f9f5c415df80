/**
 * The provider shows a refund of an action that had been given up: it was looked up, was not there, and the customer was
 * told that nothing was paid out. That was true as far as anybody knew, and is not now. The ledger's state is not turned
 * back (its units may be another's by now): the money counts against the order, and a person is told, once.
 */
import type { ProviderRefund } from "../commerce/payments.ts";
import { lockConversation } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import type { Tx } from "../store/store.ts";
import { takeInExternal } from "./allocations.ts";
import { type ActionRow, readAction } from "./ledger.ts";
import { openActionReview, type ReviewPorts } from "./reviews/open.ts";
import { withdrawReviewOf } from "./reviews/withdrawing.ts";

/** Whether news of a refund is late evidence. A refund that was known before and came back from the bank is not. */
export const isLateEvidence = (action: ActionRow, refund: ProviderRefund): boolean =>
  action.state === "failed" &&
  action.provider_ref === null &&
  (refund.status === "pending" || refund.status === "succeeded");

export async function takeLateEvidence(
  tx: Tx,
  ports: ReviewPorts & { readonly hub: Hub },
  action: ActionRow,
  refund: ProviderRefund,
): Promise<void> {
  await lockConversation(tx, action.conversation_id);
  const current = await readAction(tx, action.id, { lock: true });
  if (current === null || !isLateEvidence(current, refund)) return;
  const nowMs = ports.clock.now();
  const order = { id: current.order_id, customerId: current.customer_id };
  await takeInExternal(tx, order, [refund], nowMs);
  const asked = await tx
    .selectFrom("reviews")
    .select("id")
    .where("tenant_id", "=", current.tenant_id)
    .where("action_id", "=", current.id)
    .where("reason", "=", "refund_appeared")
    .executeTakeFirst();
  if (asked !== undefined) return;
  // What was asked about the failure is another question now.
  await withdrawReviewOf(tx, ports.hub, current, current.state, nowMs);
  await openActionReview(tx, ports, current, "refund_appeared");
}
