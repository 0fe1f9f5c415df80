-- Knowledge: documents with versions, their chunks, and what they are found by.
-- A series is (tenant, document_id, language); its versions follow each other without overlap.
create extension if not exists vector;
set local search_path = recourse, public;

create table knowledge_documents (
  tenant_id         text not null references tenants,
  document_id       text not null,
  language          text not null check (language in ('en', 'es', 'de', 'fr', 'pt', 'it')),
  version           text not null,
  kind              text not null check (kind in ('policy', 'faq', 'product', 'resolved_case')),
  audience          text not null check (audience in ('customer', 'operator')),
  title             text not null,
  effective_from_ms bigint not null,
  -- as its author declared; null: until superseded
  effective_until_ms bigint,
  -- from when a later version has taken its place. Never moves back once that instant has come:
  -- removing a version that was in force does not bring its predecessor back.
  superseded_from_ms bigint,
  -- what the reader found suspicious; a document with any answers nobody until a person releases it
  held_for          jsonb not null default '[]',
  format            text not null check (format in ('markdown', 'html', 'pdf', 'text', 'policy')),
  hash              text not null,
  published_at_ms   bigint not null,
  published_by      text not null,
  primary key (tenant_id, document_id, language, version),
  unique (tenant_id, document_id, language, effective_from_ms),
  check (effective_until_ms is null or effective_until_ms > effective_from_ms)
);

create table knowledge_chunks (
  tenant_id   text not null,
  chunk_id    bigint generated always as identity,
  document_id text not null,
  language    text not null,
  version     text not null,
  n           integer not null,
  clause_id   text,
  headings    jsonb not null,
  text        text not null,
  primary key (tenant_id, chunk_id),
  foreign key (tenant_id, document_id, language, version) references knowledge_documents on delete cascade
);
create unique index knowledge_chunks_of_document on knowledge_chunks (tenant_id, document_id, language, version, n);

-- What a chunk is found by: its passage, and each question that it answers.
create table knowledge_keys (
  tenant_id text not null,
  key_id    bigint generated always as identity,
  chunk_id  bigint not null,
  role      text not null check (role in ('passage', 'question')),
  text      text not null,
  search    tsvector not null,
  primary key (tenant_id, key_id),
  foreign key (tenant_id, chunk_id) references knowledge_chunks on delete cascade
);
create index knowledge_keys_of_chunk on knowledge_keys (tenant_id, chunk_id);
create index knowledge_keys_search on knowledge_keys using gin (search);

-- Under row-level security an index serves only operators that are marked as leaking nothing. Matching a tsvector
-- leaks nothing (it raises no error about its data), but PostgreSQL does not say so. Where we may, we do; where
-- not (a server without a superuser's rights), the tenant's keys are scanned, which a server does fast enough.
do $$ begin
  alter function pg_catalog.ts_match_vq(tsvector, tsquery) leakproof;
exception when insufficient_privilege then null;
end $$;

-- The embeddings of one model. Queries use the current set; another is built beside it and takes over whole.
create table knowledge_embedding_sets (
  tenant_id  text not null references tenants,
  set_id     bigint generated always as identity,
  model      text not null,
  dimension  integer not null,
  state      text not null check (state in ('building', 'current')),
  created_at_ms bigint not null,
  primary key (tenant_id, set_id),
  unique (tenant_id, model, dimension)
);
create unique index knowledge_one_current_set on knowledge_embedding_sets (tenant_id) where state = 'current';

-- `width` is the dimension rounded up to one that has an index; the rest is zeros, which change no angle.
create table knowledge_embeddings (
  tenant_id text not null,
  set_id    bigint not null,
  key_id    bigint not null,
  width     integer not null check (width in (256, 384, 512, 768, 1024, 1536)),
  embedding halfvec not null,
  primary key (tenant_id, set_id, key_id),
  check (vector_dims(embedding) = width),
  foreign key (tenant_id, set_id) references knowledge_embedding_sets on delete cascade,
  foreign key (tenant_id, key_id) references knowledge_keys on delete cascade
);
create index knowledge_embeddings_of_key on knowledge_embeddings (tenant_id, key_id);

-- HNSW over the signs of the components (Hamming distance), candidates are then ordered by the exact angle.
-- Measured with 10,000 × 512 in the embedded database: built in 4 s instead of 185 s, and as exact.
do $$
declare w integer;
begin
  foreach w in array array[256, 384, 512, 768, 1024, 1536] loop
    execute format('create index knowledge_embeddings_%1$s on recourse.knowledge_embeddings using hnsw ((binary_quantize(embedding::halfvec(%1$s))::bit(%1$s)) bit_hamming_ops) where width = %1$s', w);
  end loop;
end $$;

grant select, insert, delete on knowledge_documents, knowledge_chunks, knowledge_keys, knowledge_embeddings to recourse_app;
grant select, insert, update, delete on knowledge_embedding_sets to recourse_app;
grant update (superseded_from_ms, held_for) on knowledge_documents to recourse_app;

do $$
declare t text;
begin
  foreach t in array array['knowledge_documents', 'knowledge_chunks', 'knowledge_keys', 'knowledge_embedding_sets', 'knowledge_embeddings'] loop
    execute format('alter table recourse.%I enable row level security', t);
    execute format('alter table recourse.%I force row level security', t);
    execute format('create policy scope on recourse.%I to recourse_app using (tenant_id = current_setting(''recourse.tenant'', true)) with check (tenant_id = current_setting(''recourse.tenant'', true))', t);
  end loop;
end $$;
