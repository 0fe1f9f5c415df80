/**
 * Invitations: a link that works once and not for long. Its code names the tenant, so that it is looked up in that
 * tenant's scope; only its hash is kept. Without an email channel the link is given to whoever invites.
 *
 * Somebody who has an account already joins as themselves: they must be signed in. Otherwise an admin of one tenant
 * could take over a person of another by inviting their address.
 */
import { appendAudit } from "../evidence/audit.ts";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import { type InvitationId, isId, newId, type OperatorId, type TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { type TenantScope, tenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { checkPassword, normalEmail } from "./identity/passwords.ts";
import { addPerson, hashOfPassword, personOf, removeSecondFactor, setPassword } from "./identity/people.ts";
import { join } from "./joining.ts";
import { hashOfSecret } from "./key-text.ts";
import type { Role } from "./permissions.ts";
import { ownMember } from "./team.ts";

export interface Invitation {
  readonly invitation_id: InvitationId;
  readonly kind: "join" | "reset";
  readonly email: string;
  readonly role: Role;
  readonly state: "open" | "accepted" | "withdrawn" | "expired";
  readonly invited_by: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** An invitation with its code, which is shown this once. */
export interface NewInvitation {
  readonly invitation: Invitation;
  readonly code: string;
}

/** What whoever follows the link sees. */
export interface OpenInvitation {
  readonly kind: "join" | "reset";
  readonly tenantId: TenantId;
  readonly email: string;
  readonly role: Role;
  /** They have an account: they join by signing in, not by choosing a password. */
  readonly known: boolean;
}

export interface Invitations {
  /** The newest first; those that are not open any more too. */
  list(scope: TenantScope): Promise<readonly Invitation[]>;
  /** An open one for the same address is replaced. @throws ProblemError `operator_exists`, `rate_limited` */
  invite(
    scope: TenantScope,
    to: { readonly email: string; readonly role: Role; readonly by: string },
  ): Promise<NewInvitation>;
  /** A link to set a new password, which also removes the second factor. @throws ProblemError `not_found`, `forbidden` */
  reset(scope: TenantScope, operatorId: string, by: string): Promise<NewInvitation>;
  /** @throws ProblemError `not_found` */
  withdraw(scope: TenantScope, id: string, by: string): Promise<Invitation>;
  /** @throws ProblemError `invitation_invalid` */
  look(code: string): Promise<OpenInvitation>;
  /**
   * Accepts it, once. `password` null: they will come from the identity provider. `signedIn` is who is signed in.
   * @throws ProblemError `invitation_invalid`, `password_weak`, `session_ended`
   */
  accept(
    code: string,
    who: {
      readonly name: string;
      readonly password: string | null;
      readonly signedIn: OperatorId | null;
    },
  ): Promise<{ readonly email: string; readonly tenantId: TenantId }>;
}

export interface InvitationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

export function createInvitations({ store, clock, random }: InvitationParts): Invitations {
  async function write(
    tx: Tx,
    to: { kind: "join" | "reset"; email: string; role: Role; by: string },
  ): Promise<NewInvitation> {
    const { tenantId } = tx.scope;
    const nowMs = clock.now();
    // The one before for this address, and those whose time is over.
    await tx
      .updateTable("operator_invitations")
      .set({ state: "withdrawn" })
      .where("tenant_id", "=", tenantId)
      .where("state", "=", "open")
      .where((eb) => eb.or([eb("email", "=", to.email), eb("expires_at_ms", "<=", nowMs)]))
      .execute();
    const { open } = await tx
      .selectFrom("operator_invitations")
      .select((eb) => eb.fn.countAll<number>().as("open"))
      .where("tenant_id", "=", tenantId)
      .where("state", "=", "open")
      .executeTakeFirstOrThrow();
    if (open >= LIMITS.openInvitations) {
      throw new ProblemError("rate_limited", `There are ${open} open invitations.`, {
        next: "Withdraw those that nobody waits for.",
      });
    }
    const id = newId("inv", clock, random);
    const secret = Buffer.from(random.bytes(32)).toString("base64url");
    const row = await tx
      .insertInto("operator_invitations")
      .values({
        tenant_id: tenantId,
        id,
        kind: to.kind,
        email: to.email,
        role: to.role,
        code_hash: hashOfSecret(secret),
        state: "open",
        invited_by: to.by,
        created_at_ms: nowMs,
        expires_at_ms: nowMs + LIMITS.invitationTtlMs,
        accepted_at_ms: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await appendAudit(tx, nowMs, [
      {
        kind: to.kind === "join" ? "operator.invited" : "operator.password_reset_begun",
        subject: id,
        customerId: "*",
        body: { by: to.by, email: to.email, role: to.role },
      },
    ]);
    return { invitation: viewOf(row, nowMs), code: `${tenantId}.${id}.${secret}` };
  }

  return {
    list: (scope) =>
      store.transact(scope, async (tx) => {
        const rows = await tx
          .selectFrom("operator_invitations")
          .selectAll()
          .where("tenant_id", "=", scope.tenantId)
          .orderBy("created_at_ms", "desc")
          .limit(LIMITS.openInvitations)
          .execute();
        return rows.map((row) => viewOf(row, clock.now()));
      }),

    invite: (scope, { email: typed, role, by }) =>
      store.transact(scope, async (tx) => {
        const email = normalEmail(typed);
        const here = await tx
          .selectFrom("operators")
          .select("state")
          .where("tenant_id", "=", scope.tenantId)
          .where("email", "=", email)
          .executeTakeFirst();
        if (here?.state === "active") throw new ProblemError("operator_exists");
        return write(tx, { kind: "join", email, role, by });
      }),

    reset: (scope, operatorId, by) =>
      store.identify(async (tx) => {
        const { email, role } = await ownMember(tx, scope, operatorId);
        return tx.within(scope, (scoped) => write(scoped, { kind: "reset", email, role, by }));
      }),

    withdraw: (scope, id, by) =>
      store.transact(scope, async (tx) => {
        const row = await tx
          .updateTable("operator_invitations")
          .set({ state: "withdrawn" })
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", id)
          .where("state", "=", "open")
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) throw new ProblemError("not_found");
        await appendAudit(tx, clock.now(), [
          {
            kind: "operator.invitation_withdrawn",
            subject: id,
            customerId: "*",
            body: { by, email: row.email },
          },
        ]);
        return viewOf(row, clock.now());
      }),

    look: (code) =>
      store.identify(async (tx) => {
        const { scope, id, hash } = readCode(code);
        const row = await tx.within(scope, (scoped) =>
          openRow(scoped, id, hash, clock.now()).executeTakeFirst(),
        );
        if (row === undefined) throw new ProblemError("invitation_invalid");
        const known = row.kind === "join" && (await personOf(tx, row.email)) !== null;
        return { kind: row.kind, tenantId: scope.tenantId, email: row.email, role: row.role, known };
      }),

    async accept(code, { name, password, signedIn }) {
      const { scope, id, hash } = readCode(code);
      // Hashed before the transaction: it takes its time.
      const passwordHash = password === null ? null : await hashOfPassword(password);
      const nowMs = clock.now();
      return store.identify(async (tx) => {
        const row = await tx.within(scope, (scoped) => take(scoped, id, hash, nowMs));
        const { email, role } = row;
        if (password !== null) checkPassword(password, { email, name });
        const person = await personOf(tx, email);
        if (row.kind === "reset") {
          if (person === null || passwordHash === null) throw new ProblemError("invitation_invalid");
          await setPassword(tx, { clock, random }, person.id, passwordHash);
          await removeSecondFactor(tx, person.id);
          await tx.within(scope, (scoped) =>
            appendAudit(scoped, nowMs, [
              { kind: "operator.password_reset", subject: person.id, customerId: "*", body: { email } },
            ]),
          );
          return { email, tenantId: scope.tenantId };
        }
        if (person !== null && person.id !== signedIn) {
          throw new ProblemError("session_ended", `${email} has an account here already.`, {
            next: "Sign in with it, then open the link again.",
          });
        }
        const joins = person ?? (await addPerson(tx, { clock, random }, { name, email, passwordHash }));
        await tx.within(scope, (scoped) => join(scoped, nowMs, joins, { role, by: row.invited_by }));
        return { email, tenantId: scope.tenantId };
      });
    },
  };
}

/** Takes it in one statement: of two who follow the link at once, one has it. @throws ProblemError `invitation_invalid` */
async function take(tx: Tx, id: string, hash: string, nowMs: number) {
  const row = await tx
    .updateTable("operator_invitations")
    .set({ state: "accepted", accepted_at_ms: nowMs })
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", id)
    .where("code_hash", "=", hash)
    .where("state", "=", "open")
    .where("expires_at_ms", ">", nowMs)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new ProblemError("invitation_invalid");
  return row;
}

const openRow = (tx: Tx, id: string, hash: string, nowMs: number) =>
  tx
    .selectFrom("operator_invitations")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", id)
    .where("code_hash", "=", hash)
    .where("state", "=", "open")
    .where("expires_at_ms", ">", nowMs);

/** @throws ProblemError `invitation_invalid` */
function readCode(code: string): { scope: TenantScope; id: string; hash: string } {
  const [tenantId = "", id = "", secret = "", ...more] = code.split(".");
  if (more.length > 0 || !/^[a-z][\w-]{0,62}$/.test(tenantId) || !isId("inv", id) || secret.length !== 43) {
    throw new ProblemError("invitation_invalid");
  }
  return { scope: tenantScope(tenantId as TenantId), id, hash: hashOfSecret(secret) };
}

function viewOf(row: Awaited<ReturnType<typeof take>>, nowMs: number): Invitation {
  return {
    invitation_id: row.id as InvitationId,
    kind: row.kind,
    email: row.email,
    role: row.role,
    state: row.state === "open" && row.expires_at_ms <= nowMs ? "expired" : row.state,
    invited_by: row.invited_by,
    created_at: isoInstant(row.created_at_ms),
    expires_at: isoInstant(row.expires_at_ms),
  };
}
