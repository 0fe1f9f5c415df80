import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDemoTokens, demoIssuer, demoTokenSecret } from "../../src/channels/http/demo.ts";
import { createTokens } from "../../src/channels/http/tokens.ts";
import { CONFIGURATION_FILE, describeConfiguration, loadConfiguration } from "../../src/configuration.ts";
import type { ProblemError } from "../../src/kernel/errors.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { AREAS } from "../../src/operators/settings/shape.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recourse-configuration-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (value: unknown) =>
  writeFileSync(join(folder, CONFIGURATION_FILE), typeof value === "string" ? value : JSON.stringify(value));
const load = (env: Record<string, string> = {}) => loadConfiguration(env, folder);
/** The keys that a wrong configuration names, and every text of the error. */
function faultsOf(env: Record<string, string> = {}): { keys: string[]; said: string } {
  try {
    load(env);
  } catch (error) {
    const { code, message, next, details } = error as ProblemError;
    expect(code).toBe("config_invalid");
    const errors = details.errors as { path: string; next: string }[];
    for (const { path, next: step } of errors) {
      expect(message).toContain(path);
      expect(step.length).toBeGreaterThan(5);
    }
    return { keys: errors.map(({ path }) => path), said: `${message} ${next} ${JSON.stringify(details)}` };
  }
  return { keys: [], said: "" };
}

const REAL = {
  STRIPE_API_KEY: "sk_live_canary51H",
  STRIPE_WEBHOOK_SECRET: "whsec_canaryA",
  RECOURSE_TENANT_ID: "osprey",
  RECOURSE_TENANT_CURRENCY: "EUR",
  RECOURSE_TENANT_TIME_ZONE: "Europe/Berlin",
  RECOURSE_TENANT_ISSUER: "https://osprey.example",
  RECOURSE_JWT_SECRET_OSPREY: "canary-secret-of-thirty-two-bytes-and-more",
};

describe("with nothing set", () => {
  test("it is the demo: sandbox, embedded database, both tenants, this machine only", () => {
    const configuration = load();
    expect(configuration).toMatchObject({
      host: "127.0.0.1",
      port: 3_000,
      dataDir: join(folder, ".recourse"),
      databaseUrl: null,
      sandbox: { kind: "embedded", port: 3_001 },
      stripe: null,
      demo: true,
      role: "all",
      crashAt: null,
      warnings: [],
    });
    expect(
      configuration.tenants.map(({ id, currency, timeZone, language }) => [id, currency, timeZone, language]),
    ).toEqual([
      ["northwind", "USD", "America/New_York", "en"],
      ["kestrel", "EUR", "Europe/Berlin", "de"],
    ]);
    for (const { operatorToken } of configuration.tenants)
      expect(operatorToken?.length).toBeGreaterThanOrEqual(16);
  });
});

