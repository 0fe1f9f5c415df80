/** What a refund or a return would be, and whether it may be: tables over the pure decision, each row one thing that must stop it. */
import { describe, expect, test } from "vitest";
import type { DecidingLedger } from "../../src/actions/allocations.ts";
import type { Order } from "../../src/commerce/orders.ts";
import type { ProviderCharge, ProviderRefund } from "../../src/commerce/payments.ts";
import {
  type Decision,
  type DecisionLedger,
  type DecisionWorld,
  decideRefund,
  decideReturn,
} from "../../src/gateway/decision.ts";
import { compilePolicy } from "../../src/gateway/policy/evaluate.ts";
import { line, order } from "../commerce/orders.ts";
import { version } from "../policy/facts.ts";

const POLICY = compilePolicy(version("northwind-refunds-v2"));
const NOW = Date.parse("2026-12-01T12:00:00-05:00");
const DAY_MS = 86_400_000;

const delivered = (atMs: number): Partial<Order> => ({
  placedAt: NOW - 40 * DAY_MS,
  fulfilments: [
    {
      id: "ful_1",
      state: "delivered",
      carrier: "UPS",
      trackingNumber: "1Z",
      trackingUrl: null,
      estimatedDeliveryAt: null,
      deliveredAt: atMs,
      items: [],
      events: [],
    },
  ],
});
const PAIR = line("a", { quantity: 2, unitPriceMinor: 2_000 });
const SINGLE = line("b", { unitPriceMinor: 3_000 });
const FINAL = { ...SINGLE, finalSale: true };
const charge = (more: Partial<ProviderCharge> = {}): ProviderCharge => ({
  id: "ch_1",
  currency: "USD",
  capturedMinor: 7_000,
  refundedMinor: 0,
  disputed: false,
  ...more,
});
const elsewhere = (amountMinor: number, status: ProviderRefund["status"] = "succeeded"): ProviderRefund => ({
  id: `re_${amountMinor}`,
  chargeId: "ch_1",
  amountMinor,
  currency: "USD",
  status,
  createdAt: NOW,
  failureReason: null,
  actionId: null,
});

interface Changes {
  readonly order?: Partial<Order>;
  readonly charge?: Partial<ProviderCharge> | null;
  readonly refunds?: readonly ProviderRefund[];
  readonly ledger?: Partial<DecidingLedger>;
  readonly history?: DecisionLedger["history"]["refunds"];
  readonly nowMs?: number;
  readonly lifetimeSpendMinor?: number;
}
function given(changes: Changes = {}): [DecisionWorld, DecisionLedger] {
  const world: DecisionWorld = {
    tenant: { name: "Northwind", currency: "USD", timeZone: "America/New_York" },
    order: order([PAIR, SINGLE], { ...delivered(NOW - 6 * DAY_MS), ...changes.order }),
    charge: changes.charge === null ? null : charge(changes.charge),
    refunds: changes.refunds ?? [],
    lifetimeSpendMinor: changes.lifetimeSpendMinor ?? 7_000,
    policy: POLICY,
    language: "en",
  };
  const ledger: DecidingLedger = {
    refundUnits: new Map(),
    returnUnits: new Map(),
    heldMinor: 0,
    refundedMinor: 0,
    externalMinor: 0,
    refusedByPerson: false,
    isStopped: false,
    ...changes.ledger,
  };
  return [world, { ledger, history: { refunds: changes.history ?? [] }, nowMs: changes.nowMs ?? NOW }];
}
/** What came of it, in one word: a code, `allow`, or `approval`. */
const inShort = (decision: Decision): string =>
  "stop" in decision ? decision.stop.code : decision.approval === null ? "allow" : "approval";
const ONE_B = [{ line_item_id: "b", quantity: 1 }];
const refund = (amount: string, items: typeof ONE_B | undefined, changes: Changes = {}) =>
  inShort(decideRefund(...given(changes), { order_id: "ord_1", amount, ...(items && { items }) }));
const sendBack = (items: typeof ONE_B | undefined, changes: Changes = {}) =>
  inShort(
    decideReturn(...given(changes), { order_id: "ord_1", reason: "other", ...(items && { items }) } as never),
  );
const ago = (days: number, amountMinor = 100, currency = "USD") => ({
  atMs: NOW - days * DAY_MS,
  amountMinor,
  currency,
});

describe("G1 a refund is decided from what is left", () => {
  test("exactly what the items were paid, or all that is left, goes through", () => {
    expect(refund("30.00", ONE_B)).toBe("allow");
    expect(refund("70.00", undefined)).toBe("allow");
  });

  test.each<[string, string, string, Changes]>([
    ["a cent more than was captured", "70.01", "amount_exceeds_refundable", {}],
    ["what is held for another", "70.00", "amount_exceeds_refundable", { ledger: { heldMinor: 1 } }],
    ["what was refunded", "70.00", "amount_exceeds_refundable", { ledger: { refundedMinor: 1 } }],
    ["what was refunded elsewhere", "70.00", "amount_exceeds_refundable", { ledger: { externalMinor: 1 } }],
    ["what the provider lists of others", "70.00", "amount_exceeds_refundable", { refunds: [elsewhere(1)] }],
    [
      "what the provider has under way for others",
      "70.00",
      "amount_exceeds_refundable",
      { refunds: [elsewhere(1, "pending")] },
    ],
    [
      "more than was captured of a dearer order",
      "70.00",
      "amount_exceeds_refundable",
      { charge: { capturedMinor: 6_999 } },
    ],
    ["when nothing is left", "1.00", "units_unavailable", { ledger: { heldMinor: 7_000 } }],
    ["nothing", "0.00", "amount_invalid", {}],
    ["not paid through the provider", "70.00", "order_not_found", { charge: null }],
  ])("and never of %s", (_, amount, code, changes) => {
    expect(refund(amount, undefined, changes)).toBe(code);
  });

  test("a refund that failed at the provider takes nothing", () => {
    expect(refund("70.00", undefined, { refunds: [elsewhere(1_000, "failed")] })).toBe("allow");
    expect(refund("70.00", undefined, { refunds: [elsewhere(1_000, "cancelled")] })).toBe("allow");
  });

  test.each(["29.99", "30.01", "3000", "0.01"])(
    "items for another amount than they were paid: %s",
    (amount) => {
      expect(refund(amount, ONE_B)).not.toBe("allow");
      expect(refund(amount, ONE_B)).not.toBe("approval");
    },
  );

  test("a unit that is taken is not taken again", () => {
    const ledger = { refundUnits: new Map([["b", new Set([0])]]), refundedMinor: 3_000 };
    expect(refund("30.00", ONE_B, { ledger })).toBe("units_unavailable");
  });

  test("an amount without items names no items, and a person looks at it", () => {
    expect(refund("12.34", undefined)).toBe("approval");
  });
});

