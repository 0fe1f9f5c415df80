import { beforeAll, describe, expect, test } from "vitest";
import { type CompiledPolicy, compilePolicy, evaluate } from "../../src/gateway/policy/evaluate.ts";
import type { PolicyVersion } from "../../src/gateway/policy/policy.ts";
import { collisions, governingVersion, loadPolicyFiles } from "../../src/gateway/policy/versions.ts";
import { type Changes, FOLDER, facts } from "./facts.ts";

let versions: readonly PolicyVersion[];
let policy: CompiledPolicy;
beforeAll(async () => {
  versions = await loadPolicyFiles(FOLDER);
  policy = compilePolicy(
    versions.find((v) => v.tenant === "northwind" && v.version === "2") as PolicyVersion,
  );
});

describe("the orders that the docs speak of", () => {
  const table: [string, number, Changes, string, string][] = [
    ["ada: a pair of socks, delivered 6 days ago", 2_400, {}, "allow", "eligibility"],
    ["ada: all of #1042", 11_300, {}, "needs_approval", "unattended-amount"],
    ["ben: #1044, delivered 3 days ago", 6_400, { order: { daysSinceDelivery: 3 } }, "allow", "eligibility"],
    [
      "ben: #1043, in transit",
      6_400,
      { order: { state: "in_transit", daysSinceDelivery: -1 } },
      "deny",
      "not-delivered",
    ],
    [
      "cleo: #1031, delivered 45 days ago",
      5_800,
      { order: { daysSinceDelivery: 45 } },
      "deny",
      "return-window",
    ],
    [
      "dev: #1055, lifetime spend over 10,000",
      4_000,
      { customer: { lifetimeSpendMinor: 1_000_001 } },
      "needs_approval",
      "high-value",
    ],
  ];
  test.each(table)("%s", (_, amountMinor, changes, decision, clause) => {
    const verdict = evaluate(policy, "refund", facts({ ...changes, request: { amountMinor } }));
    expect(verdict.decision).toBe(decision);
    expect(verdict.clauses.map((entry) => entry.clauseId)).toEqual([clause]);
  });
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
