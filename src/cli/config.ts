/** `recourse config`: each value of the configuration with its source, secrets masked. */
import { describeConfiguration, loadConfiguration } from "../configuration.ts";
import { ProblemError } from "../kernel/errors.ts";
import { type Command, EXIT, readArguments } from "./command.ts";
import { displayWidth, padTo, paintFor, plainLine } from "./terminal.ts";

export const config: Command = {
  name: "config",
  summary: "Print each value of the configuration and where it comes from",
  help: `Usage: recourse config [--json]

Reads the environment and recourse.config.json as the server would, from this folder.
Secrets are masked. Exit code 1 when the configuration is not valid.`,
  async run(args, io) {
    const { values } = readArguments("config", args, { json: { type: "boolean" } });
    const paint = paintFor(io.output, io.env);
    try {
      const configuration = loadConfiguration(io.env, process.cwd());
      const rows = describeConfiguration(configuration).map(({ key, value, source }) => ({
        key,
        value: plainLine(value, 300),
        source,
      }));
      if (values.json === true) {
        io.output.write(`${JSON.stringify({ values: rows, warnings: configuration.warnings }, null, 2)}\n`);
        return EXIT.ok;
      }
      const keyWidth = Math.max(...rows.map(({ key }) => displayWidth(key)));
      const valueWidth = Math.min(50, Math.max(...rows.map(({ value }) => displayWidth(value))));
      for (const { key, value, source } of rows) {
        const from = source === "default" ? paint("dim", source) : paint("cyan", source);
        io.output.write(`${padTo(key, keyWidth)}  ${padTo(value, valueWidth)}  ${from}\n`);
      }
      for (const warning of configuration.warnings) io.error.write(`${paint("yellow", "!")} ${warning}\n`);
      return EXIT.ok;
    } catch (error) {
      const faults = faultsOf(error);
      if (faults === null) throw error;
      if (values.json === true) io.output.write(`${JSON.stringify({ errors: faults }, null, 2)}\n`);
      else {
        for (const { path, message, next } of faults) {
          io.error.write(`${paint("red", "✗")} ${path} ${message}.\n  ${paint("cyan", "→")} ${next}\n`);
        }
      }
      return EXIT.no;
    }
  },
};

export interface ConfigurationFault {
  readonly path: string;
  readonly message: string;
  readonly next: string;
}

/** Every key that is wrong, from a `config_invalid`; null for any other error. */
export function faultsOf(error: unknown): readonly ConfigurationFault[] | null {
  if (!(error instanceof ProblemError) || error.code !== "config_invalid") return null;
  const { errors } = error.details as { errors?: readonly ConfigurationFault[] };
  return errors ?? [{ path: "", message: error.message, next: error.next }];
}
