/**
 * What the database finds for a question: by text search, and by nearness of embeddings. One statement of what
 * may answer stands here, for both: of this tenant, in force at the instant, not held, for this audience.
 */
import { type RawBuilder, sql } from "kysely";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { KnowledgeAudience, KnowledgeFormat, KnowledgeKind } from "../store/knowledge-tables.ts";
import type { Tx } from "../store/store.ts";
import { TEXT_SEARCH } from "./documents.ts";
import { widthOf } from "./embedding/embedder.ts";
import type { EmbeddingSet } from "./indexing.ts";

export interface Asking {
  readonly nowMs: number;
  readonly audiences: readonly KnowledgeAudience[];
}

export interface Candidate {
  readonly keyId: number;
  readonly role: "passage" | "question";
  /** The question that was matched; null for a passage, whose headings and text are here anyway. */
  readonly matched: string | null;
  /** Null when the key has no embedding (yet). */
  readonly cosine: number | null;
  readonly chunkId: number;
  readonly n: number;
  readonly text: string;
  readonly headings: readonly string[];
  readonly clauseId: string | null;
  readonly documentId: string;
  readonly version: string;
  readonly language: Language;
  readonly kind: KnowledgeKind;
  /** A clause of the policy that the gateway enforces. */
  readonly isEnforced: boolean;
  readonly title: string;
  readonly effectiveFromMs: number;
}

/** What may answer, as a condition on the document `d`. */
const mayAnswer = (tenantId: string, { nowMs, audiences }: Asking): RawBuilder<boolean> => sql<boolean>`
  d.tenant_id = ${tenantId} and d.effective_from_ms <= ${nowMs}
  and (d.effective_until_ms is null or d.effective_until_ms > ${nowMs})
  and (d.superseded_from_ms is null or d.superseded_from_ms > ${nowMs})
  and d.held_for = '[]'::jsonb and d.audience = any(${audiences}::text[])`;

/** From keys `k` to their chunks and documents. */
const joined = (tenantId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`join knowledge_chunks c on c.tenant_id = ${tenantId} and c.chunk_id = k.chunk_id
  join knowledge_documents d on d.tenant_id = c.tenant_id and d.document_id = c.document_id
   and d.language = c.language and d.version = c.version`;
const JOINED = joined(sql`k.tenant_id`);

/**
 * Keys that share words with the question, the most alike first; `queries` as {@link textQuery} writes them. What is
 * matched is bounded before it is ranked, and what is ranked before it is looked at whether it may answer.
 */
export async function textCandidates(
  tx: Tx,
  asking: Asking,
  queries: readonly { readonly language: Language; readonly query: string }[],
): Promise<readonly number[]> {
  if (queries.length === 0) return [];
  const { tenantId } = tx.scope;
  const query = sql.join(
    queries.map((each) => sql`to_tsquery(${TEXT_SEARCH[each.language]}::regconfig, ${each.query})`),
    sql` || `,
  );
  const { rows } = await sql<{ key_id: number }>`
    with q as materialized (select ${query} as query),
    matched as materialized (
      select k.key_id, k.chunk_id, ts_rank(k.search, q.query, 1) as rank from q, knowledge_keys k
      where k.tenant_id = ${tenantId} and k.search @@ q.query limit ${2 * LIMITS.textMatches}),
    best as materialized (select * from matched order by rank desc, key_id limit ${4 * LIMITS.knowledgeCandidates})
    select k.key_id from best k ${joined(sql`${tenantId}`)}
    where ${mayAnswer(tenantId, asking)}
    order by k.rank desc, k.key_id limit ${LIMITS.knowledgeCandidates}`.execute(tx);
  return rows.map(({ key_id }) => key_id);
}

/**
 * Candidates whose embeddings are near, and those that the text search found, each with its cosine.
 * `vector` null: without embeddings.
 */
export async function allCandidates(
  tx: Tx,
  asking: Asking,
  found: readonly number[],
  near: { readonly set: EmbeddingSet; readonly vector: string } | null,
): Promise<readonly Candidate[]> {
  const { tenantId } = tx.scope;
  const width = near === null ? 0 : widthOf(near.set.dimension);
  const w = sql.raw(String(width));
  if (near !== null) {
    // One plan for all questions: planning takes as long as the search.
    await sql`select set_config('search_path', 'recourse, public', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
      set_config('hnsw.ef_search', '80', true), set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(
      tx,
    );
  }
  // Vectors of the question stand in sub-selects: read once, and not their 5 kB of text anew for every row.
  const ids =
    near === null
      ? sql`select unnest(${found}::bigint[]) as key_id`
      : sql`(select e.key_id from knowledge_embeddings e
          join knowledge_keys k on k.tenant_id = e.tenant_id and k.key_id = e.key_id ${JOINED}
          where e.tenant_id = ${tenantId} and e.set_id = ${near.set.setId} and e.width = ${w} and ${mayAnswer(tenantId, asking)}
          order by binary_quantize(e.embedding::halfvec(${w}))::bit(${w}) <~> (select binary_quantize(${near.vector}::halfvec(${w}))::bit(${w}))
          limit ${LIMITS.knowledgeCandidates}) union select unnest(${found}::bigint[])`;
  const cosine =
    near === null
      ? sql`null::float8`
      : sql`1 - (e.embedding::halfvec(${w}) <=> (select ${near.vector}::halfvec(${w})))`;
  const embedding =
    near === null
      ? sql``
      : sql`left join knowledge_embeddings e on e.tenant_id = k.tenant_id and e.set_id = ${near.set.setId} and e.key_id = k.key_id`;
  const { rows } = await sql<Row>`
    with ids as materialized (${ids})
    select k.key_id, k.role, case when k.role = 'question' then k.text end as matched, ${cosine} as cosine, c.chunk_id, c.n, c.text, c.headings, c.clause_id,
           d.document_id, d.version, d.language, d.kind, d.format, d.title, d.effective_from_ms
    from ids join knowledge_keys k on k.tenant_id = ${tenantId} and k.key_id = ids.key_id ${JOINED} ${embedding}
    where ${mayAnswer(tenantId, asking)}`.execute(tx);
  return rows.map((row) => ({
    keyId: row.key_id,
    role: row.role,
    matched: row.matched,
    cosine: row.cosine,
    chunkId: row.chunk_id,
    n: row.n,
    text: row.text,
    headings: row.headings,
    clauseId: row.clause_id,
    documentId: row.document_id,
    version: row.version,
    language: row.language,
    kind: row.kind,
    isEnforced: row.format === "policy",
    title: row.title,
    effectiveFromMs: row.effective_from_ms,
  }));
}

interface Row {
  readonly key_id: number;
  readonly role: "passage" | "question";
  readonly matched: string | null;
  readonly cosine: number | null;
  readonly chunk_id: number;
  readonly n: number;
  readonly text: string;
  readonly headings: readonly string[];
  readonly clause_id: string | null;
  readonly document_id: string;
  readonly version: string;
  readonly language: Language;
  readonly kind: KnowledgeKind;
  readonly format: KnowledgeFormat;
  readonly title: string;
  readonly effective_from_ms: number;
}
