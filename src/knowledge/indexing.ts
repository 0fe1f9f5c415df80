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

/** Everything embedded and the configured model's set current when it resolves, unless the signal aborts. */
export async function indexTenant(
  { store, clock, embedders }: IndexingParts,
  tenantId: TenantId,
  signal: AbortSignal,
): Promise<void> {
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
    const work = await store.transact(scope, (tx) => missingKeys(tx, embedders));
    if (work === null) {
      if (await store.transact(scope, (tx) => promote(tx, wanted))) return;
      continue;
    }
    const vectors = await work.embedder.embedTexts(
      work.keys.map(({ text }) => text),
      signal,
    );
    const { setId, embedder } = work;
    const width = widthOf(embedder.dimension);
    await store.transact(scope, async (tx) => {
      const ids = work.keys.map(({ key_id }) => key_id);
      const texts = vectors.map((vector) => vectorText(vector, embedder.dimension, width));
      await sql`select set_config('search_path', 'recourse, public', true)`.execute(tx);
      // A key may be gone meanwhile, and so may the set.
      await sql`insert into knowledge_embeddings (tenant_id, set_id, key_id, width, embedding)
        select k.tenant_id, s.set_id, k.key_id, ${width}::int, new.embedding::halfvec
        from unnest(${ids}::bigint[], ${texts}::text[]) as new(key_id, embedding)
        join knowledge_keys k on k.tenant_id = ${tenantId} and k.key_id = new.key_id
        join knowledge_embedding_sets s on s.tenant_id = ${tenantId} and s.set_id = ${setId}
        on conflict do nothing`.execute(tx);
    });
  }
}

interface Work {
  readonly setId: number;
  readonly embedder: Embedder;
  readonly keys: readonly { readonly key_id: number; readonly text: string }[];
}

/** Keys that a set of a model at hand lacks: the current set first, newest keys first. */
async function missingKeys(tx: Tx, embedders: readonly Embedder[]): Promise<Work | null> {
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
    const keys = await tx
      .selectFrom("knowledge_keys as k")
      .select(["k.key_id", "k.text"])
      .where("k.tenant_id", "=", tx.scope.tenantId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("knowledge_embeddings as e")
              .select("e.key_id")
              .whereRef("e.tenant_id", "=", "k.tenant_id")
              .where("e.set_id", "=", set_id)
              .whereRef("e.key_id", "=", "k.key_id"),
          ),
        ),
      )
      .orderBy("k.key_id", "desc")
      .limit(LIMITS.embeddingBatch * 4)
      .execute();
    if (keys.length > 0) return { setId: set_id, embedder, keys };
  }
  return null;
}

/** Makes the wanted set the current one when it lacks nothing, and drops the others; true when it is. */
async function promote(tx: Tx, wanted: Embedder): Promise<boolean> {
  const sets = await tx
    .selectFrom("knowledge_embedding_sets")
    .select(["set_id", "model", "dimension", "state"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .forUpdate()
    .execute();
  const next = sets.find(({ model, dimension }) => model === wanted.model && dimension === wanted.dimension);
  if (next === undefined) return true;
  if (next.state === "building") {
    // A key that was added since the last look would be missing from the set that takes over.
    if ((await missingKeys(tx, [wanted])) !== null) return false;
  }
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
