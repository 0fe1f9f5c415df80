import { describe, expect, test } from "vitest";
import { readPolicy } from "../../src/gateway/policy/document.ts";
import { compilePolicy, evaluate } from "../../src/gateway/policy/evaluate.ts";
import { explanationOf } from "../../src/gateway/policy/explanation.ts";
import type { PolicyVersion, Verdict } from "../../src/gateway/policy/policy.ts";
import { LANGUAGES } from "../../src/kernel/language.ts";
import { facts, sourceOf, version } from "./facts.ts";

const SOURCE = sourceOf("kestrel-refunds-v2");
const GERMAN = "> Customer (de): Das ist mehr, als für diese Bestellung noch erstattet werden kann.";

/** Kestrel's policy with another line for one of its German sentences. */
function withLine(line: string, source = SOURCE) {
  expect(source).toContain(GERMAN);
  return readPolicy(source.replace(GERMAN, () => line));
}
const faultsOf = (line: string): readonly string[] => {
  const parsed = withLine(line);
  return parsed.ok ? [] : parsed.faults.map(({ message }) => message);
};
const policyOf = (line: string): PolicyVersion => {
  const parsed = withLine(line);
  if (!parsed.ok) throw new Error(parsed.faults.map(({ message }) => message).join("; "));
  return parsed.policy;
};
const clause = (policy: PolicyVersion, id: string) => policy.clauses.find((each) => each.id === id);
const denied = (...ids: string[]): Verdict => ({
  decision: "deny",
  clauses: ids.map((id) => {
    const own = clause(version("kestrel-refunds-v2"), id);
    return { clauseId: id, title: own?.title ?? id, customerText: own?.customerText ?? "In code's words." };
  }),
  policyId: "refunds",
  policyVersion: "2",
  policyHash: "",
  errors: [],
});

describe("the customer's sentence in further languages", () => {
  test.each([
    ["northwind-refunds-v2", "northwind-refunds-v3", "es"],
    ["kestrel-refunds-v1", "kestrel-refunds-v2", "de"],
  ] as const)(
    "%s and %s decide the same in the same words; the newer one also speaks %s",
    (older, newer, language) => {
      const [before, after] = [version(older), version(newer)];
      expect(after.limits).toEqual(before.limits);
      expect(after.governedBy).toBe(before.governedBy);
      expect(after.statements.map(({ clauseId, text }) => [clauseId, text])).toEqual(
        before.statements.map(({ clauseId, text }) => [clauseId, text]),
      );
      const words = ({ clauses }: PolicyVersion) =>
        clauses.map(({ prose, customerText }) => [prose, customerText]);
      expect(words(after)).toEqual(words(before));
      for (const { id, translations } of after.clauses) expect(translations[language], id).toBeTruthy();
      expect(after.hash).not.toBe(before.hash);
    },
  );

  test("limits are filled in as that language writes them, over several lines too", () => {
    const policy = policyOf(
      "> Customer (de): Höchstens {{limits.unattended_max}} in\n> {{limits.return_window_days}} Tagen.",
    );
    expect(clause(policy, "amount-paid")?.translations).toEqual({ de: "Höchstens 100,00 EUR in 14 Tagen." });
    expect(clause(policy, "amount-paid")?.customerText).toBe(
      "That is more than what can still be refunded for this order.",
    );
  });

  test.each([
    ["a language that is none of ours", "> Customer (nl): Nee.", /"nl" is no language/],
    ["the policy's own", "> Customer (en): No.", /policy itself is in en/],
    ["nothing", "> Customer (de):", /sentence in de is empty/],
    ["two in one language", `${GERMAN}\n> Customer (de): Nein.`, /second customer's sentence in de/],
    [
      "a limit that is none",
      "> Customer (de): {{limits.window}} Tage.",
      /There is no \{\{limits\.window\}\}/,
    ],
    ["days in digits", "> Customer (de): Nur 14 Tage lang.", /"14 Tage" is a number/],
    ["days in words", "> Customer (de): Nur vierzehn Tage lang.", /"vierzehn Tage" is a number/],
    ["a week", "> Customer (de): Nur innerhalb einer Woche.", /is a number/],
    ["Spanish days", "> Customer (es): Solo 14 días.", /"14 días" is a number/],
    ["Spanish days in words", "> Customer (es): Solo catorce días.", /"catorce días" is a number/],
    ["French days", "> Customer (fr): Sous quatorze jours.", /"quatorze jours" is a number/],
    ["Portuguese days", "> Customer (pt): Em catorze dias.", /"catorze dias" is a number/],
    ["Italian days", "> Customer (it): Entro quattordici giorni.", /"quattordici giorni" is a number/],
    ["money", "> Customer (it): Fino a 100 euro.", /"100 euro" is a number/],
  ])("%s is refused", (_, line, message) => {
    expect(faultsOf(line)).toContainEqual(expect.stringMatching(message));
  });
});

describe("a denial", () => {
  const policy = version("kestrel-refunds-v2");

  test("is told in the customer's language where every clause that decided has it", () => {
    const text = explanationOf(denied("amount-paid", "disputed"), policy, "de");
    expect(text).toMatch(/^Das ist mehr, als .* Die Zahlung dieser Bestellung wird bei der Bank beanstandet/);
    expect(explanationOf(denied("amount-paid"), policy, "en")).toBe(
      "That is more than what can still be refunded for this order.",
    );
  });

  test.each(LANGUAGES.filter((language) => language !== "en" && language !== "de"))(
    "quotes the clause as it was written where there is no %s, and says what language that is",
    (language) => {
      const text = explanationOf(denied("amount-paid"), policy, language);
      expect(text).toContain("That is more than what can still be refunded for this order.");
      expect(text).toMatch(/inglés|anglais|inglês|inglese/);
    },
  );

  test("quotes all of it when one clause of several has no translation", () => {
    const half = policyOf("");
    const text = explanationOf(denied("amount-paid", "disputed"), half, "de");
    expect(text).toMatch(
      /^Dazu steht in unseren Bedingungen \(auf Englisch\): „That is more .* refund it here\.“$/,
    );
  });

  test("of a policy that is written in German quotes it to who reads English", () => {
    const source = SOURCE.replace("title: ", "language: de\ntitle: ")
      .replaceAll(/^> Customer: .*\n/gm, "")
      .replaceAll("> Customer (de): ", "> Customer: ");
    const parsed = readPolicy(source);
    if (!parsed.ok) throw new Error(parsed.faults.map(({ message }) => message).join("; "));
    const order = facts({ order: { currency: "EUR", disputed: true } });
    const verdict = evaluate(compilePolicy(parsed.policy), "refund", order);
    expect(explanationOf(verdict, parsed.policy, "de")).toMatch(/^Die Zahlung dieser Bestellung/);
    expect(explanationOf(verdict, parsed.policy, "en")).toMatch(
      /^Our policy says \(in German\): “Die Zahlung dieser Bestellung/,
    );
  });

  test.each(LANGUAGES)("by what holds whatever a document says is in %s too", (language) => {
    const texts = ["no-clause-permits", "evaluation-failed"].map((id) =>
      explanationOf(denied(id), policy, language),
    );
    expect(new Set(texts).size).toBe(2);
    for (const text of texts) {
      expect(text).not.toContain("In code's words.");
      if (language !== "en") expect(text).not.toMatch(/policy/);
    }
  });
});
