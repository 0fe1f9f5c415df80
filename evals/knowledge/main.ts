/**
 * Retrieval: whether the right passage is found, and whether the room knows when it has no answer. On two public sets
 * of questions of real users, and on questions about this repository's own documents.
 */
import type { TenantId } from "../../src/kernel/ids.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { createHashedEmbedder } from "../../src/knowledge/embedding/hashed.ts";
import { judge } from "../../src/knowledge/evidence.ts";
import { dataSetRows } from "../data-sets.ts";
import type { Evaluate, Figure, Table } from "../report.ts";
import { bm25, type Known, type Ranking, tfIdf } from "./baselines.ts";
import { answerOf, NORTHWIND, ofKnownQuestions, shipped, withAnswer } from "./room.ts";
import { WRITTEN } from "./written.ts";

interface Row {
  readonly kind: "known" | "test";
  readonly query: string;
  readonly answer_id: string | null;
}

/** Of one question: the place of the right answer (0 is none), and how sure the method is that it has one. */
interface Outcome {
  readonly place: number;
  readonly isAnswerable: boolean;
  readonly confidence: number;
  readonly isAnswered: boolean;
}

export const evaluate: Evaluate = async () => {
  const tables: Table[] = [];
  for (const { set, floors } of SETS) {
    const rows = dataSetRows<Row>(`understanding/faq/${set}.jsonl`);
    if (rows === null) {
      process.stderr.write(`Left out: the set ${set} (RECOURSE_DATA_SETS does not have it).\n`);
      continue;
    }
    tables.push(await publicSet(set, rows, floors));
  }
  tables.push(await ownDocuments());
  return tables;
};

/** A little below what was measured. */
interface Floors {
  readonly recall1: number;
  readonly recall5: number;
  readonly mrr: number;
  readonly auc: number;
  readonly precision: number;
  readonly answered: number;
  readonly wronglyAnswered: number;
}
const SETS: readonly { readonly set: string; readonly floors: Floors }[] = [
  {
    set: "curekart",
    floors: {
      recall1: 0.79,
      recall5: 0.96,
      mrr: 0.86,
      auc: 0.84,
      precision: 0.68,
      answered: 0.6,
      wronglyAnswered: 0.2,
    },
  },
  {
    set: "sofmattress",
    floors: {
      recall1: 0.7,
      recall5: 0.92,
      mrr: 0.8,
      auc: 0.81,
      precision: 0.7,
      answered: 0.46,
      wronglyAnswered: 0.18,
    },
  },
];
/** Of the published baseline: below it, it says that it does not know. */
const BASELINE_THRESHOLD = 0.4;

async function publicSet(set: string, rows: readonly Row[], floors: Floors): Promise<Table> {
  const known: Known[] = rows.flatMap(({ kind, query, answer_id }) =>
    kind === "known" && answer_id !== null ? [{ query, answer: answer_id }] : [],
  );
  const asked = rows.filter(({ kind }) => kind === "test");
  const ours = await measured(known, asked);
  const words = await measured(known, asked, true);
  const nearest = ranked(tfIdf(known), asked);
  const plain = ranked(bm25(known), asked);
  const answerable = asked.filter(({ answer_id }) => answer_id !== null).length;
  const n = `n = ${answerable}`;
  const more = (what: string, value: number, baseline: number, floor: number): Figure => ({
    what,
    measured: value,
    baseline,
    floor,
    better: "higher",
  });
  const less = (what: string, value: number, baseline: number, floor: number): Figure => ({
    ...more(what, value, baseline, floor),
    better: "lower",
  });
  const others = [
    ["nearest known question by TF-IDF (the baseline)", nearest],
    ["BM25 over an answer's questions", plain],
    ["ours with hashed features in place of the sentence encoder", words.outcomes],
    ["ours", ours.outcomes],
  ] as const;
  return {
    title: `Knowledge: ${set}, questions of real users`,
    figures: [
      more(`recall@1 (${n})`, recallAt(ours.outcomes, 1), recallAt(nearest, 1), floors.recall1),
      more("recall@5", recallAt(ours.outcomes, 5), recallAt(nearest, 5), floors.recall5),
      more("MRR", mrr(ours.outcomes), mrr(nearest), floors.mrr),
      more(
        `has an answer or not: AUC (${asked.length - answerable} have none)`,
        auc(ours.outcomes),
        auc(nearest),
        floors.auc,
      ),
      more("of what is answered, rightly", precision(ours.outcomes), precision(nearest), floors.precision),
      more(
        "of what has an answer, answered rightly",
        rightlyAnswered(ours.outcomes),
        rightlyAnswered(nearest),
        floors.answered,
      ),
      less(
        "of what has no answer, answered all the same",
        wronglyAnswered(ours.outcomes),
        wronglyAnswered(nearest),
        floors.wronglyAnswered,
      ),
      { what: "a search, p50 (ms)", measured: ours.p50Ms, baseline: null, floor: null, better: "lower" },
    ],
    notes: `| method | recall@1 | recall@5 | MRR | AUC |
| --- | ---: | ---: | ---: | ---: |
${others
  .map(
    ([name, outcomes]) =>
      `| ${name} | ${[recallAt(outcomes, 1), recallAt(outcomes, 5), mrr(outcomes), auc(outcomes)].map((it) => it.toFixed(3)).join(" | ")} |`,
  )
  .join("\n")}

The set has no texts of answers: they are known by ${known.length} questions of other users alone. The baseline answers from a similarity of ${BASELINE_THRESHOLD}.`,
  };
}

