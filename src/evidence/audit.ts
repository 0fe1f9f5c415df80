/**
 * Room `evidence`: what happened and why, in a form that can be proved. May import `kernel` and `store`.
 * Promises: the audit log is append-only (the database role can do nothing else) and hash-chained per
 * tenant: `hash = SHA-256(canonical JSON of {prev, n, at, kind, subject, body})`.
 *
 * Appending locks the tenant's chain head until the transaction ends, so callers append last.
 */
import { sql } from "kysely";
import { canonicalJson, hashOf } from "../kernel/canonical.ts";
import type { Tx } from "../store/store.ts";

export interface AuditEntry {
  /** `action.<state>`, `review.<decision>`, `policy.published`, … */
  readonly kind: string;
  /** ID of what it is about. */
  readonly subject: string;
  /** Whose data it concerns; `*` for none. */
  readonly customerId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A row of the chain as exported. */
export interface AuditRow {
  readonly n: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly subject: string;
  readonly body: unknown;
  readonly prev_hash: string;
  readonly hash: string;
}

export const CHAIN_START = "0".repeat(64);

export async function appendAudit(tx: Tx, nowMs: number, entries: readonly AuditEntry[]): Promise<void> {
  const tenantId = tx.scope.tenantId;
  let head = await tx
    .selectFrom("audit_heads")
    .select(["n", "hash"])
    .where("tenant_id", "=", tenantId)
    .forUpdate()
    .executeTakeFirst();
  if (head === undefined) {
    // The first entry of a tenant: a concurrent first one waits here for the unique key.
    await tx
      .insertInto("audit_heads")
      .values({ tenant_id: tenantId, n: 0, hash: CHAIN_START })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    head = await tx
      .selectFrom("audit_heads")
      .select(["n", "hash"])
      .where("tenant_id", "=", tenantId)
      .forUpdate()
      .executeTakeFirstOrThrow();
  }
  let { n, hash } = head;
  const rows = entries.map((entry) => {
    const prev = hash;
    n += 1;
    // What is hashed is what the database will give back: no undefined members, keys in any order.
    const body = JSON.parse(canonicalJson(entry.body)) as Record<string, unknown>;
    hash = chainHash({ n, at_ms: nowMs, kind: entry.kind, subject: entry.subject, body, prev_hash: prev });
    return {
      tenant_id: tenantId,
      n,
      at_ms: nowMs,
      kind: entry.kind,
      subject: entry.subject,
      customer_id: entry.customerId,
      body: JSON.stringify(body),
      prev_hash: prev,
      hash,
    };
  });
  await tx
    .with("head", (db) =>
      db.updateTable("audit_heads").set({ n, hash }).where("tenant_id", "=", tenantId).returning("n"),
    )
    .insertInto("audit")
    .values(rows)
    .execute();
}

/**
 * Checks a chain, offline, from its start or from an entry that was checked before (`after`), so that a
 * long one is checked in parts. Answers with the first broken link, or null.
 * A chain that was cut at its end is not visible here: compare `n` and `hash` of the last row with a
 * checkpoint kept elsewhere.
 */
export function firstBrokenLink(
  rows: readonly AuditRow[],
  after: { readonly n: number; readonly hash: string } = { n: 0, hash: CHAIN_START },
): { n: number; why: string } | null {
  let prev = after.hash;
  for (const [index, row] of rows.entries()) {
    const n = after.n + index + 1;
    if (row.n !== n) return { n, why: `entry ${n} is missing (found ${row.n})` };
    if (row.prev_hash !== prev) return { n: row.n, why: "its link to the entry before does not fit" };
    if (chainHash(row) !== row.hash) return { n: row.n, why: "its content does not fit its hash" };
    prev = row.hash;
  }
  return null;
}

function chainHash(row: Omit<AuditRow, "hash">): string {
  return hashOf({
    prev: row.prev_hash,
    n: row.n,
    at: row.at_ms,
    kind: row.kind,
    subject: row.subject,
    body: row.body,
  });
}

/** Entries of the scope's tenant after number `afterN`, in order, as they are exported. */
export async function auditAfter(tx: Tx, afterN: number, limit: number): Promise<readonly AuditRow[]> {
  return tx
    .selectFrom("audit")
    .select(["n", "at_ms", "kind", "subject", "body", "prev_hash", "hash"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("n", ">", afterN)
    .orderBy("n")
    .limit(limit)
    .execute();
}

export interface AuditFilter {
  /** The whole kind, or its beginning when it ends in a full stop. */
  readonly kind: string | null;
  readonly subject: string | null;
  /** Who did it, where the entry says so. */
  readonly by: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly beforeN: number | null;
  readonly limit: number;
}

/** Entries of the scope's tenant that fit, the latest first. */
export async function auditMatching(tx: Tx, filter: AuditFilter): Promise<readonly AuditRow[]> {
  const { kind, subject, by, fromMs, toMs, beforeN } = filter;
  return tx
    .selectFrom("audit")
    .select(["n", "at_ms", "kind", "subject", "body", "prev_hash", "hash"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .$if(kind !== null, (query) =>
      kind?.endsWith(".") === true
        ? query.where(sql<boolean>`starts_with(kind, ${kind})`)
        : query.where("kind", "=", kind ?? ""),
    )
    .$if(subject !== null, (query) => query.where("subject", "=", subject ?? ""))
    .$if(by !== null, (query) => query.where(sql<boolean>`body ->> 'by' = ${by}`))
    .$if(fromMs !== null, (query) => query.where("at_ms", ">=", fromMs ?? 0))
    .$if(toMs !== null, (query) => query.where("at_ms", "<", toMs ?? 0))
    .$if(beforeN !== null, (query) => query.where("n", "<", beforeN ?? 0))
    .orderBy("n", "desc")
    .limit(filter.limit)
    .execute();
}
