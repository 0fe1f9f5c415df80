/**
 * The configuration: from the environment and, for what is not secret, `recourse.config.json`;
 * checked whole before anything starts. Every error names the key and says what to do, and all are
 * reported at once. May import `kernel`, and what `models` and `operators` say their settings are.
 *
 * Precedence: environment, then file, then default. An empty environment variable counts as not set.
 */
import { resolve } from "node:path";
import type { BrokerSettings } from "./channels/kafka/settings.ts";
import { readKafka } from "./configuration-kafka.ts";
import { KEYS, type LogLevel, type Role, unknownVariables } from "./configuration-keys.ts";
import { type MailConfiguration, readMail } from "./configuration-mail.ts";
import { readModels } from "./configuration-models.ts";
import {
  type ConfigurationRow,
  type Environment,
  Faults,
  Reader,
  readFile,
} from "./configuration-reading.ts";
import { readSignIn } from "./configuration-sign-in.ts";
import { idleTokens, readTenants, type TenantConfiguration } from "./configuration-tenants.ts";
import { LIMITS } from "./kernel/limits.ts";
import type { BoundaryName } from "./kernel/ports.ts";
import type { ModelSettings } from "./models/settings.ts";
import type { SingleSignOn } from "./operators/identity/library.ts";

export { CONFIGURATION_FILE, LOG_LEVELS, type LogLevel, type Role } from "./configuration-keys.ts";
export type { ConfigurationRow } from "./configuration-reading.ts";
export { demoOperatorToken, type TenantConfiguration } from "./configuration-tenants.ts";

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
  /** The same server without a pooler in between: for LISTEN and migrations. Null: `databaseUrl` is good for all. */
  readonly directDatabaseUrl: string | null;
  readonly sandbox: SandboxConfiguration;
  /** Where an external sandbox tells of payments; null: the address that this process listens on. */
  readonly sandboxWebhookUrl: string | null;
  /** Null while the sandbox takes its place. */
  readonly stripe: StripeConfiguration | null;
  /** Mints tokens for the sandbox's customers; only ever with the sandbox. */
  readonly demo: boolean;
  readonly tenants: readonly TenantConfiguration[];
  /** Null: one that is kept in the data folder. */
  readonly signInSecret: string | null;
  /** What Prometheus must say at `/metrics`; null: it is not served. */
  readonly metricsToken: string | null;
  /** Signs checkpoints of the audit log, 32 bytes in hex; null: one that is kept in the data folder. */
  readonly auditKey: string | null;
  /** The company's identity provider for operators; null: email and password only. */
  readonly singleSignOn: SingleSignOn | null;
  readonly paymentTimeoutMs: number;
  /** Null: customers do not reach it by mail. */
  readonly mail: MailConfiguration | null;
  /** Null: PostgreSQL wakes the workers. */
  readonly kafka: BrokerSettings | null;
  /** Null: no language model; fixed workflows and people do everything. */
  readonly models: ModelSettings | null;
  /** `serve` takes requests and mail in; `work` does runs, actions, sweeps and mail out; `all` does both. */
  readonly role: Role;
  readonly logLevel: LogLevel;
  /** Tests only: the process kills itself at this boundary. */
  readonly crashAt: BoundaryName | null;
  readonly publicUrl: string | null;
  readonly corsOrigins: readonly string[];
  /** Addresses and networks of proxies in front of this server. */
  readonly trustedProxies: readonly string[];
  /** What was odd but not wrong: unknown `RECOURSE_…` variables. */
  readonly warnings: readonly string[];
  readonly rows: readonly ConfigurationRow[];
}

/** The sandbox's key: known, for nothing real is behind it. */
export const SANDBOX_API_KEY = "sk_test_sandbox";

/**
 * @param cwd the folder that `recourse.config.json` is looked for in and relative paths start from
 * @throws ProblemError `config_invalid`; its `errors` name every key that is wrong
 */