describe("mail", () => {
  test("comes in beside the demo's port, at any where another has it, and is off outside the demo", () => {
    expect(load().mail).toEqual({
      listen: { port: 3_025, isGiven: false },
      lmtpPort: null,
      sending: { by: "sandbox" },
      mailgunKeys: null,
      ses: null,
      dkim: null,
      trustedServer: null,
    });
    expect(load({ PORT: "0" }).mail?.listen?.port).toBe(0);
    expect(load({ PORT: "65530", RECOURSE_SANDBOX_PORT: "3001" }).mail?.listen?.port).toBe(0);
    expect(load({ RECOURSE_SMTP_PORT: "2525" }).mail?.listen).toEqual({ port: 2_525, isGiven: true });
    expect(load({ RECOURSE_SMTP_PORT: "off" }).mail).toBeNull();
    expect(load(REAL).mail).toBeNull();
  });

  test("names what is missing or wrong, and shows no password", () => {
    expect(faultsOf({ ...REAL, RECOURSE_SMTP_PORT: "25" }).keys).toContain("RECOURSE_MAIL_URL");
    const url = "smtp://shop:canary@mail.example:587";
    expect(faultsOf({ ...REAL, RECOURSE_MAIL_URL: url }).keys).toContain("RECOURSE_SMTP_PORT");
    expect(faultsOf({ RECOURSE_MAIL_URL: "http://mail.example" }).keys).toEqual(["RECOURSE_MAIL_URL"]);
    const shown = JSON.stringify(load({ RECOURSE_MAIL_URL: url }).rows);
    expect(shown).toContain("mail.example");
    expect(shown).not.toContain("canary");
    const provider = {
      RECOURSE_MAIL_URL: "mailgun://api:canary@api.eu.mailgun.net/mg.shop.example",
      RECOURSE_MAILGUN_SIGNING_KEYS: "canary-key",
      RECOURSE_SMTP_PORT: "off",
    };
    expect(load(provider).mail).toMatchObject({
      listen: null,
      sending: { by: "mailgun", endpoint: "https://api.eu.mailgun.net", domain: "mg.shop.example" },
      mailgunKeys: ["canary-key"],
    });
    expect(JSON.stringify(load(provider).rows)).not.toContain("canary");
    expect(faultsOf({ RECOURSE_MAIL_URL: "ses://eu-west-1" }).keys).toEqual(["AWS_ACCESS_KEY_ID"]);
    expect(faultsOf({ RECOURSE_SES_BUCKET: "mails" }).keys).toEqual(["RECOURSE_SES_TOPICS"]);
    const dkim = { RECOURSE_MAIL_DKIM: "mail._domainkey.shop.example" };
    expect(faultsOf(dkim).keys).toEqual(["RECOURSE_MAIL_DKIM_KEY"]);
    const key = { RECOURSE_MAIL_DKIM_KEY: "-----BEGIN PRIVATE KEY-----\ncanary" };
    expect(faultsOf(key).keys).toEqual(["RECOURSE_MAIL_DKIM"]);
    expect(faultsOf({ ...dkim, RECOURSE_MAIL_DKIM_KEY: "canary" }).said).not.toContain("canary");
    const both = load({ ...dkim, ...key });
    expect(both.mail?.dkim).toMatchObject({ domainName: "shop.example", keySelector: "mail" });
    expect(JSON.stringify(both.rows)).not.toContain("canary");
  });
});

describe("a real set-up", () => {
  test("from the environment alone", () => {
    const configuration = load(REAL);
    expect(configuration).toMatchObject({
      sandbox: { kind: "off" },
      demo: false,
      stripe: { apiKey: REAL.STRIPE_API_KEY, webhookSecrets: ["whsec_canaryA"], apiBase: null },
      corsOrigins: [],
    });
    expect(configuration.tenants).toEqual([
      {
        id: "osprey",
        name: "osprey",
        currency: "EUR",
        timeZone: "Europe/Berlin",
        language: "en",
        mailAddress: null,
        mailFormSenders: [],
        issuer: "https://osprey.example",
        jwksUrl: null,
        jwtSecret: REAL.RECOURSE_JWT_SECRET_OSPREY,
        operatorToken: null,
        escalation: AREAS.escalation.initial,
      },
    ]);
  });

  test("from the file, with the environment before it", () => {
    file({
      port: 8_080,
      role: "all",
      cors_origins: ["https://a.example", "https://b.example"],
      log_level: "warn",
      tenants: [
        {
          id: "osprey",
          name: "Osprey",
          currency: "EUR",
          time_zone: "Europe/Berlin",
          issuer: "i1",
          jwks_url: "https://osprey.example/jwks",
        },
        {
          id: "tern-eu",
          name: "Tern",
          currency: "JPY",
          time_zone: "Asia/Tokyo",
          language: "it",
          issuer: "i2",
        },
      ],
    });
    const configuration = load({
      PORT: "9090",
      STRIPE_API_KEY: "rk_live_x1",
      STRIPE_WEBHOOK_SECRETS: "whsec_a, whsec_b",
      RECOURSE_JWT_SECRET_TERN_EU: "x".repeat(32),
      RECOURSE_OPERATOR_TOKEN: "o".repeat(16),
      RECOURSE_OPERATOR_TOKEN_TERN_EU: "p".repeat(16),
    });
    expect(configuration).toMatchObject({
      port: 9_090,
      role: "all",
      logLevel: "warn",
      corsOrigins: ["https://a.example", "https://b.example"],
      stripe: { webhookSecrets: ["whsec_a", "whsec_b"] },
    });
    expect(configuration.tenants.map(({ operatorToken, jwksUrl }) => [operatorToken?.[0], jwksUrl])).toEqual([
      [undefined, "https://osprey.example/jwks"],
      [undefined, null],
    ]);
    expect(configuration.tenants.map(({ language }) => language)).toEqual(["en", "it"]);
    // A token without a person is for the demo.
    expect(configuration.warnings.map((text) => text.split(" ")[0])).toEqual([
      "RECOURSE_OPERATOR_TOKEN",
      "RECOURSE_OPERATOR_TOKEN_TERN_EU",
    ]);
    const rows = Object.fromEntries(
      describeConfiguration(configuration).map(({ key, source }) => [key, source]),
    );
    expect(rows).toMatchObject({ PORT: "environment", RECOURSE_ROLE: "file", HOST: "default" });
  });
});

