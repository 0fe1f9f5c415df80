/** `recourse migrate`: the schema by its owner, so that processes can run under a role that owns nothing. */
import { loadConfiguration } from "../configuration.ts";
import { LIMITS } from "../kernel/limits.ts";
import { grantLogin, migrate } from "../store/migrate.ts";
import { openDatabase } from "../store/open.ts";
import { dropParts, makeParts, monthStart, partEvents } from "../store/partitions.ts";
import { CliError, type Command, EXIT, readArguments } from "./command.ts";
import { plainLine } from "./terminal.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Bring the database's schema to this version, and let a login role work on it",
  help: `Usage: recourse migrate [--login ROLE] [--expand-only] [--events-by-month] [--drop-events-before YYYY-MM] [--json]

Runs the migrations that the database has not had. With a server, DATABASE_URL names a role that owns the
database and may create roles; the processes' own role is given with --login and needs neither.
Processes of the version before go on working meanwhile. A process whose role owns the schema migrates by
itself when it starts: then this command is not needed.

  --login ROLE     a role of the server, made before; it may then run \`recourse serve|work\`
  --expand-only    stop before what older processes could not work with
  --events-by-month
                   once: keep events in parts, by the month in which their conversation began (docs/scaling.md)
  --drop-events-before YYYY-MM
                   take away what was written in conversations that began before that month, at least
                   ${LIMITS.eventMonthsKept} months back; a month with a conversation that is not settled stays
  --json           {"ran", "made", "dropped": [name, …], "login": ROLE or null}`,
  async run(args, io) {
    const { values } = readArguments("migrate", args, {
      login: { type: "string" },
      "expand-only": { type: "boolean" },
      "events-by-month": { type: "boolean" },
      "drop-events-before": { type: "string" },
      json: { type: "boolean" },
    });
    const login = values.login ?? null;
    const month = values["drop-events-before"] ?? null;
    const beforeMs = month === null ? null : monthOf(month, io.clock.now());
    const configuration = loadConfiguration({ ...io.env, RECOURSE_ROLE: "" }, process.cwd());
    const { dataDir, databaseUrl, directDatabaseUrl } = configuration;
    if (login !== null && databaseUrl === null) {
      throw new CliError(
        "--login is for a server, and DATABASE_URL is not set.",
        "Set DATABASE_URL to the owner's URL, or leave --login out.",
        EXIT.usage,
      );
    }
    const opening = openDatabase(
      // The embedded sandbox keeps its state in the folder too, but nothing of it is needed here.
      {
        dataDir,
        databaseUrl: directDatabaseUrl ?? databaseUrl,
        directDatabaseUrl: null,
        sandbox: { kind: "off" },
      },
      io.clock,
    );
    try {
      const database = await opening.database;
      try {
        const ran = await migrate(database, { expandOnly: values["expand-only"] === true });
        const nowMs = io.clock.now();
        if (values["events-by-month"] === true) await partEvents(database);
        const made = await makeParts(database, nowMs);
        const dropped = beforeMs === null ? [] : await dropParts(database, beforeMs);
        if (database.kind === "server") {
          if (login !== null) await grantLogin(database, login);
          const { prepareQueue } = await import("../store/queue.ts");
          await prepareQueue(database, login);
        }
        if (values.json === true) io.output.write(`${JSON.stringify({ ran, login, made, dropped })}\n`);
        else {
          for (const name of ran) io.output.write(`✓ ${name}\n`);
          io.output.write(ran.length === 0 ? "Nothing to migrate.\n" : `Migrations run: ${ran.length}.\n`);
          for (const name of dropped) io.output.write(`✓ ${name} taken away\n`);
          if (login !== null) io.output.write(`${plainLine(login, 63)} may work on it.\n`);
        }
        return EXIT.ok;
      } finally {
        await database.close();
      }
    } finally {
      opening.unlock();
    }
  },
};

/** The start of a month, UTC. @throws CliError with `EXIT.usage` */
function monthOf(text: string, nowMs: number): number {
  const atMs = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : Number.NaN;
  if (!(atMs <= monthStart(nowMs, -LIMITS.eventMonthsKept))) {
    throw new CliError(
      `--drop-events-before must be a month such as 2025-01, at least ${LIMITS.eventMonthsKept} months back, not "${text}".`,
      "Correct the option.",
      EXIT.usage,
    );
  }
  return atMs;
}
