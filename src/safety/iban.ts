/** Bank account numbers: the length that their country has, and ISO 7064 mod 97. Pure, linear. */
import { electronicFormatIBAN, isValidIBAN } from "ibantools";

export type Span = readonly [from: number, to: number];

const START = /(?<![A-Za-z0-9])[A-Za-z]{2}(?:[ -]?\d){2}(?=[ .-]?[A-Za-z0-9])/g;
const SHORTEST = 15;
const LONGEST = 34;
/** White space and signs between two characters of one number. */
const MOST_BETWEEN = 3;

/** Of a folded text (`reading.ts`). */
export function* ibansIn(text: string): Generator<Span> {
  for (const { index: start } of text.matchAll(START)) {
    let compact = "";
    let between = 0;
    for (let index = start; index < text.length && compact.length < LONGEST; index += 1) {
      const letter = text[index] as string;
      if (/[A-Za-z0-9]/.test(letter)) {
        compact += letter;
        between = 0;
      } else {
        between += 1;
        if (between > MOST_BETWEEN || !/[\s.-]/.test(letter)) break;
      }
      if (between === 0 && compact.length >= SHORTEST && isValidIBAN(electronicFormatIBAN(compact) ?? "")) {
        yield [start, index + 1];
        break;
      }
    }
  }
}
