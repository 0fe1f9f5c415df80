/**
 * The configuration: from the environment and, for what is not secret, `recourse.config.json`;
 * checked whole before anything starts. Every error names the key and says what to do, and all are
 * reported at once. May import `kernel` only.
 *
 * Precedence: environment, then file, then default. An empty environment variable counts as not set.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { ProblemError } from "./kernel/errors.ts";
import { LIMITS } from "./kernel/limits.ts";
import { BOUNDARY_NAMES, type BoundaryName } from "./kernel/ports.ts";

export interface TenantConfiguration {
  readonly id: string;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  /** IANA name. */
  readonly timeZone: string;
  /** The `iss` of its customers' tokens; null when only the demo mints tokens for it. */
  readonly issuer: string | null;
  readonly jwksUrl: string | null;
  readonly jwtSecret: string | null;
  readonly operatorToken: string | null;
}

export type SandboxConfiguration =
  | { readonly kind: "embedded"; readonly port: number }
  | { readonly kind: "external"; readonly url: string }
  | { readonly kind: "off" };

export interface StripeConfiguration {
  readonly apiKey: string;
  /** All are accepted, so that a secret can be rotated. */
  readonly webhookSecrets: readonly string[];
  /** Null for Stripe itself. */
  readonly apiBase: string | null;
}

export interface Configuration {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  /** Null for the embedded database. */
  readonly databaseUrl: string | null;
  readonly sandbox: SandboxConfiguration;
  /** Null while the sandbox takes its place. */
  readonly stripe: StripeConfiguration | null;
  /** Mints tokens for the sandbox's customers; only ever with the sandbox. */
  readonly demo: boolean;
  readonly tenants: readonly TenantConfiguration[];
  readonly paymentTimeoutMs: number;
  /** Whether this process also works on runs and actions. */
  readonly worker: boolean;
  readonly logLevel: LogLevel;
  /** Tests only: the process kills itself at this boundary. */
  readonly crashAt: BoundaryName | null;
  readonly publicUrl: string | null;
  readonly corsOrigins: readonly string[];
  /** What was odd but not wrong: unknown `RECOURSE_…` variables. */
  readonly warnings: readonly string[];
  readonly rows: readonly ConfigurationRow[];
}

export interface ConfigurationRow {
  readonly key: string;
  /** Secrets masked. */
  readonly value: string;
  readonly source: "environment" | "file" | "default";
}

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const CONFIGURATION_FILE = "recourse.config.json";
/** The sandbox's key and webhook secret: known, for nothing real is behind them. */
export const SANDBOX_API_KEY = "sk_test_sandbox";

