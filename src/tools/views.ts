/** What agents and customers see of orders and actions: derived, scoped, without anything internal. */
import type { FulfilmentState } from "../commerce/orders.ts";
import type { Currency } from "../kernel/money.ts";

export interface LineItemView {
  readonly lineItemId: string;
  readonly title: string;
  readonly quantity: number;
  readonly unitPriceMinor: number;
  /** Paid for the whole line: after discounts, with tax. */
  readonly totalMinor: number;
  readonly finalSale: boolean;
  /** Exact amounts of the units that can still be refunded, in the order in which they would be taken. */
  readonly refundableUnitsMinor: readonly number[];
  /** Units that could still be sent back. */
  readonly returnableUnits: number;
}

export interface FulfilmentView {
  readonly state: FulfilmentState;
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly trackingUrl: string | null;
  readonly estimatedDeliveryAt: number | null;
  readonly deliveredAt: number | null;
  readonly lastEvent: {
    readonly at: number;
    readonly description: string;
    readonly location: string | null;
  } | null;
  readonly items: readonly { readonly title: string; readonly quantity: number }[];
}

/** `refunded`/`returned` say nothing about money under way: see the amounts and the actions. */
export type OrderState = "unfulfilled" | "partly_fulfilled" | "in_transit" | "delivered" | "cancelled";

export interface OrderView {
  readonly orderId: string;
  /** Digits without `#`. */
  readonly number: string;
  readonly placedAt: number;
  readonly state: OrderState;
  readonly currency: Currency;
  readonly totalMinor: number;
  readonly paidMinor: number;
  /** Confirmed by the provider, whoever made it. */
  readonly refundedMinor: number;
  /** Held by actions whose outcome is not final. */
  readonly pendingRefundMinor: number;
  /** What is left: paid − refunded − pending. */
  readonly refundableMinor: number;
  readonly shippingMinor: number;
  readonly gift: boolean;
  readonly disputed: boolean;
  readonly lineItems: readonly LineItemView[];
  readonly fulfilments: readonly FulfilmentView[];
  readonly returns: readonly {
    readonly returnId: string;
    readonly state: string;
    readonly items: readonly { readonly title: string; readonly quantity: number }[];
  }[];
}

export type ActionKind = "refund" | "return";

export type ActionState =
  | "denied"
  | "awaiting_approval"
  | "rejected"
  | "expired"
  | "scheduled"
  | "cancelled"
  | "executing"
  | "pending"
  | "unknown"
  | "needs_person"
  | "succeeded"
  | "failed";

export interface ActionSummary {
  readonly actionId: string;
  readonly kind: ActionKind;
  readonly state: ActionState;
  readonly orderId: string;
  readonly orderNumber: string;
  /** 0 for a return. */
  readonly amountMinor: number;
  readonly currency: Currency;
  /** What it covers, for people: `2 × Wool socks`. */
  readonly items: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What may be said of it to the customer now; produced from the confirmed state (G2). */
  readonly text: string;
}
