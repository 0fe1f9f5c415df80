import { createHmac, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { createTokens, type IssuerConfiguration } from "../../src/channels/http/tokens.ts";
import { KESTREL, manualClock, NORTHWIND, OPERATOR_TOKEN, tokenFor } from "./fixture.ts";

const clock = manualClock();
const nowSeconds = Math.floor(clock.now() / 1_000);
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicPem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
const jwks = {
  keys: [
    { ...(await exportJWK(rsa.publicKey)), kid: "rsa-1" },
    { ...(await exportJWK(ec.publicKey)), kid: "ec-1", alg: "ES256" },
  ],
};
const KEYED: IssuerConfiguration = {
  tenantId: "osprey",
  issuer: "https://osprey.example",
  audience: "recourse",
  jwks,
};
const tokens = createTokens({
  issuers: [NORTHWIND, KESTREL, KEYED],
  operators: [
    { tenantId: "northwind", name: "olivia", token: OPERATOR_TOKEN },
    { tenantId: "kestrel", name: "otto", token: "operator-token-of-kestrel" },
  ],
  clock,
});

const claims = (changes: Record<string, unknown> = {}): JWTPayload => ({
  iss: NORTHWIND.issuer,
  aud: "recourse",
  sub: "ada",
  exp: nowSeconds + 3_600,
  ...changes,
});
const hs256 = (payload: JWTPayload, secret: string | Uint8Array = NORTHWIND.secret) =>
  new SignJWT(payload).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(secret));
/** Signed by hand, for tokens that a library refuses to make. */
const byHand = (header: object, payload: object, secret: string) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
};
const codeOf = (token: string) =>
  tokens.customer(token).then(
    () => "accepted",
    (error: { code: string }) => error.code,
  );

