/** Keys for scripts: each has its own scopes, is shown once, and ends when it is revoked or its time is over. */
import { appendAudit } from "../evidence/audit.ts";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import { type ApiKeyId, newId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import type { TenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { hashOfSecret, keyText } from "./key-text.ts";
import { isPermission, KEY_SCOPES, type Permission } from "./permissions.ts";

export interface ApiKey {
  readonly key_id: ApiKeyId;
  readonly name: string;
  readonly scopes: readonly Permission[];
  readonly state: "active" | "revoked" | "expired";
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  /** To the minute. */
  readonly last_used_at: string | null;
}

export interface Keys {
  /** The newest first, revoked ones too. */
  list(scope: TenantScope): Promise<readonly ApiKey[]>;
  /** `key` is shown this once. @throws ProblemError `forbidden`, `rate_limited` */
  create(
    scope: TenantScope,
    key: {
      readonly name: string;
      readonly scopes: readonly Permission[];
      readonly expiresInMs: number | null;
      readonly by: string;
      /** What whoever makes it may do: nobody gives away more than they have. */
      readonly having: ReadonlySet<Permission>;
    },
  ): Promise<{ readonly apiKey: ApiKey; readonly key: string }>;
  /** @throws ProblemError `not_found` */
  revoke(scope: TenantScope, id: string, by: string): Promise<ApiKey>;
}

export function createKeys(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}): Keys {
  const { store, clock, random } = parts;
  return {
    list: (scope) =>
      store.transact(scope, async (tx) => {
        const rows = await keysOf(tx)
          .orderBy("created_at_ms", "desc")
          .limit(2 * LIMITS.keysPerTenant)
          .execute();
        return rows.map((row) => viewOf(row, clock.now()));
      }),

    create: (scope, { name, scopes, expiresInMs, by, having }) =>
      store.transact(scope, async (tx) => {
        const refused = scopes.filter((each) => !having.has(each) || !KEY_SCOPES.includes(each));
        if (refused.length > 0) {
          throw new ProblemError("forbidden", `A key cannot be given ${refused.join(", ")}.`, {
            next: "Give it scopes that you have yourself; what makes people or keys is for people only.",
          });
        }
        const nowMs = clock.now();
        const active = await keysOf(tx).where("state", "=", "active").execute();
        if (active.length >= LIMITS.keysPerTenant) {
          throw new ProblemError("rate_limited", `There are ${active.length} keys.`, {
            next: "Revoke those that no script uses.",
          });
        }
        const id = newId("key", clock, random);
        const secret = Buffer.from(random.bytes(32)).toString("base64url");
        const row = await tx
          .insertInto("operator_keys")
          .values({
            tenant_id: scope.tenantId,
            id,
            name,
            secret_hash: hashOfSecret(secret),
            scopes: JSON.stringify([...new Set(scopes)].toSorted()),
            state: "active",
            created_by: by,
            created_at_ms: nowMs,
            expires_at_ms: expiresInMs === null ? null : nowMs + expiresInMs,
            last_used_at_ms: null,
            revoked_at_ms: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const body = { by, name, scopes: row.scopes };
        await appendAudit(tx, nowMs, [{ kind: "api_key.created", subject: id, customerId: "*", body }]);
        return { apiKey: viewOf(row, nowMs), key: keyText(id, secret) };
      }),

    revoke: (scope, id, by) =>
      store.transact(scope, async (tx) => {
        const nowMs = clock.now();
        const row = await tx
          .updateTable("operator_keys")
          .set({ state: "revoked", revoked_at_ms: nowMs })
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", id)
          .where("state", "=", "active")
          .returningAll()
          .executeTakeFirst();
        if (row !== undefined) {
          const body = { by, name: row.name };
          await appendAudit(tx, nowMs, [{ kind: "api_key.revoked", subject: id, customerId: "*", body }]);
          return viewOf(row, nowMs);
        }
        const known = await keysOf(tx).where("id", "=", id).executeTakeFirst();
        if (known === undefined) throw new ProblemError("not_found");
        return viewOf(known, nowMs);
      }),
  };
}

const keysOf = (tx: Tx) =>
  tx.selectFrom("operator_keys").selectAll().where("tenant_id", "=", tx.scope.tenantId);

function viewOf(
  row: Awaited<ReturnType<ReturnType<typeof keysOf>["execute"]>>[number],
  nowMs: number,
): ApiKey {
  const over = row.expires_at_ms !== null && row.expires_at_ms <= nowMs;
  return {
    key_id: row.id as ApiKeyId,
    name: row.name,
    scopes: row.scopes.filter(isPermission),
    state: row.state === "active" && over ? "expired" : row.state,
    created_by: row.created_by,
    created_at: isoInstant(row.created_at_ms),
    expires_at: row.expires_at_ms === null ? null : isoInstant(row.expires_at_ms),
    last_used_at: row.last_used_at_ms === null ? null : isoInstant(row.last_used_at_ms),
  };
}
