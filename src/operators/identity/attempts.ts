/**
 * Failed attempts to sign in, counted before the password is looked at, so that many at once do not slip through.
 * What counts is what was typed: an address that nobody has is locked like one that somebody has, and the answers
 * are the same.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { Store } from "../../store/store.ts";

export interface Attempts {
  /** Counts one; `isLast` when another failure locks it. @throws ProblemError `sign_in_locked` */
  begin(subject: string): Promise<{ readonly isLast: boolean }>;
  /** It was right: forgets what went before. */
  succeeded(subject: string): Promise<void>;
}

export function createAttempts(store: Store, clock: Clock): Attempts {
  return {
    begin: (subject) =>
      store
        .identify(async (tx) => {
          const nowMs = clock.now();
          const overMs = nowMs - LIMITS.signInLockMs;
          const over = sql<boolean>`identity_attempts.since_ms <= ${overMs}`;
          return tx
            .insertInto("identity_attempts")
            .values({ subject_hash: hashOf(subject), failures: 1, since_ms: nowMs })
            .onConflict((conflict) =>
              conflict.column("subject_hash").doUpdateSet({
                failures: sql`case when ${over} then 1 else least(identity_attempts.failures + 1, ${LIMITS.signInFailures + 1}) end`,
                // From the attempt that locked it on, time runs; what is tried meanwhile does not prolong it.
                since_ms: sql`case when ${over} or identity_attempts.failures < ${LIMITS.signInFailures} then ${nowMs} else identity_attempts.since_ms end`,
              }),
            )
            .returning(["failures", "since_ms"])
            .executeTakeFirstOrThrow();
        })
        .then(({ failures, since_ms }) => {
          if (failures <= LIMITS.signInFailures) return { isLast: failures === LIMITS.signInFailures };
          throw new ProblemError("sign_in_locked", undefined, {
            retryAfterMs: since_ms + LIMITS.signInLockMs - clock.now(),
          });
        }),
    succeeded: (subject) =>
      store.identify(async (tx) => {
        // And what counts for nothing any more, whoever typed it.
        const overMs = clock.now() - LIMITS.signInLockMs;
        await tx
          .deleteFrom("identity_attempts")
          .where((eb) => eb.or([eb("subject_hash", "=", hashOf(subject)), eb("since_ms", "<=", overMs)]))
          .execute();
      }),
  };
}

/** Addresses of people who never were here are not kept in the clear. */
const hashOf = (subject: string): string => createHash("sha256").update(subject).digest("hex");
