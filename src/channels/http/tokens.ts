/**
 * Who is asking, from a bearer token.
 *
 * A customer's token is a JWT that the merchant signed. Its `iss` chooses the tenant (looked at
 * before the signature is checked, only to find the key), and the kind of key pins the algorithms:
 * a shared secret takes HS256 only, a key set takes asymmetric ones only, so that neither `none` nor
 * a public key used as a secret gets in. Nothing in a token but `iss` and `sub` says who it is.
 *
 * An operator's token is a secret from the configuration, compared in constant time.
 */
import { createHash, createSecretKey, timingSafeEqual } from "node:crypto";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type JWTVerifyResult,
  jwtVerify,
} from "jose";
import { ProblemError } from "../../kernel/errors.ts";
import type { CustomerId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import { type CustomerScope, customerScope, tenantScope } from "../../kernel/scope.ts";
import { isVisitor } from "../../kernel/visitor.ts";
import type { VerifiedOperator } from "../../operators/operator.ts";
import { permissionsOf } from "../../operators/permissions.ts";

export type { VerifiedOperator };

/** Whose signature makes a customer of which tenant. Exactly one of `secret`, `jwksUrl`, `jwks`. */
export interface IssuerConfiguration {
  readonly tenantId: string;
  /** The `iss` of the merchant's tokens; belongs to one tenant only. */
  readonly issuer: string;
  readonly audience: string;
  /** How sure its tokens make us; a merchant's make a customer known. */
  readonly assurance?: "anonymous" | "authenticated";
  /** Shared secret for HS256, at least 32 bytes. */
  readonly secret?: string;
  /** Where the merchant publishes public keys. */
  readonly jwksUrl?: string;
  /** The public keys themselves. */
  readonly jwks?: JSONWebKeySet;
}

export interface OperatorConfiguration {
  readonly tenantId: string;
  /** Who decisions are recorded for. */
  readonly name: string;
  readonly token: string;
}

export interface VerifiedCustomer {
  readonly scope: CustomerScope;
  readonly assurance: "anonymous" | "authenticated";
  /** When it was signed, as it says; else the earliest that it can have been. */
  readonly issuedAtMs: number;
  /** When a stream that this token opened must end. */
  readonly validUntilMs: number;
}

export interface Tokens {
  /** @throws ProblemError `token_invalid`, `token_expired`, `identity_unavailable` */
  customer(token: string): Promise<VerifiedCustomer>;
  /** Null when it is not an operator's token. */
  operator(token: string): VerifiedOperator | null;
}

const ASYMMETRIC = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const SECRET_BYTES_MIN = 32;
const OPERATOR_TOKEN_CHARS_MIN = 16;
/** Visible characters only: an ID is compared, logged and stored. */
const SUBJECT = /^[^\p{C}\p{Z}]+$/u;

type Verify = (token: string, currentDate: Date) => Promise<JWTVerifyResult>;

/**
 * @throws ProblemError `config_invalid` for an issuer of two tenants, a weak secret or a short operator token
 */
export function createTokens(parts: {
  readonly issuers: readonly IssuerConfiguration[];
  readonly operators: readonly OperatorConfiguration[];
  readonly clock: Clock;
}): Tokens {
  const { clock } = parts;
  const issuers = new Map<
    string,
    { tenantId: TenantId; verify: Verify; assurance: VerifiedCustomer["assurance"] }
  >();
  for (const issuer of parts.issuers) {
    if (issuers.has(issuer.issuer)) {
      throw new ProblemError("config_invalid", `The issuer ${issuer.issuer} is configured twice.`, {
        next: "Give each tenant an issuer of its own: the issuer says whose customer it is.",
      });
    }
    issuers.set(issuer.issuer, {
      tenantId: issuer.tenantId as TenantId,
      verify: verifierOf(issuer),
      assurance: issuer.assurance ?? "authenticated",
    });
  }
  const operators = parts.operators.map((operator) => {
    if (operator.token.length < OPERATOR_TOKEN_CHARS_MIN) {
      throw new ProblemError(
        "config_invalid",
        `The operator token of ${operator.tenantId} has fewer than ${OPERATOR_TOKEN_CHARS_MIN} characters.`,
        { next: "Make one with `openssl rand -hex 32`." },
      );
    }
    const verified: VerifiedOperator = {
      scope: tenantScope(operator.tenantId as TenantId),
      operator: operator.name,
      id: null,
      name: operator.name,
      role: "admin",
      by: "token",
      permissions: permissionsOf("admin"),
    };
    return { digest: digestOf(operator.token), verified };
  });
  const cache = new RecentTokens();

  return {
    async customer(token) {
      if (token.length > LIMITS.tokenBytes) throw invalid("The token is longer than any token may be.");
      const nowMs = clock.now();
      const key = digestOf(token).toString("base64");
      const known = cache.get(key, nowMs);
      if (known !== undefined) return known;
      const issuer = issuers.get(issuerOf(token));
      if (issuer === undefined) throw invalid("Its `iss` is not an issuer that this server knows.");
      const { payload } = await issuer
        .verify(token, new Date(nowMs))
        .catch((error: unknown) => Promise.reject(refusal(error)));
      const expMs = (payload.exp ?? 0) * 1_000;
      if (expMs - nowMs > LIMITS.tokenLifetimeMs + LIMITS.tokenClockToleranceMs) {
        throw invalid(`Its \`exp\` is more than ${LIMITS.tokenLifetimeMs / 3_600_000} hours away.`);
      }
      const subject = payload.sub;
      if (
        typeof subject !== "string" ||
        subject.length > LIMITS.subjectChars ||
        subject === "*" ||
        !subject.isWellFormed() ||
        !SUBJECT.test(subject)
      ) {
        throw invalid(`Its \`sub\` is not a customer ID of 1 to ${LIMITS.subjectChars} visible characters.`);
      }
      // A merchant's customer is no visitor, and a visitor is nobody's customer, whatever a token says.
      if (isVisitor(subject) !== (issuer.assurance === "anonymous")) {
        throw invalid("Its `sub` has the form of another kind of customer.");
      }
      const validUntilMs = expMs + LIMITS.tokenClockToleranceMs;
      const verified: VerifiedCustomer = {
        scope: customerScope(issuer.tenantId, subject as CustomerId),
        assurance: issuer.assurance,
        issuedAtMs: typeof payload.iat === "number" ? payload.iat * 1_000 : expMs - LIMITS.tokenLifetimeMs,
        validUntilMs,
      };
      cache.set(key, verified, Math.min(validUntilMs, nowMs + LIMITS.tokenCacheMs));
      return verified;
    },

    operator(token) {
      const digest = digestOf(token);
      let found: VerifiedOperator | null = null;
      // All are compared, so that the time says nothing about which matched.
      for (const operator of operators) {
        if (timingSafeEqual(operator.digest, digest)) found = operator.verified;
      }
      return found;
    },
  };
}

function verifierOf(issuer: IssuerConfiguration): Verify {
  const { secret, jwksUrl, jwks } = issuer;
  const ways = [secret, jwksUrl, jwks].filter((way) => way !== undefined);
  if (ways.length !== 1) {
    throw new ProblemError(
      "config_invalid",
      `The issuer ${issuer.issuer} needs either a secret or the URL of its keys.`,
      { next: "Set jwks_url for it, or RECOURSE_JWT_SECRET_<TENANT>; not both." },
    );
  }
  const claims = {
    issuer: issuer.issuer,
    audience: issuer.audience,
    requiredClaims: ["exp", "sub"],
    clockTolerance: LIMITS.tokenClockToleranceMs / 1_000,
  };
  if (secret !== undefined) {
    if (Buffer.byteLength(secret) < SECRET_BYTES_MIN || secret.includes("-----BEGIN")) {
      throw new ProblemError(
        "config_invalid",
        `The shared secret of ${issuer.issuer} must have at least ${SECRET_BYTES_MIN} bytes and not be a public key.`,
        { next: "Make one with `openssl rand -hex 32`; publish public keys by jwks_url." },
      );
    }
    const key = createSecretKey(Buffer.from(secret));
    return (token, currentDate) => jwtVerify(token, key, { ...claims, algorithms: ["HS256"], currentDate });
  }
  const keys: JWTVerifyGetKey =
    jwks !== undefined
      ? createLocalJWKSet(jwks)
      : createRemoteJWKSet(new URL(jwksUrl ?? ""), { timeoutDuration: 5_000, cooldownDuration: 30_000 });
  return (token, currentDate) => jwtVerify(token, keys, { ...claims, algorithms: ASYMMETRIC, currentDate });
}

/** The unverified `iss`, used only to choose the key that must then verify it. */
function issuerOf(token: string): string {
  try {
    const { iss } = decodeJwt(token);
    if (typeof iss === "string") return iss;
  } catch {
    throw invalid("It is not a JWT.");
  }
  throw invalid("It has no `iss`.");
}

function refusal(error: unknown): ProblemError {
  if (error instanceof errors.JWTExpired) return new ProblemError("token_expired");
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalid(`Its claim \`${error.claim}\` is missing or does not fit.`);
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return invalid("Its `alg` is not one that this issuer's key may be used with.");
  }
  if (error instanceof errors.JWKSNoMatchingKey) return invalid("No key of its issuer has its `kid`.");
  if (error instanceof errors.JWSSignatureVerificationFailed) return invalid("Its signature does not fit.");
  const { code } = error as { code?: string };
  // A key set that cannot be fetched or read is not the token's fault.
  if (error instanceof errors.JWKSTimeout || code === "ERR_JOSE_GENERIC" || code === "ERR_JWKS_INVALID") {
    return new ProblemError("identity_unavailable", undefined, { retryAfterMs: 5_000, cause: error });
  }
  if (error instanceof errors.JOSEError) return invalid("It is not a signed JWT that can be verified.");
  if (error instanceof TypeError && error.cause !== undefined) {
    return new ProblemError("identity_unavailable", undefined, { retryAfterMs: 5_000, cause: error });
  }
  return invalid("It is not a signed JWT that can be verified.");
}

const invalid = (why: string) => new ProblemError("token_invalid", `The access token is not valid. ${why}`);

const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Signatures verified lately, by the token's hash; the oldest goes when it is full. */
class RecentTokens {
  readonly #entries = new Map<string, { verified: VerifiedCustomer; untilMs: number }>();

  get(key: string, nowMs: number): VerifiedCustomer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (nowMs < entry.untilMs) return entry.verified;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, verified: VerifiedCustomer, untilMs: number): void {
    if (this.#entries.size >= LIMITS.tokenCacheEntries) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, { verified, untilMs });
  }
}