describe("when a person takes over", () => {
  const tenant = (id: string, more = {}) => ({ id, name: id, currency: "EUR", time_zone: "UTC", ...more });

  test("is the file's for all tenants, a tenant's own over it, and the default for the rest", () => {
    file({
      escalation: { sentiment: -0.7, stalled_calls: 2 },
      tenants: [tenant("osprey"), tenant("tern", { escalation: { stalled_calls: 5 } })],
    });
    const configuration = load();
    expect(configuration.tenants.map(({ escalation }) => escalation)).toEqual([
      { ...AREAS.escalation.initial, sentiment: -0.7, stalled_calls: 2 },
      { ...AREAS.escalation.initial, sentiment: -0.7, stalled_calls: 5 },
    ]);
    const rows = describeConfiguration(configuration);
    for (const row of [
      { key: "tenant tern: escalation.stalled_calls", value: "5", source: "file" },
      { key: "tenant osprey: escalation.sentiment", value: "-0.7", source: "file" },
      { key: "tenant osprey: escalation.falling_by", value: "0.5", source: "default" },
    ]) {
      expect(rows).toContainEqual(row);
    }
  });

  test("applies to the sandbox's tenants too", () => {
    file({ escalation: { stalled_calls: 1 } });
    expect(load().tenants.map(({ escalation }) => escalation.stalled_calls)).toEqual([1, 1]);
  });

  test.each<[string, unknown, string]>([
    ["out of range", { escalation: { stalled_calls: 0 } }, "escalation.stalled_calls"],
    ["above the step limit", { escalation: { stalled_calls: 8 } }, "escalation.stalled_calls"],
    ["text", { escalation: { sentiment: "-0.8" } }, "escalation.sentiment"],
    ["of an unknown name", { escalation: { mood: 1 } }, "escalation.mood"],
    ["a list", { escalation: [] }, "escalation"],
    ["null", { escalation: null }, "escalation"],
    [
      "of one tenant",
      { tenants: [tenant("a", { escalation: { falling_by: 9 } })] },
      "tenants.0.escalation.falling_by",
    ],
  ])("is refused by its key when it is %s", (_, content, key) => {
    file(content);
    expect(faultsOf().keys).toContain(`${CONFIGURATION_FILE}: ${key}`);
  });
});

