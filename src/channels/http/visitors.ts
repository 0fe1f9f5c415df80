/**
 * Visitors of a shop who have not signed in: they get a name nobody else has and a token for it, signed by this
 * server. It is good for conversations and for nothing that needs to know who they are.
 */
import { createHmac } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { isoInstant } from "../../kernel/calendar.ts";
import type { CustomerId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import { isVisitor, visitorId } from "../../kernel/visitor.ts";
import type { IssuerConfiguration } from "./tokens.ts";

export interface VisitorToken {
  readonly token: string;
  readonly visitor_id: string;
  /** RFC 3339. */
  readonly expires_at: string;
}

export interface Visitors {
  /** A token for a new visitor, or, with one that is not too old, a fresh one for the same. Null: no such tenant. */
  mint(tenant: string, before: string | null): Promise<VisitorToken | null>;
  /** Who has the token; null when it is none of this tenant's, or too old. */
  verify(tenantId: TenantId, token: string): Promise<CustomerId | null>;
}

const ALGORITHM = "HS256";
const issuerOf = (tenantId: string): string => `recourse-visitor:${tenantId}`;
const AUDIENCE = "recourse";

/** What the guard checks a visitor's token against. */
export const visitorIssuer = (
  secret: string,
  tenantId: string,
): IssuerConfiguration & { readonly secret: string } => ({
  tenantId,
  issuer: issuerOf(tenantId),
  audience: AUDIENCE,
  secret: keyOf(secret, tenantId),
  assurance: "anonymous",
});

export function createVisitors(parts: {
  /** At least 32 bytes; all processes of one database have the same. */
  readonly secret: string;
  readonly tenants: readonly TenantId[];
  /** When a visitor was last erased. */
  readonly erasedAtMs?: (tenantId: TenantId, visitor: CustomerId) => number | null;
  readonly clock: Clock;
  readonly random: Random;
}): Visitors {
  const { secret, tenants, clock, random } = parts;
  const self: Visitors = {
    async mint(tenant, before) {
      const tenantId = tenants.find((id) => id === tenant);
      if (tenantId === undefined) return null;
      const known = before === null ? null : await self.verify(tenantId, before);
      const id = known ?? visitorId(random.bytes(16));
      const nowMs = clock.now();
      const expiresAtMs = Math.floor((nowMs + LIMITS.visitorTokenMs) / 1_000) * 1_000;
      const token = await new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setIssuer(issuerOf(tenantId))
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setIssuedAt(Math.floor(nowMs / 1_000))
        .setExpirationTime(expiresAtMs / 1_000)
        .sign(Buffer.from(keyOf(secret, tenantId)));
      return { token, visitor_id: id, expires_at: isoInstant(expiresAtMs) };
    },
    async verify(tenantId, token) {
      try {
        const { payload } = await jwtVerify(token, Buffer.from(keyOf(secret, tenantId)), {
          issuer: issuerOf(tenantId),
          audience: AUDIENCE,
          algorithms: [ALGORITHM],
          requiredClaims: ["exp", "sub"],
          // Somebody who comes back is the same visitor for as long as that.
          clockTolerance: LIMITS.visitorReturnMs / 1_000,
          currentDate: new Date(clock.now()),
        });
        if (payload.sub === undefined || !isVisitor(payload.sub)) return null;
        const visitor = payload.sub as CustomerId;
        // Who was erased comes back as somebody new.
        const erasedAtMs = parts.erasedAtMs?.(tenantId, visitor) ?? null;
        return erasedAtMs !== null && (payload.iat ?? 0) * 1_000 <= erasedAtMs ? null : visitor;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
  return self;
}

const keyOf = (secret: string, tenantId: string): string =>
  createHmac("sha256", secret).update(`visitor:${tenantId}`).digest("hex");
