/**
 * Answers from documents: a search over 10,000 passages, a document added, and what reading and embedding cost. The
 * passages are made up from a seed, their words as common and as rare as words are. Their vectors are stand-ins
 * (embedding 10,000 takes ten minutes); the question's is the real model's, and so is all that a search does.
 */
import { sql } from "kysely";
import { fromMarkdown } from "mdast-util-from-markdown";
import type { TenantId } from "../src/kernel/ids.ts";
import { seededRandom, systemClock } from "../src/kernel/ports.ts";
import { tenantScope } from "../src/kernel/scope.ts";
import { chunksOf } from "../src/knowledge/chunks.ts";
import { vectorText } from "../src/knowledge/embedding/embedder.ts";
import { createHashedEmbedder } from "../src/knowledge/embedding/hashed.ts";
import { createSentenceEncoder } from "../src/knowledge/embedding/sentence-encoder.ts";
import { createKnowledge, type Knowledge } from "../src/knowledge/knowledge.ts";
import { readInThisThread } from "../src/knowledge/reading/formats.ts";
import { openEmbedded } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { createStore, type Store } from "../src/store/store.ts";
import type { Figure } from "./main.ts";
import { ms, percentile, times } from "./statistics.ts";

const NORTHWIND = "northwind" as TenantId;
const scope = tenantScope(NORTHWIND);
const PASSAGES = 10_000;
const PASSAGES_A_DOCUMENT = 500;
const QUESTIONS = 200;
const WARM_UP = 40;

