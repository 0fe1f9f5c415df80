/**
 * From any error to RFC 9457 problem details. An expected error says what happened and what to do
 * next; anything else becomes `internal`, says nothing of its inside, and is logged.
 */
import { ERROR_CODES } from "../../kernel/error-codes.ts";
import { type ErrorCode, ProblemError } from "../../kernel/errors.ts";

/** `application/problem+json`. */
export interface ProblemDocument {
  /** Page of the code: `<base>/docs/errors#<code>`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  /** What to do now. */
  readonly next: string;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
}

export interface FieldError {
  /** `text`, `items.0.quantity`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** Extra members must not replace the standard ones. */
const STANDARD = new Set(["type", "title", "status", "detail", "code", "next", "request_id"]);

export function problemDocument(error: ProblemError, baseUrl: string, requestId: string): ProblemDocument {
  const extra = Object.fromEntries(Object.entries(error.details).filter(([name]) => !STANDARD.has(name)));
  return {
    type: problemType(baseUrl, error.code),
    title: ERROR_CODES[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    next: error.next,
    request_id: requestId,
    ...extra,
  };
}

export const problemType = (baseUrl: string, code: ErrorCode): string => `${baseUrl}/docs/errors#${code}`;

/** Headers that a problem needs beside its body. */
export function problemHeaders(error: ProblemError): Record<string, string> {
  return {
    "content-type": "application/problem+json",
    ...(error.retryAfterMs === undefined
      ? {}
      : { "retry-after": String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000))) }),
    ...(error.status === 401 && error.code !== "webhook_signature_invalid"
      ? { "www-authenticate": challenge(error.code) }
      : {}),
  };
}

function challenge(code: ErrorCode): string {
  // RFC 6750: no error code when there was no token at all.
  return code === "token_missing"
    ? 'Bearer realm="recourse"'
    : `Bearer realm="recourse", error="invalid_token", error_description="${code}"`;
}

/** The error as it may be shown: itself when expected, `internal` otherwise. */
export function asProblem(error: unknown): ProblemError {
  return error instanceof ProblemError ? error : new ProblemError("internal", undefined, { cause: error });
}

/** Errors of set-up and defects carry texts for operators: their details stay in the log. */
export function presentable(error: ProblemError): ProblemError {
  const forOperators = error.status === 500;
  return forOperators && error.code !== "internal"
    ? new ProblemError("internal", undefined, { cause: error })
    : error;
}
