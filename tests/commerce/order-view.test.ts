import { describe, expect, test } from "vitest";
import { daysSinceDelivery, type OrderTaken, orderState, orderView } from "../../src/commerce/order-view.ts";
import type { Fulfilment, Order, ShopReturn } from "../../src/commerce/orders.ts";
import type { ProviderCharge } from "../../src/commerce/payments.ts";
import { calendarDaysBetween, windowEndMs } from "../../src/kernel/calendar.ts";
import { line, order } from "./orders.ts";

const NY = "America/New_York";
const BERLIN = "Europe/Berlin";
const at = (text: string) => Date.parse(text);

const parcel = (more: Partial<Fulfilment> = {}): Fulfilment => ({
  id: "ful_1",
  state: "delivered",
  carrier: "C",
  trackingNumber: "T",
  trackingUrl: null,
  estimatedDeliveryAt: null,
  deliveredAt: 0,
  items: [{ lineItemId: "a", quantity: 1 }],
  events: [],
  ...more,
});
const sentBack = (state: ShopReturn["state"], quantity: number): ShopReturn => ({
  id: "ret_1",
  state,
  reason: "too small",
  createdAt: 0,
  items: [{ lineItemId: "a", quantity }],
  idempotencyKey: null,
  instructions: "",
  labelUrl: null,
});
const charge: ProviderCharge = {
  id: "ch_1",
  capturedMinor: 4_000,
  refundedMinor: 0,
  currency: "USD",
  disputed: false,
} as ProviderCharge;
const UNTOUCHED: OrderTaken = {
  unitsTaken: new Map(),
  refundedMinor: 0,
  pendingMinor: 0,
  returnedUnitsByLine: new Map(),
};
const three = order([line("a", { quantity: 3 }), line("b")], { note: "refund 500 now" });

describe("the view of an order", () => {
  test("has what can still be refunded and sent back, unit by unit", () => {
    const view = orderView({ ...three, returns: [sentBack("open", 1)], fulfilments: [parcel()] }, charge, {
      unitsTaken: new Map([["a", new Set([0, 2])]]),
      refundedMinor: 1_000,
      pendingMinor: 1_000,
      returnedUnitsByLine: new Map([["b", 1]]),
    });
    expect(view).toMatchObject({
      paidMinor: 4_000,
      refundedMinor: 1_000,
      pendingRefundMinor: 1_000,
      refundableMinor: 2_000,
      lineItems: [
        { lineItemId: "a", totalMinor: 3_000, refundableUnitsMinor: [1_000], returnableUnits: 2 },
        { lineItemId: "b", totalMinor: 1_000, refundableUnitsMinor: [1_000], returnableUnits: 0 },
      ],
      fulfilments: [{ items: [{ title: "Item a", quantity: 1 }] }],
      returns: [{ returnId: "ret_1", state: "open", items: [{ title: "Item a", quantity: 1 }] }],
    });
  });

  test("a return that both the shop and the ledger know counts once; a cancelled one does not count", () => {
    const returnable = (returns: readonly ShopReturn[], ours: number) =>
      orderView({ ...three, returns }, charge, {
        ...UNTOUCHED,
        returnedUnitsByLine: new Map([["a", ours]]),
      }).lineItems[0]?.returnableUnits;
    expect(returnable([sentBack("in_transit", 2)], 2)).toBe(1);
    expect(returnable([sentBack("cancelled", 2)], 0)).toBe(3);
    expect(returnable([sentBack("closed", 3)], 0)).toBe(0);
  });

  test("what was captured counts, and nothing is refundable when it is gone, also below zero", () => {
    expect(orderView(three, { ...charge, capturedMinor: 3_999 }, UNTOUCHED)).toMatchObject({
      totalMinor: 4_000,
      paidMinor: 3_999,
      refundableMinor: 3_999,
    });
    const gone = orderView(three, charge, { ...UNTOUCHED, refundedMinor: 5_000 });
    expect(gone.refundableMinor).toBe(0);
    expect(gone.lineItems.flatMap((it) => it.refundableUnitsMinor)).toEqual([]);
  });

  test("carries neither the note nor anything internal", () => {
    const view = orderView(three, charge, UNTOUCHED);
    const text = JSON.stringify(view);
    for (const secret of ["refund 500", "ch_1", "ada"]) expect(text).not.toContain(secret);
  });
});

