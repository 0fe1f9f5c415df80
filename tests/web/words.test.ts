/** What the server says in codes, the console says in words. */
import { expect, test } from "vitest";
import type { ApprovalReason } from "../../src/actions/reviews/reviews.ts";
import type { EscalationReason } from "../../src/agents/agent.ts";
import { headValue, nextVersion, withHeadValue } from "../../web/console/pages/policies/front-matter.ts";
import { relativeTime } from "../../web/console/parts/relative-time.ts";
import { reasonText, whoText } from "../../web/console/words.ts";

/** A reason that is missing here does not compile. */
const REASONS: Readonly<Record<ApprovalReason | EscalationReason | "refund_failed" | "taken_over", true>> = {
  amount_over_limit: true,
  high_value_customer: true,
  approval_needed: true,
  asked_for_person: true,
  not_understood: true,
  legal_or_safety: true,
  policy_denied_contested: true,
  complaint: true,
  no_progress: true,
  step_limit: true,
  deadline: true,
  agent_failed: true,
  outcome_uncertain: true,
  outside_scope: true,
  low_confidence: true,
  provider_unavailable: true,
  model_unavailable: true,
  safety_filter: true,
  negative_sentiment: true,
  refund_failed: true,
  taken_over: true,
};

test.each(Object.keys(REASONS))("the reason %s is shown in words", (code) => {
  expect(reasonText(code)).toMatch(/^[A-Z]/);
});

test("machines are named by what they are, people by their names", () => {
  expect(
    [
      "agent:workflows",
      "vm-1.local:12252:2d24f053",
      "ada@northwind.example",
      "operator:ada@northwind.example",
      "customer",
    ].map(whoText),
  ).toEqual(["the assistant", "Recourse", "ada@northwind.example", "ada@northwind.example", "customer"]);
});

test("what has happened is never said to come, however far the clocks are apart; what is to come is", () => {
  const now = 1_000_000;
  expect(relativeTime(now + 2_000, now, true)).toBe(relativeTime(now, now));
  expect(relativeTime(now + 2_000, now)).toMatch(/2/);
  expect(relativeTime(now - 5_000, now, true)).toMatch(/5/);
});

test("the head of a policy's text is changed in its two lines and nowhere else", () => {
  const source =
    '---\nid: refunds\nversion: "2.9"\neffective_from: 2026-03-01\n---\n\nversion: text of a clause $&\n';
  expect(headValue(source, "version")).toBe("2.9");
  const next = withHeadValue(
    withHeadValue(source, "version", nextVersion("2.9")),
    "effective_from",
    "2026-12-24",
  );
  expect(next).toBe(source.replace('"2.9"', '"2.10"').replace("2026-03-01", "2026-12-24"));
  expect(withHeadValue(source, "version", "$&")).toContain('version: "$&"\n');
  expect(headValue("no head\nversion: 1", "version")).toBeNull();
  expect(withHeadValue("no head\nversion: 1", "version", "2")).toBe("no head\nversion: 1");
});
