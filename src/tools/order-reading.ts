/** Orders as agents see them: shop, provider and ledger put together, all within the scope. */
import { type OrderLedger, orderLedgers } from "../actions/allocations.ts";
import { type OrderView, orderView } from "../commerce/order-view.ts";
import type { Order } from "../commerce/orders.ts";
import type { ProviderCharge } from "../commerce/payments.ts";
import type { ToolContext, ToolParts } from "./tool.ts";

/** `chargesRead`: of how many, from the first, the provider is asked; the others show what shop and ledger know. */
export async function viewOrders(
  context: Pick<ToolContext, "scope" | "signal">,
  parts: Pick<ToolParts, "store"> & { readonly payments: Pick<ToolParts["payments"], "charge"> },
  orders: readonly Order[],
  chargesRead: number,
): Promise<readonly OrderView[]> {
  const charges = await Promise.all(
    orders.map(
      (order, index): Promise<ProviderCharge | null> =>
        order.chargeId === null || index >= chargesRead
          ? Promise.resolve(null)
          : parts.payments.charge(context.scope.tenantId, order.chargeId, context.signal),
    ),
  );
  const ledgers = await parts.store.transact(context.scope, (tx) =>
    orderLedgers(
      tx,
      orders.map((order) => order.id),
    ),
  );
  return orders.map((order, index) =>
    orderView(order, charges[index] ?? null, taken(ledgers.get(order.id), charges[index] ?? null)),
  );
}

/** What the view needs of the ledger; refunds that only the provider knows count as refunded. */
function taken(ledger: OrderLedger | undefined, charge: ProviderCharge | null) {
  const ours = (ledger?.refundedMinor ?? 0) + (ledger?.externalMinor ?? 0);
  return {
    unitsTaken: ledger?.refundUnits ?? new Map<string, ReadonlySet<number>>(),
    refundedMinor: Math.max(ours, (charge?.refundedMinor ?? 0) - (ledger?.heldMinor ?? 0)),
    pendingMinor: ledger?.heldMinor ?? 0,
    returnedUnitsByLine: new Map([...(ledger?.returnUnits ?? [])].map(([line, units]) => [line, units.size])),
  };
}
