/**
 * Making people and changing how they prove who they are, as rows of the library's tables (a test signs in with what
 * is written here). Callers decide who may.
 */
import { ProblemError } from "../../kernel/errors.ts";
import type { OperatorId } from "../../kernel/ids.ts";
import { newId } from "../../kernel/ids.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import type { IdentityTx } from "../../store/store.ts";

/** The library's name for accounts with a password. */
export const PASSWORD_PROVIDER = "credential";

export interface Person {
  readonly id: OperatorId;
  readonly name: string;
  readonly email: string;
}

/** scrypt, 16 MB and some 50 ms; the library's own, in its own format. */
export async function hashOfPassword(password: string): Promise<string> {
  const { hashPassword } = await import("better-auth/crypto");
  return hashPassword(password);
}

export async function personOf(tx: IdentityTx, email: string): Promise<Person | null> {
  const row = await tx
    .selectFrom("identity_users")
    .select(["id", "name", "email"])
    .where("email", "=", email)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, id: row.id as OperatorId };
}

/**
 * A new person. Without a password they can only come from the identity provider.
 * @throws ProblemError `operator_exists`
 */
export async function addPerson(
  tx: IdentityTx,
  ports: { readonly clock: Clock; readonly random: Random },
  person: { readonly name: string; readonly email: string; readonly passwordHash: string | null },
): Promise<Person> {
  const { name, email, passwordHash } = person;
  const id = newId("opr", ports.clock, ports.random);
  const now = new Date(ports.clock.now());
  const made = await tx
    .insertInto("identity_users")
    .values({ id, name, email, email_verified: false, image: null, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (made === undefined) throw new ProblemError("operator_exists", "Somebody has this address already.");
  if (passwordHash !== null) await setPassword(tx, ports, id, passwordHash);
  return { id, name, email };
}

/** Sets or replaces the password, and ends all sessions. */
export async function setPassword(
  tx: IdentityTx,
  ports: { readonly clock: Clock; readonly random: Random },
  id: OperatorId,
  passwordHash: string,
): Promise<void> {
  const now = new Date(ports.clock.now());
  await tx
    .insertInto("identity_accounts")
    .values({
      id: Buffer.from(ports.random.bytes(16)).toString("hex"),
      user_id: id,
      provider_id: PASSWORD_PROVIDER,
      account_id: id,
      password: passwordHash,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["provider_id", "account_id"])
        .doUpdateSet({ password: passwordHash, updated_at: now }),
    )
    .execute();
  await endSessions(tx, id);
}

/** Whoever has lost their second factor: it is gone, and all sessions end. */
export async function removeSecondFactor(tx: IdentityTx, id: OperatorId): Promise<void> {
  await tx.deleteFrom("identity_second_factors").where("user_id", "=", id).execute();
  await tx.updateTable("identity_users").set({ two_factor_enabled: false }).where("id", "=", id).execute();
  await endSessions(tx, id);
}

export async function endSessions(tx: IdentityTx, id: OperatorId): Promise<void> {
  await tx.deleteFrom("identity_sessions").where("user_id", "=", id).execute();
}
