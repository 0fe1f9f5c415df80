/**
 * One question from its text to passages and a verdict. The text search runs while the question is embedded
 * (in another thread), and what it found is read; a second statement adds what is near. If the embedding model is away or too slow, words
 * alone decide. Questions are data: no text of one reaches a query but as plain words and as a vector.
 */
import { dateIn } from "../kernel/calendar.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import type { Scope } from "../kernel/scope.ts";
import type { KnowledgeAudience, KnowledgeKind } from "../store/knowledge-tables.ts";
import type { Store } from "../store/store.ts";
import { type Asking, allCandidates, textCandidates } from "./candidates.ts";
import { checkedVector, type Embedder, vectorText, widthOf } from "./embedding/embedder.ts";
import { judge, type Verdict } from "./evidence.ts";
import { meaningOf } from "./glossary.ts";
import { currentSet, type EmbeddingSet } from "./indexing.ts";
import { gloss, type Lexicon } from "./lexicon.ts";
import { createLexicons } from "./lexicons.ts";
import { enforcedTexts } from "./policy-texts.ts";
import { bySection, type Question, type Ranked, rank, wordsOfCandidate } from "./ranking.ts";
import { contradictions, setsLimit } from "./suspicion.ts";
import { type SearchedWord, textQuery } from "./text-query.ts";
import { isEnglish, says, wordsOf } from "./words.ts";

/** Where an answer stands: what a citation shows. */
export interface Source {
  readonly documentId: string;
  readonly version: string;
  /** Calendar date in the tenant's time zone. */
  readonly effectiveFrom: string;
  readonly title: string;
  readonly clauseId: string | null;
}

export interface Passage {
  readonly source: Source;
  readonly kind: KnowledgeKind;
  readonly language: Language;
  readonly headings: readonly string[];
  readonly text: string;
  /** 0..1; for comparing passages of one answer. */
  readonly score: number;
}

export interface KnowledgeAnswer {
  /** False: the evidence is weak. Say "I don't know", whatever the passages are. */
  readonly answered: boolean;
  readonly confidence: number;
  readonly doubts: Verdict["doubts"];
  /** Best first. */
  readonly passages: readonly Passage[];
}

export interface KnowledgeQuestion {
  readonly text: string;
  /** Of the customer, when it is known: texts in it go first. */
  readonly language?: Language | undefined;
  readonly audience?: KnowledgeAudience | undefined;
}

export interface SearchParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly embedders: readonly [Embedder, ...Embedder[]];
  readonly timeZoneOf: (tenantId: TenantId) => string;
  readonly onError: (error: unknown, about: string) => void;
}

export interface Searcher {
  search(scope: Scope, question: KnowledgeQuestion, signal?: AbortSignal): Promise<KnowledgeAnswer>;
  /** Passages in order with everything that ranked them, for evaluations. */
  ranked(scope: Scope, question: KnowledgeQuestion, signal?: AbortSignal): Promise<readonly Ranked[]>;
  /** The tenant's texts have changed: the weights of words are estimated anew, soon. */
  forget(tenantId: TenantId): void;
}

const SAME_LANGUAGE = 0.05;
const POLICY_FIRST = 0.04;
const POLICY_MEANINGS = new Set(["return", "refund", "exchange", "window", "limit", "policy", "final"]);
const WORDS_SEARCHED = 12;
const EMBEDDED_QUESTIONS = 500;

