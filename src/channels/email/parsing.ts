/** Reads mails within limits of time and memory: a mail never ends the process, and none holds up the others for long. */
import { Worker } from "node:worker_threads";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { ReceivedMail } from "./mail.ts";

/** Read here: a mail without much in it takes less time than a thread takes to start. */
const SMALL_BYTES = 32_768;
const THREAD = new URL("./parse-thread.ts", import.meta.url);

export type Parsed = { readonly mail: ReceivedMail } | { readonly unreadable: string };

export function createMailParser(clock: Clock): (bytes: Uint8Array) => Promise<Parsed> {
  let before: Promise<unknown> = Promise.resolve();
  return (bytes) => {
    if (bytes.byteLength <= SMALL_BYTES) {
      // Loaded with the first mail: a server that gets none has none of it in memory.
      return import("./parse.ts")
        .then(({ parseMail }) => parseMail(bytes))
        .then(
          (mail) => ({ mail }),
          (error: unknown) => ({ unreadable: (error as Error).message }),
        );
    }
    // One at a time: whoever sends a large one can wait.
    const mine = before.then(() => inThread(clock, bytes));
    before = mine;
    return mine;
  };
}

function inThread(clock: Clock, bytes: Uint8Array): Promise<Parsed> {
  return new Promise((resolve) => {
    const worker = new Worker(THREAD, {
      workerData: { bytes },
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    const settle = (parsed: Parsed): void => {
      cancel();
      resolve(parsed);
      worker.terminate().catch(() => {});
    };
    const cancel = clock.after(LIMITS.mailReadMs, () =>
      settle({ unreadable: `reading it took longer than ${LIMITS.mailReadMs / 1_000} seconds` }),
    );
    worker.once("message", settle);
    worker.once("error", (error) => settle({ unreadable: error.message }));
    worker.once("exit", () => settle({ unreadable: "reading it ended without an answer" }));
  });
}
