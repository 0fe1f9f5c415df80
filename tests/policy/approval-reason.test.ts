import { beforeAll, describe, expect, test } from "vitest";
import { approvalReason } from "../../src/gateway/policy/approval-reason.ts";
import { parsePolicy } from "../../src/gateway/policy/document.ts";
import { compilePolicy, evaluate, STANDING_CLAUSES } from "../../src/gateway/policy/evaluate.ts";
import type { PolicyVersion } from "../../src/gateway/policy/policy.ts";
import { loadPolicyFiles } from "../../src/gateway/policy/versions.ts";
import { type Changes, FOLDER, facts } from "./facts.ts";

let northwind: PolicyVersion;
beforeAll(async () => {
  const versions = await loadPolicyFiles(FOLDER);
  northwind = versions.find((v) => v.tenant === "northwind" && v.version === "2") as PolicyVersion;
});

function reasonOf(policy: PolicyVersion, changes: Changes) {
  const read = facts(changes);
  const verdict = evaluate(compilePolicy(policy), "refund", read);
  return approvalReason({ verdict, facts: read, action: "refund", evaluatedAt: 0 }, policy);
}
const OVER: Changes = { request: { amountMinor: 10_001 } };
const RICH: Changes = { customer: { lifetimeSpendMinor: 1_000_000 } };

describe("the code of why a person decides", () => {
  test.each<[string, Changes, string | null]>([
    ["an amount at the limit", { request: { amountMinor: 10_000 } }, null],
    ["an amount above it", OVER, "amount_over_limit"],
    ["a lifetime spend at its limit", RICH, "high_value_customer"],
    ["a lifetime spend below it", { customer: { lifetimeSpendMinor: 999_999 } }, null],
    ["both", { ...OVER, ...RICH }, "amount_over_limit"],
    ["many refunds", { customer: { refundsInWindow: 9 } }, "approval_needed"],
    [
      "many refunds of a rich customer",
      { customer: { refundsInWindow: 9, lifetimeSpendMinor: 1_000_000 } },
      "high_value_customer",
    ],
    ["a gift", { order: { gift: true } }, "approval_needed"],
    ["what is not allowed at all", { order: { daysSinceDelivery: 45 }, ...OVER }, null],
  ])("%s: %s", (_, changes, reason) => {
    expect(reasonOf(northwind, changes)).toBe(reason);
  });

  test("does not hang on what the merchant calls a clause", () => {
    const renamed = parsePolicy(
      northwind.source.replace("{#unattended-amount}", "{#big-ones}").replace("{#high-value}", "{#regulars}"),
    );
    expect(reasonOf(renamed, OVER)).toBe("amount_over_limit");
    expect(reasonOf(renamed, RICH)).toBe("high_value_customer");
  });

  test("is the amount where only code says so", () => {
    const read = facts(OVER);
    const verdict = {
      ...evaluate(compilePolicy(northwind), "refund", read),
      clauses: [STANDING_CLAUSES.unattendedMax],
    };
    const record = { verdict, facts: read, action: "refund", evaluatedAt: 0 } as const;
    expect(approvalReason(record, northwind)).toBe("amount_over_limit");
    const other = { ...verdict, clauses: [STANDING_CLAUSES.refusedByPerson] };
    expect(approvalReason({ ...record, verdict: other }, northwind)).toBe("approval_needed");
  });
});
