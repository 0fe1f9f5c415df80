/** `recourse runs replay RUN`: whether a run would be decided the same today, and what differs. */
import type { Replay } from "../../orchestrator/traces/replay.ts";
import { Unreachable } from "../api.ts";
import { CliError, type Command, EXIT, readArguments } from "../command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS } from "../operator.ts";
import { columnsOf, hanging, type Paint, paintFor, plainLine } from "../terminal.ts";
import { openRuns, runIdOf } from "./source.ts";

/** A decision comes out different. */
const DIFFERS = 3;

export const runsReplay: Command = {
  name: "runs replay",
  summary: "Decide a run anew from what is recorded, and say whether it would come out the same",
  help: `Usage: recourse runs replay RUN [--json]

  RUN              the run's ID (run_…), as \`recourse runs show\` lists it
  --json           the result, for programs
${OPERATOR_HELP}

Today's code takes the recorded proposals, answers and facts: nothing is asked, sent or written. What was not recorded
is said. A model is not asked again; that it is another one now, or has another prompt, is said.
Asks the server; when none runs on this machine, reads the data folder or DATABASE_URL itself.

Exit codes: 0 the same, 3 a decision differs, 1 it could not be replayed, 2 no run was named.`,
  async run(args, io) {
    const options = { ...OPERATOR_OPTIONS, json: { type: "boolean" } } as const;
    const { values, words } = readArguments("runs replay", args, options, ["RUN?"]);
    const id = runIdOf(words[0]);
    // 3 says here that a decision differs: a server that does not answer is told by 1.
    const runs = await openRuns(values, io).catch((error: unknown) => {
      if (!(error instanceof Unreachable)) throw error;
      throw new CliError(error.message, "Start the server with `npm start`, or give its address with --url.");
    });
    try {
      const result = await runs.replay(id);
      const look = { paint: paintFor(io.output, io.env), width: columnsOf(io.output) };
      const lines = values.json === true ? [JSON.stringify(result, null, 2)] : replayLines(result, look);
      io.output.write(`${lines.join("\n")}\n`);
      return result.same ? EXIT.ok : DIFFERS;
    } finally {
      await runs.close();
    }
  },
};

/** Pure. */
export function replayLines(
  { run_id, same, checks, differences, not_replayed }: Replay,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): string[] {
  const verdict = same
    ? `${paint("green", "✓")} It would be decided the same today.`
    : `${paint("red", "✗")} It would not be decided the same today.`;
  return [
    `${paint("bold", plainLine(run_id, 60))}`,
    ...checks.flatMap((check) => {
      const where = `${check.step === null ? "run" : `step ${check.step}`} ${check.what}`;
      const [mark, text] = check.same
        ? [paint("green", "✓"), plainLine(check.was, 200)]
        : [paint("red", "✗"), `was ${plainLine(check.was, 200)}; would be ${plainLine(check.would_be, 200)}`];
      return hanging(`  ${mark} `, "    ", `${where}: ${text}`, width);
    }),
    ...(differences.length === 0 ? [] : [paint("bold", "Another one today")]),
    ...differences.map(({ what, was, now }) => `  ${what}: ${plainLine(was, 100)} → ${plainLine(now, 100)}`),
    paint("bold", "Not decided anew"),
    ...not_replayed.flatMap((text) => hanging("  ", "  ", plainLine(text, 300), width)),
    verdict,
  ];
}
