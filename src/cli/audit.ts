/**
 * `recourse audit verify | export`: the hash chain as a file of JSON lines, one entry a line, oldest
 * first, checked offline: no server, no database and no key is needed, only the file.
 */
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { type AuditRow, CHAIN_START, firstBrokenLink } from "../evidence/audit.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments } from "./command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS } from "./operator.ts";
import { openRecords } from "./records.ts";
import { paintFor, plainLine } from "./terminal.ts";

/** A line longer than any entry is not of an export of ours. */
const LINE_CHARS_MAX = 4_000_000;
/** Entries checked at once: bounds memory for a chain of any length. */
const BATCH = 1_000;

export interface ChainReport {
  /** Entries that hold. */
  readonly entries: number;
  /** Hash of the last of them: kept elsewhere, it shows later whether the end was cut off. */
  readonly head: string;
  /** Null when every link holds. `line` counts from 1. */
  readonly broken: { readonly n: number; readonly line: number; readonly why: string } | null;
}

/** Checks an export's lines from the first entry on; stops at the first broken link. */
export async function checkChain(lines: AsyncIterable<string> | Iterable<string>): Promise<ChainReport> {
  let checked = { n: 0, hash: CHAIN_START };
  let batch: { row: AuditRow; line: number }[] = [];
  let line = 0;

  /** Null when the batch holds. */
  const check = (): ChainReport | null => {
    const broken = firstBrokenLink(
      batch.map(({ row }) => row),
      checked,
    );
    if (broken !== null) {
      const at = broken.n - checked.n - 1;
      const before = batch[at - 1]?.row ?? checked;
      const found = batch[at]?.line ?? line;
      return { entries: broken.n - 1, head: before.hash, broken: { ...broken, line: found } };
    }
    const last = batch.at(-1)?.row;
    if (last !== undefined) checked = { n: last.n, hash: last.hash };
    batch = [];
    return null;
  };

  for await (const text of lines) {
    line += 1;
    if (text.trim() === "") continue;
    const row = text.length > LINE_CHARS_MAX ? null : rowOf(text);
    if (row === null) {
      const earlier = check();
      if (earlier !== null) return earlier;
      const why = "this line is no entry: JSON with n, at_ms, kind, subject, body, prev_hash and hash";
      return { entries: checked.n, head: checked.hash, broken: { n: checked.n + 1, line, why } };
    }
    batch.push({ row, line });
    const broken = batch.length < BATCH ? null : check();
    if (broken !== null) return broken;
  }
  return check() ?? { entries: checked.n, head: checked.hash, broken: null };
}

function rowOf(text: string): AuditRow | null {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
  if (value === null || typeof value !== "object") return null;
  const texts = ["kind", "subject", "prev_hash", "hash"].every((name) => typeof value[name] === "string");
  const numbers = ["n", "at_ms"].every((name) => Number.isSafeInteger(value[name]));
  return texts && numbers && "body" in value ? (value as unknown as AuditRow) : null;
}

