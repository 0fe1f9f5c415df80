/**
 * Documents with their versions: publishing, removing, releasing, listing. Each is one transaction with its
 * audit entry. Versions of a series (document and language) never overlap: a later one ends the earlier, for
 * good once its time has come.
 */
import { sql } from "kysely";
import { appendAudit } from "../evidence/audit.ts";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { Language } from "../kernel/language.ts";
import type { KnowledgeAudience, KnowledgeFormat, KnowledgeKind } from "../store/knowledge-tables.ts";
import type { Tx } from "../store/store.ts";
import type { Chunk } from "./chunks.ts";
import { fold } from "./words.ts";

export interface DocumentDetails {
  /** Stable through its versions: `shipping`, `refunds`. */
  readonly documentId: string;
  readonly version: string;
  readonly kind: KnowledgeKind;
  readonly language: Language;
  readonly audience: KnowledgeAudience;
  readonly title: string;
  readonly effectiveFromMs: number;
  /** Null: until a later version takes its place. */
  readonly effectiveUntilMs: number | null;
}

export interface PublishedDocument extends DocumentDetails {
  readonly format: KnowledgeFormat;
  /** SHA-256 of what was published. */
  readonly hash: string;
  readonly chunks: readonly Chunk[];
  readonly heldFor: readonly string[];
}

export type DocumentState = "current" | "future" | "superseded" | "ended" | "held";

export interface DocumentSummary extends DocumentDetails {
  readonly state: DocumentState;
  /** The policy's own text: only another version of the policy changes it. */
  readonly isPolicy: boolean;
  readonly supersededFromMs: number | null;
  readonly heldFor: readonly string[];
  readonly chunks: number;
  readonly publishedAtMs: number;
  readonly publishedBy: string;
}

/** How PostgreSQL cuts endings, by language. */
export const TEXT_SEARCH: Readonly<Record<Language, string>> = {
  en: "english",
  es: "spanish",
  de: "german",
  fr: "french",
  pt: "portuguese",
  it: "italian",
};

/**
 * Publishes a version; the same text again is no change.
 * @throws ProblemError `document_version_conflict`; `document_is_policy`
 */