describe("what is wrong is named by its key, all of it at once", () => {
  test.each<[string, Record<string, string>, string[]]>([
    ["a port in words", { PORT: "three" }, ["PORT"]],
    ["a port too high", { PORT: "65536" }, ["PORT"]],
    ["a port in exponents", { PORT: "3e3" }, ["PORT"]],
    ["the same port twice", { PORT: "3001" }, ["RECOURSE_SANDBOX_PORT"]],
    ["a database of another kind", { DATABASE_URL: "mysql://x" }, ["DATABASE_URL"]],
    ["a role that is none", { RECOURSE_ROLE: "maybe" }, ["RECOURSE_ROLE"]],
    [
      "a part of the work without a server to share it on",
      { RECOURSE_ROLE: "work" },
      ["RECOURSE_ROLE", "RECOURSE_SANDBOX", "RECOURSE_PUBLIC_URL"],
    ],
    [
      "a process that only serves, on the embedded database",
      { RECOURSE_ROLE: "serve", RECOURSE_SANDBOX: "http://127.0.0.1:3001" },
      ["RECOURSE_ROLE"],
    ],
    ["an unknown log level", { RECOURSE_LOG_LEVEL: "loud" }, ["RECOURSE_LOG_LEVEL"]],
    ["an unknown boundary", { RECOURSE_CRASH_AT: "somewhere" }, ["RECOURSE_CRASH_AT"]],
    ["an origin with a path", { RECOURSE_CORS_ORIGINS: "https://a.example/x" }, ["RECOURSE_CORS_ORIGINS"]],
    ["a time-out of nothing", { RECOURSE_PAYMENT_TIMEOUT_MS: "0" }, ["RECOURSE_PAYMENT_TIMEOUT_MS"]],
    ["a publishable key", { STRIPE_API_KEY: "pk_live_1" }, ["STRIPE_API_KEY"]],
    ["a demo without sandbox", { ...REAL, RECOURSE_DEMO: "on" }, ["RECOURSE_DEMO"]],
    ["a live key with the sandbox", { ...REAL, RECOURSE_SANDBOX: "on" }, ["RECOURSE_SANDBOX"]],
    ["no way to pay", { RECOURSE_SANDBOX: "off" }, ["STRIPE_API_KEY", "RECOURSE_TENANT_ID"]],
    ["no webhook secret", { ...REAL, STRIPE_WEBHOOK_SECRET: "" }, ["STRIPE_WEBHOOK_SECRETS"]],
    [
      "a short shared secret",
      { ...REAL, RECOURSE_JWT_SECRET_OSPREY: "short" },
      ["RECOURSE_JWT_SECRET_OSPREY"],
    ],
    [
      "a shared secret that is a public key",
      { ...REAL, RECOURSE_JWT_SECRET_OSPREY: "-----BEGIN PUBLIC KEY-----abcdef" },
      ["RECOURSE_JWT_SECRET_OSPREY"],
    ],
    [
      "a server's database without a common secret",
      { ...REAL, DATABASE_URL: "postgres://db/recourse" },
      ["RECOURSE_SIGN_IN_SECRET"],
    ],
    ["a short secret", { ...REAL, RECOURSE_SIGN_IN_SECRET: "short" }, ["RECOURSE_SIGN_IN_SECRET"]],
    [
      "an identity provider by halves",
      { RECOURSE_OIDC_ISSUER: "https://login.example" },
      ["RECOURSE_OIDC_CLIENT_ID", "RECOURSE_OIDC_CLIENT_SECRET"],
    ],
    ["a client without its provider", { RECOURSE_OIDC_CLIENT_ID: "recourse" }, ["RECOURSE_OIDC_CLIENT_ID"]],
    ["a short operator token", { ...REAL, RECOURSE_OPERATOR_TOKEN: "short" }, ["RECOURSE_OPERATOR_TOKEN"]],
    [
      "a tenant without issuer",
      { ...REAL, RECOURSE_TENANT_ISSUER: "", RECOURSE_JWT_SECRET_OSPREY: "" },
      ["tenant osprey: issuer"],
    ],
    ["an issuer without key", { ...REAL, RECOURSE_JWT_SECRET_OSPREY: "" }, ["tenant osprey: issuer"]],
    [
      "an issuer with two keys",
      { ...REAL, RECOURSE_TENANT_JWKS_URL: "https://a.example/jwks" },
      ["tenant osprey: issuer"],
    ],
    [
      "a currency in small letters",
      { ...REAL, RECOURSE_TENANT_CURRENCY: "eur" },
      ["RECOURSE_TENANT_CURRENCY"],
    ],
    [
      "a language that nobody is answered in",
      { ...REAL, RECOURSE_TENANT_LANGUAGE: "nl" },
      ["RECOURSE_TENANT_LANGUAGE"],
    ],
    [
      "a time zone that is not one",
      { ...REAL, RECOURSE_TENANT_TIME_ZONE: "Mars/Olympus" },
      ["RECOURSE_TENANT_TIME_ZONE"],
    ],
    ["several things", { PORT: "x", RECOURSE_ROLE: "x", HOST: "ok" }, ["PORT", "RECOURSE_ROLE"]],
  ])("%s", (_, env, keys) => {
    const faults = faultsOf(env);
    for (const key of keys) expect(faults.keys).toContain(key);
    expect(faults.said).not.toContain("canary");
  });

  test.each<[string, unknown, string]>([
    ["text that is not JSON", "{port: 3000}", CONFIGURATION_FILE],
    ["a list", [], CONFIGURATION_FILE],
    ["an unknown key", { prot: 1 }, `${CONFIGURATION_FILE}: prot`],
    ["a secret", { stripe_api_key: "sk_live_canary" }, `${CONFIGURATION_FILE}: stripe_api_key`],
    [
      "a database with its password",
      { database_url: "postgres://u:canary@h/d" },
      `${CONFIGURATION_FILE}: database_url`,
    ],
    ["a wrong value", { port: "canary-free" }, `${CONFIGURATION_FILE}: port`],
    ["tenants that are no list", { tenants: {} }, `${CONFIGURATION_FILE}: tenants`],
    [
      "a tenant with an unknown member",
      { tenants: [{ id: "a", name: "A", currency: "EUR", time_zone: "UTC", secret: "x" }] },
      `${CONFIGURATION_FILE}: tenants.0`,
    ],
    [
      "a tenant without currency",
      { tenants: [{ id: "a", name: "A", time_zone: "UTC" }] },
      `${CONFIGURATION_FILE}: tenants.0.currency`,
    ],
  ])("%s in the file", (_, content, key) => {
    file(content);
    const faults = faultsOf();
    expect(faults.keys).toContain(key);
    if (key !== `${CONFIGURATION_FILE}: port`) expect(faults.said).not.toContain("canary");
  });

  test("two tenants with one issuer, or with IDs that share their variables", () => {
    const tenant = (id: string, issuer: string) => ({
      id,
      name: id,
      currency: "EUR",
      time_zone: "UTC",
      issuer,
      jwks_url: "https://a.example/jwks",
    });
    file({ tenants: [tenant("a", "same"), tenant("b", "same")] });
    expect(faultsOf().keys).toEqual(["tenant b: issuer"]);
    file({ tenants: [tenant("a-b", "x"), tenant("a_b", "y")] });
    expect(faultsOf().keys).toEqual(["tenant a_b"]);
  });
});

