/**
 * What `recourse doctor` looks at. Each check answers with findings and never throws; none changes
 * anything: no migration, no folder, no request that writes.
 */
import { constants, existsSync } from "node:fs";
import { access, open, rm, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Configuration, loadConfiguration, SANDBOX_API_KEY } from "../../configuration.ts";
import { compilePolicy } from "../../gateway/policy/evaluate.ts";
import type { PolicyVersion } from "../../gateway/policy/policy.ts";
import { governingVersion, loadPolicyFiles } from "../../gateway/policy/versions.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import { lockDataFolder } from "../../store/data-folder.ts";
import type { Database } from "../../store/database.ts";
import { openEmbedded } from "../../store/embedded.ts";
import { checkRole, type SchemaState, examineSchema as schemaState } from "../../store/migrate.ts";
import { openServer } from "../../store/server.ts";
import { faultsOf } from "../config.ts";
import { embeddedFolder } from "../local-store.ts";
import { plainLine } from "../terminal.ts";
import { checkKafka } from "./kafka.ts";

export interface Finding {
  readonly check: string;
  /** `warn` works now, or works for a trial, and needs a look. */
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do; empty when it is ok. */
  readonly next: string;
}

export interface DoctorParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly nodeVersion: string;
  readonly fetch: typeof fetch;
}

const NODE_MAJOR = 24;
const ANSWER_MS = 4_000;
const MB = 1_048_576;
const SPACE_NEEDED = 200 * MB;
const SPACE_WANTED = 1_024 * MB;
/** Tokens and webhooks are timed: 30 s are tolerated, five minutes break them. */
const CLOCK_TOLERANCE_MS = 30_000;
const CLOCK_BROKEN_MS = 300_000;
const POLICIES = fileURLToPath(new URL("../../../policies/", import.meta.url));
const STRIPE = "https://api.stripe.com";

const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail, next: "" });
const warn = (check: string, detail: string, next: string): Finding => ({
  check,
  status: "warn",
  detail,
  next,
});
const fail = (check: string, detail: string, next: string): Finding => ({
  check,
  status: "fail",
  detail,
  next,
});

/** All findings, in the order in which a person would fix them. */
export async function examine(parts: DoctorParts): Promise<readonly Finding[]> {
  const findings: Finding[] = [checkNode(parts.nodeVersion)];
  const { configuration, found } = checkConfiguration(parts);
  findings.push(...found);
  // Without a configuration nothing else can be looked at.
  if (configuration === null) return findings;
  const server = await whoAnswers(parts, configuration);
  findings.push(
    ...(await checkFolder(parts, configuration, server.isOurs)),
    await checkSpace(configuration),
    ...(await checkPorts(configuration, server)),
    ...(await checkDatabase(parts, configuration, server.isOurs)),
    ...(await checkKafka(configuration, parts.clock)),
    ...(await checkProvider(parts, configuration, server.isOurs)),
    ...(await checkPolicies(parts, configuration)),
  );
  return findings;
}

export function checkNode(version: string): Finding {
  const major = Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);
  return major >= NODE_MAJOR
    ? ok("Node.js", version)
    : fail(
        "Node.js",
        `${version} is too old; ${NODE_MAJOR} or newer is needed`,
        "Start through npm (`npm start`, `npm run recourse`): `npm ci` has installed the right one in this folder.",
      );
}

