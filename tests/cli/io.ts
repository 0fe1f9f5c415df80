/** A terminal for tests: what is typed comes from a string or a stream, what is shown is collected. */
import { PassThrough } from "node:stream";
import type { CommandIo } from "../../src/cli/command.ts";
import { runCommand } from "../../src/cli/main.ts";
import { seededRandom, systemClock } from "../../src/kernel/ports.ts";

export interface TestTerminal {
  readonly io: CommandIo;
  readonly input: PassThrough;
  readonly interrupt: () => void;
  shown(): string;
  errors(): string;
}

let seed = 1;

export function testTerminal(typed?: string, env: Record<string, string> = {}): TestTerminal {
  const input = new PassThrough();
  if (typed !== undefined) input.end(typed);
  const [output, error] = [new PassThrough(), new PassThrough()];
  const collected = { output: "", error: "" };
  output.on("data", (chunk: Buffer) => {
    collected.output += chunk.toString();
  });
  error.on("data", (chunk: Buffer) => {
    collected.error += chunk.toString();
  });
  const interrupted = new AbortController();
  seed += 1;
  return {
    io: {
      env,
      input,
      output,
      error,
      clock: systemClock,
      random: seededRandom(seed),
      interrupted: interrupted.signal,
    },
    input,
    interrupt: () => interrupted.abort(new Error("interrupted")),
    shown: () => collected.output,
    errors: () => collected.error,
  };
}

/** Runs a command line and answers with everything that came of it. */
export async function run(args: readonly string[], typed = "", env: Record<string, string> = {}) {
  const terminal = testTerminal(typed, env);
  const code = await runCommand(args, terminal.io);
  return { code, out: terminal.shown(), err: terminal.errors() };
}
