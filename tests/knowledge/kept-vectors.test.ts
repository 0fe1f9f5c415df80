/** The vectors that come with the repository are those of its documents and its model, and only save time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { shippedTexts } from "../../evals/knowledge/room.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import type { Embedder } from "../../src/knowledge/embedding/embedder.ts";
import { createHashedEmbedder } from "../../src/knowledge/embedding/hashed.ts";
import {
  hashOf,
  keptAs,
  readKeptVectors,
  withKeptVectors,
} from "../../src/knowledge/embedding/kept-vectors.ts";
import { createSentenceEncoder } from "../../src/knowledge/embedding/sentence-encoder.ts";
import { temporaryFolder } from "../kit/database.ts";

const SHIPPED = fileURLToPath(new URL("../../knowledge/vectors.json", import.meta.url));
const folder = temporaryFolder();
afterAll(() => folder.remove());
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

test("a new deployment's texts all have theirs, and each is what the model makes of its text", async () => {
  const kept = readKeptVectors(SHIPPED);
  const encoder = createSentenceEncoder(systemClock);
  const texts = await shippedTexts();
  expect(
    texts.filter((text) => !kept.vectors.has(hashOf(text))),
    "npm run vectors was forgotten",
  ).toEqual([]);
  expect(kept.vectors.size, "npm run vectors was forgotten").toBe(texts.length);
  // A part of them, for embedding all takes seconds: another model, or another way to it, shows in any.
  const some = texts.filter((_, index) => index % 8 === 0);
  const [made, read] = [
    await encoder.embedTexts(some),
    await withKeptVectors({ ...encoder, embedTexts: async () => [] }, kept).embedTexts(some),
  ];
  await encoder.rest();
  const cosines = some.map((_, index) => dot(made[index] as Float32Array, read[index] as Float32Array));
  expect(Math.min(...cosines)).toBeGreaterThan(0.999);
});

describe("kept vectors", () => {
  const inner = createHashedEmbedder(256);
  const path = join(folder.path, "vectors.json");
  const keep = async (...texts: string[]) => {
    const vectors = await inner.embedTexts(texts);
    writeFileSync(
      path,
      keptAs(
        inner,
        texts.map((text, at) => [text, vectors[at] as Float32Array]),
      ),
    );
    return readKeptVectors(path);
  };
  const asked: string[] = [];
  const watched: Embedder = {
    ...inner,
    embedQuery: (text) => {
      asked.push(text);
      return inner.embedQuery(text);
    },
    embedTexts: (texts) => {
      asked.push(...texts);
      return inner.embedTexts(texts);
    },
  };

  test("are given in their places; the model is asked for the others alone", async () => {
    const embedder = withKeptVectors(watched, await keep("one", "three"));
    asked.length = 0;
    const texts = ["zero", "one", "two", "three"];
    const vectors = await embedder.embedTexts(texts);
    expect(asked).toEqual(["zero", "two"]);
    await embedder.embedQuery("one");
    expect(asked).toEqual(["zero", "two"]);
    for (const [at, text] of texts.entries()) {
      expect(dot(vectors[at] as Float32Array, await inner.embedQuery(text))).toBeGreaterThan(0.999);
    }
  });

  test("of another model or dimension are not looked at", async () => {
    const kept = await keep("one");
    for (const other of [
      { ...kept, model: "another" },
      { ...kept, dimension: 384 },
    ]) {
      asked.length = 0;
      await withKeptVectors(watched, other).embedTexts(["one"]);
      expect(asked).toEqual(["one"]);
    }
  });

  test.each(["", "{}", '{"model":"m","dimension":4,"vectors":{"x":"AAAA"}}'])(
    "that are broken (%j) are refused",
    (text) => {
      writeFileSync(path, text);
      expect(() => readKeptVectors(path)).toThrow();
    },
  );
});
