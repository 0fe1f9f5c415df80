/**
 * The people of the demo. They sign in by the ordinary way: with a password that follows from the demo's secret and
 * that nobody is told. Outside the demo there is no such secret, this file is not called, and their rows count for
 * nothing (`access.ts`).
 */
import { createHmac } from "node:crypto";
import { ProblemError } from "../kernel/errors.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { Store } from "../store/store.ts";
import { addPerson, hashOfPassword, personOf, setPassword } from "./identity/people.ts";
import type { SetCookies, SignIn } from "./identity/sign-in.ts";
import { join } from "./joining.ts";
import type { Role } from "./permissions.ts";

export interface DemoPerson {
  /** `olivia@northwind`: what the button sends. */
  readonly key: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly tenantId: TenantId;
  readonly tenantName: string;
}

export interface DemoTeam {
  readonly people: readonly DemoPerson[];
  /** Makes sure that they are there. */
  seed(): Promise<void>;
  /** Null when there is no such person. */
  signIn(key: string): Promise<SetCookies | null>;
}

const CAST: readonly { readonly first: string; readonly name: string; readonly role: Role }[] = [
  { first: "olivia", name: "Olivia Lind", role: "lead" },
  { first: "otto", name: "Otto Brandt", role: "agent" },
  { first: "ada", name: "Ada Min", role: "admin" },
  { first: "aude", name: "Aude Martin", role: "auditor" },
];

export function createDemoTeam(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly signIn: SignIn;
  /** The demo's, kept in its data folder. */
  readonly secret: string;
  readonly tenants: readonly { readonly id: TenantId; readonly name: string }[];
}): DemoTeam {
  const { store, clock, random } = parts;
  const people = parts.tenants.flatMap(({ id, name: tenantName }) =>
    CAST.map(
      ({ first, name, role }): DemoPerson => ({
        key: `${first}@${id}`,
        name,
        // A top-level domain that is kept for such use: no mail can go there.
        email: `${first}@${id.replaceAll("_", "-")}.example`,
        role,
        tenantId: id,
        tenantName,
      }),
    ),
  );
  const passwordOf = ({ email }: DemoPerson) =>
    createHmac("sha256", parts.secret).update(`operator:${email}`).digest("base64url");

  return {
    people,
    seed: () =>
      store.identify(async (tx) => {
        const there = await tx
          .selectFrom("identity_users")
          .select("email")
          .where(
            "email",
            "in",
            people.map(({ email }) => email),
          )
          .execute();
        for (const member of people) {
          if (there.some(({ email }) => email === member.email)) continue;
          const { name, email } = member;
          // Hashing eight passwords would cost each first start half a second: it is done when one is needed.
          const person = await addPerson(tx, { clock, random }, { name, email, passwordHash: null });
          await tx.within(tenantScope(member.tenantId), (scoped) =>
            join(scoped, clock.now(), person, { role: member.role, by: "demo", demo: true }),
          );
        }
      }),
    async signIn(key) {
      const member = people.find((each) => each.key === key);
      if (member === undefined) return null;
      const password = passwordOf(member);
      const enter = () => parts.signIn.signIn(member.email, password);
      const entered = await enter().catch(async (error: unknown) => {
        if (!(error instanceof ProblemError) || error.code !== "sign_in_failed") throw error;
        // The first time, or another secret than before.
        const passwordHash = await hashOfPassword(password);
        await store.identify(async (tx) => {
          const person = await personOf(tx, member.email);
          if (person !== null) await setPassword(tx, { clock, random }, person.id, passwordHash);
        });
        return enter();
      });
      return entered.cookies;
    },
  };
}
