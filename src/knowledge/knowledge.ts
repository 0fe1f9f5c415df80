/**
 * Room `knowledge`: what may be answered from, and from where. May import `kernel`, `store`, `evidence`.
 * Promises: superseded, future, held and removed versions never answer, as of the clock; another tenant's
 * never do (row-level security, and a condition beside it); every answer names document, version and date;
 * "I don't know" when the evidence is weak. Nothing here allows or does anything: a document is data, and
 * the gateway does not read it.
 *
 * Reading order: `documents.ts` (versions), `reading/` (bytes to blocks), `chunks.ts`, `candidates.ts` and
 * `ranking.ts` (what is found), `evidence.ts` (whether it answers), `indexing.ts` (embeddings).
 */
import { createHash } from "node:crypto";
import { ProblemError } from "../kernel/errors.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Scope, type TenantScope, tenantScope } from "../kernel/scope.ts";
import type { Tx } from "../store/store.ts";
import { chunksOf } from "./chunks.ts";
import {
  type DocumentDetails,
  type DocumentSummary,
  listDocuments,
  publishDocument,
  releaseDocument,
  removeDocument,
  subjectOf,
} from "./documents.ts";
import { indexTenant, type Progress } from "./indexing.ts";
import { enforcedTexts, type PolicyText, policyTextHashes, publishPolicyTexts } from "./policy-texts.ts";
import { plain } from "./reading/blocks.ts";
import { createDocumentReader, type DocumentFormat } from "./reading/reader.ts";
import {
  createSearcher,
  type KnowledgeAnswer,
  type KnowledgeQuestion,
  type Searcher,
  type SearchParts,
} from "./search.ts";
import type { DocumentFile } from "./seeding.ts";
import { suspicionsOf } from "./suspicion.ts";

export type { DocumentDetails, DocumentState, DocumentSummary } from "./documents.ts";
export { type PolicyText, publishPolicyTexts } from "./policy-texts.ts";
export type { DocumentFormat } from "./reading/reader.ts";
export type { KnowledgeAnswer, KnowledgeQuestion, Passage, Source } from "./search.ts";

export interface AddedDocument {
  readonly outcome: "published" | "unchanged" | "held";
  readonly document: DocumentDetails;
  readonly chunks: number;
  /** Why a person should look at it before it answers. */
  readonly heldFor: readonly string[];
}

export interface Knowledge {
  /**
   * Reads and publishes a document; it can be found at once by its words, and soon by its meaning.
   * @throws ProblemError `document_…`
   */
  add(
    scope: TenantScope,
    document: DocumentDetails & { readonly format: DocumentFormat; readonly bytes: Uint8Array },
    by: string,
  ): Promise<AddedDocument>;
  /** Documents that the tenant has never had: what was removed does not come back with the next start. */
  seed(scope: TenantScope, files: readonly DocumentFile[]): Promise<void>;
  list(scope: TenantScope): Promise<readonly DocumentSummary[]>;
  /** @throws ProblemError `not_found` */
  remove(
    scope: TenantScope,
    which: {
      readonly documentId: string;
      readonly version: string | null;
      readonly language: Language | null;
    },
    by: string,
  ): Promise<{ readonly removed: number }>;
  /** @throws ProblemError `not_found` when no such version is held */
  release(
    scope: TenantScope,
    which: Pick<DocumentDetails, "documentId" | "version" | "language">,
    by: string,
  ): Promise<void>;
  search(scope: Scope, question: KnowledgeQuestion, signal?: AbortSignal): Promise<KnowledgeAnswer>;
  /** For evaluations. */
  readonly ranked: Searcher["ranked"];
  /** Resolves when everything of the tenant is embedded with the configured model. */
  index(tenantId: TenantId): Promise<void>;
  /** Indexes in the background from now on. */
  start(): void;
  stop(): Promise<void>;
}

export interface KnowledgeParts extends SearchParts {
  readonly tenants: readonly TenantId[];
  /** Published policy versions of the tenant, without those whose hash is known. */
  readonly policies?: (tx: Tx, known: ReadonlySet<string>) => Promise<readonly PolicyText[]>;
}

