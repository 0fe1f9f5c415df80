/** `recourse`: finds the command, runs it, prints errors with what to do next, sets the exit code. */
import { ProblemError } from "../kernel/errors.ts";
import { systemClock, systemRandom } from "../kernel/ports.ts";
import { ApiProblem, Unreachable } from "./api.ts";
import { auditCheckpoint } from "./audit/checkpoint.ts";
import { auditExport } from "./audit/export.ts";
import { auditVerify } from "./audit/verify.ts";
import { backup } from "./backup/backup.ts";
import { restore } from "./backup/restore.ts";
import { chat } from "./chat/chat.ts";
import { CliError, type Command, type CommandIo, EXIT } from "./command.ts";
import { config } from "./config.ts";
import { CUSTOMER_COMMANDS } from "./customers.ts";
import { demo } from "./demo/demo.ts";
import { doctor } from "./doctor/doctor.ts";
import { KAFKA_COMMANDS } from "./kafka.ts";
import { killSwitch } from "./kill-switch.ts";
import { KNOWLEDGE_COMMANDS } from "./knowledge.ts";
import { migrateCommand } from "./migrate.ts";
import { OPERATOR_COMMANDS } from "./operators/operators.ts";
import { policyCheckCommand } from "./policy.ts";
import { policyExplain } from "./policy-explain.ts";
import { claim, release, undo } from "./reviews/claims.ts";
import { approve, reject, resolve, review, reviews } from "./reviews/reviews.ts";
import { ROLE_COMMANDS } from "./roles.ts";
import { runsReplay } from "./runs/replay.ts";
import { runsShow } from "./runs/show.ts";
import { paintFor } from "./terminal.ts";

export const COMMANDS: readonly Command[] = [
  chat,
  demo,
  ...ROLE_COMMANDS,
  migrateCommand,
  doctor,
  config,
  reviews,
  review,
  approve,
  reject,
  resolve,
  claim,
  release,
  undo,
  ...KNOWLEDGE_COMMANDS,
  ...OPERATOR_COMMANDS,
  policyCheckCommand,
  policyExplain,
  runsShow,
  runsReplay,
  auditVerify,
  auditExport,
  auditCheckpoint,
  ...KAFKA_COMMANDS,
  ...CUSTOMER_COMMANDS,
  killSwitch,
  backup,
  restore,
];

/** Runs one command line; answers with the exit code. Expected errors are printed, defects are thrown. */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const paint = paintFor(io.error, io.env);
  const found = findCommand(args);
  if (found === null) {
    const [word] = args;
    const asked = word === undefined || word === "help" || word === "--help" || word === "-h";
    (asked ? io.output : io.error).write(
      asked ? overview() : `There is no command "${word}".\n\n${overview()}`,
    );
    return asked ? EXIT.ok : EXIT.usage;
  }
  const { command, rest } = found;
  if (rest.includes("--help") || rest.includes("-h")) {
    io.output.write(`${command.summary}.\n\n${command.help}\n`);
    return EXIT.ok;
  }
  try {
    return await command.run(rest, io);
  } catch (error) {
    const told = tellable(error);
    if (told === null) throw error;
    if (io.interrupted.aborted) return EXIT.interrupted;
    io.error.write(
      `${paint("red", "✗")} ${told.message}\n${told.next === "" ? "" : `  ${paint("cyan", "→")} ${told.next}\n`}`,
    );
    return told.exitCode;
  }
}

/** The command that the first words name, two before one; and what follows. */
export function findCommand(
  args: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(" ");
    const command = COMMANDS.find((each) => each.name === name);
    if (command !== undefined) return { command, rest: args.slice(words) };
  }
  return null;
}

function tellable(error: unknown): { message: string; next: string; exitCode: number } | null {
  if (error instanceof CliError) return error;
  if (error instanceof Unreachable) {
    return {
      message: error.message,
      next: "Start one with `npm start`, or give its address with --url. `npm run recourse -- doctor` checks the set-up.",
      exitCode: EXIT.unreachable,
    };
  }
  if (error instanceof ApiProblem || error instanceof ProblemError) {
    return { message: `${error.message} [${error.code}]`, next: error.next, exitCode: EXIT.no };
  }
  return null;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
  return `Usage: recourse COMMAND [options]      (npm run recourse -- COMMAND …)\n\n${list}\n\n\`recourse COMMAND --help\` says more.\n`;
}

if (import.meta.main) {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // The second one does not wait for anything any more.
      if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
      interrupted.abort(new CliError("Interrupted.", "", EXIT.interrupted));
    });
  }
  // A reader that closes the pipe early (`| head`) is no error of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.ok);
    throw error;
  });
  process.exitCode = await runCommand(process.argv.slice(2), {
    env: process.env,
    input: process.stdin,
    output: process.stdout,
    error: process.stderr,
    clock: systemClock,
    random: systemRandom,
    interrupted: interrupted.signal,
  });
  // Stdin, once read from, keeps the process alive.
  process.stdin.destroy();
}
