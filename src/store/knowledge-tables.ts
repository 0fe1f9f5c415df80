/** The tables of knowledge, as part of {@link Tables}; `migrations/0003_knowledge.sql` is the truth. */
import type { ColumnType, Generated } from "kysely";
import type { TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";

type Json<T> = ColumnType<T, string, string>;

export type KnowledgeKind = "policy" | "faq" | "product" | "resolved_case";
export type KnowledgeAudience = "customer" | "operator";
export type KnowledgeFormat = "markdown" | "html" | "pdf" | "text" | "policy";

export interface KnowledgeTables {
  knowledge_documents: {
    tenant_id: TenantId;
    document_id: string;
    language: Language;
    version: string;
    kind: KnowledgeKind;
    audience: KnowledgeAudience;
    title: string;
    effective_from_ms: number;
    effective_until_ms: number | null;
    superseded_from_ms: number | null;
    held_for: Json<readonly string[]>;
    format: KnowledgeFormat;
    hash: string;
    published_at_ms: number;
    published_by: string;
  };
  knowledge_chunks: {
    tenant_id: TenantId;
    chunk_id: Generated<number>;
    document_id: string;
    language: Language;
    version: string;
    n: number;
    clause_id: string | null;
    headings: Json<readonly string[]>;
    text: string;
  };
  knowledge_keys: {
    tenant_id: TenantId;
    key_id: Generated<number>;
    chunk_id: number;
    role: "passage" | "question";
    text: string;
    /** Written by `to_tsvector`, never read. */
    search: string;
  };
  knowledge_embedding_sets: {
    tenant_id: TenantId;
    set_id: Generated<number>;
    model: string;
    dimension: number;
    state: "building" | "current";
    created_at_ms: number;
  };
  knowledge_embeddings: {
    tenant_id: TenantId;
    set_id: number;
    key_id: number;
    width: number;
    /** pgvector's text form: `[0.1,…]`. */
    embedding: string;
  };
}
