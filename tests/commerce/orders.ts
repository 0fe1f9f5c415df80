/** Orders for tests of pure code: any that a shop may have, and small ones by hand. */
import fc from "fast-check";
import type { LineItem, Order } from "../../src/commerce/orders.ts";

export const NOTHING = { unitsByLine: new Map<string, ReadonlySet<number>>(), amountMinor: 0 };

export const line = (id: string, more: Partial<LineItem> = {}): LineItem => ({
  id,
  title: `Item ${id}`,
  sku: id.toUpperCase(),
  quantity: 1,
  unitPriceMinor: 1_000,
  discountMinor: 0,
  taxMinor: 0,
  finalSale: false,
  fulfilledQuantity: more.quantity ?? 1,
  ...more,
});

export const order = (lineItems: readonly LineItem[], more: Partial<Order> = {}): Order => ({
  id: "ord_1",
  number: "1",
  customerId: "ada",
  currency: "USD",
  placedAt: 0,
  cancelledAt: null,
  lineItems,
  shippingMinor: 0,
  shippingTaxMinor: 0,
  totalMinor: lineItems.reduce((sum, it) => sum + paidOf(it), 0),
  gift: false,
  note: "",
  fulfilments: [],
  returns: [],
  chargeId: "ch_1",
  ...more,
});

export const paidOf = (it: LineItem): number =>
  it.unitPriceMinor * it.quantity - it.discountMinor + it.taxMinor;

export const anyLine: fc.Arbitrary<Omit<LineItem, "id">> = fc
  .record({
    quantity: fc.integer({ min: 1, max: 9 }),
    unitPriceMinor: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 5_000_000 })),
    discount: fc.double({ min: 0, max: 1, noNaN: true }),
    taxMinor: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 })),
    finalSale: fc.boolean(),
  })
  .map(({ discount, ...it }) => ({
    ...line("x"),
    ...it,
    discountMinor: Math.floor(it.unitPriceMinor * it.quantity * discount),
    fulfilledQuantity: it.quantity,
  }));

/** An order and what was captured for it: mostly its total, sometimes a little off, sometimes far. */
export const anyPaidOrder = fc
  .record({
    lines: fc.array(anyLine, { minLength: 1, maxLength: 5 }),
    currency: fc.constantFrom("USD", "EUR", "JPY", "KWD"),
    shippingMinor: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000 })),
    shippingTaxMinor: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
    off: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 1, arbitrary: fc.integer({ min: -100_000, max: 100_000 }) },
    ),
  })
  .map(({ lines, currency, shippingMinor, shippingTaxMinor, off }) => {
    const made = lines.map((it, index) => ({ ...it, id: `l${index}` }));
    const totalMinor = made.reduce((sum, it) => sum + paidOf(it), 0) + shippingMinor + shippingTaxMinor;
    return {
      order: order(made, { currency, shippingMinor, shippingTaxMinor, totalMinor }),
      capturedMinor: Math.max(0, totalMinor + off),
    };
  });
