/** Amounts of money in a message: `24.00`, `$24`, `24 usd`, `24,50 €`, "refund 24 on 1042". */
import { type Currency, parseAmount } from "../../kernel/money.ts";
import { means, type Word } from "./words.ts";

/**
 * The amounts in minor units of `currency`, in order of mention. A whole number without a currency is
 * one only where an amount stands ("refund 24 on …"), and never when its index is in `taken`.
 */
export function amountsIn(words: readonly Word[], currency: Currency, taken: ReadonlySet<number>): number[] {
  const amounts: number[] = [];
  words.forEach((it, index) => {
    if (it.kind !== "number" || it.hash || taken.has(index)) return;
    const before = words[index - 1];
    const after = words[index + 1];
    const marked =
      before?.kind === "currency" ||
      after?.kind === "currency" ||
      (after !== undefined && means(after, "currency")) ||
      (before !== undefined && means(before, "currency"));
    const decimal = /[.,]\d{2,3}$/.test(it.text);
    // Four digits and more without a currency are an order number that somebody mistyped.
    const placed =
      it.text.length < 4 &&
      before !== undefined &&
      means(before, "of", "refund", "only", "money", "back") &&
      (after === undefined || after.kind === "mark" || means(after, "of", "refund", "back", "please"));
    if (!marked && !decimal && !placed) return;
    const minor = minorUnits(it.text, currency);
    if (minor !== null && minor > 0) amounts.push(minor);
  });
  return amounts;
}

/** `1,250.00`, `1.250,00`, `1 250,00`, `1'250.00` and `24,50` are read as people write them; null when it is no amount of the currency. */
function minorUnits(text: string, currency: Currency): number | null {
  try {
    return parseAmount(plainDecimal(text), currency);
  } catch {
    return null;
  }
}

function plainDecimal(typed: string): string {
  const text = typed.replace(/[' ]/g, "");
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return text.replaceAll(",", "");
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return text.replaceAll(".", "").replace(",", ".");
  if (/^\d+,\d{1,2}$/.test(text)) return text.replace(",", ".");
  return text;
}
