/**
 * The facts a policy may read: a flat, closed record, computed by code from the shop, the provider and
 * the ledger. A policy document can only use these names; the validator checks it against this schema.
 * Amounts are integer minor units of the order's currency unless the name says otherwise.
 */
export interface PolicyFacts {
  readonly order: {
    readonly currency: string;
    readonly state: "unfulfilled" | "partly_fulfilled" | "in_transit" | "delivered" | "cancelled";
    /** Calendar days since the (last) delivery in the merchant's time zone; −1 when not delivered. */
    readonly daysSinceDelivery: number;
    readonly daysSincePlaced: number;
    readonly paidMinor: number;
    /** Paid minus everything refunded, pending or of unknown outcome, before this request. */
    readonly refundableMinor: number;
    readonly gift: boolean;
    /** The charge is disputed at the provider. */
    readonly disputed: boolean;
    /** Units that came back through a return and were received. */
    readonly returnReceived: boolean;
  };
  readonly request: {
    readonly amountMinor: number;
    /** True when the request names items (or the whole rest of the order), false for a bare amount. */
    readonly namesItems: boolean;
    readonly includesFinalSale: boolean;
    readonly wholeOrder: boolean;
    /** `refund` or `return`. */
    readonly kind: "refund" | "return";
  };
  readonly customer: {
    /** In the tenant's currency. */
    readonly lifetimeSpendMinor: number;
    /** Refund actions recorded for this customer in the rolling window, any state but denied, rejected, failed, cancelled. */
    readonly refundsInWindow: number;
    /** Their sum, in the order's currency only. */
    readonly refundedInWindowMinor: number;
  };
}
