/**
 * The kill switch: while it is on, every refund and return waits for a person. It is a row that each decision reads in its
 * own transaction (`src/actions/allocations.ts`), so that it counts from the next check on, in every process. What was
 * recorded before is carried out, and a person's approval still counts.
 */
import { appendAudit } from "../evidence/audit.ts";
import { isoInstant } from "../kernel/calendar.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Clock } from "../kernel/ports.ts";
import { type TenantScope, tenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";

export interface SwitchState {
  readonly on: boolean;
  readonly changed_by: string | null;
  readonly changed_at: string | null;
  readonly reason: string | null;
}

export interface KillSwitchState {
  readonly tenant: SwitchState;
  /** Of the whole installation. */
  readonly everywhere: SwitchState;
}

export interface KillSwitch {
  read(scope: TenantScope): Promise<KillSwitchState>;
  /** Again it changes nothing and is recorded all the same. */
  set(
    scope: TenantScope,
    wanted: {
      readonly on: boolean;
      readonly reason: string;
      readonly by: string;
      readonly everywhere: boolean;
    },
  ): Promise<KillSwitchState>;
}

/** The scope of the row that counts for all tenants; no tenant has this ID. */
const EVERYWHERE = "*" as TenantId;

export function createKillSwitch(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly tenants: readonly TenantId[];
}): KillSwitch {
  const { store, clock } = parts;
  const write = async (tx: Tx, wanted: Parameters<KillSwitch["set"]>[1], nowMs: number): Promise<void> => {
    const row = { is_on: wanted.on, changed_by: wanted.by, changed_at_ms: nowMs, reason: wanted.reason };
    await tx
      .insertInto("kill_switches")
      .values({ tenant_id: tx.scope.tenantId, ...row })
      .onConflict((conflict) => conflict.column("tenant_id").doUpdateSet(row))
      .execute();
  };
  const record = (tx: Tx, { on, reason, by, everywhere }: Parameters<KillSwitch["set"]>[1], nowMs: number) =>
    appendAudit(tx, nowMs, [
      {
        kind: on ? "kill_switch.on" : "kill_switch.off",
        subject: everywhere ? "everywhere" : tx.scope.tenantId,
        customerId: "*",
        body: { by, everywhere },
        texts: { reason },
      },
    ]);
  const read = (scope: TenantScope): Promise<KillSwitchState> =>
    store.transact(scope, async (tx) => {
      const rows = await tx.selectFrom("kill_switches").selectAll().execute();
      const of = (tenantId: TenantId): SwitchState => {
        const row = rows.find((each) => each.tenant_id === tenantId);
        return row === undefined
          ? { on: false, changed_by: null, changed_at: null, reason: null }
          : {
              on: row.is_on,
              changed_by: row.changed_by,
              changed_at: isoInstant(row.changed_at_ms),
              reason: row.reason,
            };
      };
      return { tenant: of(scope.tenantId), everywhere: of(EVERYWHERE) };
    });
  return {
    read,
    async set(scope, wanted) {
      const nowMs = clock.now();
      if (wanted.everywhere) {
        // It counts from here on; each tenant's log then says so.
        await store.transact(tenantScope(EVERYWHERE), (tx) => write(tx, wanted, nowMs));
        for (const tenantId of parts.tenants) {
          await store.transact(tenantScope(tenantId), (tx) => record(tx, wanted, nowMs));
        }
      } else {
        await store.transact(scope, async (tx) => {
          await write(tx, wanted, nowMs);
          await record(tx, wanted, nowMs);
        });
      }
      return read(scope);
    },
  };
}
