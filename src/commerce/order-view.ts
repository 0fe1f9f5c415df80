/** An order as customers and agents see it: derived from shop, provider and ledger; nothing internal, no free text. Pure. */
import { calendarDaysBetween } from "../kernel/calendar.ts";
import type { Currency } from "../kernel/money.ts";
import type { Fulfilment, FulfilmentState, Order } from "./orders.ts";
import type { ProviderCharge } from "./payments.ts";
import { freeUnits } from "./refund-quote.ts";

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

/** What the ledger knows of the order's units and money. */
export interface OrderTaken {
  readonly unitsTaken: ReadonlyMap<string, ReadonlySet<number>>;
  readonly refundedMinor: number;
  readonly pendingMinor: number;
  readonly returnedUnitsByLine: ReadonlyMap<string, number>;
}

export function orderView(order: Order, charge: ProviderCharge | null, taken: OrderTaken): OrderView {
  const paidMinor = charge?.capturedMinor ?? order.totalMinor;
  const titleOf = (lineItemId: string) =>
    order.lineItems.find((line) => line.id === lineItemId)?.title ?? "item";
  const items = (list: readonly { lineItemId: string; quantity: number }[]) =>
    list.map((item) => ({ title: titleOf(item.lineItemId), quantity: item.quantity }));
  const refundableMinor = Math.max(0, paidMinor - taken.refundedMinor - taken.pendingMinor);
  return {
    orderId: order.id,
    number: order.number,
    placedAt: order.placedAt,
    state: orderState(order),
    currency: order.currency,
    totalMinor: order.totalMinor,
    paidMinor,
    refundedMinor: taken.refundedMinor,
    pendingRefundMinor: taken.pendingMinor,
    refundableMinor,
    shippingMinor: order.shippingMinor + order.shippingTaxMinor,
    gift: order.gift,
    disputed: charge?.disputed ?? false,
    lineItems: order.lineItems.map((line) => ({
      lineItemId: line.id,
      title: line.title,
      quantity: line.quantity,
      unitPriceMinor: line.unitPriceMinor,
      totalMinor: line.unitPriceMinor * line.quantity - line.discountMinor + line.taxMinor,
      finalSale: line.finalSale,
      refundableUnitsMinor:
        refundableMinor === 0
          ? []
          : freeUnits(line, taken.unitsTaken.get(line.id)).map((unit) => unit.amountMinor),
      returnableUnits: Math.max(0, line.fulfilledQuantity - returnedOf(order, line.id, taken)),
    })),
    fulfilments: order.fulfilments.map((fulfilment) => ({
      state: fulfilment.state,
      carrier: fulfilment.carrier,
      trackingNumber: fulfilment.trackingNumber,
      trackingUrl: fulfilment.trackingUrl,
      estimatedDeliveryAt: fulfilment.estimatedDeliveryAt,
      deliveredAt: fulfilment.deliveredAt,
      lastEvent: fulfilment.events.at(-1) ?? null,
      items: items(fulfilment.items),
    })),
    returns: order.returns.map((entry) => ({
      returnId: entry.id,
      state: entry.state,
      items: items(entry.items),
    })),
  };
}

/** Where the order as a whole is; money is not part of it. */
export function orderState(order: Order): OrderState {
  if (order.cancelledAt !== null) return "cancelled";
  const shipped = order.fulfilments.filter((fulfilment) => fulfilment.state !== "label_created");
  if (shipped.length === 0) return "unfulfilled";
  const ordered = order.lineItems.reduce((sum, line) => sum + line.quantity, 0);
  const fulfilled = order.lineItems.reduce((sum, line) => sum + line.fulfilledQuantity, 0);
  if (fulfilled < ordered) return "partly_fulfilled";
  return shipped.every((fulfilment) => fulfilment.deliveredAt !== null) ? "delivered" : "in_transit";
}

/**
 * Calendar days in the merchant's time zone since the last delivery; −1 while something is not delivered.
 * A delivery that the shop dates after our own now is of today: −1 keeps its one meaning.
 */
export function daysSinceDelivery(order: Order, timeZone: string, nowMs: number): number {
  const deliveries = order.fulfilments.map((fulfilment: Fulfilment) => fulfilment.deliveredAt);
  if (deliveries.length === 0 || deliveries.some((at) => at === null)) return -1;
  return Math.max(0, calendarDaysBetween(timeZone, Math.max(...(deliveries as number[])), nowMs));
}

function returnedOf(order: Order, lineItemId: string, taken: OrderTaken): number {
  const inShop = order.returns
    .filter((entry) => entry.state !== "cancelled")
    .flatMap((entry) => entry.items)
    .filter((item) => item.lineItemId === lineItemId)
    .reduce((sum, item) => sum + item.quantity, 0);
  return Math.max(inShop, taken.returnedUnitsByLine.get(lineItemId) ?? 0);
}
