import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildWorld } from "../../sandbox/shop/world.ts";
import { daysSinceDelivery } from "../../src/commerce/order-view.ts";
import type { Order } from "../../src/commerce/orders.ts";
import { quoteRefund, unitAmounts } from "../../src/commerce/refund-quote.ts";
import { windowEndMs } from "../../src/kernel/calendar.ts";
import { line, order } from "./orders.ts";

const SEED = Number(process.env.SEED ?? 20261201);
const world = buildWorld({ startMs: Date.parse("2026-12-01T15:00:00Z"), seed: 1042 });
const NOTHING = { unitsByLine: new Map<string, ReadonlySet<number>>(), amountMinor: 0 };

describe("a refund comes to the cent, and never to more than was captured", () => {
  test("every order of the world: taken unit by unit in any order, it sums to exactly what was captured", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...world.orders),
        fc.infiniteStream(fc.nat()),
        ({ order, charge }, choices) => {
          const units = new Map<string, Set<number>>();
          let takenMinor = 0;
          const total = order.lineItems.reduce((sum, line) => sum + line.quantity, 0);
          for (let n = 0; n < total; n += 1) {
            const open = order.lineItems.filter((line) => (units.get(line.id)?.size ?? 0) < line.quantity);
            const line = open[(choices.next().value as number) % open.length] as (typeof open)[number];
            const quote = quoteRefund(
              order as Order,
              charge.capturedMinor,
              { unitsByLine: units, amountMinor: takenMinor },
              { kind: "items", items: [{ lineItemId: line.id, quantity: 1 }] },
            );
            if ("code" in quote) {
              // Only when nothing is left: a discount had made the last units free.
              expect(takenMinor).toBe(charge.capturedMinor);
              return;
            }
            const [unit] = quote.units;
            units.set(line.id, (units.get(line.id) ?? new Set()).add(unit?.unitIndex ?? -1));
            takenMinor += quote.amountMinor;
            expect(takenMinor).toBeLessThanOrEqual(charge.capturedMinor);
            const { goodsNetMinor, taxMinor, shippingMinor, roundingMinor } = quote.parts;
            expect(goodsNetMinor + taxMinor + shippingMinor + roundingMinor).toBe(quote.amountMinor);
          }
          expect(takenMinor).toBe(charge.capturedMinor);
        },
      ),
      { seed: SEED, numRuns: 400 },
    );
  });

  test("the whole order is what was captured, whatever the lines add up to", () => {
    for (const { order, charge } of world.orders) {
      const quote = quoteRefund(order as Order, charge.capturedMinor, NOTHING, { kind: "all" });
      expect(quote).toMatchObject({ amountMinor: charge.capturedMinor, wholeOrder: true });
    }
  });

  test("[77] 10 × 23.90 with 20 % VAT and a coupon of 25 %: 179.25, not the 179.26 that rounded lines give", () => {
    const line = {
      id: "l",
      title: "x",
      sku: "x",
      quantity: 10,
      unitPriceMinor: 1992,
      discountMinor: 4980,
      taxMinor: 2986,
      finalSale: false,
      fulfilledQuantity: 10,
    };
    const order = {
      ...(world.orders[0]?.order as Order),
      lineItems: [line],
      shippingMinor: 0,
      shippingTaxMinor: 0,
    };
    expect(quoteRefund(order, 17_925, NOTHING, { kind: "all" })).toMatchObject({ amountMinor: 17_925 });
    expect(unitAmounts(line).reduce((sum, unit) => sum + unit.amountMinor, 0)).toBe(17_926);
  });

  test("[142] captured a cent less than the total: what was captured goes back", () => {
    const odd = world.orders.find(({ tags }) => tags.includes("captured-less"));
    const quote = quoteRefund(odd?.order as Order, odd?.charge.capturedMinor ?? 0, NOTHING, { kind: "all" });
    expect(quote).toMatchObject({ parts: { roundingMinor: -1 } });
  });

  test("a unit that is taken cannot be taken again, and an unknown item has its own code", () => {
    const order = world.orders[0]?.order as Order;
    const socks = order.lineItems[1]?.id ?? "";
    const taken = { unitsByLine: new Map([[socks, new Set([0, 1])]]), amountMinor: 2_400 };
    expect(
      quoteRefund(order, 11_300, taken, { kind: "items", items: [{ lineItemId: socks, quantity: 1 }] }),
    ).toMatchObject({ code: "units_unavailable" });
    expect(
      quoteRefund(order, 11_300, NOTHING, { kind: "items", items: [{ lineItemId: socks, quantity: 3 }] }),
    ).toMatchObject({ code: "units_unavailable" });
    expect(
      quoteRefund(order, 11_300, NOTHING, {
        kind: "items",
        items: [{ lineItemId: "li_other", quantity: 1 }],
      }),
    ).toMatchObject({ code: "item_not_found" });
    expect(quoteRefund(order, 11_300, taken, { kind: "all" })).toMatchObject({ amountMinor: 8_900 });
  });

  test("[79] a line taken unit by unit gives back net and tax within what was paid of each, and ends at exactly both", () => {
    const units = 7;
    const sold = order([line("li", { quantity: units, unitPriceMinor: 8, discountMinor: 4, taxMinor: 10 })]);
    let [net, tax] = [52, 10];
    for (let taken = 0; taken < units; taken += 1) {
      const quote = quoteRefund(
        sold,
        62,
        {
          unitsByLine: new Map([["li", new Set(Array.from({ length: taken }, (_, unit) => unit))]]),
          amountMinor: 62 - net - tax,
        },
        { kind: "items", items: [{ lineItemId: "li", quantity: 1 }] },
      );
      if ("code" in quote) throw new Error(quote.message);
      expect(quote.parts.goodsNetMinor + quote.parts.taxMinor).toBe(quote.amountMinor);
      net -= quote.parts.goodsNetMinor;
      tax -= quote.parts.taxMinor;
      expect(net).toBeGreaterThanOrEqual(0);
      expect(tax).toBeGreaterThanOrEqual(0);
    }
    expect([net, tax]).toEqual([0, 0]);
  });
});

describe("[75] a return window is counted in the merchant's calendar", () => {
  const deliveredAt = Date.parse("2026-10-10T18:00:00+02:00");
  const order = {
    ...(world.orders[0]?.order as Order),
    fulfilments: [
      { ...(world.orders[0]?.order.fulfilments[0] as Order["fulfilments"][number]), deliveredAt },
    ],
  };

  test.each([
    ["2026-11-09T17:30:00+01:00", 30],
    ["2026-11-09T18:30:00+01:00", 30],
    ["2026-11-09T23:59:59+01:00", 30],
    ["2026-11-10T00:01:00+01:00", 31],
  ])("across the clock change: at %s it is day %d", (at, days) => {
    expect(daysSinceDelivery(order, "Europe/Berlin", Date.parse(at))).toBe(days);
  });

  test("the window's end is the first instant after its last day", () => {
    expect(new Date(windowEndMs("Europe/Berlin", deliveredAt, 30)).toISOString()).toBe(
      "2026-11-09T23:00:00.000Z",
    );
  });
});
