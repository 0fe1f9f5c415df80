/** Which browsers may call: an allow list of origins. None is allowed unless it is configured. */

export interface Origins {
  /** CORS headers of an answer. */
  headersFor(origin: string | undefined): Record<string, string>;
  /** CORS headers of the answer to a preflight request. */
  preflight(origin: string | undefined, methods: string): Record<string, string>;
  /**
   * Whether a WebSocket may be opened: browsers send their origin but do not check it. Clients that
   * send none are no browsers; pages of this server itself may.
   */
  mayConnect(origin: string | undefined, host: string | undefined): boolean;
}

const EXPOSED = "retry-after, ratelimit, ratelimit-policy, x-request-id, location, idempotent-replayed";
const ACCEPTED = "authorization, content-type, last-event-id, x-request-id";
const PREFLIGHT_SECONDS = "600";

/** Entries are origins; `http://localhost:*` stands for any port; `*` for any origin. */
export function createOrigins(allowed: readonly string[]): Origins {
  const exact = new Set(allowed.filter((origin) => !origin.endsWith(":*")));
  const anyPort = allowed.filter((origin) => origin.endsWith(":*")).map((origin) => origin.slice(0, -1));
  const isAllowed = (origin: string): boolean =>
    exact.has(origin) ||
    (exact.has("*") && origin !== "null") ||
    anyPort.some(
      (start) =>
        origin === start.slice(0, -1) ||
        (origin.startsWith(start) && /^\d+$/.test(origin.slice(start.length))),
    );
  const vary: Record<string, string> = allowed.length === 0 ? {} : { vary: "origin" };
  return {
    headersFor: (origin) =>
      origin === undefined || !isAllowed(origin)
        ? { ...vary }
        : { ...vary, "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED },
    preflight: (origin, methods) =>
      origin === undefined || !isAllowed(origin)
        ? {}
        : {
            "access-control-allow-methods": methods,
            "access-control-allow-headers": ACCEPTED,
            "access-control-max-age": PREFLIGHT_SECONDS,
          },
    mayConnect(origin, host) {
      if (origin === undefined || isAllowed(origin)) return true;
      try {
        return new URL(origin).host === host;
      } catch {
        return false;
      }
    },
  };
}
