/** Every configuration key: what values it takes, and what to do when one is wrong. Pure. */
import { z } from "zod";
import { isNetwork } from "./channels/http/addresses.ts";
import { SASL_MECHANISMS } from "./channels/kafka/settings.ts";
import { BOUNDARY_NAMES } from "./kernel/ports.ts";
import {
  dollarsToMicros,
  microsAsDollars,
  OPENAI_INTERFACES,
  REASONING,
  readModelName,
  readPrice,
} from "./models/settings.ts";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What a process does: take requests, work on what was accepted, or both. */
export const ROLES = ["all", "serve", "work"] as const;
export type Role = (typeof ROLES)[number];

export const CONFIGURATION_FILE = "recourse.config.json";

export const text = z.string().min(1);
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
const portNumber = whole(0, 65_535);
const onOff = z.enum(["on", "off"], "must be `on` or `off`").transform((value) => value === "on");
export const httpUrl = z
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

/** What `read` makes of the text; null is a fault. */
const readAs = <T>(read: (value: string) => T | null, message: string) =>
  z.string().transform((value, context) => {
    const made = read(value.trim());
    if (made !== null) return made;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
const modelName = readAs(
  readModelName,
  "must be provider/model; providers are openai, anthropic, compatible",
);
const price = readAs(readPrice, "must be input/output or input/cached/output in US dollars, such as 0.25/2");
const dollars = readAs(
  (value) => (/^\d{1,6}(\.\d{1,6})?$/.test(value) ? dollarsToMicros(value) : null),
  "must be US dollars, such as 0.05",
);

export interface Key {
  readonly schema: z.ZodType;
  readonly next: string;
  /** Never in a file, never shown. */
  readonly secret?: boolean;
  readonly show?: (value: string) => string;
  /** How its default is shown, when that is no text. */
  readonly showDefault?: (value: number) => string;
}

/** Every plain key. In the file, `PORT` is `port` and `RECOURSE_DATA_DIR` is `data_dir`. */
export const KEYS = {
  PORT: { schema: portNumber, next: "Set it to a number from 1 to 65535 (0 takes any free port)." },
  HOST: { schema: text, next: "Set it to an address to listen on, such as 127.0.0.1 or 0.0.0.0." },
  RECOURSE_DATA_DIR: { schema: text, next: "Set it to a folder that this user may write." },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }),
    next: "Set it to postgres://user:password@host:5432/database, or leave it out for the embedded database.",
    secret: true,
    show: maskPassword,
  },
  RECOURSE_DIRECT_DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }),
    next: "Set it to the server's own URL where DATABASE_URL is a pooler's, or leave it out.",
    secret: true,
    show: maskPassword,
  },
  RECOURSE_SANDBOX_PORT: { schema: portNumber, next: "Set it to a free port." },
  RECOURSE_SANDBOX: {
    schema: z.union([z.enum(["on", "off"]), httpUrl], "must be `on`, `off` or a URL"),
    next: "Set it to `on`, `off`, or the URL of a sandbox that runs already.",
  },
  RECOURSE_SANDBOX_WEBHOOK_URL: {
    schema: httpUrl,
    next: "Set it to where a sandbox in another container reaches a server, such as http://serve:3000/webhooks/stripe.",
  },
  RECOURSE_SMTP_PORT: {
    schema: z.union([z.literal("off"), portNumber], "must be a port or `off`"),
    next: "Set it to a free port for mail to come in at, or to `off`.",
  },
  RECOURSE_MAIL_URL: {
    schema: z.url({
      protocol: /^(smtps?|mailgun|ses)$/,
      error: "must be an smtp://, smtps://, mailgun:// or ses:// URL",
    }),
    next: "Set it to smtp://user:password@host:587, mailgun://api:KEY@api.mailgun.net/DOMAIN or ses://REGION.",
    secret: true,
    show: maskPassword,
  },
  RECOURSE_LMTP_PORT: {
    schema: portNumber,
    next: "Set it to a free port for mail from the mail server of this machine, by LMTP.",
  },
  RECOURSE_MAILGUN_SIGNING_KEYS: {
    schema: list(text),
    next: "Copy the webhook signing key from Mailgun's dashboard; several are separated by commas.",
    secret: true,
  },
  RECOURSE_SES_TOPICS: {
    schema: list(
      z.string().regex(/^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]{1,256}$/, "must be ARNs of SNS topics"),
    ),
    next: "Set it to the ARNs of the SNS topics that SES notifies, separated by commas.",
  },
  RECOURSE_SES_BUCKET: {
    schema: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket"),
    next: "Set it to the bucket into which SES puts mails; it needs AWS_REGION and access keys.",
  },
  RECOURSE_S3_ENDPOINT: {
    schema: httpUrl,
    next: "Leave it out for Amazon S3; else the base URL of a store that speaks its API.",
  },
  AWS_REGION: {
    schema: z.string().regex(/^[a-z]{2}[a-z0-9-]{3,30}$/, "must be a region such as eu-west-1"),
    next: "Set it to the region of the bucket.",
  },
  AWS_ACCESS_KEY_ID: { schema: text, next: "Set it beside AWS_SECRET_ACCESS_KEY.", secret: true },
  AWS_SECRET_ACCESS_KEY: { schema: text, next: "Set it beside AWS_ACCESS_KEY_ID.", secret: true },
  AWS_SESSION_TOKEN: { schema: text, next: "Set it for access keys that run out.", secret: true },
  RECOURSE_MAIL_DKIM: {
    schema: readAs((value) => {
      const [, selector, domain] = /^([\w-]{1,63})\._domainkey\.([\w.-]{1,190})$/.exec(value) ?? [];
      return selector === undefined || domain === undefined ? null : { selector, domain };
    }, "must be the name of the DNS record with the key"),
    next: "Set it to such as mail._domainkey.shop.example, with RECOURSE_MAIL_DKIM_KEY.",
  },
  RECOURSE_MAIL_DKIM_KEY: {
    schema: z.string().regex(/^-----BEGIN (RSA )?PRIVATE KEY-----/, "must be a private key in PEM form"),
    next: "Set it to the private key whose public one is in the DNS record of RECOURSE_MAIL_DKIM.",
    secret: true,
  },
  RECOURSE_MAIL_TRUSTED_SERVER: {
    schema: z.string().regex(/^[\w.-]{1,253}$/, "must be the name of a server"),
    next: "Set it to the name that your receiving server writes first in its Authentication-Results header.",
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
  RECOURSE_ROLE: {
    schema: z.enum(ROLES, `must be one of ${ROLES.join(", ")}`),
    next: "Leave it out, or start with `npm run recourse -- serve` or `work`.",
  },
  RECOURSE_KAFKA_BROKERS: {
    schema: list(
      z
        .string()
        .regex(/^([\w.-]{1,253}|\[[0-9a-f:.]+\]):\d{1,5}$/i, "must be host:port, separated by commas"),
    ),
    next: "Set it to such as kafka-1:9092,kafka-2:9092, or leave it out: PostgreSQL wakes the workers then.",
  },
  RECOURSE_KAFKA_TOPIC: {
    schema: z.string().regex(/^[\w.-]{1,200}$/, "must be letters, digits, points and hyphens"),
    next: "Set it to what the names of the topics begin with, such as recourse.messages.",
  },
  RECOURSE_KAFKA_PARTITIONS: {
    schema: whole(1, 1_000),
    next: "Set it to how many processes may share the work at most; it counts when a topic is made.",
  },
  RECOURSE_KAFKA_TLS: { schema: onOff, next: "Set it to `on` where the brokers speak TLS." },
  RECOURSE_KAFKA_MECHANISM: {
    schema: z.enum(SASL_MECHANISMS, `must be one of ${SASL_MECHANISMS.join(", ")}`),
    next: "Leave it out for SCRAM-SHA-256.",
  },
  RECOURSE_KAFKA_USERNAME: { schema: text, next: "Set it beside RECOURSE_KAFKA_PASSWORD." },
  RECOURSE_KAFKA_PASSWORD: { schema: text, next: "Set it beside RECOURSE_KAFKA_USERNAME.", secret: true },
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
  RECOURSE_TRUSTED_PROXIES: {
    schema: list(z.string().refine(isNetwork, "must be addresses or networks such as 10.0.0.0/8")),
    next: "Set it to the addresses of the proxies in front of this server, separated by commas.",
  },
  RECOURSE_SIGN_IN_SECRET: {
    schema: text,
    next: "Make one with `openssl rand -hex 32`; all processes of one database have the same.",
    secret: true,
  },
  RECOURSE_METRICS_TOKEN: {
    schema: z.string().regex(/^\S{16,200}$/, "must have 16 to 200 characters without spaces"),
    next: "Make one with `openssl rand -hex 32`, and give it to Prometheus as its bearer token.",
    secret: true,
  },
  RECOURSE_AUDIT_KEY: {
    schema: z.string().regex(/^[0-9a-f]{64}$/, "must be 32 bytes in hex"),
    next: "Make one with `openssl rand -hex 32`; all processes of one database have the same.",
    secret: true,
  },
  RECOURSE_OIDC_ISSUER: {
    schema: httpUrl,
    next: "Set it to the issuer of your identity provider, such as https://login.example.com/realms/staff.",
  },
  RECOURSE_OIDC_CLIENT_ID: { schema: text, next: "Copy it from the identity provider." },
  RECOURSE_OIDC_CLIENT_SECRET: {
    schema: text,
    next: "Copy it from the identity provider.",
    secret: true,
  },
  RECOURSE_OIDC_NAME: {
    schema: z.string().min(1).max(40),
    next: "Set it to what people call the provider: it stands on the button.",
  },
  RECOURSE_MODEL: {
    schema: modelName,
    next: "Set it to such as openai/MODEL, anthropic/MODEL, or compatible/MODEL with RECOURSE_MODEL_URL.",
  },
  RECOURSE_MODEL_LARGE: { schema: modelName, next: "Set it like RECOURSE_MODEL, or leave it out." },
  RECOURSE_MODEL_FALLBACK: { schema: modelName, next: "Set it like RECOURSE_MODEL, or leave it out." },
  RECOURSE_MODEL_PRICE: { schema: price, next: "Copy it from the provider's price list." },
  RECOURSE_MODEL_LARGE_PRICE: { schema: price, next: "Copy it from the provider's price list." },
  RECOURSE_MODEL_FALLBACK_PRICE: { schema: price, next: "Copy it from the provider's price list." },
  RECOURSE_MODEL_URL: {
    schema: httpUrl,
    next: "Set it to the base URL of a server that speaks OpenAI's protocol, such as http://127.0.0.1:11434/v1.",
  },
  RECOURSE_MODEL_API_KEY: { schema: text, next: "Set it to the server's key.", secret: true },
  OPENAI_API_KEY: { schema: text, next: "Copy a key from OpenAI's console.", secret: true },
  ANTHROPIC_API_KEY: { schema: text, next: "Copy a key from Anthropic's console.", secret: true },
  RECOURSE_MODEL_CONTEXT_TOKENS: {
    schema: whole(4_000, 1_000_000),
    next: "Set it to tokens from 4000; no more than the model has.",
  },
  RECOURSE_MODEL_ANSWER_TOKENS: {
    schema: whole(100, 32_000),
    next: "Set it to tokens from 100 to 32000; a model that reasons needs some thousands.",
  },
  RECOURSE_MODEL_REASONING: {
    schema: z.enum(REASONING, `must be one of ${REASONING.join(", ")}`),
    next: "Set it for a model that reasons, or leave it out for what the provider does by default.",
  },
  RECOURSE_OPENAI_INTERFACE: {
    schema: z.enum(OPENAI_INTERFACES, `must be ${OPENAI_INTERFACES.join(" or ")}`),
    next: "Leave it out for OpenAI's Responses interface; `chat` is the older one.",
  },
  RECOURSE_MODEL_TIMEOUT_MS: {
    schema: whole(500, 18_000),
    next: "Set it to milliseconds from 500 to 18000.",
  },
  RECOURSE_MODEL_MESSAGE_BUDGET: {
    schema: dollars,
    next: "Set it to US dollars for one message.",
    showDefault: microsAsDollars,
  },
  RECOURSE_MODEL_DAY_BUDGET: {
    schema: dollars,
    next: "Set it to US dollars for a tenant's day (UTC).",
    showDefault: microsAsDollars,
  },
  RECOURSE_MODEL_MIN_CONFIDENCE: {
    schema: readAs(
      (value) => (/^-?\d{1,2}(\.\d{1,4})?$/.test(value) && Number(value) <= 0 ? Number(value) : null),
      "must be a mean log-probability from -99 to 0",
    ),
    next: "Set it to a number such as -2; nearer to 0 is stricter.",
  },
  RECOURSE_MODEL_LOGPROBS: {
    schema: onOff,
    next: "Set it to `off` for a server that refuses `logprobs`.",
  },
} as const satisfies Record<string, Key>;
export type KeyName = keyof typeof KEYS;
export type ValueOf<K extends KeyName> = z.output<(typeof KEYS)[K]["schema"]>;

