/** `recourse doctor`: looks at a set-up and says what to do. */
import { type Command, EXIT, readArguments } from "../command.ts";
import { columnsOf, hanging, padTo, paintFor, plainLine } from "../terminal.ts";
import { examine, type Finding } from "./checks.ts";

const MARKS = {
  ok: { mark: "✓", format: "green" },
  warn: { mark: "!", format: "yellow" },
  fail: { mark: "✗", format: "red" },
} as const;

export const doctor: Command = {
  name: "doctor",
  summary: "Check a set-up and say what to do",
  help: `Usage: recourse doctor [--json]

Looks at Node.js, the configuration, the data folder, disk space, ports, the database with its
schema and role, the payment provider and its key, this clock, and the policies. Changes nothing.

  --json           {"ok", "findings": [{"check","status","detail","next"}]}

Exit codes: 0 nothing stands in the way (! is worth a look), 1 something does (✗).`,
  async run(args, io) {
    const { values } = readArguments("doctor", args, { json: { type: "boolean" } });
    const findings = await examine({
      env: io.env,
      cwd: process.cwd(),
      clock: io.clock,
      random: io.random,
      nodeVersion: process.version,
      fetch,
    });
    const failed = findings.filter(({ status }) => status === "fail").length;
    if (values.json === true) {
      io.output.write(`${JSON.stringify({ ok: failed === 0, findings }, null, 2)}\n`);
    } else {
      const paint = paintFor(io.output, io.env);
      const width = columnsOf(io.output);
      const nameWidth = Math.max(...findings.map(({ check }) => check.length)) + 2;
      for (const finding of findings) {
        for (const line of findingLines(finding, paint, nameWidth, width)) io.output.write(`${line}\n`);
      }
      const warned = findings.filter(({ status }) => status === "warn").length;
      io.output.write(`\n${summary(failed, warned)}\n`);
    }
    return failed === 0 ? EXIT.ok : EXIT.no;
  },
};

function findingLines(
  finding: Finding,
  paint: ReturnType<typeof paintFor>,
  nameWidth: number,
  width: number,
): string[] {
  const { mark, format } = MARKS[finding.status];
  const indent = " ".repeat(nameWidth + 2);
  return [
    ...hanging(
      `${paint(format, mark)} ${padTo(finding.check, nameWidth)}`,
      indent,
      plainLine(finding.detail, 1_000),
      width,
    ),
    ...(finding.next === ""
      ? []
      : hanging(`${indent}${paint("cyan", "→")} `, `${indent}  `, plainLine(finding.next, 1_000), width)),
  ];
}

function summary(failed: number, warned: number): string {
  if (failed > 0)
    return `${failed === 1 ? "One thing stands" : `${failed} things stand`} in the way: see the lines with ✗.`;
  return warned > 0
    ? "Nothing stands in the way; the lines with ! are worth a look."
    : "Everything is in order.";
}
