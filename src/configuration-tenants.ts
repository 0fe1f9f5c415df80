/** The tenants: from the file, from `RECOURSE_TENANT_…` for a single one, or the sandbox's. */
import { z } from "zod";
import { type EscalationConfiguration, escalationOf, readEscalation } from "./configuration-escalation.ts";
import { CONFIGURATION_FILE, httpUrl, present, text } from "./configuration-keys.ts";
import type { ConfigurationRow, Environment, Faults, File, Reader } from "./configuration-reading.ts";
import { LANGUAGES, type Language } from "./kernel/language.ts";

export interface TenantConfiguration {
  readonly id: string;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  /** IANA name. */
  readonly timeZone: string;
  /** What customers are answered in until they show another language. */
  readonly language: Language;
  /** The `iss` of its customers' tokens; null when only the demo mints tokens for it. */
  /** Where its customers write to, lower case; null when they cannot by mail. */
  readonly mailAddress: string | null;
  /** From where the shop's forms write: their `Reply-To` is who filled one in. */
  readonly mailFormSenders: readonly string[];
  readonly issuer: string | null;
  readonly jwksUrl: string | null;
  readonly jwtSecret: string | null;
  /** An operator without a person, for trying: in the demo only. */
  readonly operatorToken: string | null;
  /** When a person takes over, until the tenant sets it. */
  readonly escalation: EscalationConfiguration;
}

/** Each tenant of the sandbox, and the operator's token that the demo prints at its start. */
const SANDBOX_TENANTS = [
  {
    id: "northwind",
    name: "Northwind Outfitters",
    currency: "USD",
    timeZone: "America/New_York",
    language: "en",
    mail_address: "support@northwind.example",
  },
  {
    id: "kestrel",
    name: "Kestrel Audio",
    currency: "EUR",
    timeZone: "Europe/Berlin",
    language: "de",
    mail_address: "support@kestrel.example",
  },
] as const;
export const demoOperatorToken = (tenantId: string): string => `demo-operator-${tenantId}`;

const TENANT_ID = /^[a-z][a-z0-9_-]{0,62}$/;
const tenantShape = z.strictObject({
  id: z.string().regex(TENANT_ID, "must be lower-case letters, digits, - and _"),
  name: text,
  currency: z.string().regex(/^[A-Z]{3}$/, "must be an ISO 4217 code such as USD"),
  time_zone: z.string().refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin"),
  language: z.enum(LANGUAGES, `must be one of ${LANGUAGES.join(", ")}`).default("en"),
  mail_address: z
    .string()
    .regex(
      /^[^\s@+<>",;]{1,60}@[A-Za-z0-9.-]{1,190}$/,
      "must be an address without `+`, such as support@shop.example",
    )
    .transform((address) => address.toLowerCase())
    .optional(),
  mail_form_senders: z
    .array(
      z
        .string()
        .regex(/^[^\s@<>",;]{1,64}@[A-Za-z0-9.-]{1,190}$/, "must be an address such as noreply@shop.example")
        .transform((address) => address.toLowerCase()),
    )
    .max(20, "must be at most 20 addresses")
    .optional(),
  issuer: text.optional(),
  jwks_url: httpUrl.optional(),
  escalation: z.unknown().optional(),
});
type TenantShape = Omit<z.output<typeof tenantShape>, "escalation"> & {
  readonly escalation?: Partial<EscalationConfiguration>;
};

export function readTenants(from: {
  env: Environment;
  file: File;
  demo: boolean;
  hasSandbox: boolean;
  faults: Faults;
  read: Reader;
}): readonly TenantConfiguration[] {
  const { env, file, faults, read } = from;
  const ofAll = readEscalation(file.escalation, "escalation", faults);
  const shapes: TenantShape[] = [];
  for (const [index, raw] of (file.tenants ?? []).entries()) {
    const checked = tenantShape.safeParse(raw);
    if (checked.success) {
      const escalation = readEscalation(checked.data.escalation, `tenants.${index}.escalation`, faults);
      shapes.push({ ...checked.data, escalation });
    } else {
      for (const issue of checked.error.issues) {
        faults.add(
          `${CONFIGURATION_FILE}: tenants.${[index, ...issue.path].join(".")}`,
          issue.message,
          "A tenant has id, name, currency, time_zone, perhaps language and escalation, and issuer with jwks_url (or RECOURSE_JWT_SECRET_<TENANT>).",
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
  const isSandboxOnly = shapes.length === 0 && from.hasSandbox;
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
      `${tenant.name}, ${tenant.currency}, ${tenant.time_zone}, ${tenant.language}`,
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
    const specific = read.secret(operatorKey);
    // The key without a tenant is the first one's.
    const own = specific ?? (index === 0 ? read.secret("RECOURSE_OPERATOR_TOKEN") : null);
    if (own !== null && own.length < 16) {
      faults.add(
        specific === null ? "RECOURSE_OPERATOR_TOKEN" : operatorKey,
        "has fewer than 16 characters",
        "Make one with `openssl rand -hex 32`.",
      );
    }
    if (own === null && from.demo) read.note(operatorKey, demoOperatorToken(tenant.id), "default");
    return {
      id: tenant.id,
      name: tenant.name,
      currency: tenant.currency,
      timeZone: tenant.time_zone,
      language: tenant.language,
      mailAddress: tenant.mail_address ?? null,
      mailFormSenders: tenant.mail_form_senders ?? [],
      issuer: tenant.issuer ?? null,
      jwksUrl: tenant.jwks_url ?? null,
      jwtSecret,
      operatorToken: from.demo ? (own ?? demoOperatorToken(tenant.id)) : null,
      escalation: escalationOf(tenant.id, tenant.escalation ?? {}, ofAll, read),
    };
  });
}

/** One tenant described by `RECOURSE_TENANT_…`; null when there is none. */
function envTenant(env: Environment, faults: Faults): TenantShape | null {
  const names = [
    "id",
    "name",
    "currency",
    "time_zone",
    "language",
    "mail_address",
    "issuer",
    "jwks_url",
  ] as const;
  const raw = Object.fromEntries(
    names
      .map((name) => [name, present(env[`RECOURSE_TENANT_${name.toUpperCase()}`])] as const)
      .filter(([, value]) => value !== undefined),
  );
  if (Object.keys(raw).length === 0) return null;
  const checked = tenantShape.safeParse({ name: raw.id, ...raw });
  if (checked.success) return { ...checked.data, escalation: {} };
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

/** A token without a person is for the demo; elsewhere scripts have keys (which the terminal may be given by this name). */
export const idleTokens = (env: Environment, demo: boolean): string[] =>
  Object.entries(env)
    .filter(([name, value]) => /^RECOURSE_OPERATOR_TOKEN(_|$)/.test(name) && present(value) !== undefined)
    .filter(([, value]) => !demo && value?.startsWith("rck_") !== true)
    .map(([name]) => `${name} is not taken outside the demo: make a key for the script instead`);

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