/** Families of keys that other parts read; a variable of another name is reported as unknown. */
const FAMILIES = ["RECOURSE_TENANT_", "RECOURSE_JWT_SECRET_", "RECOURSE_OPERATOR_TOKEN_", "RECOURSE_TEST_"];
const OTHER_KEYS = [
  "RECOURSE_OPERATOR_TOKEN",
  "RECOURSE_URL",
  "RECOURSE_TOKEN",
  "RECOURSE_BACKUP_DATABASE_URL",
];

export const present = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value.trim();

export const masked = (value: string): string =>
  `${value.length > 24 ? value.slice(0, 4) : ""}…(${value.length} characters)`;

export function maskedIf(about: Key, value: string): string {
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

export function textOf(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "(not set)";
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join(",") : String(value);
}

/** A sentence for each `RECOURSE_…` variable that means nothing here; most are slips of the pen. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...Object.keys(KEYS), ...OTHER_KEYS];
  return Object.keys(env)
    .filter((name) => name.startsWith("RECOURSE_") && present(env[name]) !== undefined)
    .filter((name) => !known.includes(name) && !FAMILIES.some((family) => name.startsWith(family)))
    .map((name) => {
      const [near] = known
        .map((other) => ({ other, slips: distance(name, other) }))
        .filter(({ slips }) => slips <= 2)
        .sort((a, b) => a.slips - b.slips);
      return `${name} is not a key of Recourse${near === undefined ? "" : `; did you mean ${near.other}?`}`;
    });
}

/** Edit distance, for suggestions; two neighbours swapped are one slip. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (before[j - 2] ?? 0) + 1 : replace;
      next.push(Math.min(replace, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
