/**
 * Time that counts: a clock that runs only while people are there. Pure. Without hours it always runs; where
 * nobody is there for a fortnight it runs as if there were no hours, so that nothing is ever due never.
 */
import { type OpeningHours, openingAt } from "./opening-hours.ts";

/** Spans looked at before the rest is counted as open: more than two years of one span a working day. */
const SPANS_MAX = 600;

/** The instant at which `openMs` of opening time have passed since `fromMs`. */
export function afterOpenTime(
  hours: OpeningHours | null,
  timeZone: string,
  fromMs: number,
  openMs: number,
): number {
  let atMs = fromMs;
  let leftMs = openMs;
  for (let spans = 0; hours !== null && spans < SPANS_MAX; spans += 1) {
    const opening = openingAt(hours, timeZone, atMs);
    if (opening.state === "unknown") break;
    if (opening.state === "closed") {
      atMs = opening.opensAtMs;
      continue;
    }
    if (atMs + leftMs <= opening.untilMs) break;
    leftMs -= opening.untilMs - atMs;
    atMs = opening.untilMs;
  }
  return atMs + leftMs;
}

/** Opening time from `fromMs` to `toMs`; negative when `toMs` is the earlier one. */
export function openTimeBetween(
  hours: OpeningHours | null,
  timeZone: string,
  fromMs: number,
  toMs: number,
): number {
  if (toMs < fromMs) return -openTimeBetween(hours, timeZone, toMs, fromMs);
  let atMs = fromMs;
  let countedMs = 0;
  for (let spans = 0; hours !== null && spans < SPANS_MAX && atMs < toMs; spans += 1) {
    const opening = openingAt(hours, timeZone, atMs);
    if (opening.state === "unknown") break;
    if (opening.state === "closed") {
      atMs = opening.opensAtMs;
      continue;
    }
    const endMs = Math.min(opening.untilMs, toMs);
    countedMs += endMs - atMs;
    atMs = endMs;
  }
  return countedMs + Math.max(0, toMs - atMs);
}

/** Whether the clock runs at this instant. */
export const isOpenAt = (hours: OpeningHours | null, timeZone: string, atMs: number): boolean =>
  hours === null || openingAt(hours, timeZone, atMs).state !== "closed";
