/**
 * What the database finds for a question: by text search, and by nearness of embeddings. One statement of what
 * may answer stands here, for both: of this tenant, in force at the instant, not held, for this audience.
 *
 * The text search is done while the question is being embedded, so all that can be done then is: its candidates
 * come with their texts. Afterwards only those that are near are read, and of the others their cosine.
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

/** What a candidate is made of: a key, its passage, its document. */
const COLUMNS = sql`k.key_id, k.role, case when k.role = 'question' then k.text end as matched, c.chunk_id, c.n, c.text, c.headings, c.clause_id,
  d.document_id, d.version, d.language, d.kind, d.format, d.title, d.effective_from_ms`;

/**
 * Keys that share words with the question, the most alike first; `queries` as {@link textQuery} writes them. What is
 * matched is bounded before it is ranked, and what is ranked before it is looked at whether it may answer.
 */
export async function textCandidates(
  tx: Tx,
  asking: Asking,
  queries: readonly { readonly language: Language; readonly query: string }[],
): Promise<readonly Candidate[]> {
  if (queries.length === 0) return [];
  const { tenantId } = tx.scope;
  const query = sql.join(
    queries.map((each) => sql`to_tsquery(${TEXT_SEARCH[each.language]}::regconfig, ${each.query})`),
    sql` || `,
  );
  const { rows } = await sql<Row>`
    with q as materialized (select ${query} as query),
    matched as materialized (
      select k.key_id, k.role, k.text, k.chunk_id, ts_rank(k.search, q.query, 1) as rank from q, knowledge_keys k
      where k.tenant_id = ${tenantId} and k.search @@ q.query limit ${2 * LIMITS.textMatches}),
    best as materialized (select * from matched order by rank desc, key_id limit ${4 * LIMITS.knowledgeCandidates})
    select ${COLUMNS}, null::float8 as cosine from best k ${joined(sql`${tenantId}`)}
    where ${mayAnswer(tenantId, asking)}
    order by k.rank desc, k.key_id limit ${LIMITS.knowledgeCandidates}`.execute(tx);
  return rows.map(candidateOf);
}

/**
 * Candidates whose embeddings are near, and those that the text search found and that may still answer, each with
 * its cosine. `near` null: without embeddings.
 */
export async function allCandidates(
  tx: Tx,
  asking: Asking,
  found: readonly Candidate[],
  near: { readonly set: EmbeddingSet; readonly vector: string } | null,
): Promise<readonly Candidate[]> {
  const { tenantId } = tx.scope;
  const ids = found.map(({ keyId }) => keyId);
  // The text search was some milliseconds ago: what was taken back since then answers nothing.
  const foundKeys = sql`from unnest(${ids}::bigint[]) as ids (key_id)
    join knowledge_keys k on k.tenant_id = ${tenantId} and k.key_id = ids.key_id ${JOINED}`;
  if (near === null) {
    const { rows } = await sql<{ key_id: number }>`
      select k.key_id ${foundKeys} where ${mayAnswer(tenantId, asking)}`.execute(tx);
    const still = new Set(rows.map(({ key_id }) => key_id));
    return found.filter(({ keyId }) => still.has(keyId));
  }
  const width = widthOf(near.set.dimension);
  const w = sql.raw(String(width));
  // One plan for all questions: planning takes as long as the search.
  await sql`select set_config('search_path', 'recourse, public', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
      set_config('hnsw.ef_search', '80', true), set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(
    tx,
  );
  // The question's vector is 4 kB of text: read once, and not for every use of it and every row.
  const { rows } = await sql<Row | Cosine>`
    with q as materialized (select ${near.vector}::halfvec(${w}) as vector),
    near as (
      select ${COLUMNS}, 1 - (e.embedding::halfvec(${w}) <=> (select vector from q)) as cosine
      from knowledge_embeddings e join knowledge_keys k on k.tenant_id = e.tenant_id and k.key_id = e.key_id ${JOINED}
      where e.tenant_id = ${tenantId} and e.set_id = ${near.set.setId} and e.width = ${w} and ${mayAnswer(tenantId, asking)}
      order by binary_quantize(e.embedding::halfvec(${w}))::bit(${w}) <~> (select binary_quantize(vector)::bit(${w}) from q)
      limit ${LIMITS.knowledgeCandidates})
    select * from near union all
    select k.key_id, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
           1 - (e.embedding::halfvec(${w}) <=> (select vector from q))
    ${foundKeys} left join knowledge_embeddings e on e.tenant_id = k.tenant_id and e.set_id = ${near.set.setId} and e.key_id = k.key_id
    where ${mayAnswer(tenantId, asking)}`.execute(tx);
  const byKey = new Map(found.map((candidate) => [candidate.keyId, candidate]));
  const all = new Map<number, Candidate>();
  for (const row of rows) {
    const before = byKey.get(row.key_id);
    if (row.chunk_id !== null) all.set(row.key_id, candidateOf(row));
    else if (before !== undefined && !all.has(row.key_id))
      all.set(row.key_id, { ...before, cosine: row.cosine });
  }
  return [...all.values()];
}

/** Of a key that is known already. */
interface Cosine {
  readonly key_id: number;
  readonly chunk_id: null;
  readonly cosine: number | null;
}

const candidateOf = (row: Row): Candidate => ({
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
});

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
