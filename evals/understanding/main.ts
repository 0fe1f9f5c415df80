/**
 * How well messages are understood: intents per public source and on the hand-written hard set beside the
 * published baseline, calibration, abstention, every other signal. What is read here is exactly what the
 * product runs: `understand(text)`. What it costs is in `npm run bench -- understanding`.
 */
import type { Evaluate } from "../report.ts";
import { crossValidated } from "./cross-validated.ts";
import { handTables } from "./hand-set.ts";
import { publicTables } from "./public-rows.ts";

export const evaluate: Evaluate = async () => {
  const hand = handTables();
  const rows = publicTables();
  if (hand === null || rows === null) {
    process.stderr.write("Skipped: the shared data sets are not on this machine (RECOURSE_DATA_SETS).\n");
  }
  return [...crossValidated(), ...(hand ?? []), ...(rows ?? [])];
};
