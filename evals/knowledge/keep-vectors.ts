/**
 * `npm run vectors`: the embeddings of every text that a new deployment starts with (its policies and documents), so
 * that a first start need not make them. Run it after a change of `knowledge/`, `policies/` or the embedding model; a
 * test says when it was forgotten.
 */
import { writeFileSync } from "node:fs";
import { systemClock } from "../../src/kernel/ports.ts";
import { keptAs } from "../../src/knowledge/embedding/kept-vectors.ts";
import { createSentenceEncoder } from "../../src/knowledge/embedding/sentence-encoder.ts";
import { shippedTexts } from "./room.ts";

const encoder = createSentenceEncoder(systemClock);
const texts = await shippedTexts();
const vectors = await encoder.embedTexts(texts);
await encoder.rest();
const path = new URL("../../knowledge/vectors.json", import.meta.url);
writeFileSync(
  path,
  keptAs(
    encoder,
    texts.map((text, index) => [text, vectors[index] as Float32Array]),
  ),
);
process.stdout.write(`knowledge/vectors.json has ${texts.length} vectors of ${encoder.model}.\n`);
