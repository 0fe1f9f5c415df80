/**
 * Mail addresses: the tenant's own, and the one that a customer's answers come back to. That one carries a reference
 * that nobody can guess and a signature that nobody can make, both in letters that survive being lower-cased on the
 * way. It says which conversation is meant, never who writes. Pure.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { CustomerId, TenantId } from "../../kernel/ids.ts";
import { VISITOR_PREFIX } from "../../kernel/visitor.ts";

export interface MailTenant {
  readonly id: TenantId;
  readonly name: string;
  /** Where its customers write to, lower case. */
  readonly address: string;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
const SIGNATURE_CHARS = 16;
export const REPLY_REF_BYTES = 10;

/** Base 32 (RFC 4648 §6), in lower case and without padding. */
export function letters(bytes: Uint8Array): string {
  let [bits, held, text] = [0, 0, ""];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += LETTERS[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + LETTERS[(held << (5 - bits)) & 31];
}

/** `support@shop.example` and a reference: `support+ref.signature@shop.example`. */
export function replyAddress(secret: string, { id, address }: MailTenant, ref: string): string {
  const [local = "", domain = ""] = address.split("@");
  return `${local}+${ref}.${signature(secret, id, ref)}@${domain}`;
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
  const isSigned = /^[a-z2-7]+$/.test(ref) && same(signed, signature(secret, tenant.id, ref));
  return { kind: "own", tenant, replyRef: isSigned ? ref : null };
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

function signature(secret: string, tenantId: TenantId, ref: string): string {
  const digest = createHmac("sha256", secret).update(`mail reply\n${tenantId}\n${ref}`).digest();
  return letters(digest).slice(0, SIGNATURE_CHARS);
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
