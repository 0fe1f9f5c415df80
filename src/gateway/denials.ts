/**
 * What the policy denied is kept with its facts, like what it allowed (G7): a version that is tried can be asked what it
 * would have decided. A run that is repeated after a crash is denied once.
 */
import type { Order } from "../commerce/orders.ts";
import { hashOf } from "../kernel/canonical.ts";
import type { Store } from "../store/store.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Denial } from "./decision.ts";

export async function keepDenial(
  store: Store,
  context: ToolContext,
  order: Order,
  { decision, amountMinor }: Denial,
): Promise<void> {
  const { tenantId, customerId } = context.scope;
  const { action, facts, evaluatedAt } = decision;
  await store.transact(context.scope, (tx) =>
    tx
      .insertInto("denials")
      .values({
        tenant_id: tenantId,
        id: hashOf({ run: context.runId, action, facts }),
        customer_id: customerId,
        conversation_id: context.conversationId,
        run_id: context.runId,
        kind: action,
        order_number: order.number,
        amount_minor: amountMinor,
        currency: order.currency,
        decision: JSON.stringify(decision),
        at_ms: evaluatedAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}