describe("a Kafka broker", () => {
  const database = { DATABASE_URL: "postgres://db/recourse" };

  test("is none unless one is named; its settings come with it", () => {
    expect(load().kafka).toBeNull();
    expect(
      load({ ...database, RECOURSE_KAFKA_BROKERS: "kafka-1:9092, 10.0.0.2:9093 ,[::1]:9092" }).kafka,
    ).toEqual({
      brokers: ["kafka-1:9092", "10.0.0.2:9093", "[::1]:9092"],
      topics: {
        chat: "recourse.messages.chat",
        email: "recourse.messages.email",
        deadLetters: "recourse.messages.dead-letters",
      },
      partitions: 12,
      tls: false,
      credentials: null,
    });
    const secured = load({
      ...database,
      RECOURSE_KAFKA_BROKERS: "k:9092",
      RECOURSE_KAFKA_TLS: "on",
      RECOURSE_KAFKA_USERNAME: "recourse",
      RECOURSE_KAFKA_PASSWORD: "canary-of-kafka",
    });
    expect(secured.kafka).toMatchObject({
      tls: true,
      credentials: { mechanism: "SCRAM-SHA-256", username: "recourse", password: "canary-of-kafka" },
    });
    expect(JSON.stringify(describeConfiguration(secured))).not.toContain("canary");
  });

  test("needs a database that other processes reach, addresses with ports, and both of user and password", () => {
    expect(faultsOf({ RECOURSE_KAFKA_BROKERS: "k:9092" }).keys).toEqual(["RECOURSE_KAFKA_BROKERS"]);
    expect(faultsOf({ ...database, RECOURSE_KAFKA_BROKERS: "kafka" }).keys).toEqual([
      "RECOURSE_KAFKA_BROKERS",
    ]);
    expect(
      faultsOf({ ...database, RECOURSE_KAFKA_BROKERS: "k:9092", RECOURSE_KAFKA_USERNAME: "u" }).keys,
    ).toEqual(["RECOURSE_KAFKA_PASSWORD"]);
    expect(load({ RECOURSE_KAFKA_BROKER: "k:9092" }).warnings).toEqual([
      expect.stringContaining("RECOURSE_KAFKA_BROKERS"),
    ]);
  });
});

