/**
 * Calendar rules in a merchant's time zone, by dates and never by milliseconds: a return window
 * ends with a day of the merchant's calendar, also across a clock change.
 */
import { Temporal } from "temporal-polyfill";

/** The calendar date (`2026-11-09`) of an instant in an IANA time zone. */
export function dateIn(timeZone: string, atMs: number): string {
  return zoned(timeZone, atMs).toPlainDate().toString();
}

/** Whole calendar days from one instant to a later one in a time zone: 0 on the same date. */
export function calendarDaysBetween(timeZone: string, fromMs: number, toMs: number): number {
  const from = zoned(timeZone, fromMs).toPlainDate();
  return from.until(zoned(timeZone, toMs).toPlainDate(), { largestUnit: "day" }).days;
}

/** The first instant after the last day of a window of `days` calendar days that started at `fromMs`. */
export function windowEndMs(timeZone: string, fromMs: number, days: number): number {
  return zoned(timeZone, fromMs)
    .toPlainDate()
    .add({ days: days + 1 })
    .toZonedDateTime({ timeZone, plainTime: "00:00" }).epochMilliseconds;
}

/** The instant at which a calendar date (`2026-01-01`) starts in a time zone. */
export function startOfDateMs(timeZone: string, date: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: "00:00" }).epochMilliseconds;
}

/** A date for people in a time zone: `Tuesday 10 November` (with the year when it is not the current one). */
export function speakDate(timeZone: string, atMs: number, nowMs: number, locale = "en-GB"): string {
  const sameYear = zoned(timeZone, atMs).year === zoned(timeZone, nowMs).year;
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(new Date(atMs));
}

/** RFC 3339 text of an instant in UTC. */
export function isoInstant(atMs: number): string {
  return new Date(atMs).toISOString();
}

function zoned(timeZone: string, atMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
}
