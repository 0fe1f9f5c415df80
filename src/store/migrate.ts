/**
 * Forward-only migrations, each in one transaction together with its record; and whether a process of this version can
 * work on a schema as it is.
 *
 * Several processes may begin at once: each migration takes a lock that ends with its transaction (it works behind a
 * pooler) and looks again whether it has run. One that has to wait for a table gives way and tries again, so that
 * nobody stands in a queue behind it.
 *
 * Two versions run at once while one takes the other's place. What a migration says of itself is kept with its record,
 * so that an older process knows whether it can go on: docs/deploy.md.
 */
import { ProblemError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { ERASER_ROLE } from "./binding.ts";
import type { Database, Session } from "./database.ts";
import { IDENTITY_ROLE } from "./identity.ts";
import { type Migration, readMigrations } from "./migration-files.ts";
import { APP_ROLE } from "./store.ts";

/** Any constant: whoever migrates takes the same advisory lock. */
const MIGRATION_LOCK = 7_247_001;

/** What the product's transactions run as; a login role is a member of all. */
export const ROLES = [APP_ROLE, IDENTITY_ROLE, ERASER_ROLE, "recourse_sweeper"] as const;

export interface Migrating {
  /** Stops before the first migration that an older version could not work with. */
  readonly expandOnly?: boolean;
  /** What this version knows; tests give another version's. */
  readonly migrations?: readonly Migration[];
}

/**
 * Brings the schema to this version; answers with the names of the migrations it ran. Needs the role that owns the
 * database, or may create in it.
 * @throws ProblemError `schema_newer`, `vector_extension_missing`
 */
export async function migrate(database: Database, options: Migrating = {}): Promise<readonly string[]> {
  const migrations = options.migrations ?? (await readMigrations());
  const session = await database.acquire();
  let broken = true;
  try {
    await inTransaction(session, async () => {
      await lock(database, session);
      await session.script(
        "create table if not exists public.recourse_migrations (name text primary key, ran_at timestamptz not null default now()); alter table public.recourse_migrations add column if not exists phase text, add column if not exists needs text",
      );
    });
    const { missing } = await readState(session, migrations);
    const ran: string[] = [];
    for (const migration of missing) {
      if (options.expandOnly === true && migration.phase === "contract") break;
      if (await runMigration(database, session, migration)) ran.push(migration.name);
    }
    await grantRoles(session);
    broken = false;
    return ran;
  } finally {
    session.release(broken);
  }
}

/**
 * For a process that starts: nothing is written where nothing is missing. Else the schema is made, or brought to this
 * version, if the login role may.
 * @throws ProblemError `schema_newer`, `schema_older`, `database_role_unsafe`, `vector_extension_missing`
 */
export async function prepareSchema(database: Database, options: Migrating = {}): Promise<void> {
  const migrations = options.migrations ?? (await readMigrations());
  const { missing, isMember } = await examineSchema(database, migrations);
  if (missing.length === 0 && isMember) return checkRole(database);
  try {
    await migrate(database, { ...options, migrations });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const names = missing.map(({ name }) => name).join(", ");
    throw new ProblemError(
      "schema_older",
      names === ""
        ? "The login role is no member of the roles that the product works as."
        : `The database has not had these migrations, and this role may not run them: ${names}.`,
      { cause: error },
    );
  }
  await checkRole(database);
}

export interface SchemaState {
  /** What this version knows and the database has not had, in order. */
  readonly missing: readonly Migration[];
  /** Of later versions; this one can work with what they made. */
  readonly later: readonly string[];
  /** The login role can take the roles that the product works as. */
  readonly isMember: boolean;
}

/** How the schema stands to this version; changes nothing. @throws ProblemError `schema_newer` */
export async function examineSchema(
  database: Database,
  migrations?: readonly Migration[],
): Promise<SchemaState> {
  const known = migrations ?? (await readMigrations());
  const session = await database.acquire();
  try {
    const there = await session.query(
      "select to_regclass('public.recourse_migrations') is not null as is_there",
    );
    if (there.rows[0]?.is_there !== true) return { missing: known, later: [], isMember: false };
    return await readState(session, known);
  } finally {
    session.release();
  }
}

async function readState(session: Session, migrations: readonly Migration[]): Promise<SchemaState> {
  // As JSON: an older version's table has fewer columns.
  const { rows } = await session.query(
    "select m.name, to_jsonb(m)->>'phase' as phase, to_jsonb(m)->>'needs' as needs from public.recourse_migrations m order by m.name",
  );
  const done = new Set(rows.map((row) => String(row.name)));
  const names = new Set(migrations.map(({ name }) => name));
  const later = rows.filter((row) => !names.has(String(row.name)));
  const beyond = later.filter(({ phase, needs }) => phase !== "expand" && !names.has(String(needs)));
  if (beyond.length > 0) {
    throw new ProblemError(
      "schema_newer",
      `The database has migrations that this version does not know: ${beyond.map(({ name }) => name).join(", ")}.`,
    );
  }
  const members = await session.query(
    "select count(*) = $2 and bool_and(pg_has_role(current_user, oid, 'member')) as is_member from pg_roles where rolname = any($1)",
    [[...ROLES], ROLES.length],
  );
  return {
    missing: migrations.filter(({ name }) => !done.has(name)),
    later: later.map(({ name }) => String(name)),
    isMember: members.rows[0]?.is_member === true,
  };
}

/** False: another process was first. */
async function runMigration(
  database: Database,
  session: Session,
  { name, sql, phase, needs }: Migration,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(session, async () => {
        await lock(database, session);
        const before = await session.query("select 1 from public.recourse_migrations where name = $1", [
          name,
        ]);
        if (before.rows.length > 0) return false;
        // Building may take long; waiting for others' transactions may not: those who come later wait behind it.
        if (database.kind === "server")
          await session.script(`set local lock_timeout = ${LIMITS.migrationLockMs}`);
        await session.script(sql);
        await session.query(
          "insert into public.recourse_migrations (name, phase, needs) values ($1, $2, $3)",
          [name, phase, needs],
        );
        return true;
      });
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code === LOCK_NOT_AVAILABLE && tries < LIMITS.migrationTries) continue;
      if (/extension "vector"/.test(message)) {
        throw new ProblemError("vector_extension_missing", undefined, { cause: error });
      }
      throw new Error(`migration ${name} failed and was rolled back: ${message}`, { cause: error });
    }
  }
}

