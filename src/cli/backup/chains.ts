/** The audit chains of all tenants, read past their scopes: for backup and restore only, which hold the whole database anyway. */
import { type AuditRow, CHAIN_START, firstBrokenLink } from "../../evidence/chain.ts";
import type { Session } from "../../store/database.ts";
import type { AuditHead } from "./manifest.ts";

/** Entries read at once: bounds memory for a chain of any length. */
const BATCH = 1_000;

/** Each tenant's chain: how long, and its last hash. */
export async function auditHeads(session: Session): Promise<readonly AuditHead[]> {
  const { rows } = await session.query(
    "select distinct on (tenant_id) tenant_id, n as entries, hash from recourse.audit order by tenant_id, n desc",
  );
  return rows as unknown as AuditHead[];
}

/**
 * Checks the chains in the database from their first entries, and that each still has the head it had when the
 * backup was made. Answers with what is wrong, one sentence each, and the number of entries that were checked.
 */
export async function checkChains(
  session: Session,
  expected: readonly AuditHead[],
): Promise<{ readonly entries: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  let entries = 0;
  const tenants = new Set([...expected, ...(await auditHeads(session))].map((head) => head.tenant_id));
  for (const tenantId of tenants) {
    let last = { n: 0, hash: CHAIN_START };
    const wanted = expected.find((head) => head.tenant_id === tenantId);
    let seen = wanted === undefined;
    for (;;) {
      const { rows } = await session.query(
        "select n, at_ms, kind, subject, body, prev_hash, hash from recourse.audit where tenant_id = $1 and n > $2 order by n limit $3",
        [tenantId, last.n, BATCH],
      );
      const part = rows as unknown as readonly AuditRow[];
      const end = part.at(-1);
      if (end === undefined) break;
      const broken = firstBrokenLink(part, last);
      if (broken !== null) {
        faults.push(`The audit log of ${tenantId} is broken at entry ${broken.n}: ${broken.why}.`);
        seen = true;
        break;
      }
      seen ||= part.some((row) => row.n === wanted?.entries && row.hash === wanted.hash);
      entries += part.length;
      last = { n: end.n, hash: end.hash };
    }
    if (!seen) {
      faults.push(`The audit log of ${tenantId} has lost its end: it had ${wanted?.entries} entries.`);
    }
  }
  return { entries, faults };
}
