/** The hash chain as values: what an entry is, what its hash covers, and the first link that does not hold. Pure. */
import { hash } from "node:crypto";
import { hashOf } from "../kernel/canonical.ts";

/** A row of the chain as exported. */
export interface AuditRow {
  readonly n: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly subject: string;
  readonly body: unknown;
  readonly prev_hash: string;
  readonly hash: string;
  /**
   * What people wrote, by name, kept beside the chain: `body.texts` has the hash of each. A hash without its text is
   * of a customer who was erased.
   */
  readonly texts?: Readonly<Record<string, AuditText>> | null;
}

export interface AuditText {
  readonly salt: string;
  readonly text: string;
}

export const CHAIN_START = "0".repeat(64);

/** Where a chain has been checked up to. */
export interface ChainPosition {
  readonly n: number;
  readonly hash: string;
}

export interface BrokenLink {
  readonly n: number;
  readonly why: string;
}

/** Hex SHA-256 of salt and text. The salt keeps a short text from being guessed once it is erased. */
export const textHash = ({ salt, text }: AuditText): string => hash("sha256", `${salt}\n${text}`, "hex");

export function chainHash(row: Omit<AuditRow, "hash">): string {
  return hashOf({
    prev: row.prev_hash,
    n: row.n,
    at: row.at_ms,
    kind: row.kind,
    subject: row.subject,
    body: row.body,
  });
}

/**
 * Checks a chain, offline, from its start or from an entry that was checked before (`after`), so that a
 * long one is checked in parts. Answers with the first broken link, or null.
 * A chain that was cut at its end is not visible here: a signed checkpoint kept elsewhere shows it.
 */
export function firstBrokenLink(
  rows: readonly AuditRow[],
  after: ChainPosition = { n: 0, hash: CHAIN_START },
): BrokenLink | null {
  let prev = after.hash;
  for (const [index, row] of rows.entries()) {
    const n = after.n + index + 1;
    if (row.n !== n) return { n, why: `entry ${n} is missing (found ${row.n})` };
    if (row.prev_hash !== prev) return { n: row.n, why: "its link to the entry before does not fit" };
    const why = faultOf(row);
    if (why !== null) return { n: row.n, why };
    prev = row.hash;
  }
  return null;
}

/**
 * Checks some entries of a chain: each by itself, and its link where the entry before is there too. It cannot show
 * that one was left out.
 */
export function firstBrokenAmongSome(
  rows: readonly AuditRow[],
  before: ChainPosition | null,
): BrokenLink | null {
  let last = before;
  for (const row of rows) {
    if (last !== null && row.n <= last.n) return { n: row.n, why: "it is not in order" };
    const follows = row.n === 1 ? CHAIN_START : last?.n === row.n - 1 ? last.hash : null;
    if (follows !== null && row.prev_hash !== follows) {
      return { n: row.n, why: "its link to the entry before does not fit" };
    }
    const why = faultOf(row);
    if (why !== null) return { n: row.n, why };
    last = row;
  }
  return null;
}

/** What is wrong with an entry by itself, or null. */
function faultOf(row: AuditRow): string | null {
  if (chainHash(row) !== row.hash) return "its content does not fit its hash";
  const hashes = (row.body as { readonly texts?: Readonly<Record<string, string>> } | null)?.texts ?? {};
  for (const [name, text] of Object.entries(row.texts ?? {})) {
    if (textHash(text) !== hashes[name]) return `its ${name} does not fit the hash in it`;
  }
  return null;
}