async function inTransaction<T>(session: Session, fn: () => Promise<T>): Promise<T> {
  try {
    await session.script("begin");
    const answer = await fn();
    await session.script("commit");
    return answer;
  } catch (error) {
    await session.script("rollback").catch(() => {});
    throw error;
  }
}

/** Until the transaction ends. */
async function lock(database: Database, session: Session): Promise<void> {
  if (database.kind !== "server") return;
  await session.script("set local statement_timeout = 0");
  await session.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
}

const LOCK_NOT_AVAILABLE = "55P03";
const FORBIDDEN = "42501";

function isForbidden(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code === FORBIDDEN || cause?.code === FORBIDDEN;
}

/** The login role must be able to become the application's role; a superuser is already. */
async function grantRoles(session: Session): Promise<void> {
  await session.script(`do $$ begin
    if not (select rolsuper from pg_roles where rolname = current_user) then
      execute format('grant ${ROLES.join(", ")} to %I', current_user);
    end if; end $$`);
}

/**
 * Lets another login role work on the schema, and own nothing of it. Run as the owner, after {@link migrate}.
 * @throws ProblemError `login_role_missing`
 */
export async function grantLogin(database: Database, login: string): Promise<void> {
  const session = await database.acquire();
  try {
    const { rows } = await session.query(
      `select format('grant ${ROLES.join(", ")} to %1$I; grant select on public.recourse_migrations to %1$I; grant connect on database %2$I to %1$I', rolname, current_database()) as grants
         from pg_roles where rolname = $1`,
      [login],
    );
    const [found] = rows;
    if (found === undefined) {
      throw new ProblemError("login_role_missing", `The server has no role ${JSON.stringify(login)}.`);
    }
    await session.script(String(found.grants));
  } finally {
    session.release();
  }
}

/**
 * Refuses to run under a role for which row-level security would not hold.
 * @throws ProblemError `database_role_unsafe`
 */
export async function checkRole(database: Database): Promise<void> {
  const session = await database.acquire();
  try {
    const { rows } = await session.script(`begin; select set_config('role', '${APP_ROLE}', true);
      select r.rolsuper or r.rolbypassrls as bypasses,
        exists (select 1 from pg_tables t where t.schemaname = 'recourse' and t.tableowner = current_user) as owns,
        exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                 where n.nspname = 'recourse' and c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)) as unprotected
      from pg_roles r where r.rolname = current_user; commit`);
    const facts = rows.find((row) => "bypasses" in row);
    if (facts === undefined || facts.bypasses === true || facts.owns === true || facts.unprotected === true) {
      throw new ProblemError("database_role_unsafe");
    }
  } finally {
    session.release();
  }
}
