/** `{{limits.…}}`: the limits that prose can show, what each shows, and which rules enforce it. */
import type { Language } from "../../kernel/language.ts";
import { spokenMoney } from "../../wording/forms.ts";
import type { Report } from "./faults.ts";
import type { FrontMatter } from "./front-matter.ts";
import type { Part } from "./sections.ts";

export type Unit = "days" | "count" | "money";

interface Limit {
  readonly unit: Unit;
  /** Facts of which a rule reads at least one, or the limit is told and not enforced. */
  readonly enforcedBy: readonly string[];
}

const KNOWN: Readonly<Record<string, Limit>> = {
  "limits.return_window_days": { unit: "days", enforcedBy: ["limits.returnWindowDays"] },
  "limits.unattended_max": { unit: "money", enforcedBy: ["limits.unattendedMaxMinor"] },
  "limits.high_value_lifetime_spend": { unit: "money", enforcedBy: ["limits.highValueLifetimeSpendMinor"] },
  "limits.refund_limit.window_days": {
    unit: "days",
    enforcedBy: ["customer.refundsInWindow", "customer.refundedInWindowMinor"],
  },
  "limits.refund_limit.max_count": { unit: "count", enforcedBy: ["limits.refundLimitMaxCount"] },
  "limits.refund_limit.max_amount": { unit: "money", enforcedBy: ["limits.refundLimitMaxAmountMinor"] },
};

/** Spaces around the name are the match's: with them in the pattern, a long row of them could be read in many ways. */
export const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** `limits.unattended_max.JPY`: a list of amounts also has one placeholder for each of its currencies. */
function split(name: string): { base: string; currency: string | null } | null {
  if (Object.hasOwn(KNOWN, name)) return { base: name, currency: null };
  const match = /^(limits\.(?:unattended_max|refund_limit\.max_amount))\.([A-Z]{3})$/.exec(name);
  return match === null ? null : { base: match[1] as string, currency: match[2] as string };
}

/** The limit of a placeholder's name; null for an unknown one. */
export function limitOf(name: string): Limit | null {
  const found = split(name);
  return found === null ? null : (KNOWN[found.base] ?? null);
}

export interface Placeholders {
  /**
   * The text of a part with limits filled in and comments left out; reports what it cannot fill. Amounts are
   * as `language` writes them: the policy's own, or that of a translation.
   */
  fill(part: Part, language?: Language): string;
  /** Every limit that was shown, with the place of its first use. */
  readonly shown: ReadonlyMap<string, { readonly part: Part; readonly limit: Limit }>;
}

/** With `front` null (it has faults) placeholders are checked by name only. */
export function createPlaceholders(front: FrontMatter | null, report: Report): Placeholders {
  const shown = new Map<string, { part: Part; limit: Limit }>();
  const textOf = (name: string, language: Language): string | null => {
    if (front === null) return name;
    const found = split(name);
    if (found === null) return null;
    const { limits } = front;
    const money = (amounts: Readonly<Record<string, number>>): string | null => {
      const currency = found.currency ?? front.currency;
      const amountMinor = Object.hasOwn(amounts, currency) ? amounts[currency] : undefined;
      return amountMinor === undefined ? null : spokenMoney({ amountMinor, currency }, language);
    };
    switch (found.base) {
      case "limits.return_window_days":
        return String(limits.returnWindowDays);
      case "limits.unattended_max":
        return money(limits.unattendedMaxMinor);
      case "limits.high_value_lifetime_spend":
        return spokenMoney(
          { amountMinor: limits.highValueLifetimeSpendMinor, currency: front.currency },
          language,
        );
      case "limits.refund_limit.window_days":
        return String(limits.refundLimit.windowDays);
      case "limits.refund_limit.max_count":
        return String(limits.refundLimit.maxCount);
      default:
        return money(limits.refundLimit.maxAmountMinor);
    }
  };
  const fill = (part: Part, language: Language = front?.fields.language ?? "en"): string => {
    const spot = (offset: number) => ({ line: part.line, column: part.column + offset });
    const filled = part.text.replace(PLACEHOLDER, (whole: string, spaced: string, offset: number) => {
      const name = spaced.trim();
      const limit = limitOf(name);
      if (limit === null) {
        report(spot(offset), `There is no ${whole}.`, `Use one of ${Object.keys(KNOWN).join(", ")}.`);
        return whole;
      }
      if (!shown.has(name)) shown.set(name, { part: { ...part, ...spot(offset) }, limit });
      const value = textOf(name, language);
      if (value !== null) return value;
      report(
        spot(offset),
        `${whole} has no amount in ${split(name)?.currency ?? front?.currency}.`,
        "Add the currency to that limit, or show another one.",
      );
      return whole;
    });
    const left = part.text
      .replace(PLACEHOLDER, (whole) => " ".repeat(whole.length))
      .search(/\{\{|\}\}|\{\s*limits\b/);
    if (left !== -1)
      report(spot(left), "This placeholder is not complete.", "Write it as {{limits.return_window_days}}.");
    return filled.replace(/\s*<!--.*?-->/g, "");
  };
  return { fill, shown };
}

/** Checks that some rule enforces every limit that customers are shown; `reads` are the facts of all rules. */
export function refuseUnenforced(
  placeholders: Placeholders,
  reads: ReadonlySet<string>,
  report: Report,
): void {
  for (const [name, { part, limit }] of placeholders.shown) {
    if (limit.enforcedBy.some((fact) => reads.has(fact))) continue;
    report(
      part,
      `Customers are shown {{${name}}}, but no rule reads ${limit.enforcedBy.join(" or ")}.`,
      "Add the rule that enforces it, or do not promise it.",
    );
  }
}
