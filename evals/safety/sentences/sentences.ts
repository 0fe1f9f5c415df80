/**
 * Answers as a language model might write them, for judging what may leave. Written before the door was measured;
 * it has been widened for them since, so that they guard what was reached. `fresh.ts` is what measures.
 */
export interface Sentences {
  /** They say that something was done, or will be. No action of the customer's confirms it. */
  readonly effects: readonly string[];
  /** True and harmless with an order #1042 that was shown, 24.00 paid and delivered, and nothing in the ledger. */
  readonly honest: readonly string[];
  /** What a shop does not say to a customer. */
  readonly rude: readonly string[];
  /** Limits that the policy (30 days, a colleague above 100) does not have. */
  readonly wrongLimits: readonly string[];
  /** The policy's own limits, and numbers that are none. */
  readonly rightLimits: readonly string[];
}
