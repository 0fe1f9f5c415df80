/** An order as the sandbox shop's API writes it. Amounts are minor units, instants epoch milliseconds. */

export interface LineItem {
  readonly id: string;
  readonly title: string;
  readonly sku: string;
  readonly quantity: number;
  readonly unitPriceMinor: number;
  readonly discountMinor: number;
  readonly taxMinor: number;
  readonly finalSale: boolean;
  readonly fulfilledQuantity: number;
}

export interface Fulfilment {
  readonly id: string;
  readonly state: "label_created" | "in_transit" | "out_for_delivery" | "delivered" | "delivery_failed";
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly trackingUrl: string | null;
  readonly estimatedDeliveryAt: number | null;
  readonly deliveredAt: number | null;
  readonly items: readonly { readonly lineItemId: string; readonly quantity: number }[];
  readonly events: readonly {
    readonly at: number;
    readonly description: string;
    readonly location: string | null;
  }[];
}

export interface ShopReturn {
  readonly id: string;
  readonly state: "open" | "in_transit" | "received" | "closed" | "cancelled";
  readonly reason: string;
  readonly createdAt: number;
  readonly items: readonly { readonly lineItemId: string; readonly quantity: number }[];
  readonly idempotencyKey: string | null;
  readonly instructions: string;
  readonly labelUrl: string | null;
}

export interface Order {
  readonly id: string;
  readonly number: string;
  readonly customerId: string;
  readonly currency: string;
  readonly placedAt: number;
  readonly cancelledAt: number | null;
  readonly lineItems: readonly LineItem[];
  readonly shippingMinor: number;
  readonly shippingTaxMinor: number;
  readonly totalMinor: number;
  readonly gift: boolean;
  readonly note: string;
  readonly fulfilments: readonly Fulfilment[];
  readonly returns: readonly ShopReturn[];
  readonly chargeId: string;
}
