/** Amounts of money in a message: `24.00`, `$24`, `24 usd`, `24,50 €`, "refund 24 on 1042". */
import { type Currency, parseAmount } from "../../kernel/money.ts";
import type { Word } from "./words.ts";

const CURRENCY_WORDS = new Set(
  "usd eur gbp jpy kwd chf cad aud dollar dollars bucks euro euros pound pounds quid yen dinar dinars".split(
    " ",
  ),
);
const BEFORE_AMOUNT = new Set("refund me back of amount get only just pay for return".split(" "));
const AFTER_AMOUNT = new Set("on from to please back for of in refund".split(" "));

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
      CURRENCY_WORDS.has(after?.text ?? "") ||
      CURRENCY_WORDS.has(before?.text ?? "");
    const decimal = /[.,]\d{2,3}$/.test(it.text);
    // Four digits and more without a currency are an order number that somebody mistyped.
    const placed =
      it.text.length < 4 &&
      BEFORE_AMOUNT.has(before?.text ?? "") &&
      (after === undefined || after.kind === "mark" || AFTER_AMOUNT.has(after.text));
    if (!marked && !decimal && !placed) return;
    const minor = minorUnits(it.text, currency);
    if (minor !== null && minor > 0) amounts.push(minor);
  });
  return amounts;
}

/** `1,250.00`, `1.250,00` and `24,50` are read as people write them; null when it is no amount of the currency. */
function minorUnits(text: string, currency: Currency): number | null {
  try {
    return parseAmount(plainDecimal(text), currency);
  } catch {
    return null;
  }
}

function plainDecimal(text: string): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return text.replaceAll(",", "");
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return text.replaceAll(".", "").replace(",", ".");
  if (/^\d+,\d{1,2}$/.test(text)) return text.replace(",", ".");
  return text;
}
