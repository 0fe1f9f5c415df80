/**
 * What the provider (of a return: the shop) has of an action: asked before anything uncertain is sent again, and
 * before a person's word ends it. Never kept in the process: each question is asked anew.
 */
import type { ShopReturn } from "../commerce/orders.ts";
import type { Payments, ProviderRefund } from "../commerce/payments.ts";
import type { Returns } from "../commerce/returns.ts";
import { customerScope } from "../kernel/scope.ts";
import type { ActionRow } from "./ledger.ts";

export type Found =
  | { readonly kind: "refund"; readonly refund: ProviderRefund }
  | { readonly kind: "return"; readonly shopReturn: ShopReturn }
  /** It has nothing of this action. `others`: what it has of the same charge. */
  | { readonly kind: "nothing"; readonly others: readonly ProviderRefund[] };

/** @throws ProblemError `provider_unavailable`, `shop_unavailable` */
export type Find = (action: ActionRow) => Promise<Found>;

export function createFind(parts: { readonly payments: Payments; readonly returns: Returns }): Find {
  const { payments, returns } = parts;
  return async (action) => {
    if (action.kind === "return") {
      const scope = customerScope(action.tenant_id, action.customer_id);
      const shopReturn = await returns.findByKey(scope, action.order_id, action.idempotency_key);
      return shopReturn === null ? { kind: "nothing", others: [] } : { kind: "return", shopReturn };
    }
    const known = await payments.refundsOf(action.tenant_id, action.charge_id ?? "");
    const refund = known.find(({ actionId }) => actionId === action.id);
    return refund === undefined ? { kind: "nothing", others: known } : { kind: "refund", refund };
  };
}
