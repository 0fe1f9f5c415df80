/** Stripe's errors: the body's shape, and the ones that several endpoints say. */

export interface StripeErrorMembers {
  readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly [member: string]: unknown;
}

/** An answer in Stripe's shape; thrown by whatever refuses, answered by the app. */
export class StripeError extends Error {
  override readonly name = "StripeError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: StripeErrorMembers };

  constructor(status: number, error: StripeErrorMembers, headers: Readonly<Record<string, string>> = {}) {
    super(error.message);
    this.status = status;
    this.headers = headers;
    const doc = error.code === undefined ? {} : { doc_url: docUrl(error.code) };
    this.body = { error: { ...error, ...doc } };
  }
}

const docUrl = (code: string): string => `https://docs.stripe.com/error-codes/${code.replaceAll("_", "-")}`;

export const invalid = (message: string, extra: { code?: string; param?: string } = {}): StripeError =>
  new StripeError(400, { type: "invalid_request_error", message, ...extra });

export const missing = (kind: string, id: string, param = "id"): StripeError =>
  new StripeError(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param,
  });

export const serverError = (): StripeError =>
  new StripeError(500, { type: "api_error", message: "An unknown error occurred" });

/** Nothing was carried out: the same request may be sent again. */
export const rateLimited = (retryAfterMs: number): StripeError =>
  new StripeError(
    429,
    {
      type: "invalid_request_error",
      code: "rate_limit",
      message: "Request rate limit exceeded. Back off and try again.",
    },
    {
      "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / 1000))),
      "Stripe-Rate-Limited-Reason": "global-rate",
      "Stripe-Should-Retry": "true",
    },
  );

export const unauthorized = (token: string): StripeError =>
  new StripeError(
    401,
    {
      type: "invalid_request_error",
      message:
        token === ""
          ? "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
          : `Invalid API Key provided: ${token.slice(0, 8)}${"*".repeat(Math.min(24, Math.max(0, token.length - 8)))}`,
    },
    { "WWW-Authenticate": 'Bearer realm="Stripe"' },
  );
