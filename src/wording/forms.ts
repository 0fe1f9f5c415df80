/**
 * Money, dates and lists as each language writes them. Pure.
 *
 * An amount keeps every digit and names its currency by its code, without grouping: `15000 JPY` and
 * `1299,00 EUR` can be read in one way only, and come back as text (a button) unchanged.
 */
import { calendarDaysBetween, speakDate } from "../kernel/calendar.ts";
import type { Language } from "../kernel/language.ts";
import { formatMoney, type Money } from "../kernel/money.ts";

/** For `Intl`. */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: "en-GB",
  es: "es",
  de: "de",
  fr: "fr",
  pt: "pt-PT",
  it: "it",
};

/** @example spokenMoney({ amountMinor: 2450, currency: "EUR" }, "de") // "24,50 EUR" */
export const spokenMoney = (money: Money, language: Language): string =>
  language === "en" ? formatMoney(money) : formatMoney(money).replace(".", ",");

/** `a`, `a and b`, `a, b and c`; with "or": `a, b or c`. */
export function spokenList(
  parts: readonly string[],
  language: Language,
  joint: "conjunction" | "disjunction" = "conjunction",
): string {
  const key = `${language} ${joint}`;
  const format = LISTS.get(key) ?? new Intl.ListFormat(LOCALES[language], { type: joint });
  LISTS.set(key, format);
  return format.format(parts);
}
const LISTS = new Map<string, Intl.ListFormat>();

/** A day as it stands in a sentence: `yesterday`, `on Tuesday 10 November`. */
export function spokenDay(
  atMs: number,
  place: { readonly now: number; readonly timeZone: string },
  language: Language,
): string {
  const near = NEAR_DAYS[language][calendarDaysBetween(place.timeZone, place.now, atMs) + 1];
  return near ?? ON_DATE[language](spokenDate(atMs, place, language));
}

/** A date by itself: `Tuesday 10 November`, with the year when it is another one. */
export const spokenDate = (
  atMs: number,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
  language: Language,
): string => speakDate(timeZone, atMs, now, LOCALES[language]);

/** Yesterday, today, tomorrow. */
export const NEAR_DAYS: Readonly<Record<Language, readonly [string, string, string]>> = {
  en: ["yesterday", "today", "tomorrow"],
  es: ["ayer", "hoy", "mañana"],
  de: ["gestern", "heute", "morgen"],
  fr: ["hier", "aujourd'hui", "demain"],
  pt: ["ontem", "hoje", "amanhã"],
  it: ["ieri", "oggi", "domani"],
};

/** A date with its preposition. */
export const ON_DATE: Readonly<Record<Language, (date: string) => string>> = {
  en: (date) => `on ${date}`,
  es: (date) => `el ${date}`,
  de: (date) => `am ${date}`,
  fr: (date) => `le ${date}`,
  // Days of the week have a gender.
  pt: (date) => (/^(?:sábado|domingo)/.test(date) ? `no ${date}` : `na ${date}`),
  it: (date) => date,
};
