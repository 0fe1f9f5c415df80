/**
 * The first person: somebody who can read the server's terminal makes themselves an admin of its tenants, once. The
 * code lives in this process's memory only; after the first person there is no way in here any more.
 */
import { timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { ProblemError } from "../kernel/errors.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { IdentityTx, Store } from "../store/store.ts";
import { createAttempts } from "./identity/attempts.ts";
import { checkPassword, normalEmail } from "./identity/passwords.ts";
import { addPerson, hashOfPassword, type Person } from "./identity/people.ts";
import { join } from "./joining.ts";

export interface FirstAdmin {
  /** Whether nobody works here yet. */
  needed(): Promise<boolean>;
  /** What the terminal prints: five groups of four. */
  readonly code: string;
  /** @throws ProblemError `setup_unavailable`, `sign_in_locked`, `password_weak`, `operator_exists` */
  make(
    code: string,
    person: { readonly name: string; readonly email: string; readonly password: string },
  ): Promise<Person>;
}

export interface FirstAdminParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly tenants: readonly { readonly id: TenantId }[];
}

/** 32 letters and digits, five bits each; those that are taken for each other (l and 1, o and 0) are not both in it. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
/** Any constant: all who set up at once wait for each other. */
const SETUP_LOCK = 7_247_002;

export function createFirstAdmin(parts: FirstAdminParts): FirstAdmin {
  const { store, clock, random } = parts;
  const attempts = createAttempts(store, clock);
  const code = [...random.bytes(20)]
    .map((byte, index) => `${index > 0 && index % 4 === 0 ? "-" : ""}${ALPHABET[byte % 32]}`)
    .join("");
  return {
    code,
    needed: () => store.identify(nobodyYet),
    async make(typed, { name, email: typedEmail, password }) {
      await attempts.begin("setup");
      const given = Buffer.from(typed.trim().toLowerCase());
      const right = Buffer.from(code);
      if (given.length !== right.length || !timingSafeEqual(given, right)) {
        throw new ProblemError("setup_unavailable", "This is not the code that the server printed.");
      }
      await attempts.succeeded("setup");
      const email = normalEmail(typedEmail);
      checkPassword(password, { email, name });
      const passwordHash = await hashOfPassword(password);
      return store.identify(async (tx) => {
        await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(tx);
        if (!(await nobodyYet(tx)))
          throw new ProblemError("setup_unavailable", "Somebody is set up already.");
        return makeAdmin(tx, { clock, random }, parts.tenants, { name, email, passwordHash });
      });
    },
  };
}

/** A person with a password, as admin of the tenants. */
export async function makeAdmin(
  tx: IdentityTx,
  ports: { readonly clock: Clock; readonly random: Random },
  tenants: readonly { readonly id: TenantId }[],
  who: { readonly name: string; readonly email: string; readonly passwordHash: string },
): Promise<Person> {
  const person = await addPerson(tx, ports, who);
  for (const { id } of tenants) {
    await tx.within(tenantScope(id), (scoped) =>
      join(scoped, ports.clock.now(), person, { role: "admin", by: "setup" }),
    );
  }
  return person;
}

/** People of the demo are nobody. */
async function nobodyYet(tx: IdentityTx): Promise<boolean> {
  const somebody = await tx
    .selectFrom("operators")
    .select("id")
    .where("demo", "=", false)
    .limit(1)
    .executeTakeFirst();
  return somebody === undefined;
}
