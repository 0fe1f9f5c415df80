/**
 * Port: the shop's orders, as Recourse reads them. A connector maps a shop system to these shapes.
 * All amounts are integer minor units of the order's `currency`; all instants are epoch milliseconds.
 */
import type { Currency } from "../kernel/money.ts";
import type { CustomerScope, TenantScope } from "../kernel/scope.ts";

export interface LineItem {
  readonly id: string;
  readonly title: string;
  readonly sku: string;
  readonly quantity: number;
  /** Price of one unit before discounts, without tax when the shop's prices are net. */
  readonly unitPriceMinor: number;
  /** All discounts of the whole line, its share of order discounts included. */
  readonly discountMinor: number;
  /** Tax of the whole line on top of `unitPrice·quantity − discount`; 0 where prices include tax. */
  readonly taxMinor: number;
  readonly finalSale: boolean;
  /** Units that physically left the warehouse. */
  readonly fulfilledQuantity: number;
}

export interface TrackingEvent {
  readonly at: number;
  readonly description: string;
  readonly location: string | null;
}

export type FulfilmentState =
  | "label_created"
  | "in_transit"
  | "out_for_delivery"
  | "delivered"
  | "delivery_failed";

export interface Fulfilment {
  readonly id: string;
  readonly state: FulfilmentState;
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly trackingUrl: string | null;
  /** Expected delivery, for what is still under way. */
  readonly estimatedDeliveryAt: number | null;
  readonly deliveredAt: number | null;
  readonly items: readonly { readonly lineItemId: string; readonly quantity: number }[];
  /** Oldest first. */
  readonly events: readonly TrackingEvent[];
}

/** A return that the shop knows of. */
export interface ShopReturn {
  readonly id: string;
  readonly state: "open" | "in_transit" | "received" | "closed" | "cancelled";
  readonly reason: string;
  readonly createdAt: number;
  readonly items: readonly { readonly lineItemId: string; readonly quantity: number }[];
  /** The key it was created under, when it was created through this port. */
  readonly idempotencyKey: string | null;
  readonly instructions: string;
  readonly labelUrl: string | null;
}

export interface Order {
  readonly id: string;
  /** What people call it, digits without the `#`: `"1042"`. */
  readonly number: string;
  readonly customerId: string;
  readonly currency: Currency;
  readonly placedAt: number;
  readonly cancelledAt: number | null;
  readonly lineItems: readonly LineItem[];
  readonly shippingMinor: number;
  readonly shippingTaxMinor: number;
  /** What the customer was asked to pay. The charge says what was in fact captured. */
  readonly totalMinor: number;
  readonly gift: boolean;
  /** Free text of people or systems: data, never instructions. */
  readonly note: string;
  readonly fulfilments: readonly Fulfilment[];
  readonly returns: readonly ShopReturn[];
  /** The provider's ID of the charge that paid it; null when it was not paid through the provider. */
  readonly chargeId: string | null;
}

export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Everything paid, net of refunds, in the tenant's currency. */
  readonly lifetimeSpendMinor: number;
}

/**
 * Every method but `customerByEmail` answers only with what belongs to the scope's customer: a stranger's order and one
 * that does not exist are both `null`. A connector repeats a read by itself, within
 * `LIMITS.safeReadAttempts`; whoever calls it does not.
 *
 * @throws ProblemError `shop_unavailable`
 */
export interface Orders {
  customer(scope: CustomerScope, signal?: AbortSignal): Promise<Customer | null>;
  /** The one customer with this address, letter case aside; null when there is none or more than one. */
  customerByEmail(scope: TenantScope, email: string, signal?: AbortSignal): Promise<Customer | null>;
  /** Newest first, at most `LIMITS.ordersPerList`. */
  list(scope: CustomerScope, signal?: AbortSignal): Promise<readonly Order[]>;
  /** By ID or number (`"1042"`). */
  find(scope: CustomerScope, idOrNumber: string, signal?: AbortSignal): Promise<Order | null>;
}
