/**
 * The policy versions of a tenant, from the database: which governs a request, compiled once per text.
 * Publishing is one transaction with its audit entry; effective dates overlap nowhere (a unique key).
 */
import { appendAudit } from "../../evidence/audit.ts";
import type { Tx } from "../../store/store.ts";
import { parsePolicy } from "./document.ts";
import { type CompiledPolicy, compilePolicy } from "./evaluate.ts";
import type { PolicyVersion } from "./policy.ts";
import { governingVersion } from "./versions.ts";

/** By hash of the document: a text never changes, so neither does what it compiles to. */
const compiled = new Map<string, CompiledPolicy>();

async function versionsOf(tx: Tx): Promise<CompiledPolicy[]> {
  const known = await tx
    .selectFrom("policy_versions")
    .select(["hash"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .execute();
  const missing = known.filter((row) => !compiled.has(row.hash)).map((row) => row.hash);
  if (missing.length > 0) {
    const rows = await tx
      .selectFrom("policy_versions")
      .select(["hash", "source"])
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("hash", "in", missing)
      .execute();
    for (const row of rows) compiled.set(row.hash, compilePolicy(parsePolicy(row.source)));
  }
  return known.flatMap((row) => compiled.get(row.hash) ?? []);
}

/** @throws ProblemError `policy_missing` */
export async function governingPolicy(
  tx: Tx,
  when: { orderPlacedAt: number; requestedAt: number; timeZone: string },
): Promise<CompiledPolicy> {
  const all = await versionsOf(tx);
  const version = governingVersion(
    all.map((policy) => policy.version),
    when,
  );
  return all.find((policy) => policy.version === version) as CompiledPolicy;
}

/** What customers may read today. @throws ProblemError `policy_missing` */
export async function currentPolicy(tx: Tx, timeZone: string, nowMs: number): Promise<PolicyVersion> {
  return (await governingPolicy(tx, { orderPlacedAt: nowMs, requestedAt: nowMs, timeZone })).version;
}

/** Publishes versions that the tenant does not have yet; answers with how many. */
export async function publishPolicies(
  tx: Tx,
  versions: readonly PolicyVersion[],
  nowMs: number,
  by: string,
): Promise<number> {
  let published = 0;
  for (const version of versions) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("policy_versions")
      .values({
        tenant_id: tx.scope.tenantId,
        policy_id: version.id,
        version: version.version,
        effective_from: version.effectiveFrom,
        hash: version.hash,
        source: version.source,
        published_at_ms: nowMs,
        published_by: by,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if ((numInsertedOrUpdatedRows ?? 0n) === 0n) continue;
    published += 1;
    await appendAudit(tx, nowMs, [
      {
        kind: "policy.published",
        subject: `${version.id}@${version.version}`,
        customerId: "*",
        body: { hash: version.hash, effective_from: version.effectiveFrom, by },
      },
    ]);
  }
  return published;
}
