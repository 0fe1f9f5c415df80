/** Times in the viewer's own zone: how long ago, with the whole instant on hover and for screen readers. */
import { useEffect, useState } from "react";

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
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** How far this machine's clock may be from the server's before what has just happened stands in the future. */
const SKEW_MS = 120_000;

/**
 * `3 min. ago`, `in 2 hr.`. What has happened is never said to come: where the clocks differ, it is now.
 * Pure.
 */
export function relativeTime(atMs: number, nowMs: number, isPast = false): string {
  const ahead = atMs - nowMs;
  const difference = isPast && ahead > 0 && ahead < SKEW_MS ? 0 : ahead;
  const [, unit] = STEPS.find(([below]) => Math.abs(difference) < below) ?? [0, "week" as const];
  return relative.format(Math.round(difference / (SIZES[unit] ?? 1)), unit);
}

/** The same clock for everything that is shown, moving on every ten seconds. */
export function useNow(everyMs = 10_000): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

interface TimeProps {
  readonly at: string;
  /** An end that is to come; everything else has happened. */
  readonly isToCome?: boolean;
}

export function Time({ at, isToCome = false }: TimeProps) {
  const nowMs = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={whole.format(date)} className="whitespace-nowrap">
      {relativeTime(date.getTime(), nowMs, !isToCome)}
    </time>
  );
}

/** The instant itself, for logs and evidence. */
export function Instant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap tabular-nums">
      {new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(at))}
    </time>
  );
}
