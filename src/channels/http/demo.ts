/**
 * Tokens for the demo: minted here instead of by a shop, with a secret that is made once and kept in
 * the data folder, and verified like any other.
 */
import { createHmac } from "node:crypto";
import { SignJWT } from "jose";
import { isoInstant } from "../../kernel/calendar.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import { secretFile } from "../../store/secret-file.ts";
import type { DemoTokens } from "./parts.ts";
import type { IssuerConfiguration } from "./tokens.ts";

const LIFETIME_MS = 8 * 3_600_000;

/** The demo's secret: read from the data folder, or made there for its owner only. */
export const demoTokenSecret = (dataDir: string, random: Random): string =>
  secretFile(dataDir, "demo-token-secret", random);

/** The issuer that the demo's tokens of a tenant come from. */
export function demoIssuer(secret: string, tenantId: string): IssuerConfiguration & { secret: string } {
  return {
    tenantId,
    issuer: `recourse-demo:${tenantId}`,
    audience: "recourse",
    secret: createHmac("sha256", secret).update(`tenant:${tenantId}`).digest("hex"),
  };
}

/** `find` answers which tenant has the customer: the one asked for, or the first that has it. */
export function createDemoTokens(parts: {
  readonly secret: string;
  readonly clock: Clock;
  find(
    customer: string,
    tenant: string | undefined,
  ): Promise<{ tenantId: string; customerId: string } | null>;
}): DemoTokens {
  return {
    async mint(customer, tenant) {
      const found = await parts.find(customer, tenant);
      if (found === null) return null;
      const issuer = demoIssuer(parts.secret, found.tenantId);
      const nowMs = parts.clock.now();
      const expiresAtMs = Math.floor((nowMs + LIFETIME_MS) / 1_000) * 1_000;
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setIssuer(issuer.issuer)
        .setAudience(issuer.audience)
        .setSubject(found.customerId)
        .setIssuedAt(Math.floor(nowMs / 1_000))
        .setExpirationTime(expiresAtMs / 1_000)
        .sign(Buffer.from(issuer.secret));
      return {
        token,
        customer_id: found.customerId,
        tenant: found.tenantId,
        expires_at: isoInstant(expiresAtMs),
      };
    },
  };
}