describe("slips", () => {
  test("a variable that nobody reads is warned of, with the one that was meant", () => {
    expect(load({ RECOURSE_DATADIR: "x" }).warnings).toEqual([expect.stringContaining("RECOURSE_DATA_DIR")]);
    expect(load({ RECOURSE_TEST_NAME: "x", PATH: "z" }).warnings).toEqual([]);
  });

  test("an empty variable counts as not set, spaces around a value do not count", () => {
    expect(load({ PORT: "", HOST: " 0.0.0.0 " })).toMatchObject({ port: 3_000, host: "0.0.0.0" });
  });
});

test("no secret is shown, and every secret key is", () => {
  const rows = describeConfiguration(
    load({
      ...REAL,
      DATABASE_URL: "postgres://app:canary@db.example:5432/recourse?sslkey=canary",
      RECOURSE_OPERATOR_TOKEN: "canary-operator-token",
      RECOURSE_SIGN_IN_SECRET: "canary-secret-of-32-bytes-or-more",
      RECOURSE_OIDC_ISSUER: "https://login.example",
      RECOURSE_OIDC_CLIENT_ID: "recourse",
      RECOURSE_OIDC_CLIENT_SECRET: "canary-client-secret",
    }),
  );
  expect(JSON.stringify(rows)).not.toContain("canary");
  const shown = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  expect(shown.DATABASE_URL).toContain("db.example:5432/recourse");
  for (const key of [
    "STRIPE_API_KEY",
    "STRIPE_WEBHOOK_SECRETS",
    "RECOURSE_JWT_SECRET_OSPREY",
    "RECOURSE_OPERATOR_TOKEN",
    "RECOURSE_SIGN_IN_SECRET",
    "RECOURSE_OIDC_CLIENT_SECRET",
  ]) {
    expect(shown[key]).toMatch(/characters\)$/);
  }
});

describe("the demo's secret", () => {
  test("is made once, for its owner only, and the same for all who make it at once", () => {
    const path = join(folder, "data");
    const secret = demoTokenSecret(path, systemRandom);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(demoTokenSecret(path, systemRandom)).toBe(secret);
    const stored = join(path, "demo-token-secret");
    expect(readFileSync(stored, "utf8")).toBe(secret);
    expect(statSync(stored).mode & 0o077).toBe(0);
  });

  test("signs tokens that the API takes, for the tenant that has the customer", async () => {
    const secret = demoTokenSecret(folder, systemRandom);
    const demo = createDemoTokens({
      secret,
      clock: systemClock,
      find: async (customer, tenant) =>
        customer === "ada" && (tenant ?? "northwind") === "northwind"
          ? { tenantId: "northwind", customerId: "ada" }
          : null,
    });
    const tokens = createTokens({
      issuers: [demoIssuer(secret, "northwind"), demoIssuer(secret, "kestrel")],
      operators: [],
      clock: systemClock,
    });
    const minted = await demo.mint("ada");
    const verified = await tokens.customer(minted?.token ?? "");
    expect(verified.scope).toMatchObject({ tenantId: "northwind", customerId: "ada" });
    expect(await demo.mint("ada", "kestrel")).toBeNull();
    expect(await demo.mint("zoe")).toBeNull();
    const stranger = createTokens({
      issuers: [demoIssuer("another", "northwind")],
      operators: [],
      clock: systemClock,
    });
    await expect(stranger.customer(minted?.token ?? "")).rejects.toMatchObject({ code: "token_invalid" });
  });
});
