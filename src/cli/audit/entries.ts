/** Entries as lines of JSON: from a file, or from the log itself. And what is wrong when a file cannot be used. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { AuditPart, AuditRowOf } from "../../evidence/reading.ts";
import { CliError, type CommandIo, EXIT } from "../command.ts";
import { openRecords } from "../records.ts";
import { plainLine } from "../terminal.ts";

export interface Where {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly tenant?: string | undefined;
}

/** Every entry of the log, or of the part of it. */
export async function* liveEntries(
  where: Where,
  io: CommandIo,
  part: AuditPart = {},
): AsyncGenerator<AuditRowOf, void> {
  const records = await openRecords(where, io);
  try {
    let after = 0;
    for (;;) {
      const rows = await records.audit(after, part);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.n;
    }
  } finally {
    await records.close();
  }
}

export async function* fileLines(file: string, io: CommandIo): AsyncGenerator<string> {
  const input = file === "-" ? io.input : createReadStream(file);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const failed = once(input, "error").then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  const iterator = lines[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), failed]);
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw fileError(error, file);
  } finally {
    lines.close();
  }
}

export function fileError(error: unknown, file: string): unknown {
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  const shown = plainLine(file, 200);
  switch (code) {
    case "ENOENT":
      return new CliError(`There is no file ${shown}.`, "Check the path.", EXIT.usage, error);
    case "EEXIST":
      return new CliError(
        `${shown} exists already.`,
        "Choose another name: an export replaces nothing.",
        EXIT.usage,
        error,
      );
    case "EACCES":
    case "EISDIR":
    case "ENOSPC":
      return new CliError(`${shown} cannot be used (${message}).`, "Choose another path.", EXIT.no, error);
    default:
      return error;
  }
}
