/** Somebody begins to work for a tenant, or comes back: the row, and the audit entry, in the caller's transaction. */
import { appendAudit } from "../evidence/audit.ts";
import type { Tx } from "../store/store.ts";
import type { Person } from "./identity/people.ts";
import type { Role } from "./permissions.ts";

export async function join(
  tx: Tx,
  nowMs: number,
  person: Person,
  as: { readonly role: Role; readonly by: string; readonly demo?: boolean },
): Promise<void> {
  const { tenantId } = tx.scope;
  await tx
    .insertInto("operators")
    .values({
      tenant_id: tenantId,
      id: person.id,
      name: person.name,
      email: person.email,
      role: as.role,
      state: "active",
      demo: as.demo === true,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "id"]).doUpdateSet((eb) => ({
        role: as.role,
        state: "active" as const,
        version: eb("operators.version", "+", 1),
        updated_at_ms: nowMs,
      })),
    )
    .execute();
  await appendAudit(tx, nowMs, [
    {
      kind: "operator.joined",
      subject: person.id,
      customerId: "*",
      body: { by: as.by, email: person.email, role: as.role },
    },
  ]);
}
