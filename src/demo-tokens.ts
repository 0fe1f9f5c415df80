/**
 * Tokens for trying the product: signed with a secret that is made once and kept in the data folder.
 * Only the demo has them; a customer of the sandbox's shop is found there, so nobody else gets one.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import type { DemoTokens } from "./channels/http/parts.ts";
import type { IssuerConfiguration } from "./channels/http/tokens.ts";
import type { Orders } from "./commerce/orders.ts";
import { isoInstant } from "./kernel/calendar.ts";
import type { CustomerId, TenantId } from "./kernel/ids.ts";
import type { Clock, Random } from "./kernel/ports.ts";
import { customerScope } from "./kernel/scope.ts";

const TOKEN_LIFETIME_MS = 12 * 3_600_000;
const issuerOf = (tenantId: TenantId): string => `recourse-demo:${tenantId}`;

export function createDemoTokens(parts: {
  folder: string;
  tenants: readonly TenantId[];
  orders: Orders;
  clock: Clock;
  random: Random;
}): { issuers: readonly IssuerConfiguration[]; tokens: DemoTokens } {
  const { tenants, orders, clock } = parts;
  const secret = keptSecret(parts.folder, parts.random);
  return {
    issuers: tenants.map((tenantId) => ({
      tenantId,
      issuer: issuerOf(tenantId),
      audience: "recourse",
      secret,
    })),
    tokens: {
      async mint(customer, tenant) {
        for (const tenantId of tenants) {
          if (tenant !== undefined && tenant !== tenantId) continue;
          const found = await orders.customer(customerScope(tenantId, customer as CustomerId));
          if (found === null) continue;
          const nowMs = clock.now();
          const expMs = nowMs + TOKEN_LIFETIME_MS;
          const token = await new SignJWT()
            .setProtectedHeader({ alg: "HS256" })
            .setIssuer(issuerOf(tenantId))
            .setAudience("recourse")
            .setSubject(found.id)
            .setIssuedAt(Math.floor(nowMs / 1000))
            .setExpirationTime(Math.floor(expMs / 1000))
            .sign(Buffer.from(secret));
          return { token, customer_id: found.id, tenant: tenantId, expires_at: isoInstant(expMs) };
        }
        return null;
      },
    },
  };
}

function keptSecret(folder: string, random: Random): string {
  const path = join(folder, "demo-token-secret");
  if (existsSync(path)) return readFileSync(path, "utf8");
  mkdirSync(folder, { recursive: true });
  const secret = Buffer.from(random.bytes(32)).toString("hex");
  writeFileSync(path, secret, { mode: 0o600 });
  return secret;
}