describe("G7 what the facts say decides", () => {
  test.each<[string, string, Changes]>([
    ["a disputed payment", "disputed", { charge: { disputed: true } }],
    ["a final sale among the items", "final-sale", { order: { lineItems: [PAIR, FINAL] } }],
    ["delivered too long ago", "return-window", { order: delivered(NOW - 31 * DAY_MS) }],
  ])("%s is a no", (_, code, changes) => {
    expect(refund("30.00", ONE_B, changes)).toBe(code);
  });

  test("the window is counted in the merchant's time zone, not in another", () => {
    // 23:30 on 31 October in New York is 1 November in London, and anywhere further east.
    const late = { order: delivered(Date.parse("2026-10-31T23:30:00-04:00")) };
    expect(refund("30.00", ONE_B, { ...late, nowMs: Date.parse("2026-11-30T23:59:00-05:00") })).toBe("allow");
    expect(refund("30.00", ONE_B, { ...late, nowMs: Date.parse("2026-12-01T00:01:00-05:00") })).toBe(
      "return-window",
    );
  });

  test("refunds in the rolling window count, by number and by sum of the currency; older ones do not", () => {
    const five = Array.from({ length: 5 }, () => ago(3));
    expect(refund("30.00", ONE_B, { history: five })).not.toBe("allow");
    expect(refund("30.00", ONE_B, { history: five.map(() => ago(31)) })).toBe("allow");
    expect(refund("30.00", ONE_B, { history: [ago(3, 49_000)] })).not.toBe("allow");
    expect(refund("30.00", ONE_B, { history: [ago(31, 49_000)] })).toBe("allow");
    expect(refund("30.00", ONE_B, { history: [ago(3, 49_000, "JPY")] })).toBe("allow");
  });

  test("what a person turned down is not paid in parts without one; a deny stays a deny", () => {
    expect(refund("30.00", ONE_B, { ledger: { refusedByPerson: true } })).toBe("approval");
    expect(refund("30.00", ONE_B, { ledger: { refusedByPerson: true }, charge: { disputed: true } })).toBe(
      "disputed",
    );
  });

  test("items that may have been refunded elsewhere are a person's matter; all that is left is not, and a deny stays a deny", () => {
    for (const changes of [{ ledger: { externalMinor: 3_000 } }, { refunds: [elsewhere(3_000)] }]) {
      expect(refund("30.00", ONE_B, changes)).toBe("approval");
      expect(refund("40.00", undefined, changes)).toBe("allow");
      expect(refund("30.00", ONE_B, { ...changes, charge: { disputed: true } })).toBe("disputed");
    }
    expect(refund("30.00", ONE_B, { refunds: [elsewhere(3_000, "failed")] })).toBe("allow");
    expect(sendBack(ONE_B, { ledger: { externalMinor: 3_000 } })).toBe("allow");
  });

  test("a customer of high value is a person's matter", () => {
    expect(refund("30.00", ONE_B, { lifetimeSpendMinor: 1_000_000 })).toBe("approval");
  });
});

describe("a return", () => {
  test("of what was delivered goes through, once", () => {
    expect(sendBack(ONE_B)).toBe("allow");
    expect(sendBack(ONE_B, { ledger: { returnUnits: new Map([["b", new Set([0])]]) } })).toBe(
      "units_unavailable",
    );
  });

  test("counts what the shop already expects, cancelled ones not", () => {
    const expected = (state: "open" | "cancelled") => ({
      order: {
        returns: [
          {
            id: "ret_1",
            state,
            reason: "other",
            createdAt: NOW,
            items: [{ lineItemId: "b", quantity: 1 }],
            idempotencyKey: null,
            instructions: "",
            labelUrl: null,
          },
        ],
      },
    });
    expect(sendBack(ONE_B, expected("open"))).toBe("units_unavailable");
    expect(sendBack(ONE_B, expected("cancelled"))).toBe("allow");
  });

  test("of more than was bought, of another order's item, and of what the policy denies is none", () => {
    expect(sendBack([{ line_item_id: "b", quantity: 2 }])).toBe("units_unavailable");
    expect(sendBack([{ line_item_id: "z", quantity: 1 }])).toBe("item_not_found");
    expect(sendBack(ONE_B, { order: delivered(NOW - 31 * DAY_MS) })).toBe("return-window");
    expect(sendBack(undefined, { order: { ...delivered(NOW), lineItems: [FINAL] } })).toBe("final-sale");
  });
});
