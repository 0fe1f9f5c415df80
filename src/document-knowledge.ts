/** The room `knowledge` of a running server: its embedding model, the policy book, and what tenants start with. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { policiesExcept } from "./gateway/policy/book.ts";
import type { TenantId } from "./kernel/ids.ts";
import type { Clock } from "./kernel/ports.ts";
import { tenantScope } from "./kernel/scope.ts";
import type { Embedder } from "./knowledge/embedding/embedder.ts";
import { createHashedEmbedder } from "./knowledge/embedding/hashed.ts";
import { readKeptVectors, withKeptVectors } from "./knowledge/embedding/kept-vectors.ts";
import { createSentenceEncoder } from "./knowledge/embedding/sentence-encoder.ts";
import { createKnowledge, type Knowledge } from "./knowledge/knowledge.ts";
import { loadKnowledgeFiles } from "./knowledge/seeding.ts";
import type { Store } from "./store/store.ts";
import type { Tenant } from "./system.ts";

const FOLDER = fileURLToPath(new URL("../knowledge/", import.meta.url));

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly tenants: readonly Tenant[];
  readonly onError: (error: unknown, about: string) => void;
}

export function createDocumentKnowledge({ store, clock, tenants, onError }: Parts): Knowledge {
  return createKnowledge({
    store,
    clock,
    onError,
    tenants: tenants.map(({ id }) => id),
    timeZoneOf: timeZones(tenants),
    policies: policiesExcept,
    // The second one is for sets of a deployment that began with it.
    embedders: [sentenceEncoder(clock, onError), createHashedEmbedder()],
  });
}

function sentenceEncoder(clock: Clock, onError: Parts["onError"]): Embedder {
  const encoder = createSentenceEncoder(clock);
  try {
    return withKeptVectors(encoder, readKeptVectors(join(FOLDER, "vectors.json")));
  } catch (error) {
    // They save time; without them everything is embedded here.
    onError(error, "the vectors of the folder knowledge/");
    return encoder;
  }
}

export const timeZones =
  (tenants: readonly Tenant[]) =>
  (tenantId: TenantId): string =>
    tenants.find(({ id }) => id === tenantId)?.timeZone ?? "UTC";

/** After the server is ready: the documents of the folder, then embeddings, in the background. */
export async function beginKnowledge(
  knowledge: Knowledge,
  { tenants, onError }: Pick<Parts, "tenants" | "onError">,
  stopped: AbortSignal,
): Promise<void> {
  try {
    const files = await loadKnowledgeFiles(FOLDER);
    for (const { id } of tenants) await knowledge.seed(tenantScope(id), files);
  } catch (error) {
    // A document that is wrong keeps nobody's refund from being answered.
    if (!stopped.aborted) onError(error, "the documents of the folder knowledge/");
  }
  if (!stopped.aborted) knowledge.start();
}
