/** Facts for tests: those of ada's order, delivered 6 days ago, with changes; and any facts that fit. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { parsePolicy } from "../../src/gateway/policy/document.ts";
import type { PolicyFacts } from "../../src/gateway/policy/facts.ts";
import type { PolicyVersion } from "../../src/gateway/policy/policy.ts";

export const FOLDER = new URL("../../policies/", import.meta.url).pathname;
export const SEED = Number(process.env.SEED ?? 20261201);

export const sourceOf = (name: string): string => readFileSync(`${FOLDER}${name}.md`, "utf8");
export const version = (name: string): PolicyVersion => parsePolicy(sourceOf(name), name);

export interface Changes {
  order?: Partial<PolicyFacts["order"]>;
  request?: Partial<PolicyFacts["request"]>;
  customer?: Partial<PolicyFacts["customer"]>;
}

export const facts = (changes: Changes = {}): PolicyFacts => ({
  order: {
    currency: "USD",
    state: "delivered",
    daysSinceDelivery: 6,
    daysSincePlaced: 10,
    paidMinor: 11_300,
    refundableMinor: 11_300,
    gift: false,
    disputed: false,
    returnReceived: false,
    ...changes.order,
  },
  request: {
    amountMinor: 2_400,
    namesItems: true,
    includesFinalSale: false,
    wholeOrder: false,
    kind: "refund",
    ...changes.request,
  },
  customer: { lifetimeSpendMinor: 11_300, refundsInWindow: 0, refundedInWindowMinor: 0, ...changes.customer },
});

export const anyFacts: fc.Arbitrary<PolicyFacts> = fc.record({
  order: fc.record({
    currency: fc.constantFrom("USD", "JPY", "KWD", "EUR", "XXX"),
    state: fc.constantFrom("unfulfilled", "partly_fulfilled", "in_transit", "delivered", "cancelled"),
    daysSinceDelivery: fc.integer({ min: -1, max: 60 }),
    daysSincePlaced: fc.nat({ max: 400 }),
    paidMinor: fc.nat({ max: 1_000_000 }),
    refundableMinor: fc.nat({ max: 1_000_000 }),
    gift: fc.boolean(),
    disputed: fc.boolean(),
    returnReceived: fc.boolean(),
  }),
  request: fc.record({
    amountMinor: fc.oneof(fc.nat({ max: 12_000 }), fc.nat({ max: 1_000_000 })),
    namesItems: fc.boolean(),
    includesFinalSale: fc.boolean(),
    wholeOrder: fc.boolean(),
    kind: fc.constant("refund" as const),
  }),
  customer: fc.record({
    lifetimeSpendMinor: fc.nat({ max: 2_000_000 }),
    refundsInWindow: fc.nat({ max: 10 }),
    refundedInWindowMinor: fc.nat({ max: 100_000 }),
  }),
});

/** Facts of a request that no clause of a shipped policy has anything against, but for its amount and currency. */
export const harmless = (amountMinor: number, currency: string): PolicyFacts =>
  facts({
    order: { currency, refundableMinor: amountMinor, paidMinor: amountMinor },
    request: { amountMinor },
  });
