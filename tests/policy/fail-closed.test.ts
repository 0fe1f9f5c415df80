import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePolicy, evaluate } from "../../src/gateway/policy/evaluate.ts";
import type { PolicyFacts } from "../../src/gateway/policy/facts.ts";
import type { PolicyStatement, PolicyVersion } from "../../src/gateway/policy/policy.ts";
import { factFaults } from "../../src/gateway/policy/schema.ts";
import { calendarDaysBetween, windowEndMs } from "../../src/kernel/calendar.ts";
import { anyFacts, facts, harmless, SEED, version } from "./facts.ts";

const V2 = version("northwind-refunds-v2");
const SHIPPED = [
  "northwind-refunds-v1",
  "northwind-refunds-v2",
  "northwind-refunds-v3",
  "kestrel-refunds-v1",
  "kestrel-refunds-v2",
].map(version);
const RANK = { allow: 0, needs_approval: 1, deny: 2 } as const;
const clausesOf = (...args: Parameters<typeof evaluate>) => evaluate(...args).clauses.map((c) => c.clauseId);

/** A version as no document can be: with rules that were never validated. */
const withRules = (base: PolicyVersion, texts: readonly string[]): PolicyVersion => ({
  ...base,
  statements: texts.map(
    (text, index): PolicyStatement => ({
      id: `extra#${index + 1}`,
      clauseId: "extra",
      text,
      line: 1,
      column: 1,
    }),
  ),
});
const rulesOf = (base: PolicyVersion) => base.statements.map(({ text }) => text);
const PERMIT = "permit (principal, action, resource);";

/** Conditions that fail while they are evaluated, whatever the facts. */
const FAILING = [
  "context.order.nothing == 1",
  "context.nothing.at.all",
  'context.request.amountMinor < "100"',
  "context.order.currency > 1",
  "(9223372036854775807 + context.order.daysSincePlaced + 1) == 0",
  'principal.name == "ada"',
  "resource in context.order.state",
];
const failing = fc
  .record({
    effect: fc.constantFrom("permit", "forbid"),
    action: fc.constantFrom("refund", "refund.unattended"),
    kind: fc.constantFrom("when", "unless"),
    condition: fc.constantFrom(...FAILING),
  })
  .map(({ effect, action, kind, condition }) => ({
    action,
    text: `${effect} (principal, action == Action::"${action}", resource) ${kind} { ${condition} };`,
  }));

describe(`an error of evaluation is never an allow (seed ${SEED})`, () => {
  test("a rule that fails beside any others leads to a deny that says why", () => {
    fc.assert(
      fc.property(
        fc.subarray(rulesOf(V2)),
        fc.array(failing, { minLength: 1, maxLength: 3 }),
        anyFacts,
        (rules, bad, given) => {
          const policy = compilePolicy(withRules(V2, [PERMIT, ...rules, ...bad.map(({ text }) => text)]));
          const verdict = evaluate(policy, "refund", given);
          expect(verdict.decision).not.toBe("allow");
          if (bad.some(({ action }) => action === "refund")) expect(verdict.decision).toBe("deny");
          if (verdict.errors.length > 0) expect(verdict.decision).toBe("deny");
        },
      ),
      { seed: SEED, numRuns: 60 },
    );
  });

  test("facts with anything wrong in them are a deny, and the engine is not asked", () => {
    const wrong = fc.constantFrom(1.5, Number.NaN, Infinity, 2 ** 53, "1", null, undefined, {}, [], 10n, "");
    const places = (["order", "request", "customer"] as const).flatMap((group) =>
      Object.keys(facts()[group]).map((name) => [group, name] as const),
    );
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...places), wrong, (given, [group, name], value) => {
        fc.pre(name !== "currency" || value !== "1"); // any text may be a currency: one without limits
        const broken = { ...given, [group]: { ...given[group], [name]: value } } as PolicyFacts;
        const policy = {
          version: V2,
          authorize: () => {
            throw new Error("asked");
          },
        };
        const verdict = evaluate(policy, "refund", broken);
        expect(verdict.decision).toBe("deny");
        expect(verdict.errors).not.toEqual([]);
      }),
      { seed: SEED, numRuns: 300 },
    );
    for (const broken of [null, undefined, {}, { ...facts(), more: 1 }, { ...facts(), order: null }])
      expect(evaluate(compilePolicy(V2), "refund", broken as never).decision).toBe("deny");
  });

  test("a failure of the engine itself is a deny", () => {
    const context = facts();
    const cyclic = { ...context.order, self: null as unknown };
    cyclic.self = cyclic;
    const answer = compilePolicy(V2).authorize("refund", { ...context, order: cyclic });
    expect(answer.allowed).toBe(false);
    expect(answer.errors).not.toEqual([]);
    // And it goes on afterwards.
    expect(evaluate(compilePolicy(V2), "refund", facts()).decision).toBe("allow");
  });
});

