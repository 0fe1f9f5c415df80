/**
 * The default embedding model: Universal Sentence Encoder (lite), 512 dimensions, English, on the CPU, as
 * shipped inside an npm package (Apache-2.0). It runs in a thread of its own, so that embedding holds up
 * nothing else; the thread starts with the first text and ends after some minutes without one.
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
  let cancelIdle: () => void = () => {};

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
    const job = questions.shift() ?? background.shift();
    cancelIdle();
    if (job === undefined) {
      if (worker !== null) cancelIdle = clock.after(LIMITS.embeddingIdleMs, () => void rest());
      worker?.unref();
      return;
    }
    current = job;
    worker ??= start();
    worker.ref();
    worker.postMessage(job.texts);
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

  const rest = async (): Promise<void> => {
    const ending = worker;
    if (ending === null || current !== null) return;
    worker = null;
    cancelIdle();
    await ending.terminate();
  };

  return {
    model: "universal-sentence-encoder-lite@1",
    dimension: 512,
    async embedQuery(text, signal) {
      const [vector] = await ask(questions, [text], signal);
      return vector as Float32Array;
    },
    async embedTexts(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += LIMITS.embeddingBatch) {
        vectors.push(...(await ask(background, texts.slice(at, at + LIMITS.embeddingBatch), signal)));
      }
      return vectors;
    },
    rest,
  };
}
