/** From when a version is in force, as people write it: a date of the tenant's calendar, or an instant. Pure. */
import { startOfDateMs } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";

/** @throws ProblemError `document_invalid` */
export function effectiveInstant(text: string, timeZone: string): number {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return startOfDateMs(timeZone, text);
    const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
    if (Number.isFinite(ms)) return ms;
  } catch {
    // A date that the calendar does not have.
  }
  throw new ProblemError(
    "document_invalid",
    `"${text.slice(0, 40)}" is neither a date such as 2026-03-01 nor an instant such as 2026-03-01T00:00:00Z.`,
  );
}