describe("a customer's token", () => {
  test("gives the tenant of its issuer and the customer of its subject, authenticated", async () => {
    const verified = await tokens.customer(await hs256(claims()));
    expect(verified).toMatchObject({
      scope: { kind: "customer", tenantId: "northwind", customerId: "ada" },
      assurance: "authenticated",
      validUntilMs: (nowSeconds + 3_600) * 1_000 + 30_000,
    });
  });

  test("a tenant inside the token is not listened to", async () => {
    const verified = await tokens.customer(await hs256(claims({ tenant: "kestrel", tenant_id: "kestrel" })));
    expect(verified.scope.tenantId).toBe("northwind");
  });

  const refused: [string, () => Promise<string> | string, string][] = [
    ["expired", () => hs256(claims({ exp: nowSeconds - 31 })), "token_expired"],
    ["without exp", () => hs256({ iss: NORTHWIND.issuer, aud: "recourse", sub: "ada" }), "token_invalid"],
    ["with exp in text", () => hs256(claims({ exp: String(nowSeconds + 60) })), "token_invalid"],
    ["valid for longer than a day", () => hs256(claims({ exp: nowSeconds + 86_400 + 31 })), "token_invalid"],
    ["valid for ever", () => hs256(claims({ exp: 99_999_999_999_999 })), "token_invalid"],
    ["not valid yet", () => hs256(claims({ nbf: nowSeconds + 60 })), "token_invalid"],
    ["for another audience", () => hs256(claims({ aud: "billing" })), "token_invalid"],
    [
      "without audience",
      () => hs256({ iss: NORTHWIND.issuer, sub: "ada", exp: nowSeconds + 60 }),
      "token_invalid",
    ],
    ["of an unknown issuer", () => hs256(claims({ iss: "https://evil.example" })), "token_invalid"],
    ["without issuer", () => hs256({ aud: "recourse", sub: "ada", exp: nowSeconds + 60 }), "token_invalid"],
    ["with a list as issuer", () => hs256(claims({ iss: [NORTHWIND.issuer] as never })), "token_invalid"],
    [
      "of the right secret with another algorithm",
      () => new SignJWT(claims()).setProtectedHeader({ alg: "HS512" }).sign(Buffer.from(NORTHWIND.secret)),
      "token_invalid",
    ],
    ["of another tenant's secret", () => hs256(claims(), KESTREL.secret), "token_invalid"],
    [
      "of this secret with another tenant's issuer",
      () => hs256(claims({ iss: KESTREL.issuer })),
      "token_invalid",
    ],
    [
      "without subject",
      () => hs256({ iss: NORTHWIND.issuer, aud: "recourse", exp: nowSeconds + 60 }),
      "token_invalid",
    ],
    ["with an empty subject", () => hs256(claims({ sub: "" })), "token_invalid"],
    ["for everyone (*)", () => hs256(claims({ sub: "*" })), "token_invalid"],
    ["with a number as subject", () => hs256(claims({ sub: 7 as never })), "token_invalid"],
    ["with a NUL in its subject", () => hs256(claims({ sub: "ada\0ben" })), "token_invalid"],
    ["with a zero-width subject", () => hs256(claims({ sub: "ada\u200b" })), "token_invalid"],
    ["with a space in its subject", () => hs256(claims({ sub: "ada ben" })), "token_invalid"],
    [
      "with half a surrogate pair as subject",
      () => byHand({ alg: "HS256" }, claims({ sub: "a\ud800" }), NORTHWIND.secret),
      "token_invalid",
    ],
    ["with a subject of 129 characters", () => hs256(claims({ sub: "a".repeat(129) })), "token_invalid"],
    ["unsigned", () => new UnsecuredJWT(claims()).encode(), "token_invalid"],
    ["with alg none in capitals", () => byHand({ alg: "NONE" }, claims(), ""), "token_invalid"],
    ["without alg", () => byHand({}, claims(), NORTHWIND.secret), "token_invalid"],
    [
      "with its signature cut off",
      async () => (await hs256(claims())).replace(/\.[^.]*$/, "."),
      "token_invalid",
    ],
    [
      "with one byte changed",
      async () => (await hs256(claims())).replace(/\.(.)/, (_, c) => `.${c === "e" ? "f" : "e"}`),
      "token_invalid",
    ],
    [
      "HS512 where HS256 is configured",
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: "HS512" })
          .sign(Buffer.from(NORTHWIND.secret.repeat(2))),
      "token_invalid",
    ],
    [
      "with an unknown critical header",
      () => byHand({ alg: "HS256", crit: ["x"], x: 1 }, claims(), NORTHWIND.secret),
      "token_invalid",
    ],
    [
      "HS256 with the RSA public key as secret",
      () => byHand({ alg: "HS256", kid: "rsa-1" }, claims({ iss: KEYED.issuer }), publicPem),
      "token_invalid",
    ],
    [
      "RS256 where a secret is configured",
      () => new SignJWT(claims()).setProtectedHeader({ alg: "RS256" }).sign(rsa.privateKey),
      "token_invalid",
    ],
    [
      "RS256 of a foreign key",
      () =>
        new SignJWT(claims({ iss: KEYED.issuer }))
          .setProtectedHeader({ alg: "RS256", kid: "rsa-1" })
          .sign(foreign.privateKey),
      "token_invalid",
    ],
    [
      "RS256 with an unknown kid",
      () =>
        new SignJWT(claims({ iss: KEYED.issuer }))
          .setProtectedHeader({ alg: "RS256", kid: "rsa-9" })
          .sign(rsa.privateKey),
      "token_invalid",
    ],
    [
      "with its own key in the header",
      async () =>
        new SignJWT(claims({ iss: KEYED.issuer }))
          .setProtectedHeader({ alg: "RS256", jwk: await exportJWK(foreign.publicKey) })
          .sign(foreign.privateKey),
      "token_invalid",
    ],
    ["empty", () => "", "token_invalid"],
    ["not a JWT", () => "abc.def", "token_invalid"],
    ["of five parts", () => "a.b.c.d.e", "token_invalid"],
    ["of a megabyte", () => "a".repeat(1_000_000), "token_invalid"],
  ];
  test.each(refused)("%s is refused", async (_, make, code) => {
    expect(await codeOf(await make())).toBe(code);
  });

  test("clocks may differ by 30 seconds", async () => {
    expect(await codeOf(await hs256(claims({ exp: nowSeconds - 29 })))).toBe("accepted");
    expect(await codeOf(await hs256(claims({ nbf: nowSeconds + 29 })))).toBe("accepted");
  });

  test("asymmetric keys of a key set are accepted with their algorithms", async () => {
    for (const [alg, kid, key] of [
      ["RS256", "rsa-1", rsa.privateKey],
      ["PS256", "rsa-1", rsa.privateKey],
      ["ES256", "ec-1", ec.privateKey],
    ] as const) {
      const token = await new SignJWT(claims({ iss: KEYED.issuer }))
        .setProtectedHeader({ alg, kid })
        .sign(key);
      expect((await tokens.customer(token)).scope.tenantId).toBe("osprey");
    }
  });

  test("a remembered signature is forgotten when the token expires", async () => {
    const later = manualClock();
    const remembering = createTokens({ issuers: [NORTHWIND], operators: [], clock: later });
    const token = await tokenFor({ nowMs: later.now(), expiresInMs: 20_000 });
    await remembering.customer(token);
    later.advance(49_000);
    await expect(remembering.customer(token)).resolves.toBeDefined();
    later.advance(2_000);
    await expect(remembering.customer(token)).rejects.toMatchObject({ code: "token_expired" });
  });
});

