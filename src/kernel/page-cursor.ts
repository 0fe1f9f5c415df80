/** Where the next page of a list starts: opaque to clients, checked when it comes back. */
import { ProblemError } from "./errors.ts";

export const cursorOf = (atMs: number, id: string): string =>
  Buffer.from(JSON.stringify([atMs, id])).toString("base64url");

/** @throws ProblemError `cursor_unknown` */
export function readCursor(cursor: string): { readonly atMs: number; readonly id: string } {
  try {
    const [atMs, id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as [unknown, unknown];
    if (Number.isSafeInteger(atMs) && typeof id === "string" && /^[\w-]{1,64}$/.test(id)) {
      return { atMs: atMs as number, id };
    }
  } catch {
    // Refused below, like any other text.
  }
  throw new ProblemError("cursor_unknown");
}
