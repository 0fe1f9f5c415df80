import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { readPolicy } from "../../src/gateway/policy/document.ts";
import { type CompiledPolicy, compilePolicy, evaluate } from "../../src/gateway/policy/evaluate.ts";
import type { PolicyFacts } from "../../src/gateway/policy/facts.ts";
import type { PolicyVersion } from "../../src/gateway/policy/policy.ts";
import { collisions, governingVersion, loadPolicyFiles } from "../../src/gateway/policy/versions.ts";

const FOLDER = new URL("../../policies/", import.meta.url).pathname;
const SOURCE = readFileSync(`${FOLDER}northwind-refunds-v2.md`, "utf8");
const SEED = Number(process.env.SEED ?? 20261201);

let versions: readonly PolicyVersion[];
let policy: CompiledPolicy;
beforeAll(async () => {
  versions = await loadPolicyFiles(FOLDER);
  policy = compilePolicy(
    versions.find((v) => v.tenant === "northwind" && v.version === "2") as PolicyVersion,
  );
});

interface Changes {
  order?: Partial<PolicyFacts["order"]>;
  request?: Partial<PolicyFacts["request"]>;
  customer?: Partial<PolicyFacts["customer"]>;
}
const facts = (changes: Changes = {}): PolicyFacts => ({
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

describe("each clause decides by its name", () => {
  const table: [string, Changes, string, string][] = [
    ["24.00 of an order delivered 6 days ago", {}, "allow", "eligibility"],
    ["delivered 29 days ago", { order: { daysSinceDelivery: 29 } }, "allow", "eligibility"],
    ["delivered 30 days ago", { order: { daysSinceDelivery: 30 } }, "allow", "eligibility"],
    ["delivered 31 days ago", { order: { daysSinceDelivery: 31 } }, "deny", "return-window"],
    ["exactly 100.00", { request: { amountMinor: 10_000 } }, "allow", "eligibility"],
    ["100.01", { request: { amountMinor: 10_001 } }, "needs_approval", "unattended-amount"],
    [
      "lifetime spend of 10,000.00",
      { customer: { lifetimeSpendMinor: 1_000_000 } },
      "needs_approval",
      "high-value",
    ],
    ["lifetime spend of 9,999.99", { customer: { lifetimeSpendMinor: 999_999 } }, "allow", "eligibility"],
    ["in transit", { order: { state: "in_transit", daysSinceDelivery: -1 } }, "deny", "not-delivered"],
    [
      "not shipped",
      { order: { state: "unfulfilled", daysSinceDelivery: -1 } },
      "needs_approval",
      "not-shipped",
    ],
    [
      "partly shipped",
      { order: { state: "partly_fulfilled", daysSinceDelivery: -1 } },
      "needs_approval",
      "not-shipped",
    ],
    ["cancelled", { order: { state: "cancelled", daysSinceDelivery: -1 } }, "needs_approval", "cancelled"],
    ["final sale", { request: { includesFinalSale: true } }, "deny", "final-sale"],
    ["disputed", { order: { disputed: true } }, "deny", "disputed"],
    ["more than is left", { order: { refundableMinor: 2_399 } }, "deny", "amount-paid"],
    ["a gift", { order: { gift: true } }, "needs_approval", "gift"],
    [
      "the sixth refund in the window",
      { customer: { refundsInWindow: 5 } },
      "needs_approval",
      "refund-limit",
    ],
    [
      "past the window's sum",
      { customer: { refundedInWindowMinor: 47_601 } },
      "needs_approval",
      "refund-limit",
    ],
    ["up to the window's sum", { customer: { refundedInWindowMinor: 47_600 } }, "allow", "eligibility"],
    ["a bare amount", { request: { namesItems: false } }, "needs_approval", "goodwill"],
    [
      "15,000 JPY",
      { order: { currency: "JPY", refundableMinor: 20_000 }, request: { amountMinor: 15_000 } },
      "allow",
      "eligibility",
    ],
    [
      "15,001 JPY",
      { order: { currency: "JPY", refundableMinor: 20_000 }, request: { amountMinor: 15_001 } },
      "needs_approval",
      "unattended-amount",
    ],
    ["a currency without limits", { order: { currency: "CHF" } }, "needs_approval", "unattended-amount"],
    [
      "a currency named like a prototype's member",
      { order: { currency: "constructor" } },
      "needs_approval",
      "unattended-amount",
    ],
  ];
  test.each(table)("%s", (_, changes, decision, clause) => {
    const verdict = evaluate(policy, "refund", facts(changes));
    expect(verdict.decision).toBe(decision);
    expect(verdict.clauses.map((entry) => entry.clauseId)).toContain(clause);
    expect(verdict).toMatchObject({
      policyId: "refunds",
      policyVersion: "2",
      policyHash: policy.version.hash,
    });
  });

  test("a return: only what was delivered, in the window, not final sale", () => {
    const decide = (changes: Changes) =>
      evaluate(
        policy,
        "return",
        facts({ ...changes, request: { kind: "return", amountMinor: 0, ...changes.request } }),
      ).decision;
    expect(decide({})).toBe("allow");
    expect(decide({ order: { daysSinceDelivery: 31 } })).toBe("deny");
    expect(decide({ order: { state: "in_transit", daysSinceDelivery: -1 } })).toBe("deny");
    expect(decide({ request: { includesFinalSale: true } })).toBe("deny");
  });

  test("several reasons at once are all named", () => {
    const verdict = evaluate(policy, "refund", facts({ order: { daysSinceDelivery: 45, disputed: true } }));
    expect(verdict.clauses.map((entry) => entry.clauseId).sort()).toEqual(["disputed", "return-window"]);
  });
});

describe("fail closed", () => {
  const anyFacts = fc.record({
    order: fc.record({
      currency: fc.constantFrom("USD", "JPY", "KWD", "EUR"),
      state: fc.constantFrom("unfulfilled", "partly_fulfilled", "in_transit", "delivered", "cancelled"),
      daysSinceDelivery: fc.integer({ min: -1, max: 400 }),
      daysSincePlaced: fc.nat({ max: 400 }),
      paidMinor: fc.nat({ max: 1_000_000 }),
      refundableMinor: fc.nat({ max: 1_000_000 }),
      gift: fc.boolean(),
      disputed: fc.boolean(),
      returnReceived: fc.boolean(),
    }),
    request: fc.record({
      amountMinor: fc.nat({ max: 1_000_000 }),
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
  }) as fc.Arbitrary<PolicyFacts>;
  const RANK = { allow: 0, needs_approval: 1, deny: 2 } as const;

  test("asking for more is never decided more easily", () => {
    fc.assert(
      fc.property(anyFacts, fc.nat({ max: 100_000 }), (base, more) => {
        const larger = {
          ...base,
          request: { ...base.request, amountMinor: base.request.amountMinor + more },
        };
        expect(RANK[evaluate(policy, "refund", larger).decision]).toBeGreaterThanOrEqual(
          RANK[evaluate(policy, "refund", base).decision],
        );
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  test("facts that do not fit the schema are a deny, never a door", () => {
    for (const broken of [
      { ...facts(), order: { ...facts().order, daysSinceDelivery: 1.5 } },
      { ...facts(), order: { ...facts().order, disputed: "no" } },
      { ...facts(), order: {} },
      { ...facts(), request: { ...facts().request, amountMinor: Number.NaN } },
      { ...facts(), customer: null },
      { ...facts(), extra: true },
    ]) {
      expect(evaluate(policy, "refund", broken as never).decision).toBe("deny");
    }
  });
});

describe("a document with faults is refused, with lines", () => {
  const faultsOf = (source: string) => {
    const parsed = readPolicy(source);
    return parsed.ok ? [] : parsed.faults;
  };
  const lineOf = (source: string, text: string) =>
    source.split("\n").findIndex((line) => line.includes(text)) + 1;
  const broken: [string, string, string, RegExp][] = [
    [
      "a number of days by hand",
      "within {{limits.return_window_days}} days of delivery. The day of",
      "within 45 days of delivery. The day of",
      /no limit gives/,
    ],
    [
      "a number in words",
      "within {{limits.return_window_days}} days of delivery. The day of",
      "within thirty days of delivery. The day of",
      /no limit gives/,
    ],
    [
      "an amount by hand in the customer's sentence",
      "> Customer: Refunds of this size",
      "> Customer: Refunds above $100 of this size",
      /no limit gives/,
    ],
    ["an unknown placeholder", "{{limits.refund_limit.max_count}}", "{{limits.max_refunds}}", /There is no/],
    ["an unknown fact", "context.order.disputed", "context.order.isDisputed", /isDisputed/],
    [
      "an optional limit read without has",
      "context.limits has unattendedMaxMinor && ",
      "",
      /unattendedMaxMinor/,
    ],
    ["a rule that cannot be read", "when { context.order.gift };", "when { context.order.gift ;", /Cedar/],
    ["an unknown field", "governed_by: order_placed", "governed_by: order_placed\nwindow: 30", /window/],
    ["an amount that is none", 'USD: "100.00"', 'USD: "100.001"', /not an amount/],
    ["a date that is none", "effective_from: 2026-03-01", "effective_from: 2026-13-01", /effective_from/],
    ["a clause without an ID", "## Gifts {#gift}", "## Gifts", /no ID/],
    ["an ID used twice", "## Gifts {#gift}", "## Gifts {#disputed}", /twice/],
  ];
  test.each(broken)("%s", (_, find, replace, message) => {
    expect(SOURCE).toContain(find);
    const source = SOURCE.replace(find, () => replace);
    const faults = faultsOf(source);
    expect(faults.map((fault) => fault.message).join("\n")).toMatch(message);
    const line = lineOf(
      source,
      replace === ""
        ? "context.request.amountMinor <= context.limits.unattendedMaxMinor"
        : (replace.split("\n").at(-1) ?? ""),
    );
    expect(
      faults.some((fault) => Math.abs(fault.line - line) <= 1),
      `${JSON.stringify(faults)} near line ${line}`,
    ).toBe(true);
    for (const fault of faults) expect(fault.fix).not.toBe("");
  });

  test("all faults are reported at once, in order", () => {
    const source = SOURCE.replace("{#gift}", "{#disputed}").replace(
      "> Customer: This order was a gift",
      "> Customer: Within 5 days, this order was a gift",
    );
    const lines = faultsOf(source).map((fault) => fault.line);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
  });

  test("a literal number with its reason is accepted", () => {
    const source = SOURCE.replace(
      "Once it is delivered you can",
      "Carriers need 2 days. <!-- literal: the carrier's words -->\nOnce it is delivered you can",
    );
    expect(readPolicy(source).ok).toBe(true);
  });

  test("any bytes are refused or read, never thrown at", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400, unit: "binary" }),
        fc.nat({ max: SOURCE.length }),
        (noise, at) => {
          readPolicy(noise);
          readPolicy(SOURCE.slice(0, at) + noise + SOURCE.slice(at));
        },
      ),
      { seed: SEED, numRuns: 60 },
    );
  });
});

describe("which version governs", () => {
  const at = (text: string) => Date.parse(text);
  const when = (placed: string, asked: string) => ({
    orderPlacedAt: at(placed),
    requestedAt: at(asked),
    timeZone: "America/New_York",
  });
  const northwind = () => versions.filter((v) => v.tenant === "northwind");

  test("the date that the policy names decides: an older order keeps the older window", () => {
    expect(governingVersion(northwind(), when("2026-02-20T12:00:00Z", "2026-03-20T12:00:00Z")).version).toBe(
      "1",
    );
    expect(governingVersion(northwind(), when("2026-03-02T12:00:00Z", "2026-03-20T12:00:00Z")).version).toBe(
      "2",
    );
  });

  test("a version starts with its date in the merchant's time zone", () => {
    expect(governingVersion(northwind(), when("2026-03-01T04:59:00Z", "2026-03-20T12:00:00Z")).version).toBe(
      "1",
    );
    expect(governingVersion(northwind(), when("2026-03-01T05:00:00Z", "2026-03-20T12:00:00Z")).version).toBe(
      "2",
    );
  });

  test("nothing governs before the first version, and two versions never share a date", () => {
    expect(() => governingVersion(northwind(), when("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"))).toThrow(
      expect.objectContaining({ code: "policy_missing" }),
    );
    const [first] = northwind();
    expect(collisions([first as PolicyVersion, { ...(first as PolicyVersion), version: "9" }])).not.toEqual(
      [],
    );
  });
});