async function measured(known: readonly Known[], asked: readonly Row[], isHashed: boolean = false) {
  const room = await ofKnownQuestions(known, isHashed ? createHashedEmbedder(512) : undefined);
  const outcomes: Outcome[] = [];
  const tookMs: number[] = [];
  for (const { query, answer_id } of asked) {
    const from = performance.now();
    const ranked = await room.knowledge.ranked(tenantScope(NORTHWIND), { text: query });
    tookMs.push(performance.now() - from);
    const found = judge(query, withAnswer(ranked));
    const order = [...new Set(ranked.map(({ best }) => answerOf(best.text)))];
    outcomes.push({
      place: answer_id === null ? 0 : order.indexOf(answer_id) + 1,
      isAnswerable: answer_id !== null,
      confidence: found.confidence,
      isAnswered: found.answered,
    });
  }
  await room.close();
  return { outcomes, p50Ms: [...tookMs].sort((a, b) => a - b)[tookMs.length >> 1] ?? 0 };
}

const ranked = (rank: Ranking, asked: readonly Row[]): Outcome[] =>
  asked.map(({ query, answer_id }) => {
    const order = rank(query);
    const confidence = order[0]?.score ?? 0;
    return {
      place: answer_id === null ? 0 : order.findIndex(({ answer }) => answer === answer_id) + 1,
      isAnswerable: answer_id !== null,
      confidence,
      isAnswered: confidence >= BASELINE_THRESHOLD,
    };
  });

async function ownDocuments(): Promise<Table> {
  const room = await shipped();
  const outcomes: (Outcome & { readonly language: string; readonly text: string; readonly got: string })[] =
    [];
  for (const { tenant, language, text, answer } of WRITTEN) {
    const found = await room.knowledge.search(tenantScope(tenant as TenantId), { text });
    const places = found.passages.map((passage) =>
      answer?.test(`${passage.headings.join(" ")} ${passage.text}`),
    );
    outcomes.push({
      place: places.indexOf(true) + 1,
      isAnswerable: answer !== null,
      confidence: found.confidence,
      isAnswered: found.answered,
      language,
      text,
      got: found.passages[0]?.headings.at(-1) ?? "nothing",
    });
  }
  await room.close();
  const others = outcomes.filter(({ language }) => language !== "en");
  const count = (list: readonly Outcome[]) => list.filter(({ isAnswerable }) => isAnswerable).length;
  const figure = (
    what: string,
    value: number,
    floor: number,
    better: Figure["better"] = "higher",
  ): Figure => ({
    what,
    measured: value,
    baseline: null,
    floor,
    better,
  });
  const wrong = outcomes.filter((it) => it.isAnswered && (!it.isAnswerable || it.place !== 1));
  return {
    title: "Knowledge: this repository's own documents, six languages",
    figures: [
      figure(`recall@1 (n = ${count(outcomes)})`, recallAt(outcomes, 1), 0.79),
      figure("recall@5", recallAt(outcomes, 5), 0.94),
      figure(`recall@1, not English (n = ${count(others)})`, recallAt(others, 1), 0.72),
      figure("MRR", mrr(outcomes), 0.86),
      figure("has an answer or not: AUC", auc(outcomes), 0.89),
      figure("of what is answered, rightly", precision(outcomes), 0.75),
      figure("of what has an answer, answered rightly", rightlyAnswered(outcomes), 0.71),
      figure(
        `of what has no answer, answered all the same (n = ${outcomes.length - count(outcomes)})`,
        wronglyAnswered(outcomes),
        0.24,
        "lower",
      ),
    ],
    notes: `Answered wrongly:\n\n${wrong.map(({ text, got, confidence }) => `- "${text}" with "${got}" (${confidence.toFixed(2)})`).join("\n")}\n\nNot answered though there is an answer: ${outcomes
      .filter((it) => it.isAnswerable && !it.isAnswered)
      .map(({ text, place }) => `"${text}"${place === 1 ? "" : " (not found either)"}`)
      .join(", ")}.`,
  };
}

// How outcomes are scored.

const share = <T>(list: readonly T[], holds: (each: T) => boolean): number =>
  list.length === 0 ? 0 : list.filter(holds).length / list.length;
const answerable = (outcomes: readonly Outcome[]) => outcomes.filter((it) => it.isAnswerable);

const recallAt = (outcomes: readonly Outcome[], k: number): number =>
  share(answerable(outcomes), ({ place }) => place >= 1 && place <= k);
const mrr = (outcomes: readonly Outcome[]): number =>
  answerable(outcomes).reduce((sum, { place }) => sum + (place === 0 ? 0 : 1 / place), 0) /
  answerable(outcomes).length;
const precision = (outcomes: readonly Outcome[]): number =>
  share(
    outcomes.filter(({ isAnswered }) => isAnswered),
    ({ place }) => place === 1,
  );
const rightlyAnswered = (outcomes: readonly Outcome[]): number =>
  share(answerable(outcomes), ({ isAnswered, place }) => isAnswered && place === 1);
const wronglyAnswered = (outcomes: readonly Outcome[]): number =>
  share(
    outcomes.filter((it) => !it.isAnswerable),
    ({ isAnswered }) => isAnswered,
  );

/** How often a question with an answer is given more confidence than one without. */
function auc(outcomes: readonly Outcome[]): number {
  const without = outcomes.filter((it) => !it.isAnswerable);
  let wins = 0;
  for (const a of answerable(outcomes)) {
    for (const b of without)
      wins += a.confidence > b.confidence ? 1 : a.confidence === b.confidence ? 0.5 : 0;
  }
  return wins / (answerable(outcomes).length * without.length);
}
