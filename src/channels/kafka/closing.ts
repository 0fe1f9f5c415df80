/** A broker that is gone without a word closes no connection: nobody waits longer for that than for an answer. */
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";

/** Resolves when it is closed, could not be, or has taken too long. */
export async function closed(closing: Promise<unknown>, clock: Clock): Promise<void> {
  const over = new AbortController();
  await Promise.race([closing.catch(() => {}), clock.sleep(LIMITS.kafkaAnswerMs, over.signal)]);
  over.abort();
}
