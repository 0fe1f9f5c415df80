/**
 * A circuit breaker for one provider: after several failures in a row its models are not asked for a
 * while; then one question tries. A `Retry-After` is a pause for all questions of this process, so that
 * twenty conversations do not knock at a door that said "later" to one of them.
 */
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";

export interface Breaker {
  /** True: ask, and then say how it went. In the half-open state only one asker hears yes. */
  mayAsk(): boolean;
  answered(): void;
  failed(): void;
  /** The question was given up by the asker: it says nothing of the provider. */
  released(): void;
  pause(ms: number): void;
}

type State =
  | { readonly kind: "closed"; readonly failures: number }
  | { readonly kind: "open"; readonly untilMs: number }
  | { readonly kind: "trying"; readonly sinceMs: number };

export function createBreaker(clock: Clock): Breaker {
  let state: State = { kind: "closed", failures: 0 };
  let pausedUntilMs = 0;
  const open = (): State => ({ kind: "open", untilMs: clock.now() + LIMITS.modelBreakerMs });
  return {
    mayAsk() {
      const nowMs = clock.now();
      if (nowMs < pausedUntilMs) return false;
      switch (state.kind) {
        case "closed":
          return true;
        case "open":
          if (nowMs < state.untilMs) return false;
          state = { kind: "trying", sinceMs: nowMs };
          return true;
        case "trying":
          // A try whose asker was never heard of again does not lock the door for good.
          if (nowMs - state.sinceMs < LIMITS.modelBreakerMs) return false;
          state = { kind: "trying", sinceMs: nowMs };
          return true;
      }
    },
    answered() {
      state = { kind: "closed", failures: 0 };
    },
    failed() {
      if (state.kind === "closed" && state.failures + 1 < LIMITS.modelBreakerFailures)
        state = { kind: "closed", failures: state.failures + 1 };
      else state = open();
    },
    released() {
      if (state.kind === "trying") state = { kind: "open", untilMs: clock.now() };
    },
    pause(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.now() + ms);
    },
  };
}
