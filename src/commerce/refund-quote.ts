/**
 * What units of an order were paid, exactly, and what a refund of some of them comes to. Pure.
 *
 * A unit's amount is its even share of its line: price × quantity − discount, plus tax, split so that
 * units sum to the line. Taking all that remains is `captured − taken`, so that rounding anywhere
 * (coupon shares, a captured cent more or less) never leaves or invents a cent.
 */
import { type Currency, splitEvenly } from "../kernel/money.ts";
import type { LineItem, Order } from "./orders.ts";

export interface UnitAmount {
  readonly netMinor: number;
  readonly taxMinor: number;
  readonly amountMinor: number;
}

export interface QuotedUnit extends UnitAmount {
  readonly lineItemId: string;
  readonly unitIndex: number;
}

/** What is gone already: units by line, and all money refunded, pending, uncertain or refunded elsewhere. */
export interface Taken {
  readonly unitsByLine: ReadonlyMap<string, ReadonlySet<number>>;
  readonly amountMinor: number;
}

export type RefundSelection =
  | { readonly kind: "all" }
  | {
      readonly kind: "items";
      readonly items: readonly { readonly lineItemId: string; readonly quantity: number }[];
    };

export interface Quote {
  readonly units: readonly QuotedUnit[];
  /** Shipping with its tax, when the last units of the order are taken. */
  readonly shippingMinor: number;
  /** What is refunded: the sum of units, shipping and `parts.roundingMinor`. */
  readonly amountMinor: number;
  /** Nothing is left afterwards. */
  readonly wholeOrder: boolean;
  readonly currency: Currency;
  readonly parts: {
    readonly goodsNetMinor: number;
    readonly taxMinor: number;
    readonly shippingMinor: number;
    /** What was captured more (or less) than units and shipping add up to, or was refunded as a bare amount. */
    readonly roundingMinor: number;
  };
}

export interface QuoteProblem {
  readonly code: "units_unavailable" | "item_not_found";
  readonly message: string;
}

/** Exact amounts of each unit of a line: they sum to what the line was paid, and none is below zero. */
export function unitAmounts(line: LineItem): readonly UnitAmount[] {
  const net = splitEvenly(line.unitPriceMinor * line.quantity - line.discountMinor, line.quantity);
  const tax = splitEvenly(line.taxMinor, line.quantity);
  return net.map((netMinor, index) => {
    const taxMinor = tax[index] ?? 0;
    return { netMinor, taxMinor, amountMinor: netMinor + taxMinor };
  });
}

/** Units of a line that nothing has taken, in the order in which they are taken. */
export function freeUnits(line: LineItem, taken: ReadonlySet<number> | undefined): readonly QuotedUnit[] {
  return unitAmounts(line)
    .map((amounts, unitIndex) => ({ lineItemId: line.id, unitIndex, ...amounts }))
    .filter((unit) => taken?.has(unit.unitIndex) !== true);
}

/**
 * What a refund of a selection comes to, or why it cannot be. A part of an order is the sum of its units,
 * and never more than is left; what takes the last units takes all that is left. A quote can be of 0,
 * for units that a discount had made free.
 */
export function quoteRefund(
  order: Order,
  capturedMinor: number,
  taken: Taken,
  selection: RefundSelection,
): Quote | QuoteProblem {
  const leftMinor = capturedMinor - taken.amountMinor;
  const free = new Map(
    order.lineItems.map((line) => [line.id, freeUnits(line, taken.unitsByLine.get(line.id))]),
  );
  const allFree = [...free.values()].flat();
  if (leftMinor <= 0) return unavailable(order);

  const wanted = new Map<string, number>();
  if (selection.kind === "all") for (const [lineItemId, units] of free) wanted.set(lineItemId, units.length);
  else {
    for (const { lineItemId, quantity } of selection.items) {
      // Each one by itself: a negative quantity must not make room for another entry of its line.
      if (!Number.isSafeInteger(quantity) || quantity < 1) return unavailable(order);
      wanted.set(lineItemId, (wanted.get(lineItemId) ?? 0) + quantity);
    }
  }
  const units: QuotedUnit[] = [];
  for (const [lineItemId, quantity] of wanted) {
    const available = free.get(lineItemId);
    if (available === undefined) {
      return { code: "item_not_found", message: `Order #${order.number} has no item ${lineItemId}.` };
    }
    if (quantity > available.length) return unavailable(order);
    units.push(...available.slice(0, quantity));
  }
  if (selection.kind === "items" && units.length === 0) return unavailable(order);

  const unitsMinor = sum(units.map((unit) => unit.amountMinor));
  const wholeOrder = units.length === allFree.length;
  const shippingTotalMinor = order.shippingMinor + order.shippingTaxMinor;
  // Shipping goes back with the last units; never more than is left.
  const shippingMinor = wholeOrder ? Math.max(0, Math.min(shippingTotalMinor, leftMinor - unitsMinor)) : 0;
  const amountMinor = wholeOrder ? leftMinor : Math.min(unitsMinor, leftMinor);
  return {
    units,
    shippingMinor,
    amountMinor,
    wholeOrder,
    currency: order.currency,
    parts: {
      goodsNetMinor: sum(units.map((unit) => unit.netMinor)),
      taxMinor: sum(units.map((unit) => unit.taxMinor)),
      shippingMinor,
      roundingMinor: amountMinor - unitsMinor - shippingMinor,
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const unavailable = (order: Order): QuoteProblem => ({
  code: "units_unavailable",
  message: `That part of order #${order.number} has been refunded already, or is being so.`,
});
