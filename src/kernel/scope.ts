/**
 * Who acts, as verified: the only source of tenant and customer for every read and write (G3).
 * A scope is made from a verified token, or by our own workers from a row; never from text.
 */
import type { CustomerId, TenantId } from "./ids.ts";

/** How sure we are who the customer is, weakest first. */
export const ASSURANCE_LEVELS = ["anonymous", "claimed", "email_verified", "authenticated"] as const;
export type Assurance = (typeof ASSURANCE_LEVELS)[number];

/** One customer of one tenant. */
export interface CustomerScope {
  readonly kind: "customer";
  readonly tenantId: TenantId;
  readonly customerId: CustomerId;
}

/** A whole tenant: operators and our own workers. */
export interface TenantScope {
  readonly kind: "tenant";
  readonly tenantId: TenantId;
}

export type Scope = CustomerScope | TenantScope;

export const customerScope = (tenantId: TenantId, customerId: CustomerId): CustomerScope => ({
  kind: "customer",
  tenantId,
  customerId,
});
export const tenantScope = (tenantId: TenantId): TenantScope => ({ kind: "tenant", tenantId });
