/** A date that was worked out for its quarter-hour is the date of every instant in it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { calendarDaysBetween, dateIn } from "../../src/kernel/calendar.ts";

const DAY_MS = 86_400_000;
const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
const instant = fc.integer({ min: Date.UTC(1973, 0, 1), max: Date.UTC(2099, 11, 31) });
const plainly = (timeZone: string, atMs: number) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    atMs,
  );

test("the date of an instant is the calendar's in every zone, also in the milliseconds around midnight", () => {
  fc.assert(
    fc.property(zone, instant, fc.constantFrom(-1, 0, 1), (timeZone, atMs, beside) => {
      // Every hour and quarter has a zone where it is midnight.
      const near = Math.floor(atMs / 900_000) * 900_000 + beside;
      for (const at of [atMs, near]) expect(dateIn(timeZone, at)).toBe(plainly(timeZone, at));
    }),
    { numRuns: 1_000 },
  );
});

test("days between two instants are counted by dates across a change of the clock", () => {
  const noon = Date.UTC(2026, 2, 28, 12);
  expect(calendarDaysBetween("Europe/Berlin", noon, noon + DAY_MS)).toBe(1);
  expect(calendarDaysBetween("Europe/Berlin", noon, noon + 10 * 3_600_000)).toBe(0);
  expect(calendarDaysBetween("Europe/Berlin", noon, noon + 11 * 3_600_000)).toBe(1);
  expect(calendarDaysBetween("America/New_York", noon, noon - DAY_MS)).toBe(-1);
});
