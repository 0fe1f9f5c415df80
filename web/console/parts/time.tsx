/** Times in the viewer's own zone: how long ago, with the whole instant on hover and for screen readers. */
import { useEffect, useState } from "react";
import { relativeTime } from "./relative-time.ts";

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

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