function checkConfiguration(parts: DoctorParts): {
  configuration: Configuration | null;
  found: readonly Finding[];
} {
  try {
    const configuration = loadConfiguration(parts.env, parts.cwd);
    const { tenants, sandbox, databaseUrl, role } = configuration;
    const summary = [
      tenants.map(({ id }) => id).join(", "),
      databaseUrl === null ? "embedded database" : "PostgreSQL",
      sandbox.kind === "off" ? "Stripe" : "sandbox payments",
      ...(role === "all" ? [] : [role === "serve" ? "takes requests only" : "works only, takes no requests"]),
    ];
    return {
      configuration,
      found: [
        ok("Configuration", `valid (${summary.join("; ")})`),
        ...configuration.warnings.map((warning) =>
          warn("Configuration", warning, "Correct the name, or remove the variable."),
        ),
        ...(configuration.crashAt === null
          ? []
          : [
              fail(
                "Configuration",
                "RECOURSE_CRASH_AT kills the server on purpose",
                "Remove it: it is for crash tests.",
              ),
            ]),
      ],
    };
  } catch (error) {
    const faults = faultsOf(error);
    if (faults === null) throw error;
    return {
      configuration: null,
      found: faults.map(({ path, message, next }) => fail("Configuration", `${path} ${message}`, next)),
    };
  }
}

interface Answering {
  /** A Recourse server answers on the configured port. */
  readonly isOurs: boolean;
  readonly ready: boolean;
  readonly missing: readonly string[];
  /** What it does of the work, as it says; null when it does not say. */
  readonly role: string | null;
}

/** Who answers at the configured address. */
async function whoAnswers(parts: DoctorParts, { host, port }: Configuration): Promise<Answering> {
  const here = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const answer = await get(parts, `http://${here}:${port}/readyz`);
  const body = (answer?.body ?? {}) as { ready?: unknown; checks?: unknown };
  if (typeof body.ready !== "boolean" || !Array.isArray(body.checks))
    return { isOurs: false, ready: false, missing: [], role: null };
  const missing = body.checks
    .filter((check: { ok?: unknown } | null) => check?.ok !== true)
    .map(
      (check: { name?: unknown; detail?: unknown }) =>
        `${plainLine(check.name, 40)}: ${plainLine(check.detail, 200)}`,
    );
  const role = body.checks.find((check: { name?: unknown } | null) => check?.name === "role");
  return {
    isOurs: true,
    ready: body.ready,
    missing,
    role: role === undefined ? null : plainLine((role as { detail?: unknown }).detail, 20),
  };
}

