/** Pauses between attempts: the first short, each one twice as long, to a limit. Pure. */
import { LIMITS } from "../../kernel/limits.ts";

const FIRST_MS = 250;

/** @param failures how many attempts failed in a row, from 1 */
export const pauseMs = (failures: number): number =>
  Math.min(LIMITS.kafkaRetryMs, FIRST_MS * 2 ** Math.min(failures - 1, 20));
