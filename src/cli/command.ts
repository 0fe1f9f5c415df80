/**
 * Room `cli`: the terminal. May import everything below it; of the rooms that run on a server it only
 * uses what works without one (`evidence`, `store`, `gateway/policy`, `orchestrator/traces`, `operators`), all else goes over the HTTP API.
 * Promises: what a server says is shown without control characters; errors say what to do next; exit
 * codes are stable (`EXIT`); machine output (`--json`) is alone on stdout.
 *
 * This file: what a command is. Reading order: `main.ts` (the list), `api.ts`, `chat/`, `demo/`.
 */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { Clock, Random } from "../kernel/ports.ts";

/** Everything that a command reads and writes, so that a test runs it in its own process. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly error: NodeJS.WritableStream;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborts on Ctrl-C and SIGTERM: finish, clean up, answer `EXIT.interrupted`. */
  readonly interrupted: AbortSignal;
}

export interface Command {
  /** `chat`; two words for a command of a group: `policy check`. */
  readonly name: string;
  /** One line, shown in the list. */
  readonly summary: string;
  /** Everything `--help` shows after the summary: usage, options, examples. */
  readonly help: string;
  /** Answers with the exit code. @throws CliError */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

export const EXIT = {
  ok: 0,
  /** The command did its work and the answer is no: a guarantee failed, a check failed, a conflict. */
  no: 1,
  /** Wrong arguments. */
  usage: 2,
  /** The server, or another system that is needed, does not answer. */
  unreachable: 3,
  interrupted: 130,
} as const;

/** An expected failure: shown as `message`, then what to do (`next`), without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;
  readonly next: string;

  constructor(message: string, next: string, exitCode: number = EXIT.no, cause?: unknown) {
    super(message, { cause });
    this.next = next;
    this.exitCode = exitCode;
  }
}

/**
 * Reads a command's arguments: unknown options and a wrong number of words are refused.
 * `words` names the positional arguments in order; one that ends in `?` may be left out.
 * @throws CliError with `EXIT.usage`
 */
export function readArguments<const O extends ParseArgsOptionsConfig>(
  command: string,
  args: readonly string[],
  options: O,
  words: readonly string[] = [],
): { values: ReturnType<typeof parseArgs<{ options: O }>>["values"]; words: (string | undefined)[] } {
  const usage = `See \`recourse ${command} --help\`.`;
  let parsed: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    // Node's texts go on about `--` after the first sentence.
    const message = (cause as Error).message.split(". ")[0] ?? "The arguments cannot be read";
    throw new CliError(`${message.replace(/\.$/, "")}.`, usage, EXIT.usage, cause);
  }
  const { values, positionals } = parsed;
  const missing = words[positionals.length];
  if (missing !== undefined && !missing.endsWith("?")) {
    throw new CliError(`\`recourse ${command}\` needs ${missing}.`, usage, EXIT.usage);
  }
  const extra = positionals[words.length];
  if (extra !== undefined) {
    throw new CliError(`\`recourse ${command}\` does not take "${extra}".`, usage, EXIT.usage);
  }
  return { values: values as never, words: words.map((_, index) => positionals[index]) };
}

/**
 * A whole number from an option's text.
 * @throws CliError with `EXIT.usage`
 */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new CliError(
      `--${option} must be a whole number from ${min} to ${max}, not "${text}".`,
      "Correct the option.",
      EXIT.usage,
    );
  }
  return value;
}
