/** A clock that runs only while people are there. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type OpeningHours, openingAt } from "../../src/kernel/opening-hours.ts";
import { afterOpenTime, isOpenAt, openTimeBetween } from "../../src/kernel/opening-time.ts";

const BERLIN = "Europe/Berlin";
const hour = 3_600_000;
const at = (text: string) => Date.parse(text);
const nine = [{ from: "09:00", to: "17:00" }];
const WEEK: OpeningHours = {
  week: { mon: nine, tue: nine, wed: nine, thu: nine, fri: [{ from: "09:00", to: "12:00" }] },
  closedOn: ["2026-12-25"],
};

describe("what is due after opening time", () => {
  test.each([
    ["within a day", "2026-12-01T10:00:00+01:00", 2, "2026-12-01T12:00:00+01:00"],
    ["over a night", "2026-12-01T16:00:00+01:00", 2, "2026-12-02T10:00:00+01:00"],
    ["asked before opening", "2026-12-01T03:00:00+01:00", 1, "2026-12-01T10:00:00+01:00"],
    ["over a weekend", "2026-12-04T11:30:00+01:00", 1, "2026-12-07T09:30:00+01:00"],
    ["over a holiday and a weekend", "2026-12-24T16:30:00+01:00", 1, "2026-12-28T09:30:00+01:00"],
    ["to the very end of a day", "2026-12-01T16:00:00+01:00", 1, "2026-12-01T17:00:00+01:00"],
    ["over the change to summer time", "2026-03-27T11:00:00+01:00", 2, "2026-03-30T10:00:00+02:00"],
  ])("%s", (_, from, hours, due) => {
    const dueMs = afterOpenTime(WEEK, BERLIN, at(from), hours * hour);
    expect(new Date(dueMs).toISOString()).toBe(new Date(at(due)).toISOString());
    expect(openTimeBetween(WEEK, BERLIN, at(from), dueMs)).toBe(hours * hour);
    expect(openTimeBetween(WEEK, BERLIN, dueMs, at(from))).toBe(-hours * hour);
  });

  test("without hours is wall time; with nobody there for a fortnight it is due all the same", () => {
    const from = at("2026-12-01T16:00:00+01:00");
    expect(afterOpenTime(null, BERLIN, from, 5 * hour)).toBe(from + 5 * hour);
    expect(afterOpenTime({ week: {} }, BERLIN, from, 5 * hour)).toBe(from + 5 * hour);
    expect(openTimeBetween({ week: {} }, BERLIN, from, from + hour)).toBe(hour);
  });
});

test("counting forward and counting back agree, for any hours; what is due is never due while it is closed", () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 22 }), fc.integer({ min: 1, max: 23 }))
    .map(([from, long]) => ({ from: clock(from), to: clock(Math.min(24, from + long)) }));
  const hours = fc.record({
    week: fc.record(
      {
        mon: fc.array(span, { maxLength: 1 }),
        wed: fc.array(span, { maxLength: 1 }),
        sun: fc.array(span, { maxLength: 1 }),
      },
      { requiredKeys: [] },
    ),
  });
  const zone = fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland");
  const from = fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2027-12-31T00:00:00Z") });
  fc.assert(
    fc.property(
      hours,
      zone,
      from,
      fc.integer({ min: 1, max: 60 * hour }),
      (set, timeZone, fromMs, openMs) => {
        const dueMs = afterOpenTime(set, timeZone, fromMs, openMs);
        expect(openTimeBetween(set, timeZone, fromMs, dueMs)).toBe(openMs);
        if (openingAt(set, timeZone, fromMs).state !== "unknown") {
          expect(isOpenAt(set, timeZone, dueMs - 1)).toBe(true);
        }
      },
    ),
    { numRuns: 200 },
  );
});

const clock = (hours: number) => `${String(hours).padStart(2, "0")}:00`;
