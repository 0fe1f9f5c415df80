/**
 * `recourse backup DIR`. Order: lock (embedded) or check the role (server) → chains' heads → archive → files → manifest.
 *
 * The heads are read before the archive is made: what the archive holds is at least that long. The manifest comes
 * last, into a new folder: cut off anywhere, there is no backup yet, and nothing of the product has changed.
 */
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Configuration, loadConfiguration } from "../../configuration.ts";
import type { Clock } from "../../kernel/ports.ts";
import { lockDataFolder } from "../../store/data-folder.ts";
import type { Database } from "../../store/database.ts";
import { openEmbedded } from "../../store/embedded.ts";
import { openServer } from "../../store/server.ts";
import { RECOURSE_VERSION } from "../../version.ts";
import { CliError, type Command, EXIT, readArguments } from "../command.ts";
import { embeddedFolder } from "../local-store.ts";
import { paintFor } from "../terminal.ts";
import { auditHeads } from "./chains.ts";
import { type AuditHead, fileHash, MANIFEST, type Manifest } from "./manifest.ts";
import { runServerTool } from "./server-tools.ts";

/** Beside the database in a data folder: the secrets made at the first start. */
const SECRET = /-secret$/;

export const backup: Command = {
  name: "backup",
  summary: "Copy the database, and the secrets made for it, into a new folder",
  help: `Usage: recourse backup DIR

DIR must not exist. It gets the database, the secrets that the first start made and, with the embedded
store, the sandbox. Keep it as safe as the database: whoever has it reads everything.

Embedded store: stop the server first; the command is refused while a process holds the data folder.
PostgreSQL: works beside a running server. Needs pg_dump of the server's version or newer, and in
RECOURSE_BACKUP_DATABASE_URL a role that may read all rows (a superuser, or one with BYPASSRLS).

Not in it: the environment and recourse.config.json. Keep those where you keep your deployment.`,
  async run(args, io) {
    const { words } = readArguments("backup", args, {}, ["DIR"]);
    const target = resolve(words[0] as string);
    if (existsSync(target)) {
      throw new CliError(
        `${target} exists already.`,
        "Choose a new folder: a backup replaces nothing.",
        EXIT.usage,
      );
    }
    const configuration = loadConfiguration(io.env, process.cwd());
    const made =
      configuration.databaseUrl === null
        ? await fromEmbedded(configuration, target)
        : await fromServer(backupUrl(io.env, configuration.databaseUrl), configuration, target, io.clock);
    const manifest: Manifest = {
      format: 1,
      version: RECOURSE_VERSION,
      made_at: new Date(io.clock.now()).toISOString(),
      ...made,
    };
    await writeFile(join(target, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    const entries = manifest.audit.reduce((sum, head) => sum + head.entries, 0);
    const tick = paintFor(io.output, io.env)("green", "✓");
    io.output.write(
      `${tick} ${target}: ${manifest.database.file}, ${manifest.audit.length} audit logs with ${entries} entries.\n`,
    );
    return EXIT.ok;
  },
};

/** The URL that may read all rows: of its own variable, else the product's. */
export const backupUrl = (env: Readonly<Record<string, string | undefined>>, databaseUrl: string): string =>
  env.RECOURSE_BACKUP_DATABASE_URL || databaseUrl;

type Made = Pick<Manifest, "database" | "migrations" | "audit" | "sandbox">;

async function fromEmbedded({ dataDir }: Configuration, target: string): Promise<Made> {
  if (!existsSync(embeddedFolder(dataDir))) {
    throw new CliError(
      `There is no database in ${dataDir}.`,
      "Set RECOURSE_DATA_DIR to the server's data folder.",
    );
  }
  const unlock = lockDataFolder(dataDir);
  try {
    const database = await openEmbedded(embeddedFolder(dataDir));
    try {
      const facts = await factsOf(database);
      await mkdir(target, { recursive: true, mode: 0o700 });
      const file = "database.tar.gz";
      const archive = await database.dump();
      await writeFile(join(target, file), archive.stream(), { mode: 0o600 });
      const sandbox = existsSync(join(dataDir, "sandbox"));
      await keepFiles(dataDir, target, sandbox);
      const sha256 = await fileHash(join(target, file));
      return { ...facts, database: { kind: "embedded", file, sha256 }, sandbox };
    } finally {
      await database.close();
    }
  } finally {
    unlock();
  }
}

async function fromServer(
  url: string,
  { dataDir }: Configuration,
  target: string,
  clock: Clock,
): Promise<Made> {
  const database = openServer(url, clock, 1);
  let facts: Awaited<ReturnType<typeof factsOf>>;
  try {
    await needAllRows(database);
    facts = await factsOf(database);
  } finally {
    await database.close();
  }
  await mkdir(target, { recursive: true, mode: 0o700 });
  const file = "database.dump";
  await runServerTool("pg_dump", url, [
    "--format=custom",
    // Jobs of pg-boss are wake-ups only: what they announce is found again without them.
    "--schema=recourse",
    "--no-owner",
    `--file=${join(target, file)}`,
  ]);
  await chmod(join(target, file), 0o600);
  // Secrets are written once and never changed: they need no lock. The sandbox belongs to a running process.
  await keepFiles(dataDir, target, false);
  const sha256 = await fileHash(join(target, file));
  return { ...facts, database: { kind: "server", file, sha256 }, sandbox: false };
}

/**
 * Row-level security is forced: for a role that it holds, a dump would fail, and a count of entries would be zero.
 * @throws CliError
 */
export async function needAllRows(database: Database): Promise<void> {
  const session = await database.acquire();
  try {
    const { rows } = await session.query(
      "select rolsuper or rolbypassrls as all_rows from pg_roles where rolname = current_user",
    );
    if (rows[0]?.all_rows === true) return;
  } finally {
    session.release();
  }
  throw new CliError(
    "This role may not read all rows of the database: row-level security holds it.",
    "Set RECOURSE_BACKUP_DATABASE_URL to the same database with a superuser or a role that has BYPASSRLS. See docs/backup.md.",
  );
}

async function factsOf(
  database: Database,
): Promise<{ readonly audit: AuditHead[]; readonly migrations: string[] }> {
  const session = await database.acquire();
  try {
    const audit = [...(await auditHeads(session))];
    const { rows } = await session.query("select name from public.recourse_migrations order by name");
    return { audit, migrations: rows.map((row) => String(row.name)) };
  } finally {
    session.release();
  }
}

async function keepFiles(dataDir: string, target: string, sandbox: boolean): Promise<void> {
  const files = join(target, "files");
  await mkdir(files, { mode: 0o700 });
  // Processes of a server need no data folder when all their secrets are in the environment.
  for (const name of existsSync(dataDir) ? await readdir(dataDir) : []) {
    if (SECRET.test(name) || (sandbox && name === "sandbox")) {
      await cp(join(dataDir, name), join(files, name), { recursive: true });
    }
  }
}
