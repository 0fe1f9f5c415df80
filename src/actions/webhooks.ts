/**
 * The provider's webhooks: verified over the raw bytes, taken once per delivery ID, tolerant of order.
 * A delivery that died half-way is taken again when it comes again: applying is idempotent.
 */
import type { Payments } from "../commerce/payments.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Clock } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { Store } from "../store/store.ts";
import type { Executor } from "./execution.ts";

export type WebhookOutcome = "applied" | "ignored_stale" | "ignored_unknown" | "ignored_type" | "duplicate";

export interface Webhooks {
  /** @throws ProblemError `webhook_signature_invalid`, `webhook_payload_invalid` */
  stripe(rawBody: Buffer, signature: string | undefined): Promise<{ outcome: WebhookOutcome }>;
}

/** `tenants` are those that share the provider account; an event is applied where its action is found. */
export function createWebhooks(parts: {
  store: Store;
  payments: Payments;
  executor: Executor;
  clock: Clock;
  tenants: readonly [TenantId, ...TenantId[]];
}): Webhooks {
  const { store, payments, executor, clock, tenants } = parts;
  // Deliveries belong to no tenant; any scope may write them.
  const scope = tenantScope(tenants[0]);

  return {
    async stripe(rawBody, signature) {
      const event = payments.readEvent(rawBody, signature, clock.now());
      if (event === null) return { outcome: "ignored_type" };
      const known = await store.transact(scope, async (tx) => {
        await tx
          .insertInto("webhook_deliveries")
          .values({
            source: "stripe",
            delivery_id: event.eventId,
            type: event.type,
            at_ms: clock.now(),
            outcome: "received",
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return tx
          .selectFrom("webhook_deliveries")
          .select("outcome")
          .where("source", "=", "stripe")
          .where("delivery_id", "=", event.eventId)
          .executeTakeFirstOrThrow();
      });
      if (known.outcome !== "received") return { outcome: "duplicate" };
      // `charge.refunded` of newer API versions names only the charge.
      const refunds =
        event.refunds.length > 0 || event.chargeId === null
          ? event.refunds
          : await payments.refundsOf(tenants[0], event.chargeId);
      let outcome: WebhookOutcome = "ignored_unknown";
      for (const tenantId of tenants) {
        const { found, applied } = await executor.applyProviderNews(tenantId, refunds);
        if (applied > 0) outcome = "applied";
        else if (found > 0 && outcome !== "applied") outcome = "ignored_stale";
      }
      await store.transact(scope, (tx) =>
        tx
          .updateTable("webhook_deliveries")
          .set({ outcome })
          .where("source", "=", "stripe")
          .where("delivery_id", "=", event.eventId)
          .execute(),
      );
      return { outcome };
    },
  };
}
