/** A provider says that a mail of ours bounced for good, or that somebody complained of it: nothing more goes there. */
import { appendAudit } from "../../../evidence/audit.ts";
import { tenantScope } from "../../../kernel/scope.ts";
import type { Store } from "../../../store/store.ts";
import { type MailTenant, normalAddress } from "../addresses.ts";
import { suppress } from "../suppressions.ts";

export interface Report {
  readonly reason: "bounced" | "complained";
  readonly recipients: readonly string[];
  /** Ours or the provider's. */
  readonly messageIds: readonly string[];
}

/** `<id@region.amazonses.com>`: Amazon's notifications have the part before the `@` only. */
const likeId = (id: string): string => `<${id.replace(/[\\%_]/g, "\\$&")}@%`;

/**
 * Only for a mail that we sent to that address. The same report again changes nothing.
 * @returns how many mails of ours it was about
 */
export async function takeReport(
  parts: { readonly store: Store; readonly tenants: readonly MailTenant[] },
  report: Report,
  nowMs: number,
): Promise<number> {
  const { messageIds, reason } = report;
  const addresses = report.recipients.map(normalAddress);
  if (messageIds.length === 0 || addresses.length === 0) return 0;
  let count = 0;
  for (const { id: tenantId } of parts.tenants) {
    count += await parts.store.transact(tenantScope(tenantId), async (tx) => {
      const mails = await tx
        .selectFrom("mail_outbox")
        .select(["id", "address", "state", "conversation_id"])
        .where("tenant_id", "=", tenantId)
        .where((eb) =>
          eb.or([
            eb("id", "in", messageIds),
            ...messageIds.filter((id) => !id.includes("@")).map((id) => eb("sent_as", "like", likeId(id))),
          ]),
        )
        .where("address", "in", addresses)
        .forUpdate()
        .execute();
      for (const mail of mails) {
        await suppress(tx, mail.address, reason, nowMs);
        // It did arrive where somebody complains of it.
        if (reason === "complained" || mail.state === "bounced") continue;
        await tx
          .updateTable("mail_outbox")
          .set({ state: "bounced", lease_until_ms: null })
          .where("tenant_id", "=", tenantId)
          .where("id", "=", mail.id)
          .execute();
        await appendAudit(tx, nowMs, [
          {
            kind: "mail.bounced",
            subject: mail.conversation_id,
            customerId: "*",
            body: { mail: mail.id },
          },
        ]);
      }
      return mails.length;
    });
  }
  return count;
}
