import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Order } from "../../src/commerce/orders.ts";
import {
  type Quote,
  quoteRefund,
  type RefundSelection,
  unitAmounts,
} from "../../src/commerce/refund-quote.ts";
import { formatMoney } from "../../src/kernel/money.ts";
import { anyLine, anyPaidOrder, line, NOTHING, order, paidOf } from "./orders.ts";

/** A failure prints this seed and a path: `SEED=… npx vitest run tests/commerce`. */
const SEED = Number(process.env.SEED ?? 20261201);
const runs = (numRuns: number) => ({ seed: SEED, numRuns });

/** One customer's refunds of one order, one after the other, as the ledger would count them. */
class Ledger {
  readonly units = new Map<string, Set<number>>();
  takenMinor = 0;
  readonly order: Order;
  readonly capturedMinor: number;

  constructor(paid: { order: Order; capturedMinor: number }) {
    this.order = paid.order;
    this.capturedMinor = paid.capturedMinor;
  }

  quote(selection: RefundSelection) {
    return quoteRefund(
      this.order,
      this.capturedMinor,
      { unitsByLine: this.units, amountMinor: this.takenMinor },
      selection,
    );
  }

  take(quote: Quote): void {
    for (const unit of quote.units) {
      const taken = this.units.get(unit.lineItemId) ?? new Set();
      expect(taken.has(unit.unitIndex), "a unit is taken twice").toBe(false);
      this.units.set(unit.lineItemId, taken.add(unit.unitIndex));
    }
    this.takenMinor += quote.amountMinor;
    expect(this.takenMinor).toBeLessThanOrEqual(this.capturedMinor);
  }
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

type Step =
  | {
      readonly kind: "items";
      readonly picks: readonly { readonly line: number; readonly quantity: number }[];
    }
  | { readonly kind: "all" }
  /** Refunded elsewhere, or as a bare amount: money without units. */
  | { readonly kind: "bare"; readonly amountMinor: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("items" as const),
      picks: fc.array(
        fc.record({ line: fc.nat(5), quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer()) }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("all" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("bare" as const),
      amountMinor: fc.integer({ min: 1, max: 900 }),
    }),
  },
);

describe("G1 quotes of any order, in any sequence", () => {
  test("never sum to more than was captured, take no unit twice, and end at exactly what was captured", () => {
    fc.assert(
      fc.property(anyPaidOrder, fc.array(anyStep, { maxLength: 12 }), (paid, steps) => {
        const ledger = new Ledger(paid);
        for (const step of [...steps, { kind: "all" } as const]) {
          if (step.kind === "bare") {
            ledger.takenMinor += Math.min(step.amountMinor, ledger.capturedMinor - ledger.takenMinor);
            continue;
          }
          const quote = ledger.quote(
            step.kind === "all"
              ? step
              : {
                  kind: "items",
                  items: step.picks.map(({ line, quantity }) => ({ lineItemId: `l${line}`, quantity })),
                },
          );
          if ("code" in quote) continue;
          const { parts, units, amountMinor, shippingMinor } = quote;
          expect(amountMinor).toBeGreaterThanOrEqual(0);
          expect(Number.isSafeInteger(amountMinor)).toBe(true);
          expect(parts.goodsNetMinor).toBe(sum(units.map((unit) => unit.netMinor)));
          expect(parts.taxMinor).toBe(sum(units.map((unit) => unit.taxMinor)));
          expect(shippingMinor).toBe(parts.shippingMinor);
          expect(shippingMinor).toBeLessThanOrEqual(paid.order.shippingMinor + paid.order.shippingTaxMinor);
          expect(parts.goodsNetMinor + parts.taxMinor + parts.shippingMinor + parts.roundingMinor).toBe(
            amountMinor,
          );
          if (!quote.wholeOrder) {
            expect(shippingMinor).toBe(0);
            expect(amountMinor).toBeLessThanOrEqual(sum(units.map((unit) => unit.amountMinor)));
          }
          ledger.take(quote);
        }
        // The last step took all that was left, whatever came before it.
        expect(ledger.takenMinor).toBe(ledger.capturedMinor);
        expect(ledger.quote({ kind: "all" })).toMatchObject({ code: "units_unavailable" });
      }),
      runs(1_500),
    );
  });

  test("a selection is taken whole or not at all", () => {
    fc.assert(
      fc.property(anyPaidOrder, fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }), (paid, wanted) => {
        const items = wanted.map((quantity, index) => ({
          lineItemId: `l${index % paid.order.lineItems.length}`,
          quantity,
        }));
        const quote = new Ledger(paid).quote({ kind: "items", items });
        const asked = sum(items.map(({ quantity }) => quantity));
        const possible =
          paid.capturedMinor > 0 &&
          items.every(({ quantity }) => quantity > 0) &&
          paid.order.lineItems.every(
            (it) =>
              sum(items.filter((item) => item.lineItemId === it.id).map(({ quantity }) => quantity)) <=
              it.quantity,
          );
        if (possible) expect("code" in quote ? quote.code : quote.units.length).toBe(asked);
        else expect(quote).toMatchObject({ code: "units_unavailable" });
      }),
      runs(1_000),
    );
  });

  test("the units of a line sum to what it was paid, differ by a minor unit of net and of tax at most, and none is below zero", () => {
    fc.assert(
      fc.property(anyLine, (it) => {
        const units = unitAmounts({ ...it, id: "l" });
        expect(units).toHaveLength(it.quantity);
        expect(sum(units.map((unit) => unit.amountMinor))).toBe(paidOf({ ...it, id: "l" }));
        for (const part of ["netMinor", "taxMinor"] as const) {
          const values = units.map((unit) => unit[part]);
          expect(Math.max(...values) - Math.min(...values)).toBeLessThanOrEqual(1);
          expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
        }
      }),
      runs(1_000),
    );
  });
});

