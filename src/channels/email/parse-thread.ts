import { parentPort, workerData } from "node:worker_threads";
import { parseMail } from "./parse.ts";

parseMail((workerData as { bytes: Uint8Array }).bytes).then(
  (mail) => parentPort?.postMessage({ mail }),
  (error: unknown) => parentPort?.postMessage({ unreadable: String((error as Error).message ?? error) }),
);
