/** Bank account numbers: the length that their country has, and ISO 7064 mod 97. Pure, linear. */
import { getCountrySpecifications } from "ibantools";

export type Span = readonly [from: number, to: number];

const START = /(?<![A-Za-z0-9])[A-Za-z]{2}(?:[ -]?\d){2}(?=[ .-]?[A-Za-z0-9])/g;
/** Of each country: how long a number is, and what may stand where in it. */
const SHAPES: ReadonlyMap<string, { readonly chars: number; readonly account: RegExp }> = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars, bban_regexp: account }]) =>
    chars === null || account === null ? [] : [[country, { chars, account: new RegExp(account) }] as const],
  ),
);
/** White space and signs between two characters of one number. */
const MOST_BETWEEN = 3;

/** Of a folded text (`reading.ts`). */
export function* ibansIn(text: string): Generator<Span> {
  for (const { 0: lead, index: start } of text.matchAll(START)) {
    const shape = SHAPES.get(lead.slice(0, 2).toUpperCase());
    if (shape === undefined) continue;
    let compact = "";
    let between = 0;
    for (let index = start; index < text.length && compact.length < shape.chars; index += 1) {
      const letter = text[index] as string;
      if (/[A-Za-z0-9]/.test(letter)) {
        compact += letter;
        between = 0;
      } else {
        between += 1;
        if (between > MOST_BETWEEN || !/[\s.-]/.test(letter)) break;
      }
      if (between > 0 || compact.length !== shape.chars) continue;
      // A key of the country's own inside it proves nothing that matters here.
      if (shape.account.test(compact.slice(4).toUpperCase()) && remainderOf(compact) === 1)
        yield [start, index + 1];
      break;
    }
  }
}

/** ISO 7064: the first four characters at the end, letters as numbers from 10, modulo 97. */
function remainderOf(compact: string): number {
  let remainder = 0;
  for (const letter of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
