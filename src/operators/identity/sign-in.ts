/**
 * Signing in and out, and what a person changes of their own: password, second factor, sessions. Everything here is
 * about a person, whichever tenants they work for.
 *
 * A session is a row and a signed cookie; each request reads the row, so that ending it counts at once. Signing in
 * always makes a new one, whatever cookie came with it.
 */
import { createHash } from "node:crypto";
import { ProblemError } from "../../kernel/errors.ts";
import type { OperatorId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { IdentityTx, Store } from "../../store/store.ts";
import type { Journal } from "../journal.ts";
import { createAttempts } from "./attempts.ts";
import {
  COOKIE_PREFIX,
  LIBRARY_PATH,
  type Library,
  libraryCode,
  SSO_PROVIDER,
  unexpected,
} from "./library.ts";
import { checkPassword, normalEmail } from "./passwords.ts";
import { AT_THE_DOOR, OF_CODES, OF_PASSWORDS, refusing } from "./refusals.ts";

/** What a browser is to be told: values of `Set-Cookie`. */
export type SetCookies = readonly string[];

export interface Session {
  readonly personId: OperatorId;
  readonly sessionId: string;
  readonly name: string;
  readonly email: string;
  readonly hasSecondFactor: boolean;
  /** Null for whoever signs in at the identity provider only. */
  readonly startedAtMs: number;
  /** A session in use is prolonged now and then. */
  readonly cookies: SetCookies;
}

export interface SessionEntry {
  readonly sessionId: string;
  readonly startedAtMs: number;
  readonly lastUsedAtMs: number;
}

export interface SecondFactorStart {
  /** `otpauth://…`, for a QR code. */
  readonly uri: string;
  /** Base32, for typing. */
  readonly secret: string;
  /** Shown once; each works once. */
  readonly recoveryCodes: readonly string[];
}

/** `cookie` is the request's `Cookie` header, or undefined. */
export interface SignIn {
  /** @throws ProblemError `sign_in_failed`, `sign_in_locked` */
  signIn(
    email: string,
    password: string,
  ): Promise<{ readonly next: "done" | "second_factor"; readonly cookies: SetCookies }>;
  /** A code of the app, or a recovery code. @throws ProblemError `sign_in_failed`, `sign_in_locked`, `session_ended` */
  secondFactor(cookie: string | undefined, code: string): Promise<SetCookies>;
  /** Null when nobody is signed in. */
  session(cookie: string | undefined): Promise<Session | null>;
  signOut(cookie: string | undefined): Promise<SetCookies>;
  /** Ends all other sessions. @throws ProblemError `sign_in_failed`, `sign_in_locked`, `password_weak`, `session_ended` */
  changePassword(cookie: string | undefined, current: string, next: string): Promise<SetCookies>;
  /** @throws ProblemError `sign_in_failed`, `sign_in_locked`, `session_ended` */
  startSecondFactor(cookie: string | undefined, password: string): Promise<SecondFactorStart>;
  /** @throws ProblemError `sign_in_failed`, `session_ended` */
  confirmSecondFactor(cookie: string | undefined, code: string): Promise<SetCookies>;
  /** @throws ProblemError `sign_in_failed`, `sign_in_locked`, `session_ended` */
  removeSecondFactor(cookie: string | undefined, password: string): Promise<SetCookies>;
  sessions(personId: OperatorId): Promise<readonly SessionEntry[]>;
  endSession(personId: OperatorId, sessionId: string): Promise<void>;
  /** Null when no identity provider is configured. */
  readonly singleSignOn: SingleSignOnWay | null;
}

export interface SingleSignOnWay {
  readonly name: string;
  /** Where the browser goes. @throws ProblemError `identity_unavailable` */
  begin(): Promise<{ readonly url: string; readonly cookies: SetCookies }>;
  /** The provider's answer: the address of this request. @throws ProblemError `sign_in_failed` */
  finish(url: string, cookie: string | undefined): Promise<SetCookies>;
}

export interface SignInParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Loads at the first call, and once. */
  readonly library: () => Promise<Library>;
  readonly singleSignOnName: string | null;
  readonly journal: Journal;
  readonly onError: (error: unknown, about: string) => void;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { store, clock, library, journal } = parts;
  const attempts = createAttempts(store, clock);

  async function current(cookie: string | undefined): Promise<Session> {
    const session = await self.session(cookie);
    if (session === null) throw new ProblemError("session_ended");
    return session;
  }

  /** For what asks for the password again: it may be guessed here as little as at the door. */
  async function counted<T>(cookie: string | undefined, call: () => Promise<T>): Promise<T> {
    const { email } = await current(cookie);
    const answer = await guessed(email, call);
    await attempts.succeeded(email);
    return answer;
  }

  /** Somebody is in: failures before it are forgotten, it is recorded, and sessions that are over are swept away. */
  async function opened(email: string): Promise<void> {
    await attempts.succeeded(email);
    await journal.record({ email }, "operator.signed_in");
    await store.identify((tx) =>
      tx.deleteFrom("identity_sessions").where("expires_at", "<=", new Date(clock.now())).execute(),
    );
  }

  /** One attempt with what `email` knows; the one that locks it is recorded. */
  async function guessed<T>(email: string, call: () => Promise<T>): Promise<T> {
    const { isLast } = await attempts.begin(email);
    try {
      return await call();
    } catch (error) {
      // Not waited for: an address that nobody has must not be answered sooner.
      if (isLast) {
        void journal
          .record({ email }, "operator.sign_in_locked")
          .catch((failure: unknown) => parts.onError(failure, "the record of a locked address"));
      }
      throw error;
    }
  }

  const self: SignIn = {
    async signIn(typed, password) {
      const email = normalEmail(typed);
      const auth = await library();
      const { headers, response } = await guessed(email, () =>
        refusing(AT_THE_DOOR, () =>
          auth.api.signInEmail({ body: { email, password }, headers: new Headers(), returnHeaders: true }),
        ),
      );
      const next = "twoFactorRedirect" in response ? "second_factor" : "done";
      // With a second factor the password alone has not succeeded yet.
      if (next === "done") await opened(email);
      return { next, cookies: headers.getSetCookie() };
    },

    async secondFactor(cookie, typed) {
      const auth = await library();
      const code = typed.replace(/\s+/g, "");
      // Only what the password's answer set: a session that is there already is not what is being opened.
      const waiting = headersOf(cookie, (name) => name.endsWith(`${COOKIE_PREFIX}.two_factor`));
      const isAppCode = /^\d{6}$/.test(code);
      const { headers, response } = await refusing(OF_CODES, () =>
        isAppCode
          ? auth.api.verifyTOTP({ body: { code }, headers: waiting, returnHeaders: true })
          : auth.api.verifyBackupCode({ body: { code }, headers: waiting, returnHeaders: true }),
      );
      const { token, user } = response as { token: string; user: { id: string; email: string } };
      if (isAppCode && !(await firstUse(store, user.id, code, clock.now()))) {
        await store.identify((tx) => tx.deleteFrom("identity_sessions").where("token", "=", token).execute());
        throw new ProblemError("sign_in_failed", "This code was used already.", {
          next: "Wait for the next code of your app, and start again with the password.",
        });
      }
      await opened(user.email);
      return headers.getSetCookie();
    },

    async session(cookie) {
      if (cookie === undefined || !cookie.includes(`${COOKIE_PREFIX}.session_token`)) return null;
      const auth = await library();
      const { headers, response } = await auth.api
        .getSession({ headers: headersOf(cookie), returnHeaders: true })
        .catch((error: unknown) => Promise.reject(unexpected(error)));
      if (response === null) return null;
      const { session, user } = response;
      if (clock.now() - session.createdAt.getTime() > LIMITS.sessionMaxMs) {
        await self.endSession(user.id as OperatorId, session.id);
        return null;
      }
      return {
        personId: user.id as OperatorId,
        sessionId: session.id,
        name: user.name,
        email: user.email,
        hasSecondFactor: user.twoFactorEnabled === true,
        startedAtMs: session.createdAt.getTime(),
        cookies: headers.getSetCookie(),
      };
    },

    async signOut(cookie) {
      const session = await self.session(cookie);
      if (session !== null) await journal.record({ id: session.personId }, "operator.signed_out");
      const auth = await library();
      const { headers } = await auth.api.signOut({ headers: headersOf(cookie), returnHeaders: true });
      return headers.getSetCookie();
    },

    async changePassword(cookie, currentPassword, newPassword) {
      const { personId, email, name } = await current(cookie);
      checkPassword(newPassword, { email, name });
      const auth = await library();
      const { headers } = await counted(cookie, () =>
        refusing(OF_PASSWORDS, () =>
          auth.api.changePassword({
            body: { currentPassword, newPassword, revokeOtherSessions: true },
            headers: headersOf(cookie),
            returnHeaders: true,
          }),
        ),
      );
      await journal.record({ id: personId }, "operator.password_changed");
      return headers.getSetCookie();
    },

    async startSecondFactor(cookie, password) {
      const auth = await library();
      const answer = await counted(cookie, () =>
        refusing(OF_PASSWORDS, () =>
          auth.api.enableTwoFactor({ body: { password, method: "totp" }, headers: headersOf(cookie) }),
        ),
      );
      if (answer.method !== "totp") throw new Error("asked for an app's codes");
      return {
        uri: answer.totpURI,
        secret: new URL(answer.totpURI).searchParams.get("secret") ?? "",
        recoveryCodes: answer.backupCodes,
      };
    },

    async confirmSecondFactor(cookie, typed) {
      const { personId } = await current(cookie);
      const auth = await library();
      const code = typed.replace(/\s+/g, "");
      const { headers } = await refusing(OF_CODES, () =>
        auth.api.verifyTOTP({ body: { code }, headers: headersOf(cookie), returnHeaders: true }),
      );
      // The code that confirmed it opens no session either.
      await firstUse(store, personId, code, clock.now());
      await journal.record({ id: personId }, "operator.second_factor_set");
      return headers.getSetCookie();
    },

    async removeSecondFactor(cookie, password) {
      const { personId } = await current(cookie);
      const auth = await library();
      const { headers } = await counted(cookie, () =>
        refusing(OF_PASSWORDS, () =>
          auth.api.disableTwoFactor({ body: { password }, headers: headersOf(cookie), returnHeaders: true }),
        ),
      );
      await journal.record({ id: personId }, "operator.second_factor_removed");
      return headers.getSetCookie();
    },

    sessions: (personId) =>
      store.identify(async (tx) => {
        const rows = await tx
          .selectFrom("identity_sessions")
          .select(["id", "created_at", "updated_at"])
          .where("user_id", "=", personId)
          .where("expires_at", ">", new Date(clock.now()))
          .orderBy("created_at", "desc")
          .execute();
        return rows.map((row) => ({
          sessionId: row.id,
          startedAtMs: row.created_at.getTime(),
          lastUsedAtMs: row.updated_at.getTime(),
        }));
      }),

    endSession: (personId, sessionId) =>
      store.identify(async (tx) => {
        await tx
          .deleteFrom("identity_sessions")
          .where("id", "=", sessionId)
          .where("user_id", "=", personId)
          .execute();
      }),

    singleSignOn:
      parts.singleSignOnName === null
        ? null
        : singleSignOn(parts.singleSignOnName, library, async (cookies) => {
            const session = await self.session(cookies);
            if (session !== null) await opened(session.email);
          }),
  };
  return self;
}

