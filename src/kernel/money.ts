/**
 * Money: integer minor units with an ISO 4217 currency; decimal text in, decimal text out.
 *
 * Amounts never pass through floating point: text is split on the decimal point and read as digits.
 * Exponents (how many decimals a currency has) come from ISO 4217 and Stripe's lists of zero- and
 * three-decimal currencies; a currency that is not listed here has two.
 */
import { ProblemError } from "./errors.ts";

/** ISO 4217 code in upper case, such as `USD`. */
export type Currency = string & { readonly __brand?: "Currency" };

/** An amount of money: `amountMinor` is an integer in the smallest unit of `currency`. */
export interface Money {
  readonly amountMinor: number;
  readonly currency: Currency;
}

const ZERO_DECIMAL = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF".split(" "));
const THREE_DECIMAL = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));

/** Decimals of a currency: 0 for JPY, 3 for KWD, 2 for most. */
export function currencyExponent(currency: Currency): 0 | 2 | 3 {
  if (ZERO_DECIMAL.has(currency)) return 0;
  if (THREE_DECIMAL.has(currency)) return 3;
  return 2;
}

/**
 * Reads decimal text such as `"113.00"`, `"5000"` (JPY) or `"1.230"` (KWD) into minor units.
 *
 * Accepts digits with at most one point and at most the currency's decimals (extra zeros are not
 * accepted either: `"1.000"` USD is ambiguous with a thousands separator). Refuses signs, exponents,
 * separators and anything above 9 007 199 254 740 991 minor units.
 *
 * @throws ProblemError `amount_invalid`
 */
export function parseAmount(text: string, currency: Currency): number {
  const exponent = currencyExponent(currency);
  const match = /^(\d{1,15})(?:\.(\d{1,3}))?$/.exec(text);
  const fraction = match?.[2] ?? "";
  if (match === null || fraction.length > exponent) {
    throw new ProblemError("amount_invalid", `"${text.slice(0, 40)}" is not an amount of ${currency}.`, {
      next: `Write digits with at most ${exponent} decimals, such as "${formatDecimal({ amountMinor: 12345, currency })}".`,
    });
  }
  const minor = Number(`${match[1]}${fraction.padEnd(exponent, "0")}`);
  if (!Number.isSafeInteger(minor)) {
    throw new ProblemError("amount_invalid", `"${text}" is larger than any amount this system handles.`);
  }
  return minor;
}

/** Decimal text of an amount without its currency: `"113.00"`, `"5000"` for JPY. */
export function formatDecimal({ amountMinor, currency }: Money): string {
  const exponent = currencyExponent(currency);
  const sign = amountMinor < 0 ? "-" : "";
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, "0");
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Text for people: `"113.00 USD"`. */
export function formatMoney(money: Money): string {
  return `${formatDecimal(money)} ${money.currency}`;
}

/**
 * Splits an integer into `parts` integers that differ by at most one and sum to it exactly:
 * part k is `floor(total·(k+1)/parts) − floor(total·k/parts)`.
 */
export function splitEvenly(totalMinor: number, parts: number): number[] {
  const total = BigInt(totalMinor);
  const n = BigInt(parts);
  return Array.from({ length: parts }, (_, k) => {
    const upper = (total * BigInt(k + 1)) / n;
    return Number(upper - (total * BigInt(k)) / n);
  });
}

/**
 * Splits an integer over weights by the largest-remainder method: the shares sum to it exactly and
 * none differs from its exact proportion by one or more. All-zero weights split evenly.
 */
export function splitByWeights(totalMinor: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0) return splitEvenly(totalMinor, weights.length);
  const exact = weights.map((weight) => BigInt(totalMinor) * BigInt(weight));
  const shares = exact.map((value) => Number(value / BigInt(sum)));
  let left = totalMinor - shares.reduce((a, b) => a + b, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value % BigInt(sum) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1));
  for (const { index } of byRemainder) {
    if (left <= 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}
