/** The numbers that a policy version states as limits, for comparing what is said of it. Pure. */
import { formatDecimal } from "../../kernel/money.ts";
import { limitsStated, type PolicyNumbers, plainDecimal } from "../../safety/policy-numbers.ts";
import type { PolicyVersion } from "./policy.ts";

export function policyNumbers(policy: PolicyVersion): PolicyNumbers {
  const { limits, currency } = policy;
  const prose = policy.clauses.flatMap((clause) => limitsStated(`${clause.prose}\n${clause.customerText}`));
  const amounts = [
    ...Object.entries({ ...limits.unattendedMaxMinor }),
    ...Object.entries({ ...limits.refundLimit.maxAmountMinor }),
    [currency, limits.highValueLifetimeSpendMinor] as const,
  ].map(([each, amountMinor]) => plainDecimal(formatDecimal({ amountMinor, currency: each })) ?? "");
  return {
    days: [
      limits.returnWindowDays,
      limits.refundLimit.windowDays,
      ...prose.filter(({ kind }) => kind === "days").map(({ value }) => Number(value)),
    ],
    amounts: [...amounts, ...prose.filter(({ kind }) => kind === "amount").map(({ value }) => value)],
  };
}
