/**
 * What people do with their own account, in the audit log of each tenant that they work for: an auditor sees who came
 * in, and when a password or a second factor changed. What was typed is never in it.
 */
import { appendAudit } from "../evidence/audit.ts";
import type { OperatorId } from "../kernel/ids.ts";
import type { Clock } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { Store } from "../store/store.ts";

export type AccountEvent =
  | "operator.signed_in"
  | "operator.signed_out"
  | "operator.sign_in_locked"
  | "operator.password_changed"
  | "operator.second_factor_set"
  | "operator.second_factor_removed"
  | "operator.second_factor_reset"
  | "operator.password_reset";

export interface Journal {
  /** `of`: a person's ID or address; an address that nobody has is nobody's affair. */
  record(
    of: { readonly id: OperatorId } | { readonly email: string },
    event: AccountEvent,
    by?: string,
  ): Promise<void>;
}

export function createJournal({ store, clock }: { readonly store: Store; readonly clock: Clock }): Journal {
  return {
    record: (of, event, by) =>
      store.identify(async (tx) => {
        const places = await tx
          .selectFrom("operators")
          .select(["tenant_id", "id", "email"])
          .where((eb) => ("id" in of ? eb("id", "=", of.id) : eb("email", "=", of.email)))
          .orderBy("tenant_id")
          .execute();
        for (const { tenant_id, id, email } of places) {
          await tx.within(tenantScope(tenant_id), (scoped) =>
            appendAudit(scoped, clock.now(), [
              { kind: event, subject: id, customerId: "*", body: { by: by ?? email, email } },
            ]),
          );
        }
      }),
  };
}
