/**
 * What a model's answer rests on, found by code and not by the model: the passages and clauses that this run
 * has read whose words the answer uses. Pure.
 */
import type { Citation, RunView } from "../agent.ts";
import { isPassage, type KnownPassage } from "../reads.ts";
import { citationOf } from "../workflows/document-question.ts";

const MOST_CITATIONS = 3;
/** Of the answer's longer words, how many stand in a source that it rests on. */
const LEAST_SHARE = 0.3;
const LONG_WORD = /\p{L}{4,}|\d+(?:[.,]\d+)?/gu;

interface Source {
  readonly words: ReadonlySet<string>;
  readonly citation: Citation;
}

export function citationsFor(text: string, view: Pick<RunView, "steps" | "language">): readonly Citation[] {
  const said = wordsOf(text);
  if (said.size === 0) return [];
  const passages = passagesIn(view);
  const sources: readonly Source[] = [
    ...passages.map((passage) => ({
      words: wordsOf(`${passage.headings.join(" ")} ${passage.text}`),
      citation: citationOf(passage),
    })),
    ...clausesIn(view),
  ];
  const used = sources
    .map(({ words, citation }) => ({
      citation,
      share: [...said].filter((word) => words.has(word)).length / said.size,
    }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((one, two) => two.share - one.share)
    .map(({ citation }) => citation);
  // Said in another language than the document's, it has no words in common with what it rests on.
  const foreign = passages.find(({ language }) => language !== view.language);
  const found = used.length === 0 && foreign !== undefined ? [citationOf(foreign)] : used;
  return found.slice(0, MOST_CITATIONS);
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.toLowerCase().matchAll(LONG_WORD)].map(([word]) => word));

/** Passages of searches that answered, best first; the latest search first. */
function passagesIn({ steps }: Pick<RunView, "steps">): readonly KnownPassage[] {
  return steps.toReversed().flatMap(({ call, outcome }) => {
    if (call.tool !== "search_knowledge" || outcome.kind !== "result") return [];
    const { answered, passages } = (outcome.value ?? {}) as { answered?: unknown; passages?: unknown };
    return answered === true && Array.isArray(passages) ? passages.filter(isPassage) : [];
  });
}

function clausesIn({ steps }: Pick<RunView, "steps">): readonly Source[] {
  return steps.flatMap(({ call, outcome }) => {
    if (call.tool !== "get_policy" || outcome.kind !== "result") return [];
    const { policyId, version, clauses } = (outcome.value ?? {}) as Record<string, unknown>;
    if (typeof policyId !== "string" || typeof version !== "string" || !Array.isArray(clauses)) return [];
    return (clauses as { clauseId: string; title: string; text: string }[]).map(
      ({ clauseId, title, text }) => ({
        words: wordsOf(`${title} ${text}`),
        citation: { policyId, version, clauseId, title },
      }),
    );
  });
}
