/** How many requests each may send: a customer or operator, a tenant, and an address that has no name yet. */
import type { HttpLimits } from "./parts.ts";
import { RateLimiter } from "./rate-limits.ts";

export interface Limiters {
  readonly customer: RateLimiter;
  readonly tenant: RateLimiter;
  /** By what a form does. */
  readonly address: { readonly sign_in: RateLimiter; readonly link: RateLimiter };
}

export function createLimiters(limits: HttpLimits): Limiters {
  const limiter = (name: string, burst: number, perSecond: number) =>
    new RateLimiter({ name, burst, perSecond }, limits.rateLimitBuckets);
  return {
    customer: limiter("customer", limits.requestsPerCustomerBurst, limits.requestsPerCustomerPerSecond),
    tenant: limiter("tenant", limits.requestsPerTenantBurst, limits.requestsPerTenantPerSecond),
    address: {
      sign_in: limiter("address", limits.signInsPerAddressBurst, limits.signInsPerAddressPerSecond),
      link: limiter("links", limits.linksPerAddressBurst, limits.linksPerAddressPerSecond),
    },
  };
}
