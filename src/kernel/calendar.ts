/**
 * Calendar rules in a merchant's time zone, by dates and never by milliseconds: a return window
 * ends with a day of the merchant's calendar, also across a clock change.
 */
import { Temporal } from "temporal-polyfill";
import { keepingLatest } from "./latest.ts";

/** The calendar date (`2026-11-09`) of an instant in an IANA time zone. */
export function dateIn(timeZone: string, atMs: number): string {
  return dateOfQuarter(`${Math.floor(atMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS} ${timeZone}`);
}
/** Since 1972 every zone is a whole number of quarter-hours from UTC, and changes its clock on one: none has a midnight inside. */
const QUARTER_HOUR_MS = 900_000;
const dateOfQuarter = keepingLatest((quarter) => {
  const at = quarter.indexOf(" ");
  const timeZone = quarter.slice(at + 1);
  // Swedish writes dates as ISO 8601 does; a kept format is ten times as fast as the polyfill's arithmetic.
  const format = formatOf("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return format.format(Number(quarter.slice(0, at)));
}, 512);

/** Whole calendar days from one instant to another in a time zone: 0 on the same date, negative when it is earlier. */
export function calendarDaysBetween(timeZone: string, fromMs: number, toMs: number): number {
  // As dates of the proleptic calendar in UTC, where every day has 24 hours.
  return (Date.parse(dateIn(timeZone, toMs)) - Date.parse(dateIn(timeZone, fromMs))) / DAY_MS;
}
const DAY_MS = 86_400_000;

/** `2026-02-28` → `2026-03-01`. */
export const dayAfter = (date: string): string => Temporal.PlainDate.from(date).add({ days: 1 }).toString();

/** The first instant after the last day of a window of `days` calendar days that started at `fromMs`. */
export function windowEndMs(timeZone: string, fromMs: number, days: number): number {
  return Temporal.PlainDate.from(dateIn(timeZone, fromMs))
    .add({ days: days + 1 })
    .toZonedDateTime({ timeZone, plainTime: "00:00" }).epochMilliseconds;
}

/** The instant at which a calendar date (`2026-01-01`) starts in a time zone. */
export function startOfDateMs(timeZone: string, date: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: "00:00" }).epochMilliseconds;
}

/** A date for people in a time zone: `Tuesday 10 November` (with the year when it is not the current one). */
export function speakDate(timeZone: string, atMs: number, nowMs: number, locale = "en-GB"): string {
  const sameYear = dateIn(timeZone, atMs).slice(0, 4) === dateIn(timeZone, nowMs).slice(0, 4);
  return formatOf(locale, {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(atMs);
}

/** A format that is kept once it was made. `options` are few and of code, never of somebody's text. */
export function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = FORMATS.get(key) ?? new Intl.DateTimeFormat(locale, options);
  FORMATS.set(key, format);
  return format;
}
/** A format takes half a millisecond to make; there are few locales and time zones. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** RFC 3339 text of an instant in UTC. */
export function isoInstant(atMs: number): string {
  return new Date(atMs).toISOString();
}
