/**
 * A customer ended the conversation: nobody has to answer in it any more. Its handoffs are withdrawn; a decision about
 * money stays to be made, without the answer that it may have waited for.
 */
import type { LockedConversation } from "../../conversations/events.ts";
import { appendAudit } from "../../evidence/audit.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/store.ts";
import { resumedColumns } from "./answers.ts";
import { withChange } from "./rows.ts";
import type { ReviewSettings } from "./settings.ts";

export async function releasePeople(
  tx: Tx,
  conversation: LockedConversation,
  settingsOf: (tenantId: TenantId) => ReviewSettings,
  nowMs: number,
): Promise<void> {
  const rows = await tx
    .selectFrom("reviews")
    .selectAll()
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("state", "in", ["open", "waiting"])
    .orderBy("created_at_ms")
    .orderBy("id")
    .forUpdate()
    .execute();
  const touched = rows.filter(({ kind, state }) => kind === "handoff" || state === "waiting");
  for (const row of touched) {
    const isHandoff = row.kind === "handoff";
    await tx
      .updateTable("reviews")
      .set({
        ...(isHandoff
          ? { state: "withdrawn" as const, claimed_by: null, claimed_until_ms: null }
          : resumedColumns(row, settingsOf(conversation.tenant_id), nowMs)),
        version: row.version + 1,
        changes: withChange(row, { what: isHandoff ? "withdrawn" : "reopened", by: "customer" }, nowMs),
        updated_at_ms: nowMs,
      })
      .where("tenant_id", "=", row.tenant_id)
      .where("id", "=", row.id)
      .execute();
  }
  const withdrawn = touched.filter(({ kind }) => kind === "handoff");
  if (withdrawn.length === 0) return;
  await appendAudit(
    tx,
    nowMs,
    withdrawn.map((row) => ({
      kind: "review.withdrawn",
      subject: row.id,
      customerId: row.customer_id,
      body: { by: "customer", version: row.version + 1 },
    })),
  );
}
