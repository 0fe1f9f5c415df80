/** Who works for a tenant: the list, roles, and ending somebody's access. Each change is an entry of the audit log. */
import { appendAudit } from "../evidence/audit.ts";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { OperatorId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import type { TenantScope } from "../kernel/scope.ts";
import type { IdentityTx, Store, Tx } from "../store/store.ts";
import { removeSecondFactor } from "./identity/people.ts";
import type { Role } from "./permissions.ts";

export interface Member {
  readonly operator_id: OperatorId;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly state: "active" | "disabled";
  readonly second_factor: boolean;
  /** RFC 3339. */
  readonly created_at: string;
}

export interface Team {
  /** By name. */
  list(scope: TenantScope): Promise<readonly Member[]>;
  /** @throws ProblemError `not_found` */
  member(scope: TenantScope, id: string): Promise<Member>;
  /** Takes effect with their next request. @throws ProblemError `not_found`, `last_admin` */
  setRole(scope: TenantScope, id: string, role: Role, by: string): Promise<Member>;
  /** @throws ProblemError `not_found`, `last_admin` */
  setState(scope: TenantScope, id: string, state: "active" | "disabled", by: string): Promise<Member>;
  /**
   * For whoever lost their app and their recovery codes. Somebody who works for another tenant too is not this
   * team's alone to change: that takes the terminal.
   * @throws ProblemError `not_found`, `forbidden`
   */
  resetSecondFactor(scope: TenantScope, id: string, by: string): Promise<Member>;
}

export function createTeam({ store, clock }: { readonly store: Store; readonly clock: Clock }): Team {
  const change = (
    scope: TenantScope,
    id: string,
    by: string,
    to: { readonly role?: Role; readonly state?: "active" | "disabled" },
  ) =>
    store
      .transact(scope, async (tx) => {
        const before = await rowOf(tx, id);
        const after = { role: before.role, state: before.state, ...to };
        if (after.role === before.role && after.state === before.state) return;
        const wasAdmin = before.role === "admin" && before.state === "active";
        const staysAdmin = after.role === "admin" && after.state === "active";
        if (wasAdmin && !staysAdmin) await keepAnAdmin(tx, id);
        const nowMs = clock.now();
        await tx
          .updateTable("operators")
          .set((eb) => ({ ...after, version: eb("version", "+", 1), updated_at_ms: nowMs }))
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", id)
          .execute();
        await appendAudit(tx, nowMs, [
          {
            kind: to.role === undefined ? `operator.${after.state}` : "operator.role_changed",
            subject: id,
            customerId: "*",
            body: { by, email: before.email, from: before.role, to: after.role },
          },
        ]);
      })
      .then(() => self.member(scope, id));

  const self: Team = {
    async list(scope) {
      return store.identify(async (tx) => {
        const rows = await tx.within(scope, (scoped) =>
          scoped
            .selectFrom("operators")
            .selectAll()
            .where("tenant_id", "=", scope.tenantId)
            .orderBy("name")
            .orderBy("id")
            .limit(LIMITS.operatorsPerTenant)
            .execute(),
        );
        return withSecondFactors(tx, rows);
      });
    },

    async member(scope, id) {
      const [member] = await store.identify(async (tx) =>
        withSecondFactors(tx, [await tx.within(scope, (scoped) => rowOf(scoped, id))]),
      );
      return member as Member;
    },

    setRole: (scope, id, role, by) => change(scope, id, by, { role }),
    setState: (scope, id, state, by) => change(scope, id, by, { state }),

    async resetSecondFactor(scope, id, by) {
      const nowMs = clock.now();
      await store.identify(async (tx) => {
        await ownMember(tx, scope, id);
        await removeSecondFactor(tx, id as OperatorId);
        await tx.within(scope, (scoped) =>
          appendAudit(scoped, nowMs, [
            { kind: "operator.second_factor_reset", subject: id, customerId: "*", body: { by } },
          ]),
        );
      });
      return self.member(scope, id);
    },
  };
  return self;
}

/**
 * Somebody who works for this tenant and no other.
 * @throws ProblemError `not_found`, `forbidden`
 */
export async function ownMember(tx: IdentityTx, scope: TenantScope, id: string) {
  const row = await tx.within(scope, (scoped) => rowOf(scoped, id));
  const elsewhere = await tx
    .selectFrom("operators")
    .select("tenant_id")
    .where("id", "=", id)
    .where("tenant_id", "!=", scope.tenantId)
    .executeTakeFirst();
  if (elsewhere !== undefined) {
    throw new ProblemError("forbidden", "This person works for another team too.", {
      next: "Whoever runs the server can do it in the terminal: `recourse operators --help`.",
    });
  }
  return row;
}

/** @throws ProblemError `not_found`: of another tenant, or of none */
async function rowOf(tx: Tx, id: string) {
  const row = await tx
    .selectFrom("operators")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw new ProblemError("not_found");
  return row;
}

/** Admins who step down at once wait for each other here, so that the last one is seen to be the last. */
async function keepAnAdmin(tx: Tx, leaving: string): Promise<void> {
  const admins = await tx
    .selectFrom("operators")
    .select("id")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("role", "=", "admin")
    .where("state", "=", "active")
    .orderBy("id")
    .forUpdate()
    .execute();
  if (!admins.some(({ id }) => id !== leaving)) throw new ProblemError("last_admin");
}

async function withSecondFactors(
  tx: IdentityTx,
  rows: readonly Awaited<ReturnType<typeof rowOf>>[],
): Promise<readonly Member[]> {
  const ids = rows.map(({ id }) => id);
  const having =
    ids.length === 0
      ? []
      : await tx
          .selectFrom("identity_users")
          .select("id")
          .where("id", "in", ids)
          .where("two_factor_enabled", "=", true)
          .execute();
  const has = new Set(having.map(({ id }) => id));
  return rows.map((row) => ({
    operator_id: row.id as OperatorId,
    name: row.name,
    email: row.email,
    role: row.role,
    state: row.state,
    second_factor: has.has(row.id),
    created_at: isoInstant(row.created_at_ms),
  }));
}
