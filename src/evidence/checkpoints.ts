/**
 * A checkpoint says, signed, how far a tenant's chain went at a moment. Kept where whoever can write the database cannot,
 * it shows later that the end was cut off or that an entry was written anew. Ed25519 (RFC 8032) over
 * `recourse-audit-checkpoint-v1`, a line feed, and the canonical JSON of all members but the signature.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { isoInstant } from "../kernel/calendar.ts";
import { canonicalJson } from "../kernel/canonical.ts";
import type { Clock } from "../kernel/ports.ts";
import type { TenantScope } from "../kernel/scope.ts";
import type { Store } from "../store/store.ts";
import { CHAIN_START } from "./chain.ts";

export interface AuditCheckpoint {
  readonly format: "recourse-audit-checkpoint-v1";
  readonly tenant: string;
  /** Number and hash of the last entry; 0 and zeros for a log without any. */
  readonly n: number;
  readonly hash: string;
  /** When it was signed, RFC 3339. */
  readonly at: string;
  /** The public key, its 32 bytes in hex, as a command takes them: compare it with the one that you have written down. */
  readonly key: string;
  /** base64url. */
  readonly signature: string;
}

const FORMAT = "recourse-audit-checkpoint-v1";
/** The fixed beginning of a private key of Ed25519 in PKCS #8, and of a public one in SPKI (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

export interface AuditSigner {
  /** 32 bytes in hex: in base64url, one in 64 begins with a dash and is taken for an option. */
  readonly publicKey: string;
  sign(about: Omit<AuditCheckpoint, "format" | "key" | "signature">): AuditCheckpoint;
}

/** @param secret 32 bytes in hex: the seed of the key pair */
export function createAuditSigner(secret: string): AuditSigner {
  const seed = Buffer.from(secret, "hex");
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key)
    .export({ format: "der", type: "spki" })
    .subarray(SPKI_HEAD.length)
    .toString("hex");
  return {
    publicKey,
    sign(about) {
      const unsigned = { format: FORMAT, ...about, key: publicKey } as const;
      return { ...unsigned, signature: sign(null, signedBytes(unsigned), key).toString("base64url") };
    },
  };
}

/** Null: it was signed with the key that it names, and that is `expectedKey` where one is given. Else what is wrong. */
export function checkpointFault(checkpoint: AuditCheckpoint, expectedKey?: string): string | null {
  const { signature, ...unsigned } = checkpoint;
  if (expectedKey !== undefined && checkpoint.key !== expectedKey) {
    return `it was signed with the key ${checkpoint.key}, not with ${expectedKey}`;
  }
  const raw = Buffer.from(checkpoint.key, "hex");
  if (raw.length !== 32) return "its key is no key of Ed25519";
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: "der", type: "spki" });
  } catch {
    return "its key is no key of Ed25519";
  }
  const isSigned = verify(null, signedBytes(unsigned), key, Buffer.from(signature, "base64url"));
  return isSigned ? null : "its signature does not fit: it was changed";
}

/** A checkpoint from a file's text, or null when it is none. */
export function readCheckpoint(text: string): AuditCheckpoint | null {
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
  if (value === null || typeof value !== "object") return null;
  const texts = ["tenant", "hash", "at", "key", "signature"].every((name) => typeof value[name] === "string");
  return value.format === FORMAT && texts && Number.isSafeInteger(value.n)
    ? (value as unknown as AuditCheckpoint)
    : null;
}

export interface Checkpoints {
  /** Of the chain as it is now. */
  make(scope: TenantScope): Promise<AuditCheckpoint>;
}

export function createCheckpoints(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly signer: AuditSigner;
}): Checkpoints {
  const { store, clock, signer } = parts;
  return {
    async make(scope) {
      const head = await store.transact(scope, (tx) =>
        tx
          .selectFrom("audit_heads")
          .select(["n", "hash"])
          .where("tenant_id", "=", scope.tenantId)
          .executeTakeFirst(),
      );
      return signer.sign({
        tenant: scope.tenantId,
        n: head?.n ?? 0,
        hash: head?.hash ?? CHAIN_START,
        at: isoInstant(clock.now()),
      });
    },
  };
}

function signedBytes(unsigned: Omit<AuditCheckpoint, "signature">): Buffer {
  return Buffer.from(`${FORMAT}\n${canonicalJson(unsigned)}`);
}
