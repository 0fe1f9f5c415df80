/**
 * `recourse restore DIR`. Order: archive against manifest → nothing is there yet → archive → chains → migrations → files.
 *
 * It never replaces anything: it fills an empty data folder or a database without the schema. The chains are checked
 * before this version's migrations touch them. What does not hold is reported, and left there to be looked at.
 */
import { openAsBlob } from "node:fs";
import { cp, mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { loadConfiguration } from "../../configuration.ts";
import type { Clock } from "../../kernel/ports.ts";
import { lockDataFolder } from "../../store/data-folder.ts";
import type { Database } from "../../store/database.ts";
import { openEmbedded } from "../../store/embedded.ts";
import { migrate, ROLES } from "../../store/migrate.ts";
import { openServer } from "../../store/server.ts";
import { CliError, type Command, EXIT, readArguments } from "../command.ts";
import { embeddedFolder } from "../local-store.ts";
import { paintFor } from "../terminal.ts";
import { backupUrl, needAllRows } from "./backup.ts";
import { checkChains } from "./chains.ts";
import { type Manifest, readBackup } from "./manifest.ts";
import { runServerTool } from "./server-tools.ts";

interface Checked {
  readonly entries: number;
  readonly faults: readonly string[];
}

export const restore: Command = {
  name: "restore",
  summary: "Fill an empty data folder or database from a backup, and check its audit logs",
  help: `Usage: recourse restore DIR

DIR is what \`recourse backup\` wrote. The target is RECOURSE_DATA_DIR (embedded) or DATABASE_URL, as the
server would use them. It replaces nothing: a target that has a database already is refused.

PostgreSQL: the extension \`vector\` must be there, DATABASE_URL names the role that will own the tables, and
RECOURSE_BACKUP_DATABASE_URL a superuser (or one with BYPASSRLS that is a member of that role).

Exit code 1 when a chain of the audit log does not hold afterwards.`,
  async run(args, io) {
    const { words } = readArguments("restore", args, {}, ["DIR"]);
    const folder = resolve(words[0] as string);
    const configuration = loadConfiguration(io.env, process.cwd());
    const { dataDir, databaseUrl } = configuration;
    const manifest = await readBackup(folder);
    const kind = databaseUrl === null ? "embedded" : "server";
    if (manifest.database.kind !== kind) {
      throw new CliError(
        `This is a backup of ${manifest.database.kind === "server" ? "a PostgreSQL server" : "the embedded store"}; the configuration names the other.`,
        manifest.database.kind === "server"
          ? "Set DATABASE_URL to an empty database."
          : "Leave DATABASE_URL out for this command.",
        EXIT.usage,
      );
    }
    const unlock = lockDataFolder(dataDir);
    let checked: Checked;
    try {
      await needEmpty(dataDir);
      checked =
        databaseUrl === null
          ? await intoEmbedded(folder, manifest, dataDir)
          : await intoServer(folder, manifest, databaseUrl, backupUrl(io.env, databaseUrl), io.clock);
      await cp(join(folder, "files"), dataDir, { recursive: true });
    } finally {
      unlock();
    }
    const paint = paintFor(io.output, io.env);
    for (const fault of checked.faults) io.output.write(`${paint("red", "✗")} ${fault}\n`);
    if (checked.faults.length > 0) {
      io.output.write(`  ${paint("cyan", "→")} Do not start on it. Restore an earlier backup and compare.\n`);
      return EXIT.no;
    }
    io.output.write(
      `${paint("green", "✓")} Restored the state of ${manifest.made_at}. ${checked.entries} audit entries, every link holds.\n`,
    );
    return EXIT.ok;
  },
};

async function needEmpty(dataDir: string): Promise<void> {
  const there = (await readdir(dataDir)).filter((name) => name !== "lock" && !name.startsWith("lock-"));
  if (there.length === 0) return;
  throw new CliError(
    `The data folder ${dataDir} is not empty (${there.slice(0, 3).join(", ")}).`,
    "Set RECOURSE_DATA_DIR to a new folder, or move the old one away first.",
  );
}

async function intoEmbedded(folder: string, manifest: Manifest, dataDir: string): Promise<Checked> {
  await mkdir(dataDir, { recursive: true });
  const database = await openEmbedded(
    embeddedFolder(dataDir),
    await openAsBlob(join(folder, manifest.database.file), { type: "application/x-gzip" }),
  );
  try {
    const checked = await checkIn(database, manifest);
    await migrate(database);
    return checked;
  } finally {
    await database.close();
  }
}

async function intoServer(
  folder: string,
  manifest: Manifest,
  databaseUrl: string,
  superUrl: string,
  clock: Clock,
): Promise<Checked> {
  const mine = openServer(databaseUrl, clock, 1);
  const all = openServer(superUrl, clock, 1);
  try {
    await needAllRows(all);
    const owner = await prepare(mine);
    await runServerTool("pg_restore", superUrl, [
      "--single-transaction",
      "--exit-on-error",
      "--no-owner",
      `--role=${owner}`,
      join(folder, manifest.database.file),
    ]);
    const session = await mine.acquire();
    try {
      await session.script(
        "create table if not exists public.recourse_migrations (name text primary key, ran_at timestamptz not null default now())",
      );
      await session.query("insert into public.recourse_migrations (name) select unnest($1::text[])", [
        manifest.migrations,
      ]);
    } finally {
      session.release();
    }
    const checked = await checkIn(all, manifest);
    await migrate(mine);
    return checked;
  } finally {
    await Promise.all([mine.close(), all.close()]);
  }
}

/** The roles that the dump's grants name; answers with the role that shall own everything. */
async function prepare(database: Database): Promise<string> {
  const session = await database.acquire();
  try {
    const { rows } = await session.query(
      "select current_user as owner, to_regnamespace('recourse') is not null as taken",
    );
    if (rows[0]?.taken === true) {
      throw new CliError(
        "The database that DATABASE_URL names has the schema `recourse` already.",
        "Make an empty database with the extension `vector`, and set DATABASE_URL to it.",
      );
    }
    const roles = ROLES;
    await session.script(
      `do $$ declare r text; begin foreach r in array array['${roles.join("', '")}'] loop
         if not exists (select 1 from pg_roles where rolname = r) then
           execute format('create role %I nologin noinherit', r);
         end if; end loop; end $$`,
    );
    return String(rows[0]?.owner);
  } finally {
    session.release();
  }
}

async function checkIn(database: Database, manifest: Manifest): Promise<Checked> {
  const session = await database.acquire();
  try {
    return await checkChains(session, manifest.audit);
  } finally {
    session.release();
  }
}
