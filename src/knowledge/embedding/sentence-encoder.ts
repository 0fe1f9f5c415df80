/**
 * The default embedding model: Universal Sentence Encoder (lite), 512 dimensions, English, on the CPU, as
 * shipped inside an npm package (Apache-2.0). It runs in a thread of its own, so that embedding holds up
 * nothing else; the thread starts with the first text and ends a minute after the last question, or as soon as nothing is
 * left to embed when nobody has asked: it takes as much memory as all the rest of a server at rest.
 */
import { Worker } from "node:worker_threads";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { Embedder } from "./embedder.ts";

const THREAD = new URL("./sentence-encoder-thread.ts", import.meta.url);

interface Job {
  readonly texts: readonly string[];
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

export function createSentenceEncoder(clock: Clock): Embedder {
  const questions: Job[] = [];
  const background: Job[] = [];
  let worker: Worker | null = null;
  let current: Job | null = null;
  let cancelTimer: () => void = () => {};
  /** Since the thread started. */
  let wasAsked = false;

  const failed = (cause: unknown): ProblemError =>
    new ProblemError("internal", "The embedding model does not work.", { cause });

  const start = (): Worker => {
    const started = new Worker(THREAD, {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stderr: true,
      stdout: true,
    });
    started.unref();
    started.on("message", (answer: { vectors: Float32Array } | { failure: string }) => {
      if (worker !== started) return;
      const job = current;
      current = null;
      if (job !== null) {
        if ("failure" in answer) job.reject(failed(new Error(answer.failure)));
        else {
          job.resolve(job.texts.map((_, index) => answer.vectors.subarray(index * 512, (index + 1) * 512)));
        }
      }
      next();
    });
    const lost = (cause: unknown) => {
      if (worker !== started) return;
      worker = null;
      const job = current;
      current = null;
      job?.reject(failed(cause));
      next();
    };
    started.on("error", lost);
    started.on("exit", (code) => lost(new Error(`its thread ended (${code})`)));
    return started;
  };

  const next = (): void => {
    if (current !== null) return;
    const question = questions.shift();
    const job = question ?? background.shift();
    cancelTimer();
    if (job === undefined) {
      const idleMs = wasAsked ? LIMITS.embeddingIdleMs : LIMITS.embeddingIndexedMs;
      if (worker !== null) cancelTimer = clock.after(idleMs, () => void rest());
      worker?.unref();
      return;
    }
    current = job;
    if (worker === null) {
      wasAsked = false;
      worker = start();
    }
    wasAsked ||= question !== undefined;
    worker.ref();
    worker.postMessage(job.texts);
    // A thread that hangs is ended; the next text gets a new one.
    cancelTimer = clock.after(LIMITS.embeddingStuckMs, () => void rest());
  };

  const ask = (
    queue: Job[],
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const job: Job = { texts, resolve, reject };
      queue.push(job);
      signal?.addEventListener(
        "abort",
        () => {
          const at = queue.indexOf(job);
          if (at >= 0) queue.splice(at, 1);
          reject(signal.reason);
        },
        { once: true },
      );
      next();
    });

  /** Ends the thread, and with it what it has in hand; what waits gets another. */
  const rest = async (): Promise<void> => {
    const ending = worker;
    const job = current;
    cancelTimer();
    if (ending === null) return;
    worker = null;
    current = null;
    job?.reject(failed(new Error("its thread was ended")));
    await ending.terminate();
    next();
  };

  return {
    model: "universal-sentence-encoder-lite@1",
    dimension: 512,
    async embedQuery(text, signal) {
      const [vector] = await ask(questions, [cut(text)], signal);
      return vector as Float32Array;
    },
    async embedTexts(texts, signal) {
      const vectors: Float32Array[] = [];
      let batch: string[] = [];
      let chars = 0;
      for (const [index, text] of texts.map(cut).entries()) {
        batch.push(text);
        chars += text.length;
        const after = texts[index + 1];
        if (after !== undefined && chars + cut(after).length <= LIMITS.embeddedChars) continue;
        vectors.push(...(await ask(background, batch, signal)));
        batch = [];
        chars = 0;
      }
      return vectors;
    },
    rest,
  };
}

const cut = (text: string): string => text.slice(0, LIMITS.embeddedChars).toWellFormed();