export async function measureKnowledge(folder: string): Promise<readonly Figure[]> {
  const store = createStore(await openEmbedded(folder));
  await migrate(store.database);
  await store.transact(scope, (tx) =>
    tx
      .insertInto("tenants")
      .values({ tenant_id: NORTHWIND, name: "Northwind", currency: "USD", time_zone: "UTC" })
      .execute(),
  );
  const encoder = createSentenceEncoder(systemClock);
  const standIn = createHashedEmbedder(encoder.dimension);
  const parts = createParts();
  const knowledge = createKnowledge({
    store: { ...store, transact: (of, work) => parts.words(() => store.transact(of, work)) },
    clock: systemClock,
    embedders: [
      {
        ...encoder,
        embedTexts: standIn.embedTexts,
        embedQuery: (text, signal) => parts.embedding(() => encoder.embedQuery(text, signal)),
      },
    ],
    tenants: [NORTHWIND],
    timeZoneOf: () => "UTC",
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const language = madeUpLanguage();
  for (let n = 0; n < PASSAGES / PASSAGES_A_DOCUMENT; n += 1) {
    await add(knowledge, `catalogue-${n}`, language.document(PASSAGES_A_DOCUMENT));
  }
  await knowledge.index(NORTHWIND);
  await store.tidy();

  const figures = [
    ...(await measureSearch(store, knowledge, encoder, language.question, parts)),
    await measureAdding(store, knowledge, language.document(100)),
    await measureReading(language.document(1_000)),
    await measureEmbedding(encoder, language),
  ];
  await knowledge.stop();
  await store.close();
  return figures;
}

/** Of one search: how long its question was embedded, and its first statements, which look for words, took beside that. */
interface Parts {
  embedding<T>(work: () => Promise<T>): Promise<T>;
  words<T>(work: () => Promise<T>): Promise<T>;
  /** What was measured since it was asked last; null where a search had not both. */
  taken(): { readonly together: number; readonly oneByOne: number } | null;
}

function createParts(): Parts {
  interface Span {
    readonly from: number;
    readonly until: number;
  }
  let embedding = null as Span | null;
  let words = null as Span | null;
  return {
    async embedding(work) {
      const from = performance.now();
      const result = await work();
      embedding = { from, until: performance.now() };
      return result;
    },
    async words(work) {
      const from = performance.now();
      const result = await work();
      words ??= { from, until: performance.now() };
      return result;
    },
    taken() {
      const [one, other] = [embedding, words];
      embedding = null;
      words = null;
      if (one === null || other === null) return null;
      return {
        together: Math.max(one.until, other.until) - Math.min(one.from, other.from),
        oneByOne: one.until - one.from + other.until - other.from,
      };
    },
  };
}

async function measureSearch(
  store: Store,
  knowledge: Knowledge,
  encoder: ReturnType<typeof createSentenceEncoder>,
  question: () => string,
  parts: Parts,
): Promise<Figure[]> {
  const together: number[] = [];
  const oneByOne: number[] = [];
  const whole: number[] = [];
  const bare: number[] = [];
  const embedding: number[] = [];
  for (let n = 0; n < QUESTIONS + WARM_UP; n += 1) {
    // By turns, so that both meet the same moments of a busy machine.
    const text = question();
    parts.taken();
    const from = performance.now();
    await knowledge.search(scope, { text });
    const searched = performance.now();
    const taken = parts.taken();
    const vector = await encoder.embedQuery(`${text} `);
    const embedded = performance.now();
    await bareStatement(store, text, vectorText(vector, encoder.dimension, encoder.dimension));
    if (n < WARM_UP) continue;
    whole.push(searched - from);
    if (taken !== null) {
      together.push(taken.together);
      oneByOne.push(taken.oneByOne);
    }
    embedding.push(embedded - searched);
    bare.push(performance.now() - embedded);
  }
  const floor = whole.map((_, index) => (embedding[index] ?? 0) + (bare[index] ?? 0));
  const described = (p: number) =>
    `${ms(percentile(floor, p))}: its embedding, one bare pgvector + tsvector statement`;
  return [
    {
      what: `knowledge: hybrid search over ${PASSAGES.toLocaleString("en-US")} passages (p50)`,
      measured: ms(percentile(whole, 50)),
      floor: described(50),
      ratio: times(percentile(whole, 50) / percentile(floor, 50)),
      budget: "–",
    },
    {
      what: "knowledge: the same (p95)",
      measured: ms(percentile(whole, 95)),
      floor: described(95),
      ratio: times(percentile(whole, 95) / percentile(floor, 95)),
      budget: "≤ 20 ms",
    },
    {
      what: "knowledge: the same (p99)",
      measured: ms(percentile(whole, 99)),
      floor: described(99),
      ratio: times(percentile(whole, 99) / percentile(floor, 99)),
      budget: "–",
    },
    {
      what: "knowledge: of it the question embedded, and its words searched beside that (p50)",
      measured: ms(percentile(together, 50)),
      floor: `${ms(percentile(oneByOne, 50))}: what the two took, added up`,
      ratio: times(percentile(together, 50) / percentile(oneByOne, 50)),
      budget: "< 1 ×",
    },
  ];
}

/** The least that finds by words and by nearness: no version, no audience, no judgement, one index each. */
async function bareStatement(store: Store, text: string, vector: string): Promise<void> {
  await store.transact(scope, async (tx) => {
    await sql`select set_config('search_path', 'recourse, public', true)`.execute(tx);
    await sql`(select key_id from knowledge_keys where search @@ plainto_tsquery('english', ${text}) limit 60)
      union (select key_id from knowledge_embeddings where width = 512
        order by binary_quantize(embedding::halfvec(512))::bit(512) <~> binary_quantize(${vector}::halfvec(512))::bit(512)
        limit 60)`.execute(tx);
  });
}

const ADDED = 20;

async function measureAdding(store: Store, knowledge: Knowledge, source: string): Promise<Figure> {
  const whole: number[] = [];
  const bare: number[] = [];
  const chunks = chunksOf((await readInThisThread(Buffer.from(source), "markdown")).blocks, "x", false);
  for (let n = 0; n < ADDED; n += 1) {
    const from = performance.now();
    await add(knowledge, `added-${n}`, source);
    const added = performance.now();
    await store
      .transact(scope, async (tx) => {
        await sql`insert into knowledge_documents (tenant_id, document_id, language, version, kind, audience, title,
            effective_from_ms, format, hash, published_at_ms, published_by)
          values (${NORTHWIND}, ${`bare-${n}`}, 'en', '1', 'faq', 'customer', 'x', 0, 'text', 'x', 0, 'bench')`.execute(
          tx,
        );
        await sql`with c as (insert into knowledge_chunks (tenant_id, document_id, language, version, n, headings, text)
            select ${NORTHWIND}, ${`bare-${n}`}, 'en', '1', row_number() over (), '[]', t from unnest(${chunks.map(({ text }) => text)}::text[]) t
            returning chunk_id, text)
          insert into knowledge_keys (tenant_id, chunk_id, role, text, search)
          select ${NORTHWIND}, chunk_id, 'passage', text, to_tsvector('english', text) from c`.execute(tx);
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    whole.push(added - from);
    bare.push(performance.now() - added);
  }
  return {
    what: `knowledge: add a document of ${chunks.length} passages (${Math.round(source.length / 1_024)} kB)`,
    measured: ms(percentile(whole, 50)),
    floor: `${ms(percentile(bare, 50))} for its bare rows, not committed`,
    ratio: times(percentile(whole, 50) / percentile(bare, 50)),
    budget: "–",
  };
}
class Undone extends Error {}

async function measureReading(source: string): Promise<Figure> {
  const bytes = Buffer.from(source);
  const rounds = 5;
  let chunks = 0;
  const read: number[] = [];
  const parsed: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const from = performance.now();
    chunks = chunksOf((await readInThisThread(bytes, "markdown")).blocks, "x", false).length;
    const done = performance.now();
    fromMarkdown(source);
    read.push(done - from);
    parsed.push(performance.now() - done);
  }
  const perSecond = (tookMs: number) => `${((bytes.length / 2 ** 20 / tookMs) * 1_000).toFixed(1)} MB/s`;
  const [own, floor] = [percentile(read, 50), percentile(parsed, 50)];
  return {
    what: `knowledge: Markdown to ${chunks} passages`,
    measured: `${perSecond(own)} (${ms(own)})`,
    floor: `${perSecond(floor)} to parse it as Markdown`,
    ratio: times(own / floor),
    budget: "–",
  };
}

async function measureEmbedding(
  encoder: ReturnType<typeof createSentenceEncoder>,
  { sentence }: { readonly sentence: (words: number) => string },
): Promise<Figure> {
  const texts = Array.from({ length: 48 }, () => sentence(60));
  await encoder.embedTexts(texts.slice(0, 4));
  const from = performance.now();
  await encoder.embedTexts(texts);
  const inThread = performance.now() - from;
  const single = performance.now();
  for (const text of texts) await encoder.embedQuery(text);
  const oneByOne = performance.now() - single;
  const rate = (tookMs: number) => `${((texts.length / tookMs) * 1_000).toFixed(1)} passages/s`;
  return {
    what: "knowledge: embedding passages in the background",
    measured: rate(inThread),
    floor: `${rate(oneByOne)} one by one, as questions are`,
    ratio: times(inThread / oneByOne),
    budget: "–",
  };
}

const add = (knowledge: Knowledge, documentId: string, source: string) =>
  knowledge.add(
    scope,
    {
      documentId,
      version: "1",
      kind: "product",
      language: "en",
      audience: "customer",
      title: documentId,
      effectiveFromMs: 0,
      effectiveUntilMs: null,
      format: "markdown",
      bytes: Buffer.from(source),
    },
    "bench",
  );

const SHOP =
  "jacket sock shoe headphone battery charger gift card voucher parcel order return refund exchange invoice discount student account address country store opening hours size fit wash care warranty repair wool waterproof bluetooth reset subscription pickup express shipping cost free delivery late lost damaged colour".split(
    " ",
  );
const SYLLABLES =
  "ba be bi bo da de di do fa fe fi fo ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to".split(
    " ",
  );

/** 12,000 words whose frequencies fall as those of a language do; the shop's are among the common ones. */
function madeUpLanguage() {
  const random = seededRandom(5);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;
  const words: string[] = Array.from({ length: 12_000 }, () =>
    Array.from({ length: 2 + Math.floor(random.fraction() * 3) }, () => pick(SYLLABLES)).join(""),
  );
  for (const [index, word] of SHOP.entries()) words[60 + index * 3] = word;
  const upTo: number[] = [];
  let sum = 0;
  for (const index of words.keys()) {
    sum += 1 / (index + 3) ** 0.95;
    upTo.push(sum);
  }
  const word = (): string => {
    const wanted = random.fraction() * sum;
    let [low, high] = [0, upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] as string;
  };
  const sentence = (count: number): string => Array.from({ length: count }, word).join(" ");
  return {
    sentence,
    document: (passages: number): string =>
      Array.from(
        { length: passages },
        (_, n) =>
          `## About the ${sentence(4)}\n\nThe ${sentence(30)}. It costs $${n}. For the ${sentence(20)} there is ${sentence(20)}.\n`,
      ).join("\n"),
    question: (): string =>
      `How much does the ${pick(SHOP)} ${pick(SHOP)} cost, and is the ${pick(SHOP)} for the ${word()} free?`,
  };
}
