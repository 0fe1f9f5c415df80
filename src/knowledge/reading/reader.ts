/**
 * Reads documents of every format within limits of size, time, nesting and pages. What may be heavy (a PDF,
 * anything large) is read in a thread of its own that is ended when it takes too long or too much memory;
 * a document never ends the process.
 */
import { Worker } from "node:worker_threads";
import type { ErrorCode } from "../../kernel/errors.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { ReadDocument } from "./blocks.ts";
import { readInThisThread } from "./formats.ts";

export type DocumentFormat = "markdown" | "html" | "pdf" | "text";

export interface DocumentReader {
  /** @throws ProblemError `document_too_large`, `document_encrypted`, `document_unreadable`, `document_empty` */
  read(bytes: Uint8Array, format: DocumentFormat): Promise<ReadDocument>;
}

/** Read here, without a thread: some milliseconds, or tens for the worst Markdown of this size (measured). */
const SMALL_BYTES = 8_192;
const THREAD = new URL("./reader-thread.ts", import.meta.url);

export function createDocumentReader(clock: Clock): DocumentReader {
  let before: Promise<unknown> = Promise.resolve();
  return {
    async read(bytes, format) {
      if (bytes.byteLength > LIMITS.documentBytes) {
        throw new ProblemError(
          "document_too_large",
          `The document has ${bytes.byteLength.toLocaleString("en-US")} bytes.`,
        );
      }
      if (format !== "pdf" && bytes.byteLength <= SMALL_BYTES) return readInThisThread(bytes, format);
      // One at a time: reading is heavy, and whoever adds many documents can wait.
      const mine = before.then(() => inThread(clock, bytes, format));
      before = mine.catch(() => {});
      return mine;
    },
  };
}

function inThread(clock: Clock, bytes: Uint8Array, format: DocumentFormat): Promise<ReadDocument> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, {
      workerData: { bytes, format },
      resourceLimits: { maxOldGenerationSizeMb: 384, stackSizeMb: 4 },
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdout: true,
      stderr: true,
    });
    let settled = false;
    const settle = (act: () => void): void => {
      if (settled) return;
      settled = true;
      cancelTimeout();
      cancelLook();
      act();
      worker.terminate().catch(() => {});
    };
    const refuse = (code: ErrorCode, why: string, cause?: unknown) =>
      settle(() => reject(new ProblemError(code, why, { cause })));
    const tooMuchMemory = (cause?: unknown) =>
      refuse(
        "document_too_large",
        "Reading it takes too much memory: it holds far more than its size says.",
        cause,
      );
    const cancelTimeout = clock.after(LIMITS.documentReadMs, () =>
      refuse("document_unreadable", `Reading it took longer than ${LIMITS.documentReadMs / 1_000} seconds.`),
    );
    // Buffers are outside of the heap that `resourceLimits` bounds: a PDF of 4 kB may unpack to gigabytes. The
    // thread's own count says whose they are, but waits for native code to end; the process's does not wait.
    const residentBefore = process.memoryUsage.rss();
    const look = (): void => {
      if (process.memoryUsage.rss() - residentBefore > 2 * LIMITS.documentMemoryBytes) tooMuchMemory();
      else cancelLook = clock.after(LIMITS.documentWatchMs, look);
      worker.getHeapStatistics().then(
        ({ external_memory: bytes }) => (bytes > LIMITS.documentMemoryBytes ? tooMuchMemory() : undefined),
        // A thread that has ended has no statistics, and settles by itself.
        () => {},
      );
    };
    let cancelLook = clock.after(LIMITS.documentWatchMs, look);
    worker.once("message", (answer: ThreadAnswer) =>
      settle(() =>
        "read" in answer ? resolve(answer.read) : reject(new ProblemError(answer.code, answer.message)),
      ),
    );
    worker.once("error", (error: Error & { code?: string }) =>
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? tooMuchMemory(error)
        : refuse("document_unreadable", "Reading it failed.", error),
    );
    worker.once("exit", () => refuse("document_unreadable", "Reading it ended without an answer."));
  });
}

export type ThreadAnswer =
  | { readonly read: ReadDocument }
  | { readonly code: ErrorCode; readonly message: string };
