/** `recourse audit export`: the log, or a part of it, as lines of JSON that can be verified, or as CSV for spreadsheets. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { AUDIT_CSV_HEAD, auditCsvLine } from "../../evidence/audit-csv.ts";
import type { AuditPart } from "../../evidence/reading.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments } from "../command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS } from "../operator.ts";
import { plainLine } from "../terminal.ts";
import { fileError, liveEntries, type Where } from "./entries.ts";

const FORMATS = ["jsonl", "csv"] as const;
const DAY_MS = 86_400_000;

export const auditExport: Command = {
  name: "audit export",
  summary: "Write the audit log of a tenant, or a part of it, as JSON lines or CSV",
  help: `Usage: recourse audit export [--out FILE] [--format jsonl|csv]
       recourse audit export --from 2026-11-01 --to 2026-11-30 --customer ID --order NUMBER

  --out FILE       a new file; stdout unless stated
  --format FORMAT  jsonl (can be verified) or csv (for spreadsheets; formulas are made text)
  --from DATE      entries from this day on: 2026-11-01 (UTC), or an instant with its offset
  --to DATE        entries to the end of this day, or before an instant
  --customer ID    entries that concern this customer
  --order NUMBER   entries about its refunds and returns, and about their reviews
${OPERATOR_HELP}

Asks the server; when none runs on this machine, reads the data folder or DATABASE_URL itself.`,
  async run(args, io) {
    const { values } = readArguments("audit export", args, {
      ...OPERATOR_OPTIONS,
      out: { type: "string" },
      format: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      customer: { type: "string" },
      order: { type: "string" },
    });
    const format = FORMATS.find((name) => name === (values.format ?? "jsonl"));
    if (format === undefined) {
      throw new CliError(
        `--format is ${FORMATS.join(" or ")}, not "${plainLine(values.format, 20)}".`,
        "Correct the option.",
        EXIT.usage,
      );
    }
    const part: AuditPart = {
      fromMs: values.from === undefined ? null : instantOf("from", values.from, 0),
      toMs: values.to === undefined ? null : instantOf("to", values.to, DAY_MS),
      customerId: values.customer ?? null,
      orderNumber: values.order ?? null,
    };
    const entries = await writeLines(lines(values, io, part, format), values.out, io);
    const isPart = Object.values(part).some((each) => each !== null);
    const check = `Check them with \`recourse audit verify ${plainLine(values.out ?? "FILE", 200)}${isPart ? " --part" : ""}\`.`;
    io.error.write(`${entries} entries.${format === "csv" ? "" : ` ${check}`}\n`);
    return EXIT.ok;
  },
};

async function* lines(
  where: Where,
  io: CommandIo,
  part: AuditPart,
  format: (typeof FORMATS)[number],
): AsyncGenerator<string, void> {
  let isFirst = true;
  for await (const entry of liveEntries(where, io, part)) {
    if (format === "jsonl") yield `${JSON.stringify(entry)}\n`;
    else yield `${isFirst ? AUDIT_CSV_HEAD : ""}${auditCsvLine(entry)}`;
    isFirst = false;
  }
}

/** Writes them to a new file, or to stdout; answers with how many. */
async function writeLines(
  source: AsyncGenerator<string, void>,
  file: string | undefined,
  io: CommandIo,
): Promise<number> {
  // The first line is read before a file is made, so that a refusal leaves none.
  let next = await source.next();
  const target = file === undefined ? io.output : createWriteStream(file, { flags: "wx", mode: 0o600 });
  const failed = once(target, "error").then(([error]) => {
    throw error;
  });
  failed.catch(() => {});
  let written = 0;
  try {
    for (; !next.done; next = await source.next()) {
      if (!target.write(next.value)) await Promise.race([once(target, "drain"), failed]);
      written += 1;
    }
    if (file !== undefined)
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
    throw fileError(error, file ?? "stdout");
  }
  return written;
}

/** A day (UTC), moved on by `dayMs`, or an instant as it is. @throws CliError */
function instantOf(option: string, text: string, dayMs: number): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const atMs =
    isDay || /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) {
    throw new CliError(
      `--${option} is a day such as 2026-11-01, or an instant such as 2026-11-01T08:00:00Z, not "${plainLine(text, 40)}".`,
      "Correct the option.",
      EXIT.usage,
    );
  }
  return isDay ? atMs + dayMs : atMs;
}
