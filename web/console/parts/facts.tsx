/** Facts as people read them: names in words, values as text; never as markup. */
import { formatDecimal } from "../../../src/kernel/money.ts";
import { money } from "../words.ts";

interface FactsProps {
  readonly value: Readonly<Record<string, unknown>>;
  /** What amounts in minor units are in, where the facts are about one order; without it the digits stay. */
  readonly currency?: string;
  /** What the customer's lifetime spend is in, where that is known. */
  readonly tenantCurrency?: string;
}

/** Facts as a list of names and values; what lies deeper is indented. */
export function Facts({ value, ...currencies }: FactsProps) {
  return (
    <dl className="text-sm">
      {Object.entries(value).map(([name, inner]) =>
        isGroup(inner) ? (
          <div key={name} className="mt-1">
            <dt className="text-xs font-semibold text-dim">{words(name)}</dt>
            <dd className="border-l border-line pl-3">
              <Facts value={inner} {...currencies} />
            </dd>
          </div>
        ) : (
          <div key={name} className="flex justify-between gap-3 py-0.5">
            <dt className="text-dim">{words(name)}</dt>
            <dd dir="auto" className="min-w-0 text-right wrap-anywhere tabular-nums">
              {factText(name, inner, currencies)}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** `refundsInWindow` → `refunds in window`; the unit of an amount is said by its value. */
export const words = (name: string): string =>
  name
    .replace(/Minor$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();

/** A value with its unit; `name` as the policy has it. */
export function factText(name: string, value: unknown, of: Omit<FactsProps, "value">): string {
  if (typeof value !== "number" || !name.endsWith("Minor")) return shownValue(value);
  // What a customer has spent in all is in the tenant's currency, which need not be the order's.
  const currency = /lifetimeSpend/i.test(name) ? of.tenantCurrency : of.currency;
  if (currency === undefined) return `${value} minor units`;
  return money(formatDecimal({ amountMinor: value, currency }), currency);
}

export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shownValue).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