/** Signing in at the company's identity provider; the library checks state, nonce, signature and issuer. */
function singleSignOn(
  name: string,
  library: () => Promise<Library>,
  opened: (cookie: string) => Promise<void>,
): SingleSignOnWay {
  const failed = (why: string) => new ProblemError("sign_in_failed", why);
  return {
    name,
    async begin() {
      const auth = await library();
      try {
        const { headers, response } = await auth.api.signInSocial({
          body: { provider: SSO_PROVIDER, callbackURL: "/", errorCallbackURL: `${LIBRARY_PATH}/refused` },
          headers: new Headers(),
          returnHeaders: true,
        });
        if (response.url === undefined) throw new Error("an identity provider has an address");
        return { url: response.url, cookies: headers.getSetCookie() };
      } catch (error) {
        if (libraryCode(error) === null) throw error;
        throw new ProblemError("identity_unavailable", `${name} cannot be reached.`, { cause: error });
      }
    },
    async finish(url, cookie) {
      const auth = await library();
      const answer = await auth.handler(new Request(url, { headers: headersOf(cookie) }));
      const to = answer.headers.get("location");
      // It answers with a redirect, to the page that was asked for or to one that names what is wrong.
      if (answer.status !== 302 || to === null || to.includes("error=")) {
        const why = to === null ? null : new URL(to, url).searchParams.get("error");
        throw why === "signup_disabled" || why === "account_not_linked"
          ? failed("Nobody here has this address. Ask an admin of your team for an invitation.")
          : failed(`${name} did not confirm who you are.`);
      }
      const cookies = answer.headers.getSetCookie();
      await opened(cookies.map((each) => each.split(";")[0]).join("; "));
      return cookies;
    },
  };
}

/** False when the code was used within the time in which it could be valid. One statement: of two at once, one is first. */
async function firstUse(store: Store, personId: string, code: string, nowMs: number): Promise<boolean> {
  return store.identify(async (tx: IdentityTx) => {
    const overMs = nowMs - LIMITS.usedCodeMs;
    await tx.deleteFrom("identity_used_codes").where("used_at_ms", "<", overMs).execute();
    const row = await tx
      .insertInto("identity_used_codes")
      .values({
        user_id: personId,
        code_hash: createHash("sha256").update(code).digest("hex"),
        used_at_ms: nowMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("user_id")
      .executeTakeFirst();
    return row !== undefined;
  });
}

/** The request's cookies, or only those whose name fits. */
function headersOf(cookie: string | undefined, fits: (name: string) => boolean = () => true): Headers {
  const kept = (cookie ?? "")
    .split(/;\s*/)
    .filter((each) => each !== "" && fits(each.split("=")[0] ?? ""))
    .join("; ");
  return new Headers(kept === "" ? {} : { cookie: kept });
}
