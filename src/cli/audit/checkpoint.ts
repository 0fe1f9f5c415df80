/** `recourse audit checkpoint`: how far the log goes, signed, to be kept where whoever can write the database cannot. */
import { writeFileSync } from "node:fs";
import { type Command, EXIT, readArguments } from "../command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS } from "../operator.ts";
import { openRecords } from "../records.ts";
import { plainLine } from "../terminal.ts";
import { fileError } from "./entries.ts";

export const auditCheckpoint: Command = {
  name: "audit checkpoint",
  summary: "Sign how far the audit log goes, to be kept elsewhere",
  help: `Usage: recourse audit checkpoint [--out FILE]

  --out FILE       a new file; stdout unless stated
${OPERATOR_HELP}

Asks the server; when none runs on this machine, reads the data folder or DATABASE_URL itself. The key is
RECOURSE_AUDIT_KEY, or one that the first checkpoint makes in the data folder; its public part is in the checkpoint.
Make one a day, and keep it where nobody who can write the database can. Later:
  recourse audit verify audit.jsonl --checkpoint CHECKPOINT`,
  async run(args, io) {
    const { values } = readArguments("audit checkpoint", args, {
      ...OPERATOR_OPTIONS,
      out: { type: "string" },
    });
    const records = await openRecords(values, io);
    try {
      const checkpoint = await records.checkpoint();
      const text = `${JSON.stringify(checkpoint, null, 2)}\n`;
      if (values.out === undefined) io.output.write(text);
      else {
        try {
          writeFileSync(values.out, text, { flag: "wx" });
        } catch (error) {
          throw fileError(error, values.out);
        }
      }
      io.error.write(
        `${plainLine(checkpoint.tenant, 60)}: ${checkpoint.n} entries. Public key: ${plainLine(checkpoint.key, 60)}\n`,
      );
      return EXIT.ok;
    } finally {
      await records.close();
    }
  },
};