export function createKnowledge(parts: KnowledgeParts): Knowledge {
  const { store, clock, embedders, tenants, policies, timeZoneOf, onError } = parts;
  const reader = createDocumentReader(clock);
  const searcher = createSearcher(parts);
  const stopping = new AbortController();
  const running = new Map<TenantId, Promise<void>>();
  const again = new Set<TenantId>();
  /** Texts came since the database last counted them. */
  const fresh = new Set<TenantId>();
  const progress = new Map<TenantId, Progress>();
  const progressOf = (tenantId: TenantId): Progress => {
    const own = progress.get(tenantId) ?? new Map();
    progress.set(tenantId, own);
    return own;
  };
  let started = false;
  let cancelSweep: () => void = () => {};

  /** Policy versions that were published before documents were kept, or by a process that does not know of them. */
  const addPolicies = async (tenantId: TenantId): Promise<void> => {
    if (policies === undefined) return;
    const count = await store.transact(tenantScope(tenantId), async (tx) => {
      const fresh = await policies(tx, new Set(await policyTextHashes(tx)));
      return publishPolicyTexts(tx, fresh, timeZoneOf(tenantId), clock.now());
    });
    if (count > 0) searcher.forget(tenantId);
  };

  /** One indexing of a tenant at a time; asked for meanwhile, it runs once more. */
  const index = (tenantId: TenantId): Promise<void> => {
    const before = running.get(tenantId);
    if (before !== undefined) {
      again.add(tenantId);
      return before;
    }
    const work = (async () => {
      do {
        again.delete(tenantId);
        await addPolicies(tenantId);
        // Before the planner knows how many texts there are it joins each with each, and a search holds up all others.
        if (fresh.delete(tenantId)) await store.tidy();
        const parts = { store, clock, embedders };
        const embedded = await indexTenant(parts, tenantId, progressOf(tenantId), stopping.signal);
        if (embedded > 0) await store.tidy();
      } while (again.has(tenantId) && !stopping.signal.aborted);
    })().finally(() => running.delete(tenantId));
    running.set(tenantId, work);
    return work;
  };
  const indexSoon = (tenantId: TenantId): void => {
    if (!started) return;
    index(tenantId).catch((error: unknown) => {
      if (!stopping.signal.aborted) onError(error, `embedding the documents of ${tenantId}`);
    });
  };
  const sweep = (): void => {
    for (const tenantId of tenants) indexSoon(tenantId);
    cancelSweep = clock.after(LIMITS.knowledgeSweepMs, sweep);
  };

  const add: Knowledge["add"] = async (scope, { bytes, format, ...given }, by) => {
    // A title may be a file's name: one line of text without control characters, and looked at like all else.
    const document = { ...given, title: plain(given.title) };
    if (document.title === "") throw new ProblemError("document_invalid", "title: it has no text.");
    const { effectiveFromMs, effectiveUntilMs } = document;
    if (effectiveUntilMs !== null && effectiveUntilMs <= effectiveFromMs) {
      throw new ProblemError("document_invalid", "effective_until: it is not after effective_from.");
    }
    const hash = hashOf(bytes);
    const { blocks, hidden } = await reader.read(bytes, format);
    const chunks = chunksOf(blocks, document.title, document.kind === "faq");
    const texts = chunks.flatMap((chunk) => [...chunk.headings, ...chunk.questions, chunk.text]);
    const added = await store.transact(scope, async (tx) => {
      const nowMs = clock.now();
      const heldFor = suspicionsOf([document.title, ...texts], hidden, await enforcedTexts(tx, nowMs));
      const outcome = await publishDocument(tx, { ...document, format, hash, chunks, heldFor }, nowMs, by);
      return {
        outcome: outcome === "published" && heldFor.length > 0 ? ("held" as const) : outcome,
        heldFor,
      };
    });
    if (added.outcome !== "unchanged") {
      fresh.add(scope.tenantId);
      searcher.forget(scope.tenantId);
      indexSoon(scope.tenantId);
    }
    return { ...added, document, chunks: chunks.length };
  };

  return {
    add,
    async seed(scope, files) {
      const timeZone = timeZoneOf(scope.tenantId);
      const own = files
        .filter(({ tenant }) => tenant === scope.tenantId)
        .map((file) => ({ ...file, details: file.details(timeZone) }));
      if (own.length === 0) return;
      const published = await store.transact(scope, (tx) =>
        tx
          .selectFrom("audit")
          .select(["subject", "body"])
          .where("tenant_id", "=", scope.tenantId)
          .where("kind", "in", ["knowledge.published", "knowledge.held"])
          .where(
            "subject",
            "in",
            own.map(({ details }) => subjectOf(details)),
          )
          .execute(),
      );
      for (const { details, format, bytes } of own) {
        const subject = subjectOf(details);
        const before = published.filter((entry) => entry.subject === subject);
        if (before.length === 0) {
          await add(scope, { ...details, format, bytes }, "files");
        } else if (!before.some(({ body }) => (body as { hash?: unknown }).hash === hashOf(bytes))) {
          // Not ignored: whoever edited the file believes that the new text answers.
          const conflict = `${subject} was published with another text: the file's is not used.`;
          onError(
            new ProblemError("document_version_conflict", conflict),
            `the documents of ${scope.tenantId}`,
          );
        }
      }
    },
    list: (scope) =>
      store.transact(scope, (tx: Tx) => listDocuments(tx, clock.now(), LIMITS.documentsListed)),
    async remove(scope, which, by) {
      const removed = await store.transact(scope, (tx) => removeDocument(tx, which, clock.now(), by));
      if (removed === 0)
        throw new ProblemError("not_found", `There is no document ${which.documentId.slice(0, 100)}.`);
      searcher.forget(scope.tenantId);
      return { removed };
    },
    async release(scope, which, by) {
      const released = await store.transact(scope, (tx) => releaseDocument(tx, which, clock.now(), by));
      if (!released) throw new ProblemError("not_found", "No such version is held.");
    },
    search: (scope, question, signal) => searcher.search(scope, question, signal),
    ranked: (scope, question, signal) => searcher.ranked(scope, question, signal),
    index: async (tenantId) => {
      searcher.forget(tenantId);
      await index(tenantId);
    },
    start() {
      started = true;
      sweep();
    },
    async stop() {
      started = false;
      cancelSweep();
      stopping.abort(new Error("stopping"));
      await Promise.allSettled(running.values());
      await Promise.all(embedders.map((embedder) => embedder.rest()));
    },
  };
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What a system without documents knows. */
export const NO_KNOWLEDGE: KnowledgeAnswer = {
  answered: false,
  confidence: 0,
  doubts: ["nothing_found"],
  passages: [],
};