/** Each tenant of the sandbox, and the operator's token that the demo prints at its start. */
const SANDBOX_TENANTS = [
  { id: "northwind", name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
  { id: "kestrel", name: "Kestrel Audio", currency: "EUR", timeZone: "Europe/Berlin" },
] as const;
export const demoOperatorToken = (tenantId: string): string => `demo-operator-${tenantId}`;

// ── shapes of values ──

const text = z.string().min(1);
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
const portNumber = whole(0, 65_535);
const onOff = z.enum(["on", "off"], "must be `on` or `off`").transform((value) => value === "on");
const httpUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .transform((url) => url.replace(/\/+$/, ""));
const origin = z
  .string()
  .regex(
    /^(\*|null|https?:\/\/[^/\s*]+(:\*)?)$/,
    "must be an origin such as https://shop.example, without a path",
  );
const list = <T extends z.ZodType<string, string>>(each: T) =>
  z
    .string()
    .transform((value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(each));

interface Key {
  readonly schema: z.ZodType;
  readonly next: string;
  /** Never in a file, never shown. */
  readonly secret?: boolean;
  readonly show?: (value: string) => string;
}

/** Every plain key. In the file, `PORT` is `port` and `RECOURSE_DATA_DIR` is `data_dir`. */
const KEYS = {
  PORT: { schema: portNumber, next: "Set it to a number from 1 to 65535 (0 takes any free port)." },
  HOST: { schema: text, next: "Set it to an address to listen on, such as 127.0.0.1 or 0.0.0.0." },
  RECOURSE_DATA_DIR: { schema: text, next: "Set it to a folder that this user may write." },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }),
    next: "Set it to postgres://user:password@host:5432/database, or leave it out for the embedded database.",
    secret: true,
    show: maskPassword,
  },
  RECOURSE_SANDBOX_PORT: { schema: portNumber, next: "Set it to a free port." },
  RECOURSE_SANDBOX: {
    schema: z.union([z.enum(["on", "off"]), httpUrl], "must be `on`, `off` or a URL"),
    next: "Set it to `on`, `off`, or the URL of a sandbox that runs already.",
  },
  STRIPE_API_KEY: {
    schema: z.string().regex(/^[sr]k_(test|live)_\w+$/, "must be a secret or restricted key of Stripe"),
    next: "Copy the key (sk_… or rk_…) from Stripe's dashboard.",
    secret: true,
  },
  STRIPE_WEBHOOK_SECRETS: {
    schema: list(z.string().regex(/^whsec_\S+$/, "must start with whsec_")),
    next: "Copy the signing secret (whsec_…) of the webhook endpoint; several are separated by commas.",
    secret: true,
  },
  STRIPE_API_BASE: { schema: httpUrl, next: "Set it to the base URL of a server that speaks Stripe's API." },
  RECOURSE_DEMO: { schema: onOff, next: "Set it to `on` or `off`; it needs the sandbox." },
  RECOURSE_PAYMENT_TIMEOUT_MS: {
    schema: whole(100, 60_000),
    next: "Set it to milliseconds from 100 to 60000.",
  },
  RECOURSE_WORKER: { schema: onOff, next: "Set it to `on`, or to `off` when other processes do the work." },
  RECOURSE_LOG_LEVEL: { schema: z.enum(LOG_LEVELS), next: `Set it to one of ${LOG_LEVELS.join(", ")}.` },
  RECOURSE_CRASH_AT: {
    schema: z.enum(BOUNDARY_NAMES, "is not a boundary"),
    next: "Leave it out: it kills the process, for crash tests.",
  },
  RECOURSE_PUBLIC_URL: { schema: httpUrl, next: "Set it to the URL by which clients reach this server." },
  RECOURSE_CORS_ORIGINS: {
    schema: list(origin),
    next: "Set it to origins separated by commas, such as https://shop.example.",
  },
} as const satisfies Record<string, Key>;
type KeyName = keyof typeof KEYS;
type ValueOf<K extends KeyName> = z.output<(typeof KEYS)[K]["schema"]>;

/** Families of keys that other parts read; a variable of another name is reported as unknown. */
const FAMILIES = [
  "RECOURSE_TENANT_",
  "RECOURSE_JWT_SECRET_",
  "RECOURSE_OPERATOR_TOKEN_",
  "RECOURSE_MODEL",
  "RECOURSE_KAFKA_",
  "RECOURSE_TEST_",
];
const OTHER_KEYS = ["RECOURSE_OPERATOR_TOKEN", "RECOURSE_URL", "RECOURSE_TOKEN"];

const TENANT_ID = /^[a-z][a-z0-9_-]{0,62}$/;
const tenantShape = z.strictObject({
  id: z.string().regex(TENANT_ID, "must be lower-case letters, digits, - and _"),
  name: text,
  currency: z.string().regex(/^[A-Z]{3}$/, "must be an ISO 4217 code such as USD"),
  time_zone: z.string().refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin"),
  issuer: text.optional(),
  jwks_url: httpUrl.optional(),
});
type TenantShape = z.output<typeof tenantShape>;

/**
 * @param cwd the folder that `recourse.config.json` is looked for in and relative paths start from
 * @throws ProblemError `config_invalid`; its `errors` name every key that is wrong
 */
