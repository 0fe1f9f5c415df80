/** The thread of the sentence encoder: texts in, one array of vectors of length 1 out, in the same order. */
import { parentPort } from "node:worker_threads";
import { loadSentenceModel, type SentenceModel } from "./sentence-encoder-model.ts";

let model: Promise<SentenceModel> | undefined;

parentPort?.on("message", async (texts: readonly string[]) => {
  try {
    model ??= loadSentenceModel();
    const vectors = (await model).embed(texts.map((text) => text.trim().toLowerCase() || "."));
    parentPort?.postMessage({ vectors }, [vectors.buffer as ArrayBuffer]);
  } catch (error) {
    parentPort?.postMessage({ failure: String((error as Error).message) });
  }
});
