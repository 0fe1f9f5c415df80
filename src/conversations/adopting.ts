/** A visitor's conversation becomes the customer's who signs in: whole, once, and to nobody else. */
import { appendAudit } from "../evidence/audit.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { ConversationId, CustomerId } from "../kernel/ids.ts";
import type { Clock } from "../kernel/ports.ts";
import { type CustomerScope, tenantScope } from "../kernel/scope.ts";
import { isVisitor } from "../kernel/visitor.ts";
import type { Store } from "../store/store.ts";
import { ensureCustomer } from "./customers.ts";
import { lockConversation } from "./events.ts";
import type { Hub } from "./hub.ts";

const BUSY_MS = 500;

/**
 * `visitorId` and the scope are both verified by whoever calls. Repeated, it is answered the same.
 * @throws ProblemError `not_found`, `conversation_busy` while a run works on it
 */
export async function adoptConversation(
  { store, hub, clock }: { readonly store: Store; readonly hub: Hub; readonly clock: Clock },
  scope: CustomerScope,
  conversationId: string,
  visitorId: CustomerId,
): Promise<void> {
  if (!isVisitor(visitorId) || isVisitor(scope.customerId)) throw new ProblemError("not_found");
  // Both of them are seen in the tenant's scope only; the two IDs below are all that is touched.
  await store.transact(tenantScope(scope.tenantId), async (tx) => {
    const conversation = await lockConversation(tx, conversationId as ConversationId);
    if (conversation?.customer_id === scope.customerId) return;
    if (conversation === null || conversation.customer_id !== visitorId) throw new ProblemError("not_found");
    const live = await tx
      .selectFrom("runs")
      .select("id")
      .where("tenant_id", "=", scope.tenantId)
      .where("conversation_id", "=", conversation.id)
      .where("state", "in", ["queued", "running"])
      .executeTakeFirst();
    // Its worker acts in the visitor's scope.
    if (live !== undefined) throw new ProblemError("conversation_busy", undefined, { retryAfterMs: BUSY_MS });

    const nowMs = clock.now();
    const { customerId: customer_id } = scope;
    await ensureCustomer(tx, scope, nowMs);
    await tx
      .updateTable("steps")
      .set({ customer_id })
      .where("tenant_id", "=", scope.tenantId)
      .where("run_id", "in", (eb) =>
        eb
          .selectFrom("runs")
          .select("id")
          .where("tenant_id", "=", scope.tenantId)
          .where("conversation_id", "=", conversation.id),
      )
      .execute();
    for (const table of ["events", "runs", "reviews", "csat"] as const) {
      await tx
        .updateTable(table)
        .set({ customer_id })
        .where("tenant_id", "=", scope.tenantId)
        .where("conversation_id", "=", conversation.id)
        .execute();
    }
    await tx
      .updateTable("conversations")
      .set({ customer_id, assurance: "authenticated", updated_at_ms: nowMs })
      .where("tenant_id", "=", scope.tenantId)
      .where("id", "=", conversation.id)
      .execute();
    await appendAudit(tx, nowMs, [
      {
        kind: "conversation.adopted",
        subject: conversation.id,
        customerId: customer_id,
        body: { visitor: visitorId },
      },
    ]);
    // The visitor's streams read the log, see nothing of it any more, and end.
    await hub.announce(tx, { ...conversation, customer_id }, []);
  });
}