export function createSearcher({ store, clock, embedders, timeZoneOf, onError }: SearchParts): Searcher {
  const [wanted] = embedders;
  const lexicons = createLexicons({ store, clock, onError });
  const embedded = new Map<string, Float32Array>();

  const embed = async (
    text: string,
    embedder: Embedder,
    signal?: AbortSignal,
  ): Promise<Float32Array | null> => {
    const key = `${embedder.model}\n${text}`;
    const before = embedded.get(key);
    if (before !== undefined) {
      // Asked last, forgotten last.
      embedded.delete(key);
      embedded.set(key, before);
      return before;
    }
    const cut = new AbortController();
    const cancel = clock.after(LIMITS.embeddingTimeoutMs, () =>
      cut.abort(new Error("embedding took too long")),
    );
    try {
      const given = await embedder.embedQuery(
        text,
        signal === undefined ? cut.signal : AbortSignal.any([signal, cut.signal]),
      );
      const vector = checkedVector(given, embedder.dimension);
      if (embedded.size >= EMBEDDED_QUESTIONS) embedded.delete(embedded.keys().next().value as string);
      embedded.set(key, vector);
      return vector;
    } catch (error) {
      if (signal?.aborted) throw error;
      onError(error, "embedding a question");
      return null;
    } finally {
      cancel();
    }
  };

  const find = async (
    scope: Scope,
    asked: KnowledgeQuestion,
    signal?: AbortSignal,
  ): Promise<{
    readonly ranked: readonly Ranked[];
    readonly text: string;
    readonly nowMs: number;
  }> => {
    const nowMs = clock.now();
    const text = asked.text.slice(0, LIMITS.knowledgeQueryChars).toWellFormed().replaceAll("\0", "").trim();
    const words = wordsOf(text);
    if (words.length === 0) return { ranked: [], text, nowMs };
    const { lexicon, languages, texts } = await lexicons.of(scope);
    if (languages.length === 0) return { ranked: [], text, nowMs };
    const english = asked.language === "en" || (asked.language === undefined && isEnglish(words));
    const inEnglish = english ? text : gloss(text);
    const question: Question = {
      text,
      features: lexicon.features(text),
      glossFeatures: english ? null : lexicon.features(inEnglish),
    };
    const asking: Asking = {
      nowMs,
      audiences: asked.audience === "operator" ? ["customer", "operator"] : ["customer"],
    };
    const sought = languages.flatMap((language) => {
      const query = textQuery(heaviest(words, lexicon, language, english), texts);
      return query === null ? [] : [{ language, query }];
    });
    const embedding = embed(inEnglish, wanted, signal);
    embedding.catch(() => {});
    const first = await store.transact(scope, async (tx) => ({
      found: await textCandidates(tx, asking, sought),
      set: await currentSet(tx),
    }));
    // Still while it is being embedded: the words of what was found are needed in a moment.
    for (const candidate of first.found) wordsOfCandidate(candidate);
    const near = await nearOf(first.set, inEnglish, await embedding, signal);
    const candidates = await store.transact(scope, (tx) => allCandidates(tx, asking, first.found, near));
    const wantsPolicy = words.some((word) => POLICY_MEANINGS.has(meaningOf(word) ?? ""));
    const scored = rank(question, candidates, lexicon).map((each) => ({
      ...each,
      score:
        each.score +
        (asked.language !== undefined && each.best.language === asked.language ? SAME_LANGUAGE : 0) +
        (wantsPolicy && each.best.isEnforced ? POLICY_FIRST : 0),
    }));
    const ranked = bySection(scored.sort((a, b) => b.score - a.score));
    return { ranked, text, nowMs };
  };

  /**
   * The policy is never overridden: what sets another limit answers nobody, released or not. Of what is ranked only so
   * many are looked at as are shown; the rest stand behind them as they are.
   */
  const withoutContradictions = async (
    scope: Scope,
    ranked: readonly Ranked[],
    nowMs: number,
  ): Promise<readonly Ranked[]> => {
    let policyTexts: readonly string[] | null = null;
    const honest: Ranked[] = [];
    let at = 0;
    for (; at < ranked.length && honest.length < LIMITS.knowledgeResults; at += 1) {
      const each = ranked[at] as Ranked;
      const { best } = each;
      if (!best.isEnforced && setsLimit(best.text)) {
        policyTexts ??= await store.transact(scope, (tx) => enforcedTexts(tx, nowMs));
        if (contradictions(best.text, policyTexts).length > 0) continue;
      }
      honest.push(each);
    }
    return [...honest, ...ranked.slice(at)];
  };

  /** The question's vector for the set that is current: of the configured model, or, while that is being built, of its own. */
  const nearOf = async (
    set: EmbeddingSet | null,
    text: string,
    vector: Float32Array | null,
    signal?: AbortSignal,
  ): Promise<{ set: EmbeddingSet; vector: string } | null> => {
    if (set === null) return null;
    const own = set.model === wanted.model && set.dimension === wanted.dimension;
    const embedder = own
      ? wanted
      : embedders.find(({ model, dimension }) => model === set.model && dimension === set.dimension);
    if (embedder === undefined) return null;
    const its = own ? vector : await embed(text, embedder, signal);
    return its === null ? null : { set, vector: vectorText(its, set.dimension, widthOf(set.dimension)) };
  };

  return {
    async search(scope, asked, signal) {
      const { ranked, text, nowMs } = await find(scope, asked, signal);
      const honest = await withoutContradictions(scope, ranked, nowMs);
      const verdict = judge(text, honest, honest[0] !== ranked[0]);
      const timeZone = timeZoneOf(scope.tenantId);
      return {
        answered: verdict.answered,
        confidence: verdict.confidence,
        doubts: verdict.doubts,
        passages: honest.slice(0, LIMITS.knowledgeResults).map(({ best, score }) => ({
          source: {
            documentId: best.documentId,
            version: best.version,
            effectiveFrom: dateIn(timeZone, best.effectiveFromMs),
            title: best.title,
            clauseId: best.clauseId,
          },
          kind: best.kind,
          language: best.language,
          headings: best.headings,
          text: best.text,
          score: Math.min(1, score),
        })),
      };
    },
    ranked: async (scope, asked, signal) => (await find(scope, asked, signal)).ranked,
    forget: (tenantId) => lexicons.forget(tenantId),
  };
}

/** Words that say most; in English texts also what words of other languages mean. */
function heaviest(
  words: readonly string[],
  lexicon: Lexicon,
  language: Language,
  english: boolean,
): SearchedWord[] {
  const content = words.filter(says);
  const all =
    language === "en" && !english
      ? [...content, ...content.flatMap((word) => meaningOf(word) ?? [])]
      : content;
  return [...new Set(all)]
    .filter((word) => /^[\p{L}\p{N}]+$/u.test(word))
    .sort((a, b) => lexicon.weightOf(b) - lexicon.weightOf(a))
    .slice(0, WORDS_SEARCHED)
    .map((word) => ({ word, share: lexicon.shareOf(word) }));
}
