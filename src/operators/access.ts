/**
 * The door for operators: from a session or a key to who acts, for which tenant and with which permissions. All of it
 * is read at each request: a role that was changed, a person who was disabled and a key that was revoked count at once.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { ProblemError } from "../kernel/errors.ts";
import type { OperatorId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { IdentityTx, Store } from "../store/store.ts";
import { PASSWORD_PROVIDER } from "./identity/people.ts";
import type { Session, SignIn } from "./identity/sign-in.ts";
import { readKey } from "./key-text.ts";
import type { VerifiedOperator } from "./operator.ts";
import { isPermission, type Permission, permissionsOf, type Role } from "./permissions.ts";
import type { Settings } from "./settings/settings.ts";

/** A tenant that a person works for. */
export interface Workplace {
  readonly tenantId: TenantId;
  readonly role: Role;
}

export interface Access {
  /**
   * Who is signed in, in the tenant that was named; null without a session. With one workplace none needs to be named.
   * @throws ProblemError `forbidden`, `tenant_needed`, `second_factor_needed`
   */
  bySession(
    cookie: string | undefined,
    tenant: string | undefined,
  ): Promise<{ readonly operator: VerifiedOperator; readonly session: Session } | null>;
  /** Null when it is no key, or not any more. */
  byKey(token: string): Promise<VerifiedOperator | null>;
  /** Where a person works, in order of the tenants' IDs. */
  workplaces(personId: OperatorId): Promise<readonly Workplace[]>;
}

export interface AccessParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly signIn: SignIn;
  readonly settings: Settings;
  /** People of the demo are nobody outside it. */
  readonly demo: boolean;
}

export function createAccess({ store, clock, signIn, settings, demo }: AccessParts): Access {
  const placesIn = (tx: IdentityTx, personId: OperatorId) =>
    tx
      .selectFrom("operators")
      .select(["tenant_id as tenantId", "role"])
      .where("id", "=", personId)
      .where("state", "=", "active")
      .$if(!demo, (query) => query.where("demo", "=", false))
      .orderBy("tenant_id")
      .execute();

  return {
    async bySession(cookie, tenant) {
      const session = await signIn.session(cookie);
      if (session === null) return null;
      const { personId, email, name } = session;
      const places = await store.identify((tx) => placesIn(tx, personId));
      const [only] = places;
      if (tenant === undefined && places.length > 1) {
        const tenants = places.map((place) => place.tenantId);
        throw new ProblemError("tenant_needed", `You work for ${tenants.join(" and ")}.`, {
          details: { tenants },
        });
      }
      const place = tenant === undefined ? only : places.find(({ tenantId }) => tenantId === tenant);
      if (place === undefined) {
        throw new ProblemError("forbidden", "You do not work for this tenant, or not any more.", {
          next: "Ask an admin of that team for an invitation.",
        });
      }
      const mustHave = settings.of(place.tenantId).sign_in.second_factor === "required";
      if (mustHave && !session.hasSecondFactor && (await store.identify((tx) => hasPassword(tx, personId)))) {
        throw new ProblemError("second_factor_needed");
      }
      const scope = tenantScope(place.tenantId);
      const operator: VerifiedOperator = {
        scope,
        operator: email,
        id: personId,
        name,
        role: place.role,
        permissions: permissionsOf(place.role),
        by: "session",
      };
      return { operator, session };
    },

    async byKey(token) {
      const key = readKey(token);
      if (key === null) return null;
      const nowMs = clock.now();
      const row = await store.identify(async (tx) => {
        const found = await tx
          .selectFrom("operator_keys")
          .selectAll()
          .where("id", "=", key.id)
          .executeTakeFirst();
        if (found === undefined || !isSecret(key.secret, found.secret_hash)) return null;
        if (found.state !== "active" || (found.expires_at_ms ?? Number.POSITIVE_INFINITY) <= nowMs)
          return null;
        if (nowMs - (found.last_used_at_ms ?? 0) >= LIMITS.keyUseRecordedMs) {
          await tx
            .updateTable("operator_keys")
            .set({ last_used_at_ms: nowMs })
            .where("id", "=", found.id)
            .execute();
        }
        return found;
      });
      if (row === null) return null;
      return {
        scope: tenantScope(row.tenant_id),
        operator: `key:${row.name}`,
        id: null,
        name: row.name,
        role: null,
        permissions: new Set<Permission>(row.scopes.filter(isPermission)),
        by: "key",
      };
    },

    workplaces: (personId) => store.identify((tx) => placesIn(tx, personId)),
  };
}

/** Who signs in at the company only has their second factor there. */
async function hasPassword(tx: IdentityTx, personId: OperatorId): Promise<boolean> {
  const account = await tx
    .selectFrom("identity_accounts")
    .select("id")
    .where("user_id", "=", personId)
    .where("provider_id", "=", PASSWORD_PROVIDER)
    .executeTakeFirst();
  return account !== undefined;
}

/** In constant time. */
function isSecret(secret: string, hash: string): boolean {
  const digest = createHash("sha256").update(secret).digest();
  const expected = Buffer.from(hash, "hex");
  return digest.length === expected.length && timingSafeEqual(digest, expected);
}
