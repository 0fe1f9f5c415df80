import { describe, expect, test } from "vitest";
import { compilePolicy, evaluate } from "../../src/gateway/policy/evaluate.ts";
import { explainDecision } from "../../src/gateway/policy/explain.ts";
import type { PolicyFacts } from "../../src/gateway/policy/facts.ts";
import type { PolicyAction, PolicyVersion } from "../../src/gateway/policy/policy.ts";
import { facts, harmless, version } from "./facts.ts";

const V1 = version("northwind-refunds-v1");
const V2 = version("northwind-refunds-v2");
const decided = (given: PolicyFacts, action: PolicyAction = "refund", policy: PolicyVersion = V2) => ({
  verdict: evaluate(compilePolicy(policy), action, given),
  facts: given,
  action,
  evaluatedAt: Date.parse("2026-12-01T12:00:00Z"),
});
/** As the database gives it back. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const explained = (given: PolicyFacts, action?: PolicyAction) =>
  explainDecision(stored(decided(given, action)), V2);

describe("an explanation rests on the record and on the version that decided", () => {
  test("it names decision, version, hash and time", () => {
    const text = explained(facts());
    for (const part of ["24.00 USD", "version 2", V2.hash, "2026-12-01T12:00:00.000Z", "northwind"])
      expect(text).toContain(part);
  });

  test("a deciding clause stands there with its prose, its line and what its rules read", () => {
    const text = explained(facts({ order: { daysSinceDelivery: 45 } }));
    const clause = V2.clauses.find(({ id }) => id === "return-window");
    expect(V2.source.split("\n")[(clause?.line ?? 0) - 1]).toContain("{#return-window}");
    expect(text).toContain(`return-window, line ${clause?.line}`);
    for (const line of clause?.prose.split("\n") ?? [""]) expect(text).toContain(line);
    expect(text).toContain("order.daysSinceDelivery = 45");
    expect(text).toContain("limits.returnWindowDays = 30");
    // Facts that had no part in it are not shown.
    for (const other of ["order.gift", "lifetimeSpend", "refundsInWindow"]) expect(text).not.toContain(other);
  });

  test("amounts are shown in minor units and in their currency, and an absent limit as absent", () => {
    expect(explained(harmless(15_001, "JPY"))).toContain("request.amountMinor = 15001 (15001 JPY)");
    expect(explained(harmless(30_001, "KWD"))).toContain("limits.unattendedMaxMinor = 30000 (30.000 KWD)");
    expect(explained(harmless(30_001, "KWD"))).toContain("1000000 (10000.00 USD)");
    expect(explained(harmless(100, "EUR"))).toContain("limits.unattendedMaxMinor = none in EUR");
  });

  test("of what needs approval or is allowed, it shows what was checked and had nothing against it", () => {
    expect(explained(facts())).toContain("order.daysSinceDelivery = 6");
    const text = explained(facts({ request: { amountMinor: 11_300 } }));
    expect(text.indexOf("unattended-amount")).toBeLessThan(text.indexOf("order.disputed = false"));
  });

  test("a return is explained by rules about returns only", () => {
    const text = explained(facts({ order: { state: "in_transit", daysSinceDelivery: -1 } }), "return");
    expect(text).toContain("not-delivered");
    expect(text).not.toContain("amountMinor");
  });

  test("rules for every action are explained too", () => {
    const everything: PolicyVersion = {
      ...V2,
      statements: V2.statements.map((statement) =>
        statement.clauseId === "gift"
          ? { ...statement, text: "forbid (principal, action, resource) when { context.order.gift };" }
          : statement,
      ),
    };
    const record = decided(facts({ order: { gift: true } }), "refund", everything);
    expect(explainDecision(record, everything)).toContain("order.gift = true");
  });

  test("what no document says is said to be in none", () => {
    expect(explained(facts({ order: { daysSinceDelivery: -1 } }))).toContain("in no document");
  });

  test("errors are shown with all facts, whatever is wrong with them", () => {
    for (const order of [null, undefined, {}, { ...facts().order, daysSinceDelivery: 1.5 }, "x"]) {
      const broken = { ...facts(), order } as never;
      const text = explained(broken);
      expect(text).toContain("evaluation-failed");
      expect(text).toContain("request.amountMinor = 2400");
    }
  });

  test("another version than the one that decided is said to be another one, and decides nothing anew", () => {
    const record = stored(decided(facts({ order: { daysSinceDelivery: 40 } }), "refund", V1));
    expect(record.verdict.decision).toBe("allow");
    const text = explainDecision(record, V2);
    expect(text).toContain("allowed");
    expect(text).toContain("version 1");
    expect(text).toContain(V1.hash);
    expect(text).toContain(V2.hash);
    expect(explainDecision(record, V1)).not.toContain("Attention");
  });
});