describe("a negative quantity makes no room", () => {
  test.each([[[-1]], [[0]], [[0.5]], [[Number.NaN]], [[3, -1]], [[2, -2, 1]]])(
    "quantities %j of a line of two",
    (quantities) => {
      const two = order([line("a", { quantity: 2 }), line("b")]);
      const items = quantities.map((quantity) => ({ lineItemId: "a", quantity }));
      expect(quoteRefund(two, 3_000, NOTHING, { kind: "items", items })).toMatchObject({
        code: "units_unavailable",
      });
    },
  );
});

describe("currencies without decimals and with three", () => {
  test("JPY: three units for 1000 yen are 333, 333 and 334, and never part of a yen", () => {
    const yen = order([line("a", { quantity: 3, unitPriceMinor: 400, discountMinor: 200 })], {
      currency: "JPY",
    });
    const ledger = new Ledger({ order: yen, capturedMinor: 1_000 });
    const said: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const quote = ledger.quote({ kind: "items", items: [{ lineItemId: "a", quantity: 1 }] }) as Quote;
      ledger.take(quote);
      said.push(formatMoney(quote));
    }
    expect(said).toEqual(["333 JPY", "333 JPY", "334 JPY"]);
  });

  test("KWD: two units of 12.345 with 0.617 tax are 12.653 and 12.654", () => {
    const dinar = order([line("a", { quantity: 2, unitPriceMinor: 12_345, taxMinor: 617 })], {
      currency: "KWD",
    });
    expect(unitAmounts(dinar.lineItems[0] as never).map((unit) => unit.amountMinor)).toEqual([
      12_653, 12_654,
    ]);
    const whole = quoteRefund(dinar, 25_307, NOTHING, { kind: "all" }) as Quote;
    expect(formatMoney(whole)).toBe("25.307 KWD");
    expect(whole.parts).toEqual({ goodsNetMinor: 24_690, taxMinor: 617, shippingMinor: 0, roundingMinor: 0 });
  });
});

describe("what was captured counts, not what lines or totals say", () => {
  test("captured 49.98 for an order of 49.99: 49.98 goes back, and the cent is named", () => {
    const odd = order([line("a", { unitPriceMinor: 4_999 })]);
    expect(quoteRefund(odd, 4_998, NOTHING, { kind: "all" })).toMatchObject({
      amountMinor: 4_998,
      parts: { goodsNetMinor: 4_999, roundingMinor: -1 },
    });
    expect(quoteRefund(odd, 5_000, NOTHING, { kind: "all" })).toMatchObject({
      amountMinor: 5_000,
      parts: { roundingMinor: 1 },
    });
  });

  test("shipping goes back with the last unit, and only then", () => {
    const shipped = order([line("a", { quantity: 2 })], { shippingMinor: 500, shippingTaxMinor: 40 });
    const ledger = new Ledger({ order: shipped, capturedMinor: 2_540 });
    const one: RefundSelection = { kind: "items", items: [{ lineItemId: "a", quantity: 1 }] };
    const first = ledger.quote(one) as Quote;
    expect(first).toMatchObject({ amountMinor: 1_000, shippingMinor: 0, wholeOrder: false });
    ledger.take(first);
    expect(ledger.quote(one)).toMatchObject({ amountMinor: 1_540, shippingMinor: 540, wholeOrder: true });
  });

  test("money refunded elsewhere shrinks what is left, down to nothing", () => {
    const two = order([line("a"), line("b")]);
    const elsewhere = (amountMinor: number, selection: RefundSelection) =>
      quoteRefund(two, 2_000, { ...NOTHING, amountMinor }, selection);
    const a: RefundSelection = { kind: "items", items: [{ lineItemId: "a", quantity: 1 }] };
    expect(elsewhere(500, a)).toMatchObject({ amountMinor: 1_000 });
    expect(elsewhere(1_500, a)).toMatchObject({ amountMinor: 500, parts: { roundingMinor: -500 } });
    expect(elsewhere(500, { kind: "all" })).toMatchObject({ amountMinor: 1_500, wholeOrder: true });
    expect(elsewhere(2_000, { kind: "all" })).toMatchObject({ code: "units_unavailable" });
    expect(elsewhere(2_500, { kind: "all" })).toMatchObject({ code: "units_unavailable" });
  });
});
