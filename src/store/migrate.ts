/**
 * Forward-only migrations: `migrations/NNNN_name.sql`, each in one transaction together with its
 * record. A database that a newer version wrote is refused.
 */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ProblemError } from "../kernel/errors.ts";
import type { Database } from "./database.ts";
import { IDENTITY_ROLE } from "./identity.ts";
import { APP_ROLE } from "./store.ts";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));
/** Any constant: all starting processes take the same advisory lock. */
const MIGRATION_LOCK = 7_247_001;

/**
 * Brings the schema to this version; answers with the names of the migrations it ran.
 * @throws ProblemError `schema_newer`, `database_role_unsafe`, `vector_extension_missing`
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const files = (await readdir(FOLDER)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  const session = await database.acquire();
  let broken = true;
  try {
    if (database.kind === "server") await session.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await session.script(
      "create table if not exists public.recourse_migrations (name text primary key, ran_at timestamptz not null default now())",
    );
    const { rows } = await session.query("select name from public.recourse_migrations");
    const done = new Set(rows.map((row) => String(row.name)));
    const unknown = [...done].filter((name) => !files.includes(name));
    if (unknown.length > 0) {
      throw new ProblemError(
        "schema_newer",
        `The database has migrations that this version does not know: ${unknown.join(", ")}.`,
      );
    }
    const ran: string[] = [];
    for (const name of files.filter((file) => !done.has(file))) {
      const sql = await readFile(FOLDER + name, "utf8");
      try {
        await session.script("begin");
        await session.script(sql);
        await session.query("insert into public.recourse_migrations (name) values ($1)", [name]);
        await session.script("commit");
      } catch (error) {
        await session.script("rollback").catch(() => {});
        if (/extension "vector"/.test((error as Error).message)) {
          throw new ProblemError("vector_extension_missing", undefined, { cause: error });
        }
        throw new Error(`migration ${name} failed and was rolled back: ${(error as Error).message}`, {
          cause: error,
        });
      }
      ran.push(name);
    }
    await grantRoles(session);
    if (database.kind === "server") await session.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    broken = false;
    return ran;
  } finally {
    session.release(broken);
  }
}

/** The login role must be able to become the application's role; a superuser is already. */
async function grantRoles(session: { script(sql: string): Promise<unknown> }): Promise<void> {
  await session.script(`do $$ begin
    if not (select rolsuper from pg_roles where rolname = current_user) then
      execute format('grant ${APP_ROLE}, ${IDENTITY_ROLE}, recourse_sweeper to %I', current_user);
    end if; end $$`);
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
                 where n.nspname = 'recourse' and c.relkind = 'r' and not (c.relrowsecurity and c.relforcerowsecurity)) as unprotected
      from pg_roles r where r.rolname = current_user; commit`);
    const facts = rows.find((row) => "bypasses" in row);
    if (facts === undefined || facts.bypasses === true || facts.owns === true || facts.unprotected === true) {
      throw new ProblemError("database_role_unsafe");
    }
  } finally {
    session.release();
  }
}
