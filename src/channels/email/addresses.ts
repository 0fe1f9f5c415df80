/**
 * Mail addresses: the tenant's own, and the one that a customer's answers come back to. That one carries a reference
 * that nobody can guess and a signature that nobody can make (`signing.ts`). It says which conversation is meant, never who writes. Pure.
 */
import { createHmac } from "node:crypto";
import type { CustomerId, TenantId } from "../../kernel/ids.ts";
import { VISITOR_PREFIX } from "../../kernel/visitor.ts";
import { isSigned, signature } from "./signing.ts";

export interface MailTenant {
  readonly id: TenantId;
  readonly name: string;
  /** Where its customers write to, lower case. */
  readonly address: string;
  /** Addresses from which forms of the shop write: their `Reply-To` is who filled one in. */
  readonly formSenders?: readonly string[];
}

export const REPLY_REF_BYTES = 10;

/** `support@shop.example` and a reference: `support+ref.signature@shop.example`. */
export function replyAddress(secret: string, { id, address }: MailTenant, ref: string): string {
  const [local = "", domain = ""] = address.split("@");
  return `${local}+${ref}.${signature(secret, "mail reply", id, ref)}@${domain}`;
}

export type Recipient =
  | { readonly kind: "own"; readonly tenant: MailTenant; readonly replyRef: string | null }
  | { readonly kind: "unknown" };

/** Whose address this is. A reference with a wrong signature is none: the mail is a new one. */
export function recipientOf(secret: string, tenants: readonly MailTenant[], written: string): Recipient {
  const [local = "", domain = ""] = normalAddress(written).split("@");
  const plus = local.indexOf("+");
  const base = plus === -1 ? local : local.slice(0, plus);
  const tenant = tenants.find(({ address }) => address === `${base}@${domain}`);
  if (tenant === undefined) return { kind: "unknown" };
  const [ref = "", signed = ""] = plus === -1 ? [] : local.slice(plus + 1).split(".");
  const isOurs = /^[a-z2-7]+$/.test(ref) && isSigned(secret, "mail reply", tenant.id, ref, signed);
  return { kind: "own", tenant, replyRef: isOurs ? ref : null };
}

export const normalAddress = (address: string): string => address.trim().toLowerCase();

/** An address that one mail can be sent to, and nothing else: no list, no display name, no line break. */
export const isPlainAddress = (address: string): boolean =>
  address.length <= 254 &&
  /^[^\s@<>",;:\\()[\]]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/i.test(address);

/** Who writes from an address, as long as nobody vouches for it: always the same stranger, and only at this tenant. */
export function strangerAt(secret: string, tenantId: TenantId, address: string): CustomerId {
  const digest = createHmac("sha256", secret).update(`mail stranger\n${tenantId}\n${address}`).digest("hex");
  return `${VISITOR_PREFIX}mail_${digest.slice(0, 32)}` as CustomerId;
}