async function checkFolder(
  parts: DoctorParts,
  { dataDir }: Configuration,
  serverRuns: boolean,
): Promise<readonly Finding[]> {
  const name = "Data folder";
  const parent = nearestExisting(dataDir);
  const place = parent === dataDir ? dataDir : `${dataDir} (made at the first start)`;
  try {
    await access(parent, constants.W_OK | constants.X_OK);
    const probe = join(parent, `.recourse-doctor-${Buffer.from(parts.random.bytes(6)).toString("hex")}`);
    const file = await open(probe, "wx", 0o600);
    try {
      await file.writeFile("x");
      await file.sync();
    } finally {
      await file.close();
      await rm(probe, { force: true });
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = code === "ENOSPC" ? "the disk is full" : code === "EROFS" ? "it is read-only" : code;
    return [
      fail(
        name,
        `${parent} cannot be written (${why})`,
        "Set RECOURSE_DATA_DIR to a folder that this user may write.",
      ),
    ];
  }
  if (!existsSync(join(dataDir, "lock"))) return [ok(name, place)];
  try {
    lockDataFolder(dataDir)();
    return [ok(name, `${place}, not in use`)];
  } catch {
    return serverRuns
      ? [ok(name, `${place}, in use by the server that runs`)]
      : [
          warn(
            name,
            `${place} is in use by a process that does not answer on PORT`,
            "A server with another PORT uses it, or one that is stopping: stop it, or set RECOURSE_DATA_DIR.",
          ),
        ];
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

async function checkSpace({ dataDir }: Configuration): Promise<Finding> {
  const name = "Disk space";
  try {
    const { bavail, bsize } = await statfs(nearestExisting(dataDir));
    const free = bavail * bsize;
    const words =
      free >= 1_024 * MB ? `${(free / MB / 1_024).toFixed(1)} GB free` : `${Math.floor(free / MB)} MB free`;
    if (free < SPACE_NEEDED)
      return fail(name, words, "Free some space: without it messages cannot be stored.");
    return free < SPACE_WANTED ? warn(name, words, "Free some space soon.") : ok(name, words);
  } catch (error) {
    return warn(name, `cannot be found out (${(error as Error).message})`, "Look at it with `df -h`.");
  }
}

async function checkPorts(configuration: Configuration, server: Answering): Promise<readonly Finding[]> {
  const { host, port, sandbox } = configuration;
  const findings: Finding[] = [];
  if (server.isOurs && server.ready) findings.push(ok("Server", `runs and is ready on port ${port}`));
  else if (server.isOurs) {
    findings.push(
      fail(
        "Server",
        `runs on port ${port} and is not ready: ${server.missing.join("; ")}`,
        "See to what is missing; the server goes on by itself once it is there.",
      ),
    );
  } else findings.push(await checkPort("PORT", host, port));
  if (server.role !== null && server.role !== configuration.role) {
    findings.push(
      warn(
        "Role",
        `the process on port ${port} does ${server.role}, and this configuration says ${configuration.role}`,
        "Set PORT to the port of the process that you mean, or RECOURSE_ROLE to what it does.",
      ),
    );
  }
  if (sandbox.kind === "embedded" && !server.isOurs) {
    const free = await checkPort("RECOURSE_SANDBOX_PORT", "127.0.0.1", sandbox.port);
    findings.push(free);
  }
  return findings;
}

function checkPort(key: string, host: string, port: number): Promise<Finding> {
  const free = port === 0 ? `${key}: any free port is taken` : `${key}: port ${port} is free; no server runs`;
  return new Promise((resolve) => {
    const listener = createServer();
    listener.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? "is taken by another program"
          : error.code === "EACCES"
            ? "may not be opened by this user"
            : `cannot be opened (${error.code})`;
      const next =
        error.code === "EADDRNOTAVAIL"
          ? "Set HOST to an address of this machine, such as 127.0.0.1."
          : `Stop that program, or set ${key} to another port.`;
      resolve(fail("Ports", `${key}: port ${port} on ${host} ${why}`, next));
    });
    listener.listen(port, host, () => {
      listener.close(() => resolve(ok("Ports", free)));
    });
  });
}

async function checkDatabase(
  parts: DoctorParts,
  { dataDir, databaseUrl, directDatabaseUrl }: Configuration,
  serverRuns: boolean,
): Promise<readonly Finding[]> {
  const name = "Database";
  if (databaseUrl === null) {
    const folder = embeddedFolder(dataDir);
    if (!existsSync(folder)) return [ok(name, "embedded; made at the first start")];
    // The server that runs has it open, and says itself how it is.
    if (serverRuns) return [ok(name, "embedded, open in the server that runs")];
    let unlock: () => void;
    try {
      unlock = lockDataFolder(dataDir);
    } catch {
      return [];
    }
    try {
      const database = await openEmbedded(folder);
      try {
        return await examineSchema(database, "embedded PostgreSQL");
      } finally {
        await database.close();
      }
    } catch (error) {
      return [
        fail(
          name,
          `the embedded database in ${folder} cannot be opened (${plainLine((error as Error).message, 200)})`,
          "Restore the folder from a backup, or move it away to begin anew.",
        ),
      ];
    } finally {
      unlock();
    }
  }
  const database = openServer(databaseUrl, parts.clock, 2, directDatabaseUrl);
  try {
    return [
      ...(await examineSchema(database, "PostgreSQL")),
      await checkNotices(database, directDatabaseUrl),
    ];
  } catch (error) {
    const { cause } = error as { cause?: { message?: string; code?: string } };
    const why = plainLine(cause?.message ?? cause?.code ?? (error as Error).message, 200);
    return [
      fail(name, `cannot be reached (${why})`, "Check DATABASE_URL: host, port, user, password, database."),
    ];
  } finally {
    await database.close().catch(() => {});
  }
}

/** Whether processes hear of each other at once. */
async function checkNotices(database: Database, directUrl: string | null): Promise<Finding> {
  const name = "Notices";
  if (await database.hears()) {
    return ok(name, directUrl === null ? "come through" : "come through, past the pooler");
  }
  return directUrl === null
    ? warn(
        name,
        "do not come through: DATABASE_URL is a pooler. Processes look each few seconds instead",
        "Set RECOURSE_DIRECT_DATABASE_URL to the server's own URL.",
      )
    : warn(
        name,
        "do not come through RECOURSE_DIRECT_DATABASE_URL. Processes look each few seconds instead",
        "Set it to the server itself, not to a pooler, and check that it can be reached.",
      );
}

const POSTGRES_MAJOR = 15;

async function examineSchema(database: Database, kind: string): Promise<readonly Finding[]> {
  const name = "Database";
  const session = await database.acquire();
  let version: number;
  let ran = 0;
  let mayMigrate = true;
  try {
    const { rows } = await session.query(
      `select current_setting('server_version_num')::int as v,
              to_regclass('public.recourse_migrations') is not null as is_there,
              coalesce((select pg_has_role(current_user, nspowner, 'usage') from pg_namespace where nspname = 'recourse'), true) as may_migrate`,
    );
    version = Number(rows[0]?.v);
    mayMigrate = rows[0]?.may_migrate === true;
    if (rows[0]?.is_there === true) {
      const done = await session.query("select count(*) as n from public.recourse_migrations");
      ran = Number(done.rows[0]?.n);
    }
  } finally {
    session.release();
  }
  const major = Math.floor(version / 10_000);
  if (major < POSTGRES_MAJOR) {
    return [fail(name, `PostgreSQL ${major} is too old`, `Use PostgreSQL ${POSTGRES_MAJOR} or newer.`)];
  }
  let state: SchemaState;
  try {
    state = await schemaState(database);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return [fail(name, plainLine(error.message, 300), error.next)];
  }
  const open = state.missing.length;
  if (ran === 0) return [ok(name, `${kind} ${major}, empty; the schema is made at the first start`)];
  const findings = [
    open === 0
      ? ok(
          name,
          state.later.length === 0
            ? `${kind} ${major}, schema up to date`
            : `${kind} ${major}, schema of a later version that this one can work with`,
        )
      : warn(
          name,
          `${kind} ${major}, ${open === 1 ? "one migration" : `${open} migrations`} to run`,
          mayMigrate
            ? "They run at the next start; make a backup first."
            : "Make a backup, then run `recourse migrate --login ROLE` with the owner's DATABASE_URL.",
        ),
  ];
  try {
    await checkRole(database);
    findings.push(ok("Database role", "cannot bypass row-level security"));
  } catch (error) {
    const detail = error instanceof ProblemError ? error.message : plainLine((error as Error).message, 200);
    findings.push(
      fail(
        "Database role",
        detail,
        error instanceof ProblemError
          ? error.next
          : "Start the server once as a role that may create roles, so that it grants recourse_app to this one.",
      ),
    );
  }
  return findings;
}

async function checkProvider(
  parts: DoctorParts,
  { sandbox, stripe }: Configuration,
  serverRuns: boolean,
): Promise<readonly Finding[]> {
  const name = "Payments";
  if (sandbox.kind === "embedded" && !serverRuns) {
    return [ok(name, "the sandbox starts with the server; no real money")];
  }
  const [base, key, what] =
    sandbox.kind === "off"
      ? [stripe?.apiBase ?? STRIPE, stripe?.apiKey ?? "", "Stripe"]
      : [
          sandbox.kind === "external" ? sandbox.url : `http://127.0.0.1:${sandbox.port}`,
          SANDBOX_API_KEY,
          "the sandbox",
        ];
  const sentMs = parts.clock.now();
  const answer = await get(parts, `${base}/v1/refunds?limit=1`, key);
  if (answer === null) {
    return [
      fail(
        name,
        `${what} does not answer at ${base}`,
        sandbox.kind === "off"
          ? "Check the network, a proxy or firewall, and STRIPE_API_BASE when it is set."
          : "Start the sandbox, or correct RECOURSE_SANDBOX.",
      ),
    ];
  }
  const findings: Finding[] = [];
  if (answer.status === 401) {
    findings.push(
      fail(name, `${what} does not know the key`, "Copy STRIPE_API_KEY anew from Stripe's dashboard."),
    );
  } else if (answer.status === 403) {
    findings.push(
      fail(
        name,
        "the key may not read refunds",
        "Give the restricted key the rights: charges read, refunds write.",
      ),
    );
  } else if (answer.status !== 200) {
    findings.push(
      warn(name, `${what} answers ${answer.status}`, "Try again in a while; see status.stripe.com."),
    );
  } else {
    const mode =
      sandbox.kind !== "off" ? "; no real money" : /_live_/.test(key) ? ", live mode" : ", test mode";
    findings.push(ok(name, `${what} answers${mode}`));
  }
  findings.push(...checkClock(answer.date, sentMs, parts.clock.now(), what));
  return findings;
}

/** This clock against the provider's `Date` header, which has whole seconds. */
export function checkClock(
  date: string | null,
  sentMs: number,
  receivedMs: number,
  whose: string,
): readonly Finding[] {
  const theirs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirs)) return [];
  // Their instant lies somewhere between sending and receiving.
  const skewMs =
    theirs + 999 < sentMs ? sentMs - theirs - 999 : theirs > receivedMs ? receivedMs - theirs : 0;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) <= CLOCK_TOLERANCE_MS) return [ok("Clock", `agrees with ${whose}`)];
  const detail = `${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} ${whose}`;
  const next =
    "Set the clock by NTP (`timedatectl set-ntp true`): tokens, webhooks and return windows depend on it.";
  return [Math.abs(skewMs) > CLOCK_BROKEN_MS ? fail("Clock", detail, next) : warn("Clock", detail, next)];
}

