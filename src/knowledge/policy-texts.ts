/**
 * The policy that is enforced, as a document: what customers are told and what the gateway evaluates is one text.
 * Its document ID is its own; no other document takes it, and none contradicts it in an answer.
 */
import { startOfDateMs } from "../kernel/calendar.ts";
import type { Language } from "../kernel/language.ts";
import type { Tx } from "../store/store.ts";
import {
  lockDocuments,
  type PublishedDocument,
  publishDocument,
  removeByHand,
  removePolicyVersion,
} from "./documents.ts";

/** A policy version as customers read it: its clauses with the limits filled in. */
export interface PolicyText {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  /** The same for every version of a policy: versions of a document follow each other in one language. */
  readonly language: Language;
  /** Calendar date in the tenant's time zone. */
  readonly effectiveFrom: string;
  readonly hash: string;
  readonly clauses: readonly { readonly id: string; readonly title: string; readonly prose: string }[];
}

/**
 * Publishes the versions that are no documents yet; answers with how many. Meant for the transaction that
 * publishes the policy: from then on there is no moment in which one text answers and another is enforced.
 */
export async function publishPolicyTexts(
  tx: Tx,
  policies: readonly PolicyText[],
  timeZone: string,
  nowMs: number,
): Promise<number> {
  if (policies.length === 0) return 0;
  await lockDocuments(tx);
  const known = new Set(await policyTextHashes(tx));
  const fresh = policies.filter(({ hash }) => !known.has(hash));
  for (const policy of fresh) {
    // A document that somebody gave the policy's ID steps aside.
    await removeByHand(tx, policy.id, nowMs, PUBLISHER);
    await publishDocument(tx, documentOf(policy, timeZone), nowMs, PUBLISHER);
  }
  return fresh.length;
}
const PUBLISHER = "policy book";

/** For the transaction that withdraws the version: its text goes with it, and the one before it stays in force. */
export async function withdrawPolicyText(
  tx: Tx,
  policy: Pick<PolicyText, "id" | "version">,
  nowMs: number,
  by: string,
): Promise<void> {
  await lockDocuments(tx);
  await removePolicyVersion(tx, policy.id, policy.version, nowMs, by);
}

/** The hashes of the policy versions that are documents. */
export async function policyTextHashes(tx: Tx): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom("knowledge_documents")
    .select("hash")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("format", "=", "policy")
    .execute();
  return rows.map(({ hash }) => hash);
}

/** The text of every clause of the policy that is enforced now. */
export async function enforcedTexts(tx: Tx, nowMs: number): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom("knowledge_chunks as c")
    .innerJoin("knowledge_documents as d", (join) =>
      join
        .onRef("d.tenant_id", "=", "c.tenant_id")
        .onRef("d.document_id", "=", "c.document_id")
        .onRef("d.language", "=", "c.language")
        .onRef("d.version", "=", "c.version"),
    )
    .select("c.text")
    .where("c.tenant_id", "=", tx.scope.tenantId)
    .where("d.format", "=", "policy")
    .where("d.effective_from_ms", "<=", nowMs)
    .where(({ eb, or }) =>
      or([eb("d.superseded_from_ms", "is", null), eb("d.superseded_from_ms", ">", nowMs)]),
    )
    .execute();
  return rows.map(({ text }) => text);
}

function documentOf(policy: PolicyText, timeZone: string): PublishedDocument {
  return {
    documentId: policy.id,
    version: policy.version,
    kind: "policy",
    language: policy.language,
    audience: "customer",
    title: policy.title,
    effectiveFromMs: startOfDateMs(timeZone, policy.effectiveFrom),
    effectiveUntilMs: null,
    format: "policy",
    hash: policy.hash,
    heldFor: [],
    chunks: policy.clauses.map((clause) => ({
      headings: [clause.title],
      clauseId: clause.id,
      text: clause.prose,
      questions: [clause.title],
    })),
  };
}
