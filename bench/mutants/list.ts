/** Guard rails that `npm run mutants` switches off one at a time, by room. */
import { FILTER } from "./filter.ts";
import { GATEWAY } from "./gateway.ts";
import { LEDGER } from "./ledger.ts";
import type { Mutant } from "./mutant.ts";
import { RECONCILIATION } from "./reconciliation.ts";
import { SCOPE } from "./scope.ts";

export const MUTANTS_BY_ROOM: Readonly<Record<string, readonly Mutant[]>> = {
  gateway: GATEWAY,
  ledger: LEDGER,
  reconciliation: RECONCILIATION,
  scope: SCOPE,
  filter: FILTER,
};
