/**
 * Digits as people and attackers type them. Digits of every script are the digits that they say; a run of digits
 * with signs that only look like digits says no number, and must not be taken for the digits in it: `1О42` with
 * a Cyrillic letter names no order, neither 1 nor 42.
 */

/** Fractions and raised digits stand beside a number; compatibility would write them into it (`1042½` as 10421/2). */
const BESIDE = /[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅞↉]/gu;
const DECORATED = /(?<=\p{Nd})\p{M}+/gu;
const OF_ANY_SCRIPT = /[^\P{Nd}0-9]/gu;

/** Text in which every digit is one of 0 to 9, without marks over digits (keycaps, accents). */
export function withPlainDigits(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replace(BESIDE, " $& ")
    .normalize("NFKC")
    .replace(DECORATED, "")
    .replace(OF_ANY_SCRIPT, (digit) => String(digitOf(digit.codePointAt(0) ?? 0)));
}
const ASCII = /^[\n\r\t\x20-\x7e]*$/;

/** The ten digits of a script stand together, its zero first; scripts follow one another in whole tens. */
function digitOf(code: number): number {
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

const LOOKS_LIKE_ONE = String.raw`(?:[oilzsb\u0180-\u02af]|[^\P{L}\p{Script=Latin}])`;
const LONGEST = 24;

/**
 * A pattern for a run (lower case) of four signs and more, two digits at least, and among them letters that may be
 * read as digits: o, i, l, z, s, b, every letter of another script, and rare Latin ones. Not `100s`, and not `24cm`.
 */
export const DISGUISED_NUMBER = [
  String.raw`(?<![\p{L}\p{M}\p{N}])(?!\d+0s(?![\p{L}\p{M}\p{N}]))`,
  String.raw`(?=\d{0,${LONGEST}}${LOOKS_LIKE_ONE})(?=${LOOKS_LIKE_ONE}{0,${LONGEST}}\d${LOOKS_LIKE_ONE}{0,${LONGEST}}\d)`,
  String.raw`(?:\d|${LOOKS_LIKE_ONE}){4,${LONGEST}}(?![\p{L}\p{M}\p{N}])`,
].join("");
