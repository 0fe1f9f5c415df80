/** `recourse customers export | erase | erasures | erase-again`: what customers may ask of their data. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Erasure } from "../privacy/erasures.ts";
import { fileError } from "./audit/entries.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments } from "./command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS, operatorApi, operatorError } from "./operator.ts";
import { paintFor, plainLine } from "./terminal.ts";

const call = async <T>(
  values: Parameters<typeof operatorApi>[0],
  io: CommandIo,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<T> => {
  try {
    return await operatorApi(values, io).call<T>(method, path, body);
  } catch (error) {
    throw operatorError(error);
  }
};

function write(text: string, out: string | undefined, io: CommandIo): void {
  if (out === undefined) {
    io.output.write(text);
    return;
  }
  try {
    writeFileSync(out, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw fileError(error, out);
  }
}

function tell(erasure: Erasure, io: CommandIo): void {
  const paint = paintFor(io.output, io.env);
  const { erased_at: at, report } = erasure;
  io.output.write(
    at === null
      ? `${paint("yellow", "…")} Erased, and something of theirs is still open: it is erased again once that has ended.\n`
      : `${paint("green", "✓")} Erased.\n`,
  );
  if (report === null) return;
  const counts = Object.entries(report.erased).filter(([, count]) => count > 0);
  io.output.write(
    `  ${counts.map(([name, count]) => `${count} ${plainLine(name, 40).replaceAll("_", " ")}`).join(", ") || "nothing more was there"}\n`,
  );
  io.output.write(
    `  kept without words: ${report.kept.actions} refunds and returns, ${report.kept.audit_entries} audit entries\n`,
  );
  if (report.audit_entries_with_words > 0) {
    io.output.write(
      `  ${report.audit_entries_with_words} older audit entries have a note in them for good\n`,
    );
  }
  for (const { place, what } of report.elsewhere) {
    io.output.write(`  ${plainLine(place, 40)}: ${plainLine(what, 300)}\n`);
  }
}

export const CUSTOMER_COMMANDS: readonly Command[] = [
  {
    name: "customers export",
    summary: "Make a customer's copy of everything that is stored of them",
    help: `Usage: recourse customers export ID [--out FILE]

  ID          as your shop's tokens have it (\`sub\`)
  --out FILE  a new file; stdout unless stated
${OPERATOR_HELP}`,
    async run(args, io) {
      const { values, words } = readArguments(
        "customers export",
        args,
        { ...OPERATOR_OPTIONS, out: { type: "string" } },
        ["ID"],
      );
      const query = new URLSearchParams({ customer_id: words[0] as string });
      const copy = await call(values, io, "GET", `/v1/operator/customers/export?${query}`);
      write(`${JSON.stringify(copy, null, 2)}\n`, values.out, io);
      return EXIT.ok;
    },
  },
  {
    name: "customers erase",
    summary: "Erase a customer: their words go, refunds and the audit log stay",
    help: `Usage: recourse customers erase ID --yes

  ID     as your shop's tokens have it (\`sub\`)
  --yes  it cannot be undone
${OPERATOR_HELP}

Keep the list of erasures where your backups are: \`recourse customers erasures --out FILE\`.`,
    async run(args, io) {
      const { values, words } = readArguments(
        "customers erase",
        args,
        { ...OPERATOR_OPTIONS, yes: { type: "boolean" } },
        ["ID"],
      );
      if (values.yes !== true) {
        throw new CliError(
          "An erasure cannot be undone.",
          `Make a copy with \`recourse customers export\`, then say --yes.`,
          EXIT.usage,
        );
      }
      tell(
        await call<Erasure>(values, io, "POST", "/v1/operator/customers/erase", { customer_id: words[0] }),
        io,
      );
      return EXIT.ok;
    },
  },
  {
    name: "customers erasures",
    summary: "Write the list of erasures, to be kept where backups are",
    help: `Usage: recourse customers erasures [--out FILE]

  --out FILE  a new file; stdout unless stated
${OPERATOR_HELP}`,
    async run(args, io) {
      const { values } = readArguments("customers erasures", args, {
        ...OPERATOR_OPTIONS,
        out: { type: "string" },
      });
      const { erasures } = await call<{ erasures: Erasure[] }>(values, io, "GET", "/v1/operator/erasures");
      write(erasures.map((erasure) => `${JSON.stringify(erasure)}\n`).join(""), values.out, io);
      return EXIT.ok;
    },
  },
  {
    name: "customers erase-again",
    summary: "After a restore: erase again whom a list of erasures names",
    help: `Usage: recourse customers erase-again FILE

  FILE  what \`recourse customers erasures\` wrote
${OPERATOR_HELP}`,
    async run(args, io) {
      const { values, words } = readArguments("customers erase-again", args, OPERATOR_OPTIONS, ["FILE"]);
      const file = words[0] as string;
      let hashes: string[];
      try {
        hashes = readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map((line) => (JSON.parse(line) as Erasure).customer_hash);
      } catch (error) {
        if (error instanceof SyntaxError) {
          throw new CliError(
            `${plainLine(file, 200)} is no list of erasures.`,
            "`recourse customers erasures --out FILE` writes one.",
            EXIT.usage,
            error,
          );
        }
        throw fileError(error, file);
      }
      const { erasures } = await call<{ erasures: Erasure[] }>(
        values,
        io,
        "POST",
        "/v1/operator/erasures/again",
        {
          customer_hashes: hashes,
        },
      );
      io.output.write(`${hashes.length} in the list, ${erasures.length} found here.\n`);
      for (const erasure of erasures) tell(erasure, io);
      return EXIT.ok;
    },
  },
];
