/**
 * `recourse audit verify`: the hash chain as a file of JSON lines, one entry a line, oldest first, checked offline: no
 * server, no database and no secret is needed, only the file, and checkpoints that were kept elsewhere.
 */
import { readFileSync } from "node:fs";
import type { AuditRow } from "../../evidence/chain.ts";
import { type AuditCheckpoint, readCheckpoint } from "../../evidence/checkpoints.ts";
import { CliError, type Command, EXIT, readArguments, wholeNumber } from "../command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS } from "../operator.ts";
import { paintFor, plainLine } from "../terminal.ts";
import { checkChain, watchCheckpoints } from "./checking.ts";
import { fileError, fileLines, liveEntries } from "./entries.ts";

const ENTRIES_MAX = 999_999_999;

export const auditVerify: Command = {
  name: "audit verify",
  summary: "Check an export of the audit log and name the first broken link",
  help: `Usage: recourse audit verify FILE [--checkpoint FILE]… [--key KEY]
       recourse audit verify --live [--url URL] [--tenant NAME]
       recourse audit export | recourse audit verify -

  FILE               an export: one JSON entry a line; - reads from stdin
  --checkpoint FILE  what \`recourse audit checkpoint\` wrote earlier, kept elsewhere: shows an end that was cut
                     off, and a log that was written anew; may be given more than once
  --key KEY          the checkpoints must be signed with this public key
  --entries N        there must be at least N entries
  --head HASH        the chain must contain the entry with this hash
  --part             the file holds a part of the log (of days, a customer, an order): entries may be missing
  --live             read the log from the server or, when none runs, from the data folder
${OPERATOR_HELP}

A file is checked offline. Exit codes: 0 every link holds, 1 a link is broken or a checkpoint does not fit, 2 arguments.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "audit verify",
      args,
      {
        ...OPERATOR_OPTIONS,
        checkpoint: { type: "string", multiple: true },
        key: { type: "string" },
        entries: { type: "string" },
        head: { type: "string" },
        part: { type: "boolean" },
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
    const entriesMin =
      values.entries === undefined ? 0 : wholeNumber("entries", values.entries, 0, ENTRIES_MAX);
    const watched = watchCheckpoints((values.checkpoint ?? []).map(checkpointIn), values.key);
    let isHeadSeen = values.head === undefined;
    const see = (row: AuditRow): void => {
      watched.see(row);
      isHeadSeen ||= row.hash === values.head;
    };
    const lines = async function* () {
      if (!live) yield* fileLines(file as string, io);
      else for await (const entry of liveEntries(values, io)) yield JSON.stringify(entry);
    };
    const { broken, entries, head, last } = await checkChain(lines(), { some: values.part === true, see });
    const paint = paintFor(io.output, io.env);
    const say = (ok: boolean, text: string, next = "") => {
      io.output.write(`${ok ? paint("green", "✓") : paint("red", "✗")} ${text}\n`);
      if (next !== "") io.output.write(`  ${paint("cyan", "→")} ${next}\n`);
    };
    if (broken !== null) {
      say(
        false,
        `The chain is broken at entry ${broken.n} (line ${broken.line}): ${broken.why}.`,
        broken.why.includes("is missing")
          ? "A file of a part of the log has gaps: check it with --part. Else compare with another export or a backup."
          : `The ${entries} entries before it hold. Compare from entry ${broken.n} on with another export or a backup.`,
      );
      return EXIT.no;
    }
    say(
      true,
      values.part === true
        ? `${entries} entries, each holds. Whether one was left out is not to be seen in a part.`
        : `${entries} entries, every link holds. Last hash: ${head}`,
    );
    const faults = [...watched.faults(last)];
    if (entries < entriesMin) {
      faults.push(`There should be at least ${entriesMin} entries: the end is missing.`);
    }
    if (!isHeadSeen) {
      faults.push(
        "No entry has the hash given with --head: this is not that chain, or its end was cut off and rewritten.",
      );
    }
    for (const fault of faults) say(false, plainLine(fault, 400));
    if (faults.length === 0 && values.checkpoint !== undefined) {
      say(true, `${values.checkpoint.length === 1 ? "The checkpoint fits." : "All checkpoints fit."}`);
    }
    return faults.length === 0 ? EXIT.ok : EXIT.no;
  },
};

function checkpointIn(file: string): AuditCheckpoint {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw fileError(error, file);
  }
  const checkpoint = readCheckpoint(text);
  if (checkpoint === null) {
    throw new CliError(
      `${plainLine(file, 200)} is no checkpoint.`,
      "`recourse audit checkpoint --out FILE` writes one.",
      EXIT.usage,
    );
  }
  return checkpoint;
}