async function checkPolicies(parts: DoctorParts, { tenants }: Configuration): Promise<readonly Finding[]> {
  const name = "Policies";
  let versions: readonly PolicyVersion[];
  try {
    versions = await loadPolicyFiles(POLICIES);
    for (const version of versions) compilePolicy(version);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const [first = "", ...more] = detail.split("\n");
    return [
      fail(
        name,
        `${plainLine(first, 300)}${more.length > 0 ? ` (and ${more.length} more)` : ""}`,
        "`recourse policy check FILE` explains each error with its line.",
      ),
    ];
  }
  const nowMs = parts.clock.now();
  return tenants.map(({ id, timeZone }) => {
    const own = versions.filter((version) => version.tenant === id);
    try {
      const governing = governingVersion(own, { orderPlacedAt: nowMs, requestedAt: nowMs, timeZone });
      return ok(
        name,
        `${id}: ${governing.id} version ${governing.version} governs today, since ${governing.effectiveFrom}`,
      );
    } catch {
      return fail(
        name,
        `${id}: no version governs today (${own.length} in the folder)`,
        `Add a document for tenant ${id} to the policies folder whose effective_from is not in the future.`,
      );
    }
  });
}

/** One GET with a limit; null when nobody answers. Bodies that are not JSON are null. */
async function get(
  parts: DoctorParts,
  url: string,
  key?: string,
): Promise<{ status: number; date: string | null; body: unknown } | null> {
  const cut = new AbortController();
  const cancel = parts.clock.after(ANSWER_MS, () => cut.abort());
  try {
    const response = await parts.fetch(url, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      redirect: "error",
      signal: cut.signal,
    });
    const text = await response.text();
    let body: unknown = null;
    try {
      body = JSON.parse(text);
    } catch {
      // Another program's page: its status is all that matters.
    }
    return { status: response.status, date: response.headers.get("date"), body };
  } catch {
    return null;
  } finally {
    cancel();
  }
}
