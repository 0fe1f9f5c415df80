/** `recourse kill-switch on | off | status`: while it is on, every refund and return waits for a person. */
import type { KillSwitchState, SwitchState } from "../operators/kill-switch.ts";
import { CliError, type Command, EXIT, readArguments } from "./command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS, operatorApi, operatorError } from "./operator.ts";
import { paintFor, plainLine } from "./terminal.ts";

const WORDS = ["on", "off", "status"] as const;

export const killSwitch: Command = {
  name: "kill-switch",
  summary: "Let nothing go out without a person, at once; or let the policy decide again",
  help: `Usage: recourse kill-switch on --reason TEXT [--everywhere]
       recourse kill-switch off --reason TEXT [--everywhere]
       recourse kill-switch status

  --reason TEXT  why: people see it in the settings and in the audit log
  --everywhere   all tenants of the installation; needs a token of the configuration
${OPERATOR_HELP}

It counts from the next decision on, in every process. Refunds that were sent before are settled; what a person approves goes out.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "kill-switch",
      args,
      { ...OPERATOR_OPTIONS, reason: { type: "string" }, everywhere: { type: "boolean" } },
      ["on|off|status"],
    );
    const word = WORDS.find((each) => each === words[0]);
    if (word === undefined) {
      throw new CliError(
        `It is on, off or status, not "${plainLine(words[0], 20)}".`,
        "See `recourse kill-switch --help`.",
        EXIT.usage,
      );
    }
    if (word !== "status" && (values.reason ?? "").trim() === "") {
      throw new CliError(
        "Why? --reason is missing.",
        "Say it in a few words: people will see it.",
        EXIT.usage,
      );
    }
    const api = operatorApi(values, io);
    let now: KillSwitchState;
    try {
      now =
        word === "status"
          ? await api.call("GET", "/v1/operator/kill-switch")
          : await api.call("POST", `/v1/operator/kill-switch/${word}`, {
              reason: values.reason,
              everywhere: values.everywhere === true,
            });
    } catch (error) {
      throw operatorError(error);
    }
    const paint = paintFor(io.output, io.env);
    const tell = (what: string, state: SwitchState) => {
      const since =
        state.changed_at === null
          ? ""
          : ` since ${state.changed_at} by ${plainLine(state.changed_by, 80)}: ${plainLine(state.reason, 300)}`;
      io.output.write(`${state.on ? paint("red", "on ") : paint("green", "off")} ${what}${since}\n`);
    };
    tell("this tenant", now.tenant);
    tell("everywhere", now.everywhere);
    return EXIT.ok;
  },
};
