/**
 * The lexicon of each tenant, learned from a sample of its texts and kept. Only the first is waited for: when texts
 * change, the old one serves until the new one is learned, for the weights of words move little. Learning gives
 * way to everything else after every few texts.
 */
import type { TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import { type Scope, tenantScope } from "../kernel/scope.ts";
import type { Store } from "../store/store.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";

export interface Learned {
  readonly lexicon: Lexicon;
  /** Of the tenant's documents. */
  readonly languages: readonly Language[];
  /** How many texts the tenant has: passages and questions. */
  readonly texts: number;
}

export interface Lexicons {
  of(scope: Scope): Promise<Learned>;
  /** The tenant's texts have changed: its lexicon is learned anew with the next question. */
  forget(tenantId: TenantId): void;
}

interface Kept extends Learned {
  readonly atMs: number;
}

/** Texts between two rests. */
const AT_ONCE = 50;

export function createLexicons({
  store,
  clock,
  onError,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly onError: (error: unknown, about: string) => void;
}): Lexicons {
  const kept = new Map<TenantId, Kept>();
  const stale = new Set<TenantId>();
  const learning = new Map<TenantId, Promise<Kept>>();

  const learn = async (tenantId: TenantId): Promise<Kept> => {
    const atMs = clock.now();
    const { sample, count, languages } = await store.transact(tenantScope(tenantId), async (tx) => ({
      count: await tx
        .selectFrom("knowledge_keys")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .where("tenant_id", "=", tenantId)
        .executeTakeFirst(),
      sample: await tx
        .selectFrom("knowledge_keys")
        .select("text")
        .where("tenant_id", "=", tenantId)
        .orderBy("key_id", "desc")
        .limit(LIMITS.lexiconSample)
        .execute(),
      languages: await tx
        .selectFrom("knowledge_documents")
        .select("language")
        .distinct()
        .where("tenant_id", "=", tenantId)
        .execute(),
    }));
    const lexicon = createLexicon();
    for (const [index, { text }] of sample.entries()) {
      lexicon.learn(text.slice(0, LIMITS.lexiconSampleChars));
      if (index % AT_ONCE === AT_ONCE - 1) await clock.sleep(0);
    }
    return { lexicon, languages: languages.map(({ language }) => language), texts: count?.n ?? 0, atMs };
  };

  /** One learning of a tenant at a time. */
  const learned = (tenantId: TenantId): Promise<Kept> => {
    const under = learning.get(tenantId);
    if (under !== undefined) return under;
    stale.delete(tenantId);
    const work = learn(tenantId)
      .then((found) => {
        // Of a tenant without documents nothing is kept: the first may come at any moment, from any process.
        if (found.languages.length > 0) kept.set(tenantId, found);
        else kept.delete(tenantId);
        return found;
      })
      .finally(() => learning.delete(tenantId));
    learning.set(tenantId, work);
    return work;
  };

  return {
    async of({ tenantId }) {
      const at = kept.get(tenantId);
      if (at === undefined) return learned(tenantId);
      if (stale.has(tenantId) || clock.now() - at.atMs > LIMITS.lexiconMs) {
        learned(tenantId).catch((error: unknown) => onError(error, `learning the words of ${tenantId}`));
      }
      return at;
    },
    forget(tenantId) {
      stale.add(tenantId);
    },
  };
}
