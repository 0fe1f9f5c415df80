/** What can be wrong with an answer of a model, and what that means for the next attempt. */

export const FAULT_KINDS = {
  /** 429. */
  rate_limited: { mayPass: true, isOfProvider: false },
  /** 5xx, a refused or broken connection, an answer that is not of the protocol. */
  unavailable: { mayPass: true, isOfProvider: true },
  timeout: { mayPass: false, isOfProvider: true },
  /** The stream ended before the answer did. */
  truncated: { mayPass: true, isOfProvider: true },
  /** Neither text nor a call. */
  empty: { mayPass: true, isOfProvider: false },
  /** Longer than anything a customer should read; cut off. */
  too_long: { mayPass: false, isOfProvider: false },
  /** The same words again and again; cut off. */
  repetitive: { mayPass: false, isOfProvider: false },
  content_filter: { mayPass: false, isOfProvider: false },
  context_overflow: { mayPass: false, isOfProvider: false },
  /** 401, 403, 402: a key that is wrong, or an account without means. */
  refused: { mayPass: false, isOfProvider: true },
  /** Any other 4xx: this model does not take such a question. */
  invalid_question: { mayPass: false, isOfProvider: false },
  /** This server tells no log-probabilities for such a question: it is asked without from then on. */
  no_logprobs: { mayPass: false, isOfProvider: false },
  over_budget: { mayPass: false, isOfProvider: false },
  /** Not asked: the circuit breaker is open, or a `Retry-After` runs. */
  left_alone: { mayPass: false, isOfProvider: false },
} as const;
export type FaultKind = keyof typeof FAULT_KINDS;

export interface UsedTokens {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

/** For our log and our own decisions only: its text may quote a provider, and no customer or model sees it. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly kind: FaultKind;
  readonly retryAfterMs: number | null;
  /** Characters of the answer that had come. */
  readonly characters: number;
  readonly usage: UsedTokens | null;

  constructor(
    kind: FaultKind,
    message: string,
    more: {
      retryAfterMs?: number | null;
      characters?: number;
      usage?: UsedTokens | null;
      cause?: unknown;
    } = {},
  ) {
    super(`${kind}: ${message.slice(0, 300)}`, { cause: more.cause });
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.characters = more.characters ?? 0;
    this.usage = more.usage ?? null;
  }

  /** Worth another attempt at the same model. */
  get mayPass(): boolean {
    return FAULT_KINDS[this.kind].mayPass;
  }

  /** Counts against the provider. */
  get isOfProvider(): boolean {
    return FAULT_KINDS[this.kind].isOfProvider;
  }

  /** The fault of a whole chain: the first model's, which was meant to answer, with all in its text. */
  static ofAll(faults: readonly ModelFault[]): ModelFault {
    const [first] = faults;
    if (first === undefined) return new ModelFault("unavailable", "no model is configured");
    return faults.length === 1
      ? first
      : new ModelFault(first.kind, faults.map(({ message }) => message).join("; "), { cause: first });
  }
}

const OVERFLOW =
  /context.{0,20}(length|window|size)|maximum context|too many tokens|prompt is too long|reduce the length/i;
const FILTERED = /content.?(filter|management|policy)|safety system|moderation/i;

/** A provider's refusal or a broken connection, as a fault. `headers` in lower case. */
export function faultOf(error: unknown, nowMs: number): ModelFault {
  const own = ownFault(error);
  if (own !== null) return own;
  const { statusCode, responseHeaders, responseBody, message, code } = plain(error);
  if (statusCode === null) {
    return new ModelFault("unavailable", code ?? message, { cause: error });
  }
  const said = `${message} ${responseBody}`;
  if (statusCode === 429) {
    // "Insufficient quota" is a 429 that waiting does not cure.
    if (/insufficient.?quota|billing/i.test(said))
      return new ModelFault("refused", message, { cause: error });
    return new ModelFault("rate_limited", message, {
      retryAfterMs: retryAfter(responseHeaders, nowMs),
      cause: error,
    });
  }
  if (statusCode === 408 || statusCode === 409 || statusCode >= 500) {
    return new ModelFault("unavailable", `${statusCode} ${message}`, {
      retryAfterMs: retryAfter(responseHeaders, nowMs),
      cause: error,
    });
  }
  if (statusCode === 401 || statusCode === 402 || statusCode === 403)
    return new ModelFault("refused", `${statusCode} ${message}`, { cause: error });
  if (statusCode === 413 || OVERFLOW.test(said))
    return new ModelFault("context_overflow", message, { cause: error });
  if (FILTERED.test(said)) return new ModelFault("content_filter", message, { cause: error });
  if (/logprobs/i.test(said)) return new ModelFault("no_logprobs", message, { cause: error });
  // A stream's first lines were fine, then something came that is not of the protocol.
  if (statusCode < 400) return new ModelFault("unavailable", message, { cause: error });
  return new ModelFault("invalid_question", `${statusCode} ${message}`, { cause: error });
}

const MOST_CAUSES = 5;

/** A fault of ours, however often a library has wrapped it. */
function ownFault(error: unknown): ModelFault | null {
  let at = error;
  for (let n = 0; n < MOST_CAUSES && at !== null && typeof at === "object"; n += 1) {
    if (at instanceof ModelFault) return at;
    at = (at as { cause?: unknown }).cause;
  }
  return null;
}

interface PlainError {
  readonly statusCode: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  readonly message: string;
  readonly code: string | null;
}

/** Errors of the library, of `fetch`, and error objects inside a stream, read defensively. */
function plain(error: unknown): PlainError {
  const one = (error ?? {}) as Record<string, unknown>;
  const cause = (one.cause ?? {}) as Record<string, unknown>;
  const status = [one.statusCode, one.status].find((value) => typeof value === "number");
  const code = [one.code, cause.code].find((value) => typeof value === "string");
  return {
    statusCode: (status as number | undefined) ?? null,
    responseHeaders: (one.responseHeaders ?? {}) as Record<string, string>,
    responseBody: typeof one.responseBody === "string" ? one.responseBody.slice(0, 2_000) : "",
    message: typeof one.message === "string" ? one.message : String(error).slice(0, 300),
    code: (code as string | undefined) ?? null,
  };
}

/** `Retry-After` in seconds or as a date, `retry-after-ms` as some send it; null when there is none. */
function retryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = headers["retry-after"];
  if (text === undefined || text.trim() === "") return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1_000 : null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
