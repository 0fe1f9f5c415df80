/**
 * One-time links that say who somebody is: whoever opens one reads the mail of that address. A link is signed, good
 * once, for a quarter of an hour, and for one conversation; what it answers is the question that it was sent for.
 */
import { ProblemError } from "../../kernel/errors.ts";
import type { ConversationId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Random } from "../../kernel/ports.ts";
import type { Tx } from "../../store/store.ts";
import { isSigned, letters, signature } from "./signing.ts";

export interface IdentityLink {
  readonly conversationId: ConversationId;
  readonly address: string;
}

/** Writes a link's row; answers with what goes into its URL. */
export async function newLink(
  tx: Tx,
  parts: { secret: string; random: Random },
  link: IdentityLink,
  nowMs: number,
): Promise<string> {
  const { tenantId } = tx.scope;
  const id = letters(parts.random.bytes(20));
  await tx
    .insertInto("identity_links")
    .values({
      tenant_id: tenantId,
      id,
      conversation_id: link.conversationId,
      address: link.address,
      expires_at_ms: nowMs + LIMITS.identityLinkMs,
      used_at_ms: null,
    })
    .execute();
  return `${tenantId}.${id}.${signature(parts.secret, "identity link", tenantId, id)}`;
}

/** Whose tenant's link it is; null when we did not make it. */
export function readLink(secret: string, token: string): { tenantId: TenantId; id: string } | null {
  const [tenantId = "", id = "", signed = "", ...more] = token.split(".");
  const isOurs = more.length === 0 && isSigned(secret, "identity link", tenantId as TenantId, id, signed);
  return isOurs ? { tenantId: tenantId as TenantId, id } : null;
}

/** Looks without using it. @throws ProblemError `link_invalid` */
export async function openLink(tx: Tx, id: string, nowMs: number): Promise<IdentityLink> {
  const row = await tx
    .selectFrom("identity_links")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined || row.used_at_ms !== null || row.expires_at_ms <= nowMs) {
    throw new ProblemError("link_invalid");
  }
  return { conversationId: row.conversation_id, address: row.address };
}

/** Of two that use it at once, one does. @throws ProblemError `link_invalid` */
export async function useLink(tx: Tx, id: string, nowMs: number): Promise<IdentityLink> {
  const link = await openLink(tx, id, nowMs);
  await tx
    .updateTable("identity_links")
    .set({ used_at_ms: nowMs })
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", id)
    .execute();
  return link;
}
