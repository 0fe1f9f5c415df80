/**
 * Errors with a stable code. The catalogue in `error-codes.ts` gives each code its HTTP status, title
 * and next step; the page `docs/errors.md` is generated from it.
 */
import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";

export type { ErrorCode };

/**
 * An expected failure that may be shown to whoever asked: what happened (`message`), a stable `code`,
 * and what to do (`next`). `details` are extra members of the problem document; never secrets.
 */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ErrorCode;
  readonly next: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message?: string,
    extra: { next?: string; details?: Record<string, unknown>; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message ?? ERROR_CODES[code].title, { cause: extra.cause });
    this.code = code;
    this.next = extra.next ?? ERROR_CODES[code].next;
    this.details = extra.details ?? {};
    this.retryAfterMs = extra.retryAfterMs;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** For `switch` arms that cannot be: the compiler proves it, and a wrong cast is loud at run time. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** States what can't be otherwise. A failure is a defect of ours, not an operating error. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${what}`);
}