export function loadConfiguration(env: Environment, cwd: string): Configuration {
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
  const tenants = readTenants({ env, file, demo, hasSandbox: sandbox.kind !== "off", faults, read });

  const role = read.value("RECOURSE_ROLE", "all");
  // Workers stand beside each other on one machine; what probes one names its port.
  const port = read.value("PORT", role === "work" ? 0 : 3_000);
  const databaseUrl = read.value("DATABASE_URL", null);

  const configuration: Configuration = {
    host: read.value("HOST", "127.0.0.1"),
    port,
    dataDir: resolve(cwd, read.value("RECOURSE_DATA_DIR", ".recourse")),
    databaseUrl,
    directDatabaseUrl: read.value("RECOURSE_DIRECT_DATABASE_URL", null),
    sandbox,
    sandboxWebhookUrl: read.value("RECOURSE_SANDBOX_WEBHOOK_URL", null),
    stripe: stripeKey === null ? null : { apiKey: stripeKey, webhookSecrets, apiBase },
    demo,
    tenants,
    ...readSignIn({ read, faults, demo, databaseUrl }),
    metricsToken: read.value("RECOURSE_METRICS_TOKEN", null),
    auditKey: read.value("RECOURSE_AUDIT_KEY", null),
    models: readModels({ read, faults }),
    kafka: readKafka({ read, faults, databaseUrl }),
    mail: readMail({ read, faults, demo, port, tenants }),
    paymentTimeoutMs: read.value("RECOURSE_PAYMENT_TIMEOUT_MS", LIMITS.paymentTimeoutMs),
    role,
    // Whoever tries it out reads the terminal; whoever runs it reads the log.
    logLevel: read.value("RECOURSE_LOG_LEVEL", demo ? "warn" : "info"),
    crashAt: read.value("RECOURSE_CRASH_AT", null),
    publicUrl: read.value("RECOURSE_PUBLIC_URL", null),
    // In the demo, pages of this machine may call.
    corsOrigins: read.value(
      "RECOURSE_CORS_ORIGINS",
      demo ? ["http://localhost:*", "http://127.0.0.1:*"] : [],
    ),
    trustedProxies: read.value("RECOURSE_TRUSTED_PROXIES", []),
    warnings: [...unknownVariables(env), ...idleTokens(env, demo)],
    rows: read.rows,
  };
  if (configuration.port !== 0 && sandbox.kind === "embedded" && configuration.port === sandbox.port) {
    faults.add(
      "RECOURSE_SANDBOX_PORT",
      `is the same as PORT (${sandbox.port})`,
      "Set one of them to another port.",
    );
  }
  if (configuration.directDatabaseUrl !== null && databaseUrl === null) {
    faults.add(
      "RECOURSE_DIRECT_DATABASE_URL",
      "stands without DATABASE_URL",
      "Set DATABASE_URL to the pooler's URL, or leave this out.",
    );
  }
  if (role !== "all") refuseAlone(configuration, faults);
  faults.throwIfAny();
  return configuration;
}

/** What processes with a part of the work must share. */
function refuseAlone({ role, databaseUrl, sandbox, publicUrl }: Configuration, faults: Faults): void {
  if (databaseUrl === null) {
    faults.add(
      "RECOURSE_ROLE",
      `is ${role}, and the embedded database has one process only`,
      "Set DATABASE_URL to a PostgreSQL server, or let one process do all: `npm start`.",
    );
  }
  if (sandbox.kind === "embedded") {
    faults.add(
      "RECOURSE_SANDBOX",
      `runs inside one process, and with RECOURSE_ROLE=${role} there are several`,
      "Start one with `node sandbox/main.ts`, and give its URL to all processes.",
    );
  }
  if (role === "work" && publicUrl === null) {
    faults.add(
      "RECOURSE_PUBLIC_URL",
      "is needed by a worker: its mails have links to where customers reach the servers",
      "Set it to the same URL in all processes.",
    );
  }
}

/** Rows for `recourse config`: each key, its value with secrets masked, and where it comes from. */
export function describeConfiguration(configuration: Configuration): readonly ConfigurationRow[] {
  const order = Object.keys(KEYS);
  const rank = ({ key }: ConfigurationRow) => (order.includes(key) ? order.indexOf(key) : order.length);
  return configuration.rows.toSorted((a, b) => rank(a) - rank(b));
}
