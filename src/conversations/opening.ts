/** Opens a conversation for somebody, in whichever transaction it belongs to. */
import { ProblemError } from "../kernel/errors.ts";
import { type ConversationId, newId, type TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import type { Assurance, CustomerScope } from "../kernel/scope.ts";
import type { Tx } from "../store/store.ts";
import { ensureCustomer } from "./customers.ts";

export interface OpeningParts {
  readonly clock: Clock;
  readonly random: Random;
  /** What a conversation is in before its customer has written anything; absent: English. */
  readonly firstLanguage?: (tenantId: TenantId) => Language;
}

/** @throws ProblemError `too_many_conversations` */
export async function openConversation(
  tx: Tx,
  { clock, random, firstLanguage }: OpeningParts,
  scope: CustomerScope,
  how: { readonly channel: "chat" | "email"; readonly assurance: Assurance },
): Promise<ConversationId> {
  const nowMs = clock.now();
  await ensureCustomer(tx, scope, nowMs);
  const { open } = await tx
    .selectFrom("conversations")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("tenant_id", "=", scope.tenantId)
    .where("customer_id", "=", scope.customerId)
    .where("status", "!=", "resolved")
    // Untouched for a day is not open in any useful sense: it must not lock a customer out.
    .where("updated_at_ms", ">", nowMs - 86_400_000)
    .executeTakeFirstOrThrow();
  if (open >= LIMITS.openConversationsPerCustomer) {
    throw new ProblemError("too_many_conversations", undefined, { retryAfterMs: 60_000 });
  }
  const id = newId("conv", clock, random);
  await tx
    .insertInto("conversations")
    .values({
      tenant_id: scope.tenantId,
      id,
      customer_id: scope.customerId,
      channel: how.channel,
      assurance: how.assurance,
      status: "open",
      language: firstLanguage?.(scope.tenantId) ?? "en",
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })
    .execute();
  return id;
}