export const auditVerify: Command = {
  name: "audit verify",
  summary: "Check an export of the audit log and name the first broken link",
  help: `Usage: recourse audit verify FILE [--entries N] [--head HASH]
       recourse audit verify --url URL [--tenant NAME]
       recourse audit export | recourse audit verify -

  FILE             an export: one JSON entry a line; - reads from stdin
  --entries N      there must be at least N entries: shows an end that was cut off
  --head HASH      the chain must contain the entry with this hash (a checkpoint kept elsewhere)
  --live           read the log from the server or, when none runs, from the data folder
${OPERATOR_HELP}

A file is checked offline. Exit codes: 0 every link holds, 1 a link is broken, 2 arguments.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "audit verify",
      args,
      {
        ...OPERATOR_OPTIONS,
        entries: { type: "string" },
        head: { type: "string" },
        live: { type: "boolean" },
      },
      ["FILE?"],
    );
    const [file] = words;
    const live = file === undefined && (values.live === true || values.url !== undefined);
    if (file === undefined && !live) {
      throw new CliError(
        "Which log? Neither a FILE nor --live or --url was given.",
        "`recourse audit export > audit.jsonl` writes a file; `recourse audit verify --live` checks the log itself.",
        EXIT.usage,
      );
    }
    const heads = { wanted: values.head, seen: values.head === undefined };
    const watched = async function* (lines: AsyncIterable<string>) {
      for await (const line of lines) {
        if (!heads.seen && line.includes(`"hash":"${heads.wanted}"`)) heads.seen = true;
        yield line;
      }
    };
    const report = await checkChain(watched(live ? liveLines(values, io) : fileLines(file as string, io)));
    const paint = paintFor(io.output, io.env);
    const say = (ok: boolean, text: string, next = "") => {
      io.output.write(`${ok ? paint("green", "✓") : paint("red", "✗")} ${text}\n`);
      if (next !== "") io.output.write(`  ${paint("cyan", "→")} ${next}\n`);
    };
    const { broken, entries, head } = report;
    if (broken !== null) {
      say(
        false,
        `The chain is broken at entry ${broken.n} (line ${broken.line}): ${broken.why}.`,
        `The ${broken.n - 1} entries before it hold. Compare from entry ${broken.n} on with another export or a backup.`,
      );
      return EXIT.no;
    }
    say(true, `${entries} entries, every link holds. Last hash: ${head}`);
    if (values.entries !== undefined && entries < Number(values.entries)) {
      say(false, `There should be at least ${plainLine(values.entries, 20)} entries: the end is missing.`);
      return EXIT.no;
    }
    if (!heads.seen) {
      say(
        false,
        "No entry has the hash given with --head: this is not that chain, or its end was cut off and rewritten.",
      );
      return EXIT.no;
    }
    return EXIT.ok;
  },
};

export const auditExport: Command = {
  name: "audit export",
  summary: "Write the audit log of a tenant as JSON lines",
  help: `Usage: recourse audit export [--out FILE]

  --out FILE       a new file; stdout unless stated
${OPERATOR_HELP}

Asks the server; when none runs on this machine, reads the data folder or DATABASE_URL itself.`,
  async run(args, io) {
    const { values } = readArguments("audit export", args, { ...OPERATOR_OPTIONS, out: { type: "string" } });
    const lines = liveLines(values, io);
    // The first entry is read before a file is made, so that a refusal leaves none.
    let next = await lines.next();
    const target =
      values.out === undefined ? io.output : createWriteStream(values.out, { flags: "wx", mode: 0o600 });
    const failed = once(target, "error").then(([error]) => {
      throw error;
    });
    failed.catch(() => {});
    let entries = 0;
    try {
      for (; !next.done; next = await lines.next()) {
        if (!target.write(`${next.value}\n`)) await Promise.race([once(target, "drain"), failed]);
        entries += 1;
      }
      if (values.out !== undefined)
        // The callback of `end` also hears of an error: it must not count as the end.
        await Promise.race([
          new Promise<void>((done) =>
            target.end((error?: Error | null) => {
              if (!error) done();
            }),
          ),
          failed,
        ]);
    } catch (error) {
      throw fileError(error, values.out ?? "stdout");
    }
    io.error.write(
      `${entries} entries. Check them with \`recourse audit verify ${values.out ?? "FILE"}\`.\n`,
    );
    return EXIT.ok;
  },
};

async function* liveLines(
  values: {
    readonly url?: string | undefined;
    readonly token?: string | undefined;
    readonly tenant?: string | undefined;
  },
  io: CommandIo,
): AsyncGenerator<string, void> {
  const records = await openRecords(values, io);
  try {
    let after = 0;
    for (;;) {
      const rows = await records.audit(after);
      for (const row of rows) yield JSON.stringify(row);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.n;
    }
  } finally {
    await records.close();
  }
}

async function* fileLines(file: string, io: CommandIo): AsyncGenerator<string> {
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

function fileError(error: unknown, file: string): unknown {
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