describe("the state of an order", () => {
  const full = order([line("a"), line("b")]);
  test.each<[string, Partial<Order>]>([
    ["unfulfilled", {}],
    ["unfulfilled", { fulfilments: [parcel({ state: "label_created", deliveredAt: null })] }],
    [
      "partly_fulfilled",
      { lineItems: [line("a"), line("b", { fulfilledQuantity: 0 })], fulfilments: [parcel()] },
    ],
    ["in_transit", { fulfilments: [parcel({ state: "in_transit", deliveredAt: null })] }],
    ["in_transit", { fulfilments: [parcel({ state: "delivery_failed", deliveredAt: null })] }],
    ["in_transit", { fulfilments: [parcel(), parcel({ state: "out_for_delivery", deliveredAt: null })] }],
    ["delivered", { fulfilments: [parcel(), parcel()] }],
    ["cancelled", { cancelledAt: 1, fulfilments: [parcel()] }],
  ])("%s", (state, more) => {
    expect(orderState({ ...full, ...more })).toBe(state);
  });
});

describe("days since delivery are days of the merchant's calendar", () => {
  const delivered = (...times: (string | null)[]) =>
    order([line("a")], {
      fulfilments: times.map((time) => parcel({ deliveredAt: time === null ? null : at(time) })),
    });

  test.each<[string, string, string, number]>([
    // The clock goes back: 25 October in Berlin, 1 November in New York.
    [BERLIN, "2026-10-24T23:59:00+02:00", "2026-10-25T00:01:00+02:00", 1],
    [BERLIN, "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", 0],
    [BERLIN, "2026-10-10T00:00:00+02:00", "2026-11-09T23:59:59+01:00", 30],
    [BERLIN, "2026-10-10T23:59:59+02:00", "2026-11-10T00:00:00+01:00", 31],
    [NY, "2026-10-25T23:30:00-04:00", "2026-11-24T23:45:00-05:00", 30],
    // It goes forward: 14 March in New York, 28 March in Berlin.
    [NY, "2027-03-13T23:30:00-05:00", "2027-04-12T00:30:00-04:00", 30],
    [NY, "2027-03-14T23:30:00-04:00", "2027-04-13T23:59:00-04:00", 30],
    [BERLIN, "2027-03-28T00:30:00+01:00", "2027-03-28T23:59:00+02:00", 0],
    // The same two instants, in two calendars.
    [NY, "2026-12-02T04:30:00Z", "2026-12-02T06:00:00Z", 1],
    [BERLIN, "2026-12-02T04:30:00Z", "2026-12-02T06:00:00Z", 0],
    // A leap day.
    [BERLIN, "2028-02-28T12:00:00+01:00", "2028-03-01T12:00:00+01:00", 2],
  ])("%s: from %s to %s", (zone, from, to, days) => {
    expect(daysSinceDelivery(delivered(from), zone, at(to))).toBe(days);
  });

  test("count from the last parcel; while one is missing it is −1", () => {
    const now = at("2026-12-01T12:00:00Z");
    expect(daysSinceDelivery(delivered("2026-11-20T12:00:00Z", "2026-11-28T12:00:00Z"), NY, now)).toBe(3);
    expect(daysSinceDelivery(delivered("2026-11-20T12:00:00Z", null), NY, now)).toBe(-1);
    expect(daysSinceDelivery(delivered(), NY, now)).toBe(-1);
  });

  test("a delivery dated after now is of today, not one that has not happened", () => {
    const now = at("2026-12-01T12:00:00Z");
    expect(daysSinceDelivery(delivered("2026-12-02T12:00:00Z"), NY, now)).toBe(0);
    expect(daysSinceDelivery(delivered("2026-12-05T12:00:00Z"), NY, now)).toBe(0);
  });

  test.each([NY, BERLIN, "Pacific/Apia", "Africa/Cairo", "Asia/Kathmandu"])(
    "the last instant of a window is inside it and the next one is not, on every day of a year: %s",
    (zone) => {
      for (let day = 0; day < 366; day += 1) {
        const from = at("2026-01-01T22:15:00Z") + day * 86_400_000;
        const end = windowEndMs(zone, from, 30);
        expect(calendarDaysBetween(zone, from, end - 1)).toBe(30);
        expect(calendarDaysBetween(zone, from, end)).toBe(31);
      }
    },
  );
});
