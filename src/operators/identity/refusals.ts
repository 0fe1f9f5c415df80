/** What the library's codes mean to whoever signs in. Codes that are not here are defects. Pure. */
import { type ErrorCode, ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { libraryCode, unexpected } from "./library.ts";

interface Refusal {
  readonly code: ErrorCode;
  readonly message?: string;
  readonly retryAfterMs?: number;
}
export type Refusals = Readonly<Record<string, Refusal>>;

const ENDED: Refusal = { code: "session_ended" };
const WRONG: Refusal = { code: "sign_in_failed" };
const wrong = (message: string): Refusal => ({ ...WRONG, message });

/** An unknown address and a wrong password are the same. */
export const AT_THE_DOOR: Refusals = {
  INVALID_EMAIL_OR_PASSWORD: WRONG,
  INVALID_EMAIL: WRONG,
  PASSWORD_TOO_LONG: WRONG,
};

export const OF_PASSWORDS: Refusals = {
  INVALID_PASSWORD: wrong("The password is wrong."),
  CREDENTIAL_ACCOUNT_NOT_FOUND: wrong("You have no password here: you sign in at your company."),
  TOTP_ALREADY_ENABLED: wrong("There is a second factor already: remove it first."),
  UNAUTHORIZED: ENDED,
};

export const OF_CODES: Refusals = {
  INVALID_CODE: wrong("The code is wrong, or is not valid any more."),
  INVALID_BACKUP_CODE: wrong("The code is wrong, or was used already."),
  INVALID_TWO_FACTOR_COOKIE: { ...ENDED, message: "The time for the code is over." },
  TOTP_NOT_ENABLED: wrong("There is no second factor to confirm."),
  BACKUP_CODES_NOT_ENABLED: WRONG,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
    ...ENDED,
    message: "Too many codes were wrong: start again with the password.",
  },
  ACCOUNT_TEMPORARILY_LOCKED: { code: "sign_in_locked", retryAfterMs: LIMITS.signInLockMs },
  UNAUTHORIZED: ENDED,
};

/** Runs one of the library's calls. @throws ProblemError one of `refusals`, or `internal` */
export async function refusing<T>(refusals: Refusals, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const refusal = refusals[libraryCode(error) ?? ""];
    if (refusal === undefined) throw unexpected(error);
    const { code, message, retryAfterMs } = refusal;
    throw new ProblemError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs });
  }
}
