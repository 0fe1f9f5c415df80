/** Addresses that nothing is sent to any more. */
import type { MailTables } from "../../store/mail-tables.ts";
import type { Tx } from "../../store/store.ts";

export async function suppress(
  tx: Tx,
  address: string,
  reason: MailTables["mail_suppressions"]["reason"],
  nowMs: number,
): Promise<void> {
  await tx
    .insertInto("mail_suppressions")
    .values({ tenant_id: tx.scope.tenantId, address, reason, at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isSuppressed(tx: Tx, address: string): Promise<boolean> {
  const row = await tx
    .selectFrom("mail_suppressions")
    .select("address")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("address", "=", address)
    .executeTakeFirst();
  return row !== undefined;
}