export function loadConfiguration(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Configuration {
  const faults = new Faults();
  const file = readFile(cwd, faults);
  const read = new Reader(env, file, faults);

  const stripeKey = read.value("STRIPE_API_KEY", null);
  const sandboxValue = read.value("RECOURSE_SANDBOX", stripeKey === null ? "on" : "off");
  const sandboxPort = read.value("RECOURSE_SANDBOX_PORT", 3_001);
  const sandbox: SandboxConfiguration =
    sandboxValue === "on"
      ? { kind: "embedded", port: sandboxPort }
      : sandboxValue === "off"
        ? { kind: "off" }
        : { kind: "external", url: sandboxValue };
  const demo = read.value("RECOURSE_DEMO", sandbox.kind !== "off");
  if (demo && sandbox.kind === "off") {
    faults.add(
      "RECOURSE_DEMO",
      "needs the sandbox: its tokens are for the sandbox's customers",
      "Set RECOURSE_DEMO=off, or RECOURSE_SANDBOX=on.",
    );
  }
  if (stripeKey?.includes("_live_") === true && sandbox.kind !== "off") {
    faults.add(
      "RECOURSE_SANDBOX",
      "may not be on with a live key of Stripe",
      "Set RECOURSE_SANDBOX=off, or leave STRIPE_API_KEY out.",
    );
  }
  const webhookSecrets = read.value("STRIPE_WEBHOOK_SECRETS", []);
  const apiBase = read.value("STRIPE_API_BASE", null);
  if (stripeKey !== null && sandbox.kind === "off" && webhookSecrets.length === 0) {
    faults.add(
      "STRIPE_WEBHOOK_SECRETS",
      "is needed with STRIPE_API_KEY",
      "Make a webhook endpoint at Stripe for /webhooks/stripe and copy its signing secret.",
    );
  }
  if (stripeKey === null && sandbox.kind === "off") {
    faults.add(
      "STRIPE_API_KEY",
      "is needed when the sandbox is off",
      "Set STRIPE_API_KEY, or RECOURSE_SANDBOX=on to try without one.",
    );
  }
  const tenants = readTenants({ env, file, demo, sandbox, faults, read });

  const configuration: Configuration = {
    host: read.value("HOST", "127.0.0.1"),
    port: read.value("PORT", 3_000),
    dataDir: resolve(cwd, read.value("RECOURSE_DATA_DIR", ".recourse")),
    databaseUrl: read.value("DATABASE_URL", null),
    sandbox,
    stripe: stripeKey === null ? null : { apiKey: stripeKey, webhookSecrets, apiBase },
    demo,
    tenants,
    paymentTimeoutMs: read.value("RECOURSE_PAYMENT_TIMEOUT_MS", LIMITS.paymentTimeoutMs),
    worker: read.value("RECOURSE_WORKER", true),
    logLevel: read.value("RECOURSE_LOG_LEVEL", "info"),
    crashAt: read.value("RECOURSE_CRASH_AT", null),
    publicUrl: read.value("RECOURSE_PUBLIC_URL", null),
    // In the demo, pages of this machine may call.
    corsOrigins: read.value(
      "RECOURSE_CORS_ORIGINS",
      demo ? ["http://localhost:*", "http://127.0.0.1:*"] : [],
    ),
    warnings: unknownVariables(env),
    rows: read.rows,
  };
  if (configuration.port !== 0 && sandbox.kind === "embedded" && configuration.port === sandbox.port) {
    faults.add(
      "RECOURSE_SANDBOX_PORT",
      `is the same as PORT (${sandbox.port})`,
      "Set one of them to another port.",
    );
  }
  faults.throwIfAny();
  return configuration;
}

/** Rows for `recourse config`: each key, its value with secrets masked, and where it comes from. */
export function describeConfiguration(configuration: Configuration): readonly ConfigurationRow[] {
  return configuration.rows;
}

// ── reading ──

interface Fault {
  readonly key: string;
  readonly message: string;
  readonly next: string;
}

class Faults {
  readonly #all: Fault[] = [];

  add(key: string, message: string, next: string): void {
    this.#all.push({ key, message, next });
  }

  throwIfAny(): void {
    const [first] = this.#all;
    if (first === undefined) return;
    throw new ProblemError(
      "config_invalid",
      this.#all.map(({ key, message }) => `${key} ${message}.`).join(" "),
      {
        next:
          this.#all.length === 1 ? first.next : this.#all.map(({ key, next }) => `${key}: ${next}`).join(" "),
        details: { errors: this.#all.map(({ key, message, next }) => ({ path: key, message, next })) },
      },
    );
  }
}

type File = Readonly<Record<string, unknown>> & { readonly tenants?: readonly unknown[] };

const fileName = (key: string): string => key.replace(/^RECOURSE_/, "").toLowerCase();

function readFile(cwd: string, faults: Faults): File {
  let content: string;
  try {
    content = readFileSync(join(cwd, CONFIGURATION_FILE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    faults.add(
      CONFIGURATION_FILE,
      `cannot be read (${(error as Error).message})`,
      "Make it readable for this user.",
    );
    return {};
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    faults.add(
      CONFIGURATION_FILE,
      `is not JSON (${(error as Error).message})`,
      "Correct it; comments and trailing commas are not JSON.",
    );
    return {};
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    faults.add(CONFIGURATION_FILE, "is not an object", 'Write an object such as {"port": 3000}.');
    return {};
  }
  const names = new Map(
    Object.entries(KEYS).map(([key, about]) => [fileName(key), { key, about: about as Key }]),
  );
  for (const name of Object.keys(value)) {
    if (name === "tenants") continue;
    const known = names.get(name);
    if (known === undefined) {
      faults.add(
        `${CONFIGURATION_FILE}: ${name}`,
        "is not a key",
        `The keys are tenants, ${[...names]
          .filter(([, k]) => k.about.secret !== true)
          .map(([n]) => n)
          .join(", ")}.`,
      );
    } else if (known.about.secret === true) {
      faults.add(
        `${CONFIGURATION_FILE}: ${name}`,
        "is a secret and does not belong in the file",
        `Set ${known.key} in the environment.`,
      );
    }
  }
  if ("tenants" in value && !Array.isArray(value.tenants)) {
    faults.add(`${CONFIGURATION_FILE}: tenants`, "is not a list", "Write a list of tenants.");
    return { ...value, tenants: [] };
  }
  return value as File;
}

/** Values by key, with their sources; a wrong value becomes a fault and the default. */
class Reader {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #file: File;
  readonly #faults: Faults;
  readonly rows: ConfigurationRow[] = [];

  constructor(env: Readonly<Record<string, string | undefined>>, file: File, faults: Faults) {
    this.#env = env;
    this.#file = file;
    this.#faults = faults;
  }

  value<K extends KeyName, D extends ValueOf<K> | null>(key: K, fallback: D): ValueOf<K> | D {
    const about: Key = KEYS[key];
    const [raw, source] = this.#raw(key, about);
    const shown = raw === undefined ? textOf(fallback) : maskedIf(about, raw);
    this.rows.push({ key, value: shown, source });
    if (raw === undefined) return fallback;
    const checked = about.schema.safeParse(raw);
    if (checked.success) return checked.data as ValueOf<K>;
    const where = source === "file" ? `${CONFIGURATION_FILE}: ${fileName(key)}` : key;
    const shownValue = about.secret === true ? "" : ` (it is ${JSON.stringify(raw).slice(0, 80)})`;
    this.#faults.add(where, `${checked.error.issues[0]?.message ?? "is not valid"}${shownValue}`, about.next);
    return fallback;
  }

  /** A secret of a tenant, or another key outside the table. */
  secret(key: string): string | null {
    const value = present(this.#env[key]);
    if (value !== undefined) this.note(key, masked(value), "environment");
    return value ?? null;
  }

  note(key: string, value: string, source: ConfigurationRow["source"]): void {
    this.rows.push({ key, value, source });
  }

  #raw(key: KeyName, about: Key): [string | undefined, ConfigurationRow["source"]] {
    // Both spellings of the webhook's secret are understood.
    const fromEnv =
      present(this.#env[key]) ??
      (key === "STRIPE_WEBHOOK_SECRETS" ? present(this.#env.STRIPE_WEBHOOK_SECRET) : undefined);
    if (fromEnv !== undefined) return [fromEnv, "environment"];
    const fromFile = about.secret === true ? undefined : this.#file[fileName(key)];
    if (fromFile === undefined) return [undefined, "default"];
    return [fileText(fromFile), "file"];
  }
}

/** File values may be JSON's own kinds: `{"port": 3000, "worker": false, "cors_origins": ["…"]}`. */
function fileText(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function readTenants(from: {
  env: Readonly<Record<string, string | undefined>>;
  file: File;
  demo: boolean;
  sandbox: SandboxConfiguration;
  faults: Faults;
  read: Reader;
}): readonly TenantConfiguration[] {
  const { env, file, faults, read } = from;
  const shapes: TenantShape[] = [];
  for (const [index, raw] of (file.tenants ?? []).entries()) {
    const checked = tenantShape.safeParse(raw);
    if (checked.success) shapes.push(checked.data);
    else {
      for (const issue of checked.error.issues) {
        faults.add(
          `${CONFIGURATION_FILE}: tenants.${[index, ...issue.path].join(".")}`,
          issue.message,
          "A tenant has id, name, currency, time_zone, and issuer with jwks_url (or RECOURSE_JWT_SECRET_<TENANT>).",
        );
      }
    }
  }
  const source: ConfigurationRow["source"] = shapes.length > 0 ? "file" : "environment";
  const fromEnv = envTenant(env, faults);
  if (fromEnv !== null) {
    if (shapes.length > 0) {
      faults.add(
        "RECOURSE_TENANT_ID",
        `may not be set beside tenants in ${CONFIGURATION_FILE}`,
        "Describe tenants in one place.",
      );
    } else shapes.push(fromEnv);
  }
  const isSandboxOnly = shapes.length === 0 && from.sandbox.kind !== "off";
  if (shapes.length === 0 && !isSandboxOnly && (file.tenants ?? []).length === 0) {
    faults.add(
      "RECOURSE_TENANT_ID",
      "is needed when the sandbox is off",
      `Set RECOURSE_TENANT_ID, …_NAME, …_CURRENCY, …_TIME_ZONE and …_ISSUER, or list tenants in ${CONFIGURATION_FILE}.`,
    );
  }
  const wanted: TenantShape[] = isSandboxOnly
    ? SANDBOX_TENANTS.map(({ timeZone, ...rest }) => ({ ...rest, time_zone: timeZone }))
    : shapes;

  const seen = new Set<string>();
  const issuers = new Set<string>();
  return wanted.map((tenant, index) => {
    const suffix = tenant.id.toUpperCase().replaceAll("-", "_");
    if (seen.has(suffix)) {
      faults.add(
        `tenant ${tenant.id}`,
        "has the same ID as another, or one that differs by - and _ only",
        "Give each tenant an ID of its own.",
      );
    }
    seen.add(suffix);
    if (tenant.issuer !== undefined && issuers.has(tenant.issuer)) {
      faults.add(
        `tenant ${tenant.id}: issuer`,
        `(${tenant.issuer}) belongs to another tenant`,
        "The issuer says whose customer it is: give each tenant its own.",
      );
    }
    if (tenant.issuer !== undefined) issuers.add(tenant.issuer);
    read.note(
      `tenant ${tenant.id}`,
      `${tenant.name}, ${tenant.currency}, ${tenant.time_zone}`,
      isSandboxOnly ? "default" : source,
    );
    const secretKey = `RECOURSE_JWT_SECRET_${suffix}`;
    const jwtSecret = read.secret(secretKey);
    if (jwtSecret !== null && Buffer.byteLength(jwtSecret) < 32) {
      faults.add(secretKey, "has fewer than 32 bytes", "Make one with `openssl rand -hex 32`.");
    }
    if (jwtSecret?.includes("-----BEGIN") === true) {
      faults.add(secretKey, "is a key in PEM form, not a shared secret", "Publish public keys by jwks_url.");
    }
    const keys = [jwtSecret, tenant.jwks_url ?? null].filter((key) => key !== null).length;
    if (tenant.issuer !== undefined && keys !== 1) {
      faults.add(
        `tenant ${tenant.id}: issuer`,
        keys === 0 ? "has no key" : "has two kinds of key",
        `Set either its jwks_url or ${secretKey}.`,
      );
    }
    if (tenant.issuer === undefined && keys > 0) {
      faults.add(
        `tenant ${tenant.id}: issuer`,
        "is needed beside its key",
        "Set it to the `iss` of the shop's tokens.",
      );
    }
    if (tenant.issuer === undefined && !from.demo) {
      faults.add(
        `tenant ${tenant.id}: issuer`,
        "is needed: without it no customer can be known",
        "Set it to the `iss` of the shop's tokens.",
      );
    }
    const operatorKey = `RECOURSE_OPERATOR_TOKEN_${suffix}`;
    const own = read.secret(operatorKey) ?? (index === 0 ? read.secret("RECOURSE_OPERATOR_TOKEN") : null);
    if (own !== null && own.length < 16) {
      faults.add(operatorKey, "has fewer than 16 characters", "Make one with `openssl rand -hex 32`.");
    }
    if (own === null && from.demo) read.note(operatorKey, demoOperatorToken(tenant.id), "default");
    return {
      id: tenant.id,
      name: tenant.name,
      currency: tenant.currency,
      timeZone: tenant.time_zone,
      issuer: tenant.issuer ?? null,
      jwksUrl: tenant.jwks_url ?? null,
      jwtSecret,
      operatorToken: own ?? (from.demo ? demoOperatorToken(tenant.id) : null),
    };
  });
}

/** One tenant described by `RECOURSE_TENANT_…`; null when there is none. */
function envTenant(env: Readonly<Record<string, string | undefined>>, faults: Faults): TenantShape | null {
  const names = ["id", "name", "currency", "time_zone", "issuer", "jwks_url"] as const;
  const raw = Object.fromEntries(
    names
      .map((name) => [name, present(env[`RECOURSE_TENANT_${name.toUpperCase()}`])] as const)
      .filter(([, value]) => value !== undefined),
  );
  if (Object.keys(raw).length === 0) return null;
  const checked = tenantShape.safeParse({ name: raw.id, ...raw });
  if (checked.success) return checked.data;
  for (const issue of checked.error.issues) {
    const key = `RECOURSE_TENANT_${String(issue.path[0] ?? "ID").toUpperCase()}`;
    faults.add(
      key,
      raw[String(issue.path[0])] === undefined
        ? "is needed with the other RECOURSE_TENANT_ keys"
        : issue.message,
      "Set RECOURSE_TENANT_ID, …_CURRENCY (USD), …_TIME_ZONE (Europe/Berlin) and …_ISSUER.",
    );
  }
  return null;
}

// ── small things ──

const present = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value.trim();

const masked = (value: string): string =>
  `${value.length > 24 ? value.slice(0, 4) : ""}…(${value.length} characters)`;

function maskedIf(about: Key, value: string): string {
  if (about.show !== undefined) return about.show(value);
  return about.secret === true ? masked(value) : value;
}

function maskPassword(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.password !== "") parsed.password = "…";
    for (const name of [...parsed.searchParams.keys()]) {
      if (/password|key|secret/i.test(name)) parsed.searchParams.set(name, "…");
    }
    return decodeURI(parsed.href);
  } catch {
    return masked(url);
  }
}

function textOf(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "(not set)";
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join(",") : String(value);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...Object.keys(KEYS), ...OTHER_KEYS];
  return Object.keys(env)
    .filter((name) => name.startsWith("RECOURSE_") && present(env[name]) !== undefined)
    .filter((name) => !known.includes(name) && !FAMILIES.some((family) => name.startsWith(family)))
    .map((name) => {
      const near = known.find((other) => distance(name, other) <= 2);
      return `${name} is not a key of Recourse${near === undefined ? "" : `; did you mean ${near}?`}`;
    });
}

/** Edit distance, for suggestions. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
