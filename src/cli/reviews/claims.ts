/** `recourse claim | release | undo`: who works on a review, and taking a decision back in time. */
import { type Api, ApiProblem } from "../api.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments } from "../command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS, operatorApi, operatorError } from "../operator.ts";
import { paintFor, plainLine } from "../terminal.ts";
import { read } from "./finding.ts";
import type { Review } from "./show.ts";

const usage = (verb: string) => `Usage: recourse ${verb} ID

  ID               the review's ID, or its last characters (4 or more)
${OPERATOR_HELP}`;

export const claim: Command = {
  name: "claim",
  summary: "Take a review to work on: others see it and cannot decide it",
  help: usage("claim"),
  run: (args, io) =>
    one("claim", args, io, async (api, found) => {
      const { claim: held } = await post(api, found, "claim");
      return `Yours until ${plainLine(held?.until ?? "", 40)}. Claim it again to keep it longer.`;
    }),
};

export const release: Command = {
  name: "release",
  summary: "Give up your claim of a review",
  help: usage("release"),
  run: (args, io) =>
    one("release", args, io, async (api, found) => {
      await post(api, found, "release");
      return "Released.";
    }),
};

export const undo: Command = {
  name: "undo",
  summary: "Take a decision back before it takes effect",
  help: `${usage("undo")}

Exit codes: 0 taken back, 1 too late, 3 no server.`,
  run: (args, io) =>
    one("undo", args, io, async (api, found) => {
      const { decision } = found;
      if (decision === null) {
        throw new CliError("Nothing has been decided that could be undone.", "", EXIT.no);
      }
      await post(api, found, "undo", { decision_id: decision.decision_id ?? "" });
      return `Taken back: "${plainLine(decision.decision, 20)}" has had no effect, and the review is open again.`;
    }),
};

async function one(
  verb: string,
  args: readonly string[],
  io: CommandIo,
  act: (api: Api, found: Review) => Promise<string>,
): Promise<number> {
  const { values, words } = readArguments(verb, [...args], OPERATOR_OPTIONS, ["ID"]);
  const api = operatorApi(values, io);
  const done = await act(api, await read(api, words[0] as string));
  io.output.write(`${paintFor(io.output, io.env)("green", "✓")} ${done}\n`);
  return EXIT.ok;
}

async function post(api: Api, found: Review, verb: string, body: object = {}): Promise<Review> {
  try {
    return await api.call<Review>(
      "POST",
      `/v1/operator/reviews/${encodeURIComponent(found.review_id)}/${verb}`,
      body,
    );
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 409) {
      throw new CliError(plainLine(error.message, 300), plainLine(error.document.next ?? "", 300));
    }
    throw operatorError(error);
  }
}
