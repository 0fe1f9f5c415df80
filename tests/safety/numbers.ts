/** Numbers for tests and evaluations of the safety filter: made from a seed, valid by their own check digits. */
import type { Random } from "../../src/kernel/ports.ts";

export const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random.fraction() * from.length)] as T;
export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random.fraction() * 10)).join("");

/** Prefix and length of each network's numbers. */
export const NETWORKS: readonly (readonly [name: string, prefix: string, length: number])[] = [
  ["Visa", "4", 16],
  ["Visa, long", "4", 19],
  ["Mastercard", "54", 16],
  ["Mastercard, 2 series", "2720", 16],
  ["American Express", "37", 15],
  ["Diners Club", "36", 14],
  ["Discover", "6011", 16],
  ["JCB", "3530", 16],
  ["Maestro", "6759", 16],
  ["UnionPay", "62", 19],
];

export function card(random: Random, [, prefix, length]: (typeof NETWORKS)[number]): string {
  const body = prefix + digits(random, length - prefix.length - 1);
  return body + luhnDigit(body);
}

function luhnDigit(body: string): string {
  let sum = 0;
  for (const [index, letter] of [...body].reverse().entries()) {
    const digit = Number(letter);
    sum += index % 2 === 0 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return String((10 - (sum % 10)) % 10);
}

/** As people type it: whole, in the groups that are printed on it, or digit by digit. */
export function grouped(random: Random, number: string): string {
  const sign = pick(random, [" ", "-", ".", "  ", "_", " - ", "\u00a0", "\n", "\u2013"]);
  const groups =
    number.length === 15
      ? /(.{4})(.{6})(.{5})/.exec(number)?.slice(1)
      : number.length === 14
        ? /(.{4})(.{6})(.{4})/.exec(number)?.slice(1)
        : number.match(/.{1,4}/g);
  return pick(random, [number, (groups ?? []).join(sign), [...number].join(pick(random, [" ", "-", "."]))]);
}

const IBAN_SHAPES: readonly (readonly [country: string, digits: number])[] = [
  ["DE", 18],
  ["AT", 16],
  ["ES", 20],
  ["PT", 21],
  ["BE", 12],
  ["FR", 23],
];
export function iban(random: Random): string {
  const [country, length] = pick(random, IBAN_SHAPES);
  const account = digits(random, length);
  const letters = [...country].map((letter) => letter.charCodeAt(0) - 55).join("");
  const check = 98n - (BigInt(`${account}${letters}00`) % 97n);
  return `${country}${String(check).padStart(2, "0")}${account}`;
}

/** The same text with every digit in another script or width, or with something invisible between. */
export function disguised(random: Random, text: string): string {
  const zero = pick(random, [0xff10, 0x0660, 0x06f0, 0x0966, 0x1d7ce, 0x1d7f6]);
  const hidden = pick(random, ["\u200b", "\u2060", "\u00ad", "\ufe0f", "\u202c", "\u0336"]);
  return pick(random, [
    () => text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
    () => [...text].join(hidden),
    () => text.replace(/\d/g, (digit) => `${digit}\ufe0f\u20e3`),
  ])();
}
