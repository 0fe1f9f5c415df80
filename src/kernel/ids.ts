/**
 * Identifiers: `prefix_` + UUIDv7 (RFC 9562), time-ordered, as branded strings.
 *
 * A derived ID has the time of what it derives from and a hash in place of chance, so that the same
 * cause always gets the same ID: that is what makes a repeated proposal the same action (G1).
 */
import { createHash } from "node:crypto";
import type { Clock, Random } from "./ports.ts";

type Branded<B extends string> = string & { readonly __id: B };
export type TenantId = Branded<"tenant">;
export type CustomerId = Branded<"customer">;
export type ConversationId = Branded<"conv">;
export type RunId = Branded<"run">;
export type ActionId = Branded<"act">;
export type ReviewId = Branded<"rev">;
export type DecisionId = Branded<"dec">;
export type NoteId = Branded<"note">;
export type CannedReplyId = Branded<"rpl">;
export type AttachmentId = Branded<"att">;
export type ErasureId = Branded<"ers">;
export type OrderId = Branded<"order">;
/** A person who works for one tenant or several. */
export type OperatorId = Branded<"opr">;
export type InvitationId = Branded<"inv">;
export type ApiKeyId = Branded<"key">;

interface PrefixOf {
  conv: ConversationId;
  run: RunId;
  act: ActionId;
  rev: ReviewId;
  opr: OperatorId;
  inv: InvitationId;
  key: ApiKeyId;
  dec: DecisionId;
  note: NoteId;
  rpl: CannedReplyId;
  att: AttachmentId;
  ers: ErasureId;
}

/** A new ID of the kind, from the injected clock and random port. */
export function newId<P extends keyof PrefixOf>(prefix: P, clock: Clock, random: Random): PrefixOf[P] {
  return `${prefix}_${uuidV7(clock.now(), random.bytes(10))}` as PrefixOf[P];
}

/** The ID that `cause` always has: time from `atMs`, the rest from a SHA-256 over the cause. */
export function derivedId<P extends keyof PrefixOf>(
  prefix: P,
  atMs: number,
  ...cause: string[]
): PrefixOf[P] {
  const digest = createHash("sha256").update(JSON.stringify(cause)).digest();
  return `${prefix}_${uuidV7(atMs, digest)}` as PrefixOf[P];
}

/** True when `text` has the shape of an ID with this prefix. */
export function isId<P extends keyof PrefixOf>(prefix: P, text: string): text is PrefixOf[P] & string {
  return new RegExp(`^${prefix}_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).test(
    text,
  );
}

function uuidV7(ms: number, entropy: Uint8Array): string {
  const bytes = new Uint8Array(16);
  let time = Math.max(0, Math.floor(ms));
  for (let i = 5; i >= 0; i -= 1) {
    bytes[i] = time % 256;
    time = Math.floor(time / 256);
  }
  bytes.set(entropy.subarray(0, 10), 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
