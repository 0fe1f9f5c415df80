/**
 * Brings embeddings up to date, in the background: keys without one are embedded in batches, outside of any
 * transaction. Another model gets a set of its own beside the current one; questions use the current set until
 * the new one is complete, and the switch is one transaction that also drops the old. It may die anywhere: what
 * is missing is found again.
 */
import { sql } from "kysely";
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { lockDocuments } from "./documents.ts";
import { type Embedder, vectorText, widthOf } from "./embedding/embedder.ts";

export interface EmbeddingSet {
  readonly setId: number;
  readonly model: string;
  readonly dimension: number;
}

/** The set that questions use; null before the first. */
export async function currentSet(tx: Tx): Promise<EmbeddingSet | null> {
  const row = await tx
    .selectFrom("knowledge_embedding_sets")
    .select(["set_id", "model", "dimension"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("state", "=", "current")
    .executeTakeFirst();
  return row === undefined ? null : { setId: row.set_id, model: row.model, dimension: row.dimension };
}

export interface IndexingParts {
  readonly store: Store;
  readonly clock: Clock;
  /** The configured one first; others are models that sets of the past may have. */
  readonly embedders: readonly [Embedder, ...Embedder[]];
}

/**
 * Up to which key a tenant's set is known to be whole. Keys of a tenant are numbered under its lock of documents, so
 * that their order is the order in which they became visible, and an embedding goes only with its key or its set.
 * Memory of this process: lost, the keys are looked through once more.
 */
export type Progress = Map<number, number>;

/**
 * Everything embedded and the configured model's set current when it resolves, unless the signal aborts; answers with
 * how many keys it embedded.
 */
export async function indexTenant(
  { store, clock, embedders }: IndexingParts,
  tenantId: TenantId,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  let embedded = 0;
  const scope = tenantScope(tenantId);
  const [wanted] = embedders;
  widthOf(wanted.dimension);
  await store.transact(scope, async (tx) => {
    const first = (await currentSet(tx)) === null;
    await tx
      .insertInto("knowledge_embedding_sets")
      .values({
        tenant_id: tenantId,
        model: wanted.model,
        dimension: wanted.dimension,
        // With no set before it there is nothing better to ask meanwhile.
        state: first ? "current" : "building",
        created_at_ms: clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  while (!signal.aborted) {
    const work = await store.transact(scope, (tx) => missingKeys(tx, embedders, progress));
    if (work === null) {
      if (await store.transact(scope, (tx) => promote(tx, wanted, progress))) return embedded;
      continue;
    }
    const vectors = await work.embedder.embedTexts(
      work.keys.map(({ text }) => text),
      signal,
    );
    const { setId, embedder } = work;
    const width = widthOf(embedder.dimension);
    const texts = vectors.map((vector) => vectorText(vector, embedder.dimension, width));
    await store.transact(scope, async (tx) => {
      const ids = work.keys.map(({ key_id }) => key_id);
      await sql`select set_config('search_path', 'recourse, public', true)`.execute(tx);
      // A key may be gone meanwhile, and so may the set.
      await sql`insert into knowledge_embeddings (tenant_id, set_id, key_id, width, embedding)
        select k.tenant_id, s.set_id, k.key_id, ${width}::int, new.embedding::halfvec
        from unnest(${ids}::bigint[], ${texts}::text[]) as new(key_id, embedding)
        join knowledge_keys k on k.tenant_id = ${tenantId} and k.key_id = new.key_id
        join knowledge_embedding_sets s on s.tenant_id = ${tenantId} and s.set_id = ${setId}
        on conflict do nothing`.execute(tx);
    });
    embedded += work.keys.length;
  }
  return embedded;
}

interface Work {
  readonly setId: number;
  readonly embedder: Embedder;
  readonly keys: readonly { readonly key_id: number; readonly text: string }[];
}

/** Keys looked at in one statement: some milliseconds, in which the embedded database serves nobody else. */
const KEYS_AT_ONCE = 500;

/** Keys that a set of a model at hand lacks: the current set first. */
async function missingKeys(tx: Tx, embedders: readonly Embedder[], progress: Progress): Promise<Work | null> {
  const sets = await tx
    .selectFrom("knowledge_embedding_sets")
    .select(["set_id", "model", "dimension"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .orderBy("state", "desc")
    .orderBy("set_id")
    .execute();
  for (const { set_id, model, dimension } of sets) {
    const embedder = embedders.find((each) => each.model === model && each.dimension === dimension);
    if (embedder === undefined) continue;
    for (;;) {
      const page = await keysAfter(tx, set_id, progress.get(set_id) ?? 0);
      const missing = page.filter(({ is_missing }) => is_missing).slice(0, LIMITS.embeddingBatch);
      const whole = missing[0] === undefined ? page.at(-1)?.key_id : missing[0].key_id - 1;
      if (whole !== undefined) progress.set(set_id, whole);
      if (missing.length > 0) return { setId: set_id, embedder, keys: missing };
      if (page.length < KEYS_AT_ONCE) break;
    }
  }
  return null;
}

/** The next keys in order, with whether the set lacks them. A bounded page: no plan can make it long. */
async function keysAfter(
  tx: Tx,
  setId: number,
  after: number,
): Promise<readonly { readonly key_id: number; readonly text: string; readonly is_missing: boolean }[]> {
  const { tenantId } = tx.scope;
  const { rows } = await sql<{ key_id: number; text: string; is_missing: boolean }>`
    with page as materialized (
      select key_id, text from knowledge_keys where tenant_id = ${tenantId} and key_id > ${after}
      order by key_id limit ${KEYS_AT_ONCE})
    select key_id, text, not exists (select from knowledge_embeddings e
      where e.tenant_id = ${tenantId} and e.set_id = ${setId} and e.key_id = page.key_id) as is_missing
    from page order by key_id`.execute(tx);
  return rows;
}

/** Makes the wanted set the current one when it lacks nothing, and drops the others; true when it is. */
async function promote(tx: Tx, wanted: Embedder, progress: Progress): Promise<boolean> {
  // Nobody publishes between the look and the switch: the set that takes over is whole.
  await lockDocuments(tx);
  if ((await missingKeys(tx, [wanted], progress)) !== null) return false;
  const sets = await tx
    .selectFrom("knowledge_embedding_sets")
    .select(["set_id", "model", "dimension", "state"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .forUpdate()
    .execute();
  const next = sets.find(({ model, dimension }) => model === wanted.model && dimension === wanted.dimension);
  if (next === undefined) return true;
  const others = sets.filter(({ set_id }) => set_id !== next.set_id).map(({ set_id }) => set_id);
  if (others.length > 0) {
    await tx
      .deleteFrom("knowledge_embedding_sets")
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("set_id", "in", others)
      .execute();
  }
  if (next.state === "building") {
    await tx
      .updateTable("knowledge_embedding_sets")
      .set({ state: "current" })
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("set_id", "=", next.set_id)
      .execute();
  }
  return true;
}
