/**
 * From candidates to passages in order: each key is scored by its embedding and by its words, a passage by the
 * best of its keys together. Pure.
 *
 * Measured on two sets of real questions (docs/quality.md): words and embedding at equal weight are better than
 * either, and several of a passage's questions that are alike say more than the best one alone.
 */
import type { Candidate } from "./candidates.ts";
import {
  askedOf,
  type Coverage,
  coverage,
  type Features,
  keysOf,
  type Lexicon,
  likeness,
} from "./lexicon.ts";

export interface Ranked {
  /** One candidate of the passage: its best. */
  readonly best: Candidate;
  /** 0..1, comparable between passages of one question. */
  readonly score: number;
  readonly cosine: number;
  /** The nearness of words alone. */
  readonly lexical: number;
  readonly coverage: Coverage;
}

export interface Question {
  readonly text: string;
  readonly features: Features;
  /** The same with its words put into English. */
  readonly glossFeatures: Features | null;
}

/** A passage's words in a question's language are worth this much more than a found key. */
const POOL = [0.6, 0.25, 0.15] as const;
/** Of a long passage, letters say little: it is compared by what share of the question's words it has. */
const PASSAGE_SHARE = 0.62;
/** With the embeddings of nothing else to go by, words count for all. */
const WEIGHT_OF_WORDS = 0.5;

export function rank(
  question: Question,
  candidates: readonly Candidate[],
  lexicon: Lexicon,
): readonly Ranked[] {
  const byChunk = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const keys = byChunk.get(candidate.chunkId);
    if (keys === undefined) byChunk.set(candidate.chunkId, [candidate]);
    else keys.push(candidate);
  }
  const ranked: Ranked[] = [];
  const asked = askedOf(lexicon, question.text);
  for (const keys of byChunk.values()) {
    const [any] = keys;
    if (any === undefined) continue;
    const questionsOfIt = keys.flatMap(({ matched }) => matched ?? []);
    const told = coverage(asked, [...wordsOfCandidate(any), ...questionsOfIt.map(keysOf)]);
    const scored = keys
      .map((key) => {
        const lexical = lexicalOf(question, key, lexicon, told);
        const cosine = key.cosine === null ? null : Math.max(0, key.cosine);
        const score = cosine === null ? lexical : WEIGHT_OF_WORDS * lexical + (1 - WEIGHT_OF_WORDS) * cosine;
        return { key, lexical, cosine: cosine ?? 0, score };
      })
      .sort((a, b) => b.score - a.score);
    const [first] = scored;
    if (first === undefined) continue;
    const questions = scored.filter(({ key }) => key.role === "question");
    const pooled =
      questions.length < 3
        ? first.score
        : Math.max(
            first.score * 0.9,
            POOL.reduce((sum, weight, at) => sum + weight * (questions[at]?.score ?? 0), 0),
          );
    ranked.push({
      best: first.key,
      score: pooled,
      cosine: Math.max(...scored.map(({ cosine }) => cosine)),
      lexical: Math.max(...scored.map(({ lexical }) => lexical)),
      coverage: told,
    });
  }
  return ranked.sort((a, b) => b.score - a.score || a.best.chunkId - b.best.chunkId);
}

/** The words that a candidate's passage is compared by; kept, so that they can be made ready beforehand. */
export const wordsOfCandidate = ({ title, headings, text }: Candidate): readonly ReadonlySet<string>[] =>
  [title, ...headings, text].map(keysOf);

/**
 * The parts of one section (of a long table, mostly) share their headings and so nearly all that they are found by. What
 * tells them apart is what they themselves say of the question: among their places, that decides. Keeps all others'.
 */
export function bySection(ranked: readonly Ranked[]): readonly Ranked[] {
  const sectionOf = ({ best }: Ranked) =>
    JSON.stringify([best.documentId, best.version, best.language, best.headings]);
  const sections = Map.groupBy(ranked, sectionOf);
  for (const parts of sections.values()) {
    parts.sort((a, b) => b.score + b.coverage.share - (a.score + a.coverage.share));
  }
  return ranked.map((each) => sections.get(sectionOf(each))?.shift() ?? each);
}

function lexicalOf(question: Question, key: Candidate, lexicon: Lexicon, told: Coverage): number {
  if (key.matched === null) return PASSAGE_SHARE * told.share;
  const features = lexicon.features(key.matched);
  return Math.max(
    likeness(question.features, features),
    question.glossFeatures === null ? 0 : likeness(question.glossFeatures, features),
  );
}
