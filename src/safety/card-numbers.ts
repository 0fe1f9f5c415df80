/**
 * Payment card numbers: 13 to 19 digits in a range that a card network uses (ISO/IEC 7812) with a valid Luhn
 * digit, however they are grouped. They do not belong in a support log: they are masked before a message is
 * stored, and nobody may write one. Pure, linear.
 *
 * A number is read from whole groups of digits, so that a card is found beside an order number or its
 * security code, and so that no window of a long tracking number is taken for one. Groups of one card are
 * three digits or more, or are all parted by the same sign: `25.00 30.00` are amounts. One number in ten of
 * such a range passes by chance: it is masked too.
 */
import { ibansIn, type Span } from "./iban.ts";
import { folded } from "./reading.ts";

export const CARD_MASK = "[card number removed]";

/** What may stand between two groups of one number. */
const BETWEEN = /^(?:\s{1,4}|\s?[._\-/·•|~+]{1,3}\s?)$/u;
const SHORTEST = 13;
const LONGEST = 19;

interface Group {
  readonly digits: string;
  readonly start: number;
  /** What stands before it, when it goes on from the group before; else null. */
  readonly gap: string | null;
}

/** Places of card numbers in a folded text (`reading.ts`), in order. */
export function* cardSpans(text: string): Generator<Span> {
  const accounts = [...ibansIn(text)];
  let account = 0;
  for (const run of runsIn(text)) {
    for (let first = 0; first < run.length; ) {
      const last = cardFrom(run, first, text);
      if (last === null) {
        first += 1;
        continue;
      }
      const span = [(run[first] as Group).start, endOf(run[last] as Group)] as const;
      while ((accounts[account]?.[1] ?? Number.POSITIVE_INFINITY) <= span[0]) account += 1;
      const iban = accounts[account];
      // A bank account number is proved by more than one digit.
      if (iban === undefined || iban[0] > span[0] || iban[1] < span[1]) yield span;
      first = last + 1;
    }
  }
}

/** The text with card numbers replaced. Order numbers, phone numbers, amounts and bank accounts stay. */
export function maskCardNumbers(text: string, replacement = CARD_MASK): string {
  const { text: plain, at } = folded(text);
  let out = "";
  let done = 0;
  for (const [from, to] of cardSpans(plain)) {
    out += text.slice(done, at(from)) + replacement;
    done = at(to);
  }
  return done === 0 ? text : out + text.slice(done);
}

/** True when there is one in the text. */
export const hasCardNumber = (text: string): boolean => !cardSpans(folded(text).text).next().done;

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const endOf = ({ start, digits }: Group): number => start + digits.length;

/** Groups of digits that follow each other closely. */
function* runsIn(text: string): Generator<readonly Group[]> {
  let run: Group[] = [];
  let end = 0;
  for (const { 0: digits, index: start } of text.matchAll(/\d+/g)) {
    const between = text.slice(end, start);
    const gap = run.length > 0 && between.length <= 5 && BETWEEN.test(between) ? between : null;
    if (gap === null && run.length > 0) {
      yield run;
      run = [];
    }
    run.push({ digits, start, gap });
    end = start + digits.length;
  }
  if (run.length > 0) yield run;
}

/** The last group of the longest card number that starts with this group; null when there is none. */
function cardFrom(run: readonly Group[], first: number, text: string): number | null {
  let digits = "";
  let found: number | null = null;
  let isLoose = true;
  let sign: string | null = null;
  let allLong = true;
  for (let index = first; index < run.length; index += 1) {
    const group = run[index] as Group;
    digits += group.digits;
    if (digits.length > LONGEST) {
      return found ?? (index === first && isGluedCard(digits) ? index : null);
    }
    if (group.digits.length < 3) allLong = false;
    if (index > first) {
      const gap = (group.gap as string).trim() || " ";
      if (sign !== null && gap !== sign) isLoose = false;
      sign = gap;
    }
    if (!isLoose && !allLong) return found;
    if (digits.length >= SHORTEST && isOfNetwork(digits) && passesLuhn(digits)) {
      if (digits.length > SHORTEST || isOldVisa(run, first, index, text)) found = index;
    }
  }
  return found;
}

/** First digits and lengths of the networks. */
function isOfNetwork(digits: string): boolean {
  const { length } = digits;
  const two = Number(digits.slice(0, 2));
  const four = Number(digits.slice(0, 4));
  if (digits.startsWith("4")) return length === 13 || length === 16 || length === 19;
  if ((two >= 51 && two <= 55) || (four >= 2200 && four <= 2204) || (four >= 2221 && four <= 2720))
    return length === 16 || (four <= 2204 && length <= 19 && length > 16);
  if (two === 34 || two === 37) return length === 15;
  if (two === 36 || two === 38 || two === 39 || (four >= 3000 && four <= 3059) || four === 3095)
    return length >= 14;
  if (four >= 3528 && four <= 3589) return length >= 16;
  // Maestro, Discover, UnionPay, RuPay, Elo.
  return (two === 50 || (two >= 56 && two <= 69) || two === 81 || two === 82) && length >= 14;
}

/** Thirteen digits are a barcode or a phone number more often than a card of thirty years ago. */
function isOldVisa(run: readonly Group[], first: number, last: number, text: string): boolean {
  const shape = run
    .slice(first, last + 1)
    .map(({ digits }) => digits.length)
    .join("-");
  const lead = text.slice(Math.max(0, (run[first] as Group).start - 24), (run[first] as Group).start);
  return (
    (shape === "13" || shape === "4-3-3-3") &&
    !/(?:\+|00|(?:ean|gtin|isbn|barcode|tel|phone|telefon|track\p{L}*)\W*(?:n\p{L}*\W*)?)$/iu.test(lead)
  );
}

/** A card with its expiry date, and perhaps its code, in one row of digits. */
function isGluedCard(digits: string): boolean {
  const parts = /^(\d{15,16})(?:0[1-9]|1[0-2])(?:2[3-9]|3\d)(?:\d{3,4})?$/.exec(digits);
  return parts?.[1] !== undefined && isOfNetwork(parts[1]) && passesLuhn(parts[1]);
}
