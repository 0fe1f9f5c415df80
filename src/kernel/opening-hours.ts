/**
 * When people are there: times of day by weekday in the merchant's time zone, with days on which nobody
 * is. Pure; days and clock changes are the calendar's, not milliseconds.
 */
import { Temporal } from "temporal-polyfill";

/** Monday first. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** `09:00` to `17:30`: from before to after on one day; `24:00` is its end. */
export interface OpenSpan {
  readonly from: string;
  readonly to: string;
}

export interface OpeningHours {
  readonly week: Readonly<Partial<Record<Weekday, readonly OpenSpan[]>>>;
  /** Calendar dates (`2026-12-25`) on which nobody is there. */
  readonly closedOn?: readonly string[];
}

/** `unknown`: nobody is there in the next fortnight. */
export type Opening =
  | { readonly state: "open"; readonly untilMs: number }
  | { readonly state: "closed"; readonly opensAtMs: number }
  | { readonly state: "unknown" };

const DAYS_AHEAD = 14;

export function openingAt(hours: OpeningHours, timeZone: string, nowMs: number): Opening {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const date = today.add({ days: ahead });
    if (hours.closedOn?.includes(date.toString())) continue;
    const spans = hours.week[WEEKDAYS[date.dayOfWeek - 1] as Weekday] ?? [];
    const times = spans
      .map(({ from, to }) => ({ fromMs: at(date, from, timeZone), toMs: at(date, to, timeZone) }))
      .toSorted((a, b) => a.fromMs - b.fromMs);
    for (const { fromMs, toMs } of times) {
      if (nowMs < fromMs) return { state: "closed", opensAtMs: fromMs };
      if (nowMs < toMs) return { state: "open", untilMs: toMs };
    }
  }
  return { state: "unknown" };
}

function at(date: Temporal.PlainDate, time: string, timeZone: string): number {
  const isMidnight = time === "24:00";
  return (isMidnight ? date.add({ days: 1 }) : date).toZonedDateTime({
    timeZone,
    plainTime: isMidnight ? "00:00" : time,
  }).epochMilliseconds;
}

/** True for `09:00`; also `24:00`, as an end. */
export const isTimeOfDay = (text: string): boolean => /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text);