export async function publishDocument(
  tx: Tx,
  document: PublishedDocument,
  nowMs: number,
  by: string,
): Promise<"published" | "unchanged"> {
  await lockDocuments(tx);
  if (document.format !== "policy" && (await isPolicy(tx, document.documentId))) {
    throw new ProblemError(
      "document_is_policy",
      `${document.documentId} is the policy that is enforced: no other document takes its place.`,
      { next: "Give the document an ID of its own." },
    );
  }
  const series = await tx
    .selectFrom("knowledge_documents")
    .select(["version", "effective_from_ms", "hash"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("document_id", "=", document.documentId)
    .where("language", "=", document.language)
    .execute();
  const same = series.find(({ version }) => version === document.version);
  if (same?.hash === document.hash) return "unchanged";
  const beside = series.find(({ effective_from_ms }) => effective_from_ms === document.effectiveFromMs);
  if (same !== undefined || beside !== undefined) {
    throw new ProblemError(
      "document_version_conflict",
      same !== undefined
        ? `${document.documentId} has a version ${document.version} with another text.`
        : `${document.documentId} has version ${beside?.version} from the same instant on.`,
    );
  }
  await tx
    .insertInto("knowledge_documents")
    .values({
      tenant_id: tx.scope.tenantId,
      document_id: document.documentId,
      language: document.language,
      version: document.version,
      kind: document.kind,
      audience: document.audience,
      title: document.title,
      effective_from_ms: document.effectiveFromMs,
      effective_until_ms: document.effectiveUntilMs,
      superseded_from_ms: null,
      held_for: JSON.stringify(document.heldFor),
      format: document.format,
      hash: document.hash,
      published_at_ms: nowMs,
      published_by: by,
    })
    .execute();
  await insertChunks(tx, document);
  await supersede(tx, document);
  await appendAudit(tx, nowMs, [
    {
      kind: document.heldFor.length > 0 ? "knowledge.held" : "knowledge.published",
      subject: subjectOf(document),
      customerId: "*",
      body: {
        hash: document.hash,
        by,
        kind: document.kind,
        audience: document.audience,
        effective_from: isoInstant(document.effectiveFromMs),
        ...(document.heldFor.length > 0 ? { held_for: document.heldFor } : {}),
      },
    },
  ]);
  return "published";
}

/** Rows of one statement: what goes over in one message. */
const ROWS_AT_ONCE = 500;

/** Columns go as arrays: one prepared statement, whatever the number of rows. */
async function insertChunks(tx: Tx, document: PublishedDocument): Promise<void> {
  const { documentId, language, version, title } = document;
  const { tenantId } = tx.scope;
  const config = TEXT_SEARCH[language];
  for (let from = 0; from < document.chunks.length; from += ROWS_AT_ONCE) {
    const part = document.chunks.slice(from, from + ROWS_AT_ONCE);
    const { rows } = await sql<{ chunk_id: number; n: number }>`
      insert into knowledge_chunks (tenant_id, document_id, language, version, n, clause_id, headings, text)
      select ${tenantId}, ${documentId}, ${language}, ${version}, new.n, new.clause_id, new.headings::jsonb, new.text
      from unnest(${part.map((_, index) => from + index)}::int[], ${part.map(({ clauseId }) => clauseId)}::text[],
        ${part.map(({ headings }) => JSON.stringify(headings))}::text[], ${part.map(({ text }) => text)}::text[])
        as new(n, clause_id, headings, text)
      returning chunk_id, n`.execute(tx);
    const keys = rows.flatMap(({ chunk_id, n }) => {
      const { headings, text, questions } = part[n - from] as Chunk;
      const under = headings.length === 0 ? title : headings.join(": ");
      return [
        { chunk_id, role: "passage", text: `${under}\n${text}` },
        ...questions.map((question) => ({ chunk_id, role: "question", text: question })),
      ];
    });
    for (let at = 0; at < keys.length; at += ROWS_AT_ONCE) {
      const some = keys.slice(at, at + ROWS_AT_ONCE);
      // Folded, as questions are: `Größe` and `grosse` are one word.
      await sql`insert into knowledge_keys (tenant_id, chunk_id, role, text, search)
        select ${tenantId}, new.chunk_id, new.role, new.text, to_tsvector(${config}::regconfig, new.folded)
        from unnest(${some.map(({ chunk_id }) => chunk_id)}::bigint[], ${some.map(({ role }) => role)}::text[],
          ${some.map(({ text }) => text)}::text[], ${some.map(({ text }) => fold(text))}::text[])
          as new(chunk_id, role, text, folded)`.execute(tx);
    }
  }
}

/** Every version ends where the next one that is not held begins; what has ended stays ended. */
async function supersede(tx: Tx, series: Pick<DocumentDetails, "documentId" | "language">): Promise<void> {
  await sql`update knowledge_documents d set superseded_from_ms = next.from_ms
    from (select a.version, min(b.effective_from_ms) as from_ms
            from knowledge_documents a join knowledge_documents b using (tenant_id, document_id, language)
           where a.tenant_id = ${tx.scope.tenantId} and a.document_id = ${series.documentId}
             and a.language = ${series.language} and b.effective_from_ms > a.effective_from_ms
             and b.held_for = '[]'::jsonb
           group by a.version) next
    where d.tenant_id = ${tx.scope.tenantId} and d.document_id = ${series.documentId}
      and d.language = ${series.language} and d.version = next.version
      and (d.superseded_from_ms is null or d.superseded_from_ms > next.from_ms)`.execute(tx);
}

/**
 * Removes a document, or one version of it, with its chunks and embeddings; answers with how many versions.
 * A version that never came into force leaves its predecessor in force; any other leaves a gap, and no old
 * text comes back.
 * @throws ProblemError `document_is_policy`
 */
export async function removeDocument(
  tx: Tx,
  which: { readonly documentId: string; readonly version: string | null; readonly language: Language | null },
  nowMs: number,
  by: string,
): Promise<number> {
  await lockDocuments(tx);
  if (await isPolicy(tx, which.documentId)) {
    throw new ProblemError(
      "document_is_policy",
      `${which.documentId} is the policy that is enforced: what customers are told of it is not removed.`,
    );
  }
  return deleteVersions(tx, which, nowMs, by);
}

/** Removes what people published under an ID, whether or not a policy has it too. */
export async function removeByHand(tx: Tx, documentId: string, nowMs: number, by: string): Promise<number> {
  return deleteVersions(tx, { documentId, version: null, language: null }, nowMs, by);
}

/** Removes the text of one version of a policy, and nothing that people published under its ID. */
export const removePolicyVersion = (tx: Tx, documentId: string, version: string, nowMs: number, by: string) =>
  deleteVersions(tx, { documentId, version, language: null }, nowMs, by, "policy");

async function isPolicy(tx: Tx, documentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("knowledge_documents")
    .select("version")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("document_id", "=", documentId)
    .where("format", "=", "policy")
    .executeTakeFirst();
  return row !== undefined;
}

async function deleteVersions(
  tx: Tx,
  which: { readonly documentId: string; readonly version: string | null; readonly language: Language | null },
  nowMs: number,
  by: string,
  whose: "people" | "policy" = "people",
): Promise<number> {
  let deleting = tx
    .deleteFrom("knowledge_documents")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("document_id", "=", which.documentId)
    .where("format", whose === "policy" ? "=" : "<>", "policy");
  if (which.version !== null) deleting = deleting.where("version", "=", which.version);
  if (which.language !== null) deleting = deleting.where("language", "=", which.language);
  const removed = await deleting
    .returning(["document_id", "language", "version", "effective_from_ms"])
    .execute();
  for (const { document_id, language, effective_from_ms } of removed) {
    if (effective_from_ms <= nowMs) continue;
    await tx
      .updateTable("knowledge_documents")
      .set({ superseded_from_ms: null })
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("document_id", "=", document_id)
      .where("language", "=", language)
      .where("superseded_from_ms", "=", effective_from_ms)
      .execute();
    await supersede(tx, { documentId: document_id, language });
  }
  if (removed.length > 0) {
    await appendAudit(
      tx,
      nowMs,
      removed.map(({ document_id, language, version }) => ({
        kind: "knowledge.removed",
        subject: subjectOf({ documentId: document_id, language, version }),
        customerId: "*",
        body: { by },
      })),
    );
  }
  return removed.length;
}

/** A person has looked at a held version and lets it answer. False when there is no such held version. */
export async function releaseDocument(
  tx: Tx,
  which: Pick<DocumentDetails, "documentId" | "version" | "language">,
  nowMs: number,
  by: string,
): Promise<boolean> {
  await lockDocuments(tx);
  const released = await tx
    .updateTable("knowledge_documents")
    .set({ held_for: "[]" })
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("document_id", "=", which.documentId)
    .where("version", "=", which.version)
    .where("language", "=", which.language)
    .where(sql<boolean>`held_for <> '[]'::jsonb`)
    .returning("hash")
    .execute();
  if (released.length === 0) return false;
  await supersede(tx, which);
  await appendAudit(tx, nowMs, [
    { kind: "knowledge.released", subject: subjectOf(which), customerId: "*", body: { by } },
  ]);
  return true;
}

/** Every version of every document, by document, newest first. */
export async function listDocuments(
  tx: Tx,
  nowMs: number,
  limit: number,
): Promise<readonly DocumentSummary[]> {
  const rows = await tx
    .selectFrom("knowledge_documents as d")
    .selectAll("d")
    .select((eb) =>
      eb
        .selectFrom("knowledge_chunks as c")
        .whereRef("c.tenant_id", "=", "d.tenant_id")
        .whereRef("c.document_id", "=", "d.document_id")
        .whereRef("c.language", "=", "d.language")
        .whereRef("c.version", "=", "d.version")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .as("chunks"),
    )
    .where("d.tenant_id", "=", tx.scope.tenantId)
    .orderBy("d.document_id")
    .orderBy("d.language")
    .orderBy("d.effective_from_ms", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const heldFor = row.held_for as readonly string[];
    return {
      documentId: row.document_id,
      version: row.version,
      kind: row.kind,
      language: row.language,
      audience: row.audience,
      title: row.title,
      effectiveFromMs: row.effective_from_ms,
      effectiveUntilMs: row.effective_until_ms,
      supersededFromMs: row.superseded_from_ms,
      heldFor,
      isPolicy: row.format === "policy",
      chunks: row.chunks ?? 0,
      publishedAtMs: row.published_at_ms,
      publishedBy: row.published_by,
      state:
        heldFor.length > 0
          ? "held"
          : row.superseded_from_ms !== null && row.superseded_from_ms <= nowMs
            ? "superseded"
            : row.effective_until_ms !== null && row.effective_until_ms <= nowMs
              ? "ended"
              : row.effective_from_ms > nowMs
                ? "future"
                : "current",
    };
  });
}

/** One writer of a tenant's documents at a time: versions are compared before they are written. */
export async function lockDocuments(tx: Tx): Promise<void> {
  await tx
    .selectFrom("tenants")
    .select("tenant_id")
    .where("tenant_id", "=", tx.scope.tenantId)
    .forNoKeyUpdate()
    .execute();
}

/** How the audit log names a version. */
export const subjectOf = ({
  documentId,
  language,
  version,
}: Pick<DocumentDetails, "documentId" | "language" | "version">): string =>
  `${documentId}.${language}@${version}`;
