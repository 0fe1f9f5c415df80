/** Texts that only we can have made: a short signature in letters that survive being lower-cased on the way. Pure. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { TenantId } from "../../kernel/ids.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** What a signature is for, and how many letters it has: five bits each. */
export const PURPOSES = { "mail reply": 16, "identity link": 26 } as const;
export type Purpose = keyof typeof PURPOSES;

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

/** The signature of a text of a tenant; of another purpose it is another one. */
export function signature(secret: string, purpose: Purpose, tenantId: TenantId, text: string): string {
  const digest = createHmac("sha256", secret).update(`${purpose}\n${tenantId}\n${text}`).digest();
  return letters(digest).slice(0, PURPOSES[purpose]);
}

/** In constant time. */
export function isSigned(
  secret: string,
  purpose: Purpose,
  tenantId: TenantId,
  text: string,
  given: string,
): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(signature(secret, purpose, tenantId, text))];
  return left.length === right.length && timingSafeEqual(left, right);
}
