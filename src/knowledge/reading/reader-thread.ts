/** The thread in which one document is read; it answers once, and whoever started it ends it. */
import { parentPort, workerData } from "node:worker_threads";
import { ProblemError } from "../../kernel/errors.ts";
import { readInThisThread } from "./formats.ts";
import type { DocumentFormat, ThreadAnswer } from "./reader.ts";

const { bytes, format } = workerData as { bytes: Uint8Array; format: DocumentFormat };
let answer: ThreadAnswer;
try {
  answer = { read: await readInThisThread(bytes, format) };
} catch (error) {
  answer =
    error instanceof ProblemError
      ? { code: error.code, message: error.message }
      : { code: "document_unreadable", message: "The document is damaged." };
}
parentPort?.postMessage(answer);
