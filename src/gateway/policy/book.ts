/**
 * The policy versions of a tenant, from the database: which governs a request, compiled once per text.
 * Publishing is one transaction with its audit entry; effective dates overlap nowhere (a unique key).
 */
import { appendAudit } from "../../evidence/audit.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { Tx } from "../../store/store.ts";
import { parsePolicy } from "./document.ts";
import { type CompiledPolicy, compilePolicy } from "./evaluate.ts";
import type { PolicyVersion } from "./policy.ts";
import { collisions, governingVersion, type VersionKey } from "./versions.ts";

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

/** The hashes of the texts that are published already. */
export async function publishedHashes(tx: Tx): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom("policy_versions")
    .select("hash")
    .where("tenant_id", "=", tx.scope.tenantId)
    .execute();
  return rows.map((row) => row.hash);
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

/** The version with this text; null when the tenant has none. */
export async function policyWithHash(tx: Tx, hash: string): Promise<PolicyVersion | null> {
  return (await versionsOf(tx)).find(({ version }) => version.hash === hash)?.version ?? null;
}

/** What customers may read today. @throws ProblemError `policy_missing` */
export async function currentPolicy(tx: Tx, timeZone: string, nowMs: number): Promise<PolicyVersion> {
  return (await governingPolicy(tx, { orderPlacedAt: nowMs, requestedAt: nowMs, timeZone })).version;
}

/**
 * Publishes versions that the tenant does not have yet; answers with how many. A version that was
 * published never changes: decisions name it. Its file with another text is refused and not ignored,
 * for whoever edited it believes that the new text governs.
 *
 * @throws ProblemError `policy_invalid`; nothing is published then
 */
export async function publishPolicies(
  tx: Tx,
  versions: readonly PolicyVersion[],
  nowMs: number,
  by: string,
): Promise<number> {
  const rows = await tx
    .selectFrom("policy_versions")
    .select(["policy_id", "version", "effective_from", "hash"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .execute();
  const known = new Set(rows.map((row) => row.hash));
  const fresh = versions.filter((version) => !known.has(version.hash));
  const published = rows.map((row) => ({
    tenant: tx.scope.tenantId,
    id: row.policy_id,
    version: row.version,
    effectiveFrom: row.effective_from,
  }));
  refuseCollisions(fresh, published);
  await refuseForeignCurrency(tx, fresh);
  await refuseOtherLanguage(tx, fresh);
  let count = 0;
  for (const version of fresh) {
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
      // Another process may publish the same folder at this moment.
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if ((numInsertedOrUpdatedRows ?? 0n) === 0n) {
      await refuseOtherText(tx, version);
      continue;
    }
    count += 1;
    await appendAudit(tx, nowMs, [
      {
        kind: "policy.published",
        subject: `${version.id}@${version.version}`,
        customerId: "*",
        body: { hash: version.hash, effective_from: version.effectiveFrom, by },
      },
    ]);
  }
  return count;
}

/** Deletes a version. The database refuses it for one that anything was decided by. */
export async function withdrawPolicy(tx: Tx, version: string, nowMs: number, by: string): Promise<void> {
  const withdrawn = await tx
    .deleteFrom("policy_versions")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("version", "=", version)
    .returning(["policy_id", "version", "hash", "effective_from"])
    .execute();
  await appendAudit(
    tx,
    nowMs,
    withdrawn.map((row) => ({
      kind: "policy.withdrawn",
      subject: `${row.policy_id}@${row.version}`,
      customerId: "*",
      body: { hash: row.hash, effective_from: row.effective_from, by },
    })),
  );
}

function refuseCollisions(fresh: readonly PolicyVersion[], published: readonly VersionKey[]): void {
  if (fresh.length === 0) return;
  const changed = fresh.filter((version) =>
    published.some((row) => row.id === version.id && row.version === version.version),
  );
  const wrong = [
    ...changed.map(({ id, version }) => `${id} version ${version} was published with another text`),
    ...collisions([...published, ...fresh.filter((version) => !changed.includes(version))]),
  ];
  if (wrong.length === 0) return;
  throw new ProblemError("policy_invalid", `${wrong.join("; ")}.`, {
    next: "A published version does not change: give the new text a version and an effective_from of its own.",
  });
}

/** The lifetime spend of a customer is in the tenant's currency, so its limit has to be. */
async function refuseForeignCurrency(tx: Tx, fresh: readonly PolicyVersion[]): Promise<void> {
  if (fresh.length === 0) return;
  const tenant = await tx
    .selectFrom("tenants")
    .select("currency")
    .where("tenant_id", "=", tx.scope.tenantId)
    .executeTakeFirst();
  const foreign = fresh.filter(({ currency }) => tenant !== undefined && currency !== tenant.currency);
  if (foreign.length === 0) return;
  const which = foreign
    .map(({ id, version, currency }) => `${id} version ${version} (${currency})`)
    .join(", ");
  throw new ProblemError(
    "policy_invalid",
    `The tenant's currency is ${tenant?.currency}, but not of ${which}.`,
    {
      next: "Put the tenant's own currency first in unattended_max: the other limits without one are in it.",
    },
  );
}

/**
 * A document's versions follow each other in one language: in another one the older text would go on answering
 * beside the newer. Further languages are translations.
 */
async function refuseOtherLanguage(tx: Tx, fresh: readonly PolicyVersion[]): Promise<void> {
  if (fresh.length === 0) return;
  const before = (await versionsOf(tx)).map(({ version }) => version);
  const [first] = [...before, ...fresh];
  const other = fresh.find(({ language }) => language !== first?.language);
  if (first === undefined || other === undefined) return;
  throw new ProblemError(
    "policy_invalid",
    `${other.id} version ${other.version} is in ${other.language}, but version ${first.version} is in ${first.language}.`,
    {
      next: `Write it in ${first.language}, and \`> Customer (${other.language}): …\` for who reads another language.`,
    },
  );
}

/** Another process was first: with the same text that is as good, with another it is not. */
async function refuseOtherText(tx: Tx, version: PolicyVersion): Promise<void> {
  const same = await tx
    .selectFrom("policy_versions")
    .select("hash")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("hash", "=", version.hash)
    .executeTakeFirst();
  if (same !== undefined) return;
  throw new ProblemError(
    "policy_invalid",
    `Another process has just published ${version.id} version ${version.version} with another text.`,
  );
}

/** Published versions whose hash is not known yet, as customers read them. */
export async function policiesExcept(tx: Tx, known: ReadonlySet<string>): Promise<readonly PolicyVersion[]> {
  return (await versionsOf(tx)).map(({ version }) => version).filter(({ hash }) => !known.has(hash));
}