test("keys fetched from the merchant are used; keys that cannot be fetched are not the token's fault", async () => {
  let answers = false;
  const merchant = createServer((_, response) => {
    response.writeHead(answers ? 200 : 503, { "content-type": "application/json" });
    response.end(JSON.stringify(jwks));
  });
  await new Promise<void>((resolve) => merchant.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}/jwks`;
  const issuer = { tenantId: "osprey", issuer: "https://osprey.example", audience: "recourse", jwksUrl: url };
  const remote = createTokens({ issuers: [issuer], operators: [], clock });
  const token = await new SignJWT(claims({ iss: issuer.issuer }))
    .setProtectedHeader({ alg: "RS256", kid: "rsa-1" })
    .sign(rsa.privateKey);
  await expect(remote.customer(token)).rejects.toMatchObject({ code: "identity_unavailable" });
  answers = true;
  await expect(remote.customer(token)).resolves.toMatchObject({ scope: { tenantId: "osprey" } });
  await new Promise((resolve) => merchant.close(resolve));
  const again = createTokens({ issuers: [issuer], operators: [], clock });
  await expect(again.customer(token)).rejects.toMatchObject({ code: "identity_unavailable" });
});

describe("an operator's token", () => {
  test("gives its tenant and name, and nothing else does", () => {
    expect(tokens.operator("operator-token-of-kestrel")).toMatchObject({
      scope: { kind: "tenant", tenantId: "kestrel" },
      operator: "otto",
    });
    for (const wrong of ["", OPERATOR_TOKEN.slice(1), `${OPERATOR_TOKEN}x`, OPERATOR_TOKEN.toUpperCase()]) {
      expect(tokens.operator(wrong)).toBeNull();
    }
  });
});

describe("a set-up that would let strangers in is refused", () => {
  const make =
    (issuers: IssuerConfiguration[], operatorToken = OPERATOR_TOKEN) =>
    () =>
      createTokens({ issuers, operators: [{ tenantId: "n", name: "o", token: operatorToken }], clock });
  const base = { tenantId: "n", issuer: "i", audience: "recourse" };
  test.each([
    ["one issuer for two tenants", make([NORTHWIND, { ...KESTREL, issuer: NORTHWIND.issuer }])],
    ["a short secret", make([{ ...base, secret: "x".repeat(31) }])],
    ["a public key as secret", make([{ ...base, secret: publicPem }])],
    ["no key", make([base])],
    ["two kinds of key", make([{ ...base, secret: NORTHWIND.secret, jwks }])],
    ["a short operator token", make([NORTHWIND], "short")],
  ])("%s", (_, create) => {
    expect(create).toThrow(expect.objectContaining({ code: "config_invalid" }));
  });
});
