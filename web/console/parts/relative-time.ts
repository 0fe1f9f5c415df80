/** How long ago, or in how long, in few letters of the viewer's language. Pure. */

const STEPS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [60_000, "second"],
  [3_600_000, "minute"],
  [86_400_000, "hour"],
  [7 * 86_400_000, "day"],
  [Number.POSITIVE_INFINITY, "week"],
];
const SIZES: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
};
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });

/** How far this machine's clock may be from the server's before what has just happened stands in the future. */
const SKEW_MS = 120_000;

/**
 * `3 min. ago`, `in 2 hr.`. What has happened is never said to come: where the clocks differ, it is now.
 */
export function relativeTime(atMs: number, nowMs: number, isPast = false): string {
  const ahead = atMs - nowMs;
  const difference = isPast && ahead > 0 && ahead < SKEW_MS ? 0 : ahead;
  const [, unit] = STEPS.find(([below]) => Math.abs(difference) < below) ?? [0, "week" as const];
  return relative.format(Math.round(difference / (SIZES[unit] ?? 1)), unit);
}