describe(`what goes out without a person (seed ${SEED})`, () => {
  test("asking for more is never decided more easily, under any shipped policy", () => {
    for (const shipped of SHIPPED) {
      const policy = compilePolicy(shipped);
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
        { seed: SEED, numRuns: 60 },
      );
    }
  });

  test("whatever a document's rules are: no currency without a limit, nothing above the limit", () => {
    const policyOf = (rules: readonly string[]) => compilePolicy(withRules(V2, [PERMIT, ...rules]));
    const sets = [[], rulesOf(V2).slice(2, 9), rulesOf(V2).filter((text) => !text.includes("unattendedMax"))];
    const policies = sets.map(policyOf);
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...policies), (given, policy) => {
        const verdict = evaluate(policy, "refund", given);
        const max = V2.limits.unattendedMaxMinor[given.order.currency];
        if (max === undefined || given.request.amountMinor > max) expect(verdict.decision).not.toBe("allow");
      }),
      { seed: SEED, numRuns: 200 },
    );
    const bare = policyOf([]);
    expect(clausesOf(bare, "refund", harmless(100, "XXX"))).toEqual(["no-limit-in-currency"]);
    expect(clausesOf(bare, "refund", harmless(10_001, "USD"))).toEqual(["unattended-max"]);
    expect(evaluate(bare, "refund", harmless(10_000, "USD")).decision).toBe("allow");
  });

  test("an order that was delivered nobody knows when has no window to keep: a person decides", () => {
    const unknown = facts({ order: { daysSinceDelivery: -1 } });
    for (const action of ["refund", "return"] as const) {
      const verdict = evaluate(compilePolicy(V2), action, unknown);
      expect(verdict.decision).toBe("needs_approval");
      expect(verdict.clauses.map((c) => c.clauseId)).toEqual(["delivery-date-unknown"]);
    }
  });

  test("no rules, or none that permit, is a deny; none that permits without a person is an approval", () => {
    expect(clausesOf(compilePolicy(withRules(V2, [])), "refund", facts())).toEqual(["no-clause-permits"]);
    const attended = compilePolicy(
      withRules(V2, ['permit (principal, action in [Action::"refund", Action::"return"], resource);']),
    );
    const verdict = evaluate(attended, "refund", facts());
    expect(verdict.decision).toBe("needs_approval");
    expect(verdict.clauses.map((c) => c.clauseId)).toEqual(["no-clause-permits-unattended"]);
  });

  test("every verdict names a clause, and evaluating changes nothing", () => {
    const policy = compilePolicy(V2);
    fc.assert(
      fc.property(anyFacts, fc.constantFrom("refund" as const, "return" as const), (given, action) => {
        const frozen = deepFreeze(structuredClone(given));
        const first = evaluate(policy, action, frozen);
        expect(first.clauses.length).toBeGreaterThan(0);
        expect(first.clauses.every((clause) => clause.customerText !== "")).toBe(true);
        expect(evaluate(policy, action, frozen)).toEqual(first);
        expect(factFaults(frozen)).toEqual([]);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});

describe("a window ends with a day of the merchant's calendar", () => {
  const at = (text: string) => Date.parse(text);
  const decide = (zone: string, delivered: string, asked: string) =>
    evaluate(
      compilePolicy(V2),
      "refund",
      facts({ order: { daysSinceDelivery: calendarDaysBetween(zone, at(delivered), at(asked)) } }),
    ).decision;

  test.each([
    ["Europe/Berlin", "2026-10-10T18:00:00+02:00", "2026-11-09T17:30:00+01:00", "allow"],
    ["Europe/Berlin", "2026-10-10T18:00:00+02:00", "2026-11-09T18:30:00+01:00", "allow"],
    ["Europe/Berlin", "2026-10-10T18:00:00+02:00", "2026-11-09T23:59:59+01:00", "allow"],
    ["Europe/Berlin", "2026-10-10T18:00:00+02:00", "2026-11-10T00:01:00+01:00", "deny"],
    ["Europe/Berlin", "2026-10-10T00:00:00+02:00", "2026-11-09T23:59:59+01:00", "allow"],
    ["America/New_York", "2026-02-20T23:30:00-05:00", "2026-03-22T23:59:00-04:00", "allow"],
    ["America/New_York", "2026-02-20T23:30:00-05:00", "2026-03-23T00:00:00-04:00", "deny"],
  ])("%s: delivered %s, asked %s: %s", (zone, delivered, asked, decision) => {
    expect(decide(zone, delivered, asked)).toBe(decision);
  });

  test("the last instant is the end of that day, across a clock change", () => {
    const end = windowEndMs("Europe/Berlin", at("2026-10-10T18:00:00+02:00"), V2.limits.returnWindowDays);
    expect(new Date(end).toISOString()).toBe("2026-11-09T23:00:00.000Z");
  });
});

describe("the shipped policies differ where they should", () => {
  const [v1, v2, kestrel] = ["northwind-refunds-v1", "northwind-refunds-v3", "kestrel-refunds-v2"]
    .map(version)
    .map(compilePolicy) as [never, never, never];
  test.each([
    [14, "allow", "allow", "allow"],
    [15, "allow", "allow", "deny"],
    [29, "allow", "allow", "deny"],
    [30, "allow", "allow", "deny"],
    [31, "allow", "deny", "deny"],
    [45, "allow", "deny", "deny"],
    [46, "deny", "deny", "deny"],
  ])("%i days after delivery", (days, first, second, third) => {
    const eur = { currency: "EUR", daysSinceDelivery: days };
    expect(evaluate(v1, "refund", facts({ order: { daysSinceDelivery: days } })).decision).toBe(first);
    expect(evaluate(v2, "refund", facts({ order: { daysSinceDelivery: days } })).decision).toBe(second);
    expect(evaluate(kestrel, "refund", facts({ order: eur })).decision).toBe(third);
    expect(evaluate(kestrel, "return", facts({ order: eur })).decision).toBe(third);
  });

  test("kestrel knows euros only: 100.00 EUR goes out, 100.01 and any dollar need a person", () => {
    expect(evaluate(kestrel, "refund", harmless(10_000, "EUR")).decision).toBe("allow");
    expect(clausesOf(kestrel, "refund", harmless(10_001, "EUR"))).toEqual(["unattended-amount"]);
    expect(clausesOf(kestrel, "refund", harmless(100, "USD"))).toEqual(["unattended-amount"]);
  });

  test("minor units are those of the currency: 30.000 KWD and 15000 JPY are the limits, not more", () => {
    expect(evaluate(v2, "refund", harmless(30_000, "KWD")).decision).toBe("allow");
    expect(evaluate(v2, "refund", harmless(30_001, "KWD")).decision).toBe("needs_approval");
    expect(evaluate(v2, "refund", harmless(15_000, "JPY")).decision).toBe("allow");
    expect(evaluate(v2, "refund", harmless(15_001, "JPY")).decision).toBe("needs_approval");
  });

  test("an ordinary customer with four refunds in the window is not held up", () => {
    const fourth = facts({ customer: { refundsInWindow: 4, refundedInWindowMinor: 20_000 } });
    expect(evaluate(v2, "refund", fourth).decision).toBe("allow");
  });
});

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object")
    for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
