/**
 * What retrieval is measured beside: the nearest known question by TF-IDF over words and pieces of words (the
 * baseline that was published with the sets, made again here), and BM25 over what is known of each answer.
 */
export interface Known {
  readonly query: string;
  readonly answer: string;
}
export type Ranking = (query: string) => readonly { readonly answer: string; readonly score: number }[];

const fold = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\d/g, "0");
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

function pieces(text: string): Map<string, number> {
  const words = wordsOf(text);
  const line = ` ${words.join(" ")} `;
  const found = [...words, ...words.slice(1).map((word, index) => `${words[index]} ${word}`)];
  for (let length = 3; length <= 5; length += 1) {
    for (let at = 0; at + length <= line.length; at += 1) found.push(`#${line.slice(at, at + length)}`);
  }
  const counts = new Map<string, number>();
  for (const piece of found) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
}

/** Best first: each answer by the nearest of its known questions. */
export function tfIdf(known: readonly Known[]): Ranking {
  const documents = known.map(({ query }) => pieces(query));
  const seenIn = new Map<string, number>();
  for (const document of documents) {
    for (const piece of document.keys()) seenIn.set(piece, (seenIn.get(piece) ?? 0) + 1);
  }
  const weigh = (counts: ReadonlyMap<string, number>): Map<string, number> => {
    const weights = new Map<string, number>();
    let square = 0;
    for (const [piece, count] of counts) {
      const weight = Math.sqrt(count) * Math.log((known.length + 1) / ((seenIn.get(piece) ?? 0) + 1) + 1);
      weights.set(piece, weight);
      square += weight * weight;
    }
    for (const [piece, weight] of weights) weights.set(piece, weight / (Math.sqrt(square) || 1));
    return weights;
  };
  const vectors = documents.map(weigh);
  return (query) => {
    const asked = weigh(pieces(query));
    return bestByAnswer(
      known,
      vectors.map((vector) => {
        let sum = 0;
        for (const [piece, weight] of asked) sum += weight * (vector.get(piece) ?? 0);
        return sum;
      }),
    );
  };
}

const K1 = 1.2;
const B = 0.75;

/** BM25 over all known questions of an answer as one text. */
export function bm25(known: readonly Known[]): Ranking {
  const answers = [...new Set(known.map(({ answer }) => answer))];
  const texts = answers.map((answer) =>
    known.filter((each) => each.answer === answer).flatMap(({ query }) => wordsOf(query)),
  );
  const mean = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const counts = texts.map((text) => {
    const own = new Map<string, number>();
    for (const word of text) own.set(word, (own.get(word) ?? 0) + 1);
    return own;
  });
  const rarity = (word: string): number => {
    const n = counts.filter((own) => own.has(word)).length;
    return Math.log(1 + (answers.length - n + 0.5) / (n + 0.5));
  };
  return (query) => {
    const asked = [...new Set(wordsOf(query))].map((word) => ({ word, rarity: rarity(word) }));
    return answers
      .map((answer, index) => {
        const own = counts[index] as Map<string, number>;
        const length = texts[index]?.length ?? 0;
        const score = asked.reduce((sum, { word, rarity: weight }) => {
          const count = own.get(word) ?? 0;
          return sum + (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / mean));
        }, 0);
        return { answer, score };
      })
      .sort((a, b) => b.score - a.score);
  };
}

function bestByAnswer(
  known: readonly Known[],
  scores: readonly number[],
): { answer: string; score: number }[] {
  const best = new Map<string, number>();
  for (const [index, { answer }] of known.entries()) {
    best.set(answer, Math.max(best.get(answer) ?? 0, scores[index] ?? 0));
  }
  return [...best].map(([answer, score]) => ({ answer, score })).sort((a, b) => b.score - a.score);
}
