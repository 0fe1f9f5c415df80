/** `recourse policy check FILE`: everything that is wrong with a policy document, with lines, before it is published. */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readPolicy } from "../gateway/policy/document.ts";
import { spotOf } from "../gateway/policy/faults.ts";
import type { PolicyVersion } from "../gateway/policy/policy.ts";
import { collisions } from "../gateway/policy/versions.ts";
import { LANGUAGES } from "../kernel/language.ts";
import { CliError, type Command, EXIT, readArguments } from "./command.ts";
import { displayWidth, type Paint, paintFor, plainLine, plainPaint, plainText } from "./terminal.ts";

export const policyCheckCommand: Command = {
  name: "policy check",
  summary: "Check a policy document and explain each error with its line",
  help: `Usage: recourse policy check FILE

Reads the document as the server would: front matter, limits, clauses, the customer's sentences,
placeholders, numbers in the prose, and the rules against the schema of facts. Then looks whether
another document beside it has the same version or the same effective date.

Exit codes: 0 it can be published, 1 it has errors, 2 there is no such file.`,
  async run(args, io) {
    const { words } = readArguments("policy check", args, {}, ["FILE"]);
    const paint = paintFor(io.output, io.env);
    return policyCheck(words[0] as string, (line) => void io.output.write(`${line}\n`), paint);
  },
};

/** Checks the document in a file, writes what was found line by line, answers with the exit code. */
export async function policyCheck(
  file: string,
  write: (line: string) => void,
  paint: Paint = plainPaint,
): Promise<number> {
  const source = await readDocument(file);
  const parsed = readPolicy(source);
  if (!parsed.ok) {
    const lines = source.split(/\r?\n/);
    const { faults } = parsed;
    for (const { line, column, message, fix } of faults) {
      const spot = plainLine(spotOf(file, { line, column }), 320);
      write(`${paint("red", "✗")} ${paint("bold", spot)}  ${plainLine(message, 500)}`);
      for (const shown of excerpt(lines[line - 1] ?? "", line, column)) write(paint("dim", shown));
      write(`  ${paint("cyan", "→")} ${plainLine(fix, 500)}`);
    }
    write("");
    write(
      faults.length === 1
        ? "One error: it cannot be published."
        : `${faults.length} errors: it cannot be published.`,
    );
    return EXIT.no;
  }
  const { policy } = parsed;
  const colliding = collisions([...(await neighbours(file)), policy]).filter((text) =>
    text.includes(`${policy.tenant}/${policy.id}`),
  );
  for (const text of colliding) {
    write(
      `${paint("red", "✗")} ${plainLine(file, 300)}: with the documents beside it, ${plainLine(text, 300)}.`,
    );
    write(`  ${paint("cyan", "→")} Give this version a version and an effective_from of its own.`);
  }
  if (colliding.length > 0) return EXIT.no;
  for (const line of summaryLines(policy, paint)) write(line);
  return EXIT.ok;
}

/** The line with a caret below the column; of a long line, the part from shortly before it. */
function excerpt(text: string, line: number, column: number | null): string[] {
  const from = Math.max(0, (column ?? 1) - 61);
  const shown = plainLine(text.slice(from), 100);
  if (shown === "") return [];
  const before = plainText(text.slice(from, (column ?? 1) - 1)).trimStart();
  const caret = `         │ ${" ".repeat(displayWidth(before))}^`;
  return [`    ${String(line).padStart(4)} │ ${shown}`, ...(column === null ? [] : [caret])];
}

function summaryLines(policy: PolicyVersion, paint: Paint): string[] {
  const rule = policy.governedBy === "order_placed" ? "orders placed" : "requests made";
  return [
    `${paint("green", "✓")} ${policy.title}: ${policy.id} version ${policy.version} of ${policy.tenant}`,
    `  governs ${rule} from ${policy.effectiveFrom} on; SHA-256 ${policy.hash}`,
    `  ${policy.clauses.length} clauses: ${policy.clauses.map(({ id }) => id).join(", ")}`,
    ...translationLines(policy),
  ];
}

/** What customers are told in, and which clauses they would be quoted in the policy's own language. */
function translationLines({ language, clauses }: PolicyVersion): string[] {
  return LANGUAGES.filter((each) => each !== language).flatMap((each) => {
    const missing = clauses.filter(({ translations }) => translations[each] === undefined);
    if (missing.length === clauses.length) return [];
    const rest = missing.length === 0 ? "" : `, without ${missing.map(({ id }) => id).join(", ")}`;
    return [`  told in ${each} too${rest}`];
  });
}

async function readDocument(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError(
      code === "ENOENT"
        ? `There is no file ${plainLine(file, 300)}.`
        : `${plainLine(file, 300)} cannot be read (${code}).`,
      "Check the path; the policies of the demo are in the folder policies/.",
      EXIT.usage,
      cause,
    );
  }
}

/** The valid documents in the same folder. */
async function neighbours(file: string): Promise<readonly PolicyVersion[]> {
  const folder = dirname(file);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md") && name !== basename(file));
  const parsed = await Promise.all(
    names.map(async (name) => readPolicy(await readFile(join(folder, name), "utf8"))),
  );
  return parsed.flatMap((each) => (each.ok ? [each.policy] : []));
}
