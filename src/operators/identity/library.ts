/**
 * better-auth over our store: passwords (scrypt), sessions, second factors, single sign-on. It is loaded when somebody
 * first signs in (0.3 s and 50 MB, measured), not while the server starts.
 *
 * None of its routes is served: `sign-in.ts` calls it, so that each way in has our guard, limits and audit.
 * The one exception is the way back from an identity provider, which is its own handler.
 */
import type { BetterAuthOptions } from "better-auth";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Database } from "../../store/database.ts";
import { identityKysely } from "../../store/identity.ts";

/** The company's identity provider. */
export interface SingleSignOn {
  /** Shown on the button. */
  readonly name: string;
  /** OpenID Connect issuer; its discovery document is read. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface LibraryParts {
  readonly database: Database;
  /** At least 32 bytes; signs cookies and encrypts second factors. */
  readonly secret: string;
  /** Where people reach this server. */
  readonly baseUrl: string;
  readonly singleSignOn: SingleSignOn | null;
  readonly newRowId: () => string;
  readonly onError: (error: unknown, about: string) => void;
}

/** The name of the identity provider in our tables and in its callback's path. */
export const SSO_PROVIDER = "sso";
export const COOKIE_PREFIX = "recourse";
/** Its paths start here; only the callback's is served. */
export const LIBRARY_PATH = "/auth";

export type Library = Awaited<ReturnType<typeof loadLibrary>>;

export async function loadLibrary(parts: LibraryParts) {
  const [{ betterAuth }, { twoFactor }, { genericOAuth }] = await Promise.all([
    import("better-auth"),
    import("better-auth/plugins/two-factor"),
    import("better-auth/plugins/generic-oauth"),
  ]);
  const { singleSignOn } = parts;
  const options = {
    appName: "Recourse",
    baseURL: parts.baseUrl,
    basePath: LIBRARY_PATH,
    secret: parts.secret,
    telemetry: { enabled: false },
    // Its messages may name an address; its arguments may hold more. What went wrong is told by our own errors.
    logger: {
      level: "error",
      log: (_level: string, message: string) => parts.onError(new Error(message.slice(0, 200)), "signing in"),
    },
    database: { db: identityKysely(parts.database), type: "postgres", transaction: true },
    emailAndPassword: {
      enabled: true,
      // People come by invitation only.
      disableSignUp: true,
      minPasswordLength: LIMITS.passwordCharsMin,
      maxPasswordLength: LIMITS.passwordCharsMax,
    },
    user: {
      modelName: "identity_users",
      fields: { emailVerified: "email_verified", createdAt: "created_at", updatedAt: "updated_at" },
    },
    session: {
      modelName: "identity_sessions",
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
      expiresIn: LIMITS.sessionIdleMs / 1_000,
      updateAge: 1_800,
      // Ended sessions and roles that were taken away must count at once.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: "identity_accounts",
      fields: {
        userId: "user_id",
        providerId: "provider_id",
        accountId: "account_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
      encryptOAuthTokens: true,
      // The deployment names its provider: whom it vouches for under an invited address is that person.
      accountLinking: { enabled: true, trustedProviders: [SSO_PROVIDER], requireLocalEmailVerified: false },
    },
    verification: {
      modelName: "identity_verifications",
      fields: { expiresAt: "expires_at", createdAt: "created_at", updatedAt: "updated_at" },
    },
    // Ours are in the database and count whoever calls.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: parts.baseUrl.startsWith("https://"),
      database: { generateId: () => parts.newRowId(), validateSchema: false },
      ipAddress: { disableIpTracking: true },
    },
    plugins: [
      twoFactor({
        issuer: "Recourse",
        twoFactorCookieMaxAge: LIMITS.secondFactorWaitMs / 1_000,
        accountLockout: {
          maxFailedAttempts: LIMITS.signInFailures,
          durationSeconds: LIMITS.signInLockMs / 1_000,
        },
        schema: {
          user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
          twoFactor: {
            modelName: "identity_second_factors",
            fields: {
              userId: "user_id",
              backupCodes: "backup_codes",
              failedVerificationCount: "failed_verification_count",
              lockedUntil: "locked_until",
              secret: "secret",
              verified: "verified",
            },
          },
        },
      }),
      genericOAuth({
        config:
          singleSignOn === null
            ? []
            : [
                {
                  providerId: SSO_PROVIDER,
                  name: singleSignOn.name,
                  discoveryUrl: `${singleSignOn.issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`,
                  clientId: singleSignOn.clientId,
                  clientSecret: singleSignOn.clientSecret,
                  scopes: ["openid", "email", "profile"],
                  requireIdTokenVerification: true,
                  disableSignUp: true,
                },
              ],
      }),
    ],
  } satisfies BetterAuthOptions;
  return betterAuth(options);
}

/** Codes of the library's errors; anything that is not one of its errors is a defect or an outage. */
export function libraryCode(error: unknown): string | null {
  const { name, body } = error as { name?: string; body?: { code?: string } };
  return name === "APIError" ? (body?.code ?? "UNKNOWN") : null;
}

/** An error of the library that was not expected at this place. */
export const unexpected = (error: unknown): unknown =>
  libraryCode(error) === null || error instanceof ProblemError
    ? error
    : new ProblemError("internal", undefined, { cause: error });
