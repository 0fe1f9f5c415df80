/** What reviews need of the gateway for an approval with another amount; `gateway/changed-amount.ts` does it. */
import type { ActionRow } from "../ledger.ts";
import type { PreparedAction } from "../record.ts";

/** Why the amount cannot be refunded, for the person who wanted it. */
export interface ChangedStop {
  readonly kind: string;
  readonly code: string;
  readonly message?: string;
  readonly explanation?: string;
  readonly clauses?: unknown;
}

/**
 * Prepares the same refund with a smaller amount as a new action: order, provider, ledger and policy are read
 * anew, as if nobody had looked at it before.
 * @throws ProblemError `shop_unavailable`, `provider_unavailable`
 */
export type PrepareChanged = (
  action: ActionRow,
  amount: string,
) => Promise<{ readonly prepared: PreparedAction<ChangedStop> } | { readonly stop: ChangedStop }>;
