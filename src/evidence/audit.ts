/**
 * Room `evidence`: what happened and why, in a form that can be proved. May import `kernel` and `store`.
 * Promises: the audit log is append-only (the database role can do nothing else) and hash-chained per
 * tenant: `hash = SHA-256(canonical JSON of {prev, n, at, kind, subject, body})`. What people write in words is not in
 * the chain but beside it (`audit_texts`), so that it can be erased.
 *
 * This file appends. Appending locks the tenant's chain head until the transaction ends, so callers append last.
 * `chain.ts` checks, `reading.ts` reads and exports, `checkpoints.ts` signs.
 */
import { sql } from "kysely";
import { canonicalJson } from "../kernel/canonical.ts";
import type { Tx } from "../store/store.ts";
import { CHAIN_START, chainHash, textHash } from "./chain.ts";

export interface AuditEntry {
  /** `action.<state>`, `review.<decision>`, `policy.published`, … */
  readonly kind: string;
  /** ID of what it is about. */
  readonly subject: string;
  /** Whose data it concerns; `*` for none. */
  readonly customerId: string;
  /** IDs, codes, amounts and times: it is there for good. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What somebody wrote in words: it goes when the customer is erased. Null: nothing was written. */
  readonly texts?: Readonly<Record<string, string | null>>;
}

export async function appendAudit(tx: Tx, nowMs: number, entries: readonly AuditEntry[]): Promise<void> {
  const tenantId = tx.scope.tenantId;
  const salts = await saltsFor(tx, entries);
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
  const texts: {
    tenant_id: typeof tenantId;
    n: number;
    name: string;
    customer_id: string;
    salt: string;
    text: string;
  }[] = [];
  const rows = entries.map((entry) => {
    const prev = hash;
    n += 1;
    const hashes: Record<string, string> = {};
    for (const [name, text] of writtenIn(entry)) {
      const salt = salts.pop() as string;
      hashes[name] = textHash({ salt, text });
      texts.push({ tenant_id: tenantId, n, name, customer_id: entry.customerId, salt, text });
    }
    const whole = Object.keys(hashes).length === 0 ? entry.body : { ...entry.body, texts: hashes };
    // What is hashed is what the database will give back: no undefined members, keys in any order.
    const body = JSON.parse(canonicalJson(whole)) as Record<string, unknown>;
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
  if (texts.length > 0) await tx.insertInto("audit_texts").values(texts).execute();
}

const writtenIn = (entry: AuditEntry): readonly (readonly [string, string])[] =>
  Object.entries(entry.texts ?? {}).flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));

/** As many unguessable salts as there are texts; the database makes them. No texts: it is not asked. */
async function saltsFor(tx: Tx, entries: readonly AuditEntry[]): Promise<string[]> {
  const count = entries.reduce((sum, entry) => sum + writtenIn(entry).length, 0);
  if (count === 0) return [];
  const { rows } = await sql<{ salt: string }>`
    select gen_random_uuid()::text as salt from generate_series(1, ${count}::int)`.execute(tx);
  return rows.map(({ salt }) => salt);
}
