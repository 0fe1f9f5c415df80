/** The row that a customer's conversations and actions lock on. */
import type { CustomerScope } from "../kernel/scope.ts";
import type { Tx } from "../store/store.ts";

/** Whoever writes for the first time has a row from then on. */
export async function ensureCustomer(tx: Tx, scope: CustomerScope, nowMs: number): Promise<void> {
  await tx
    .insertInto("customers")
    .values({ tenant_id: scope.tenantId, customer_id: scope.customerId, created_at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
