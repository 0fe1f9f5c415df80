/**
 * `recourse reviews | review | approve | reject | resolve`: the queue of work for people. A decision
 * names the version and the arguments that were seen, so what has changed since is refused (G6).
 */
import { createInterface } from "node:readline/promises";
import { type Api, ApiProblem } from "../api.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments, wholeNumber } from "../command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS, operatorApi, operatorError } from "../operator.ts";
import { columnsOf, isTerminal, paintFor, plainLine } from "../terminal.ts";
import { list, read } from "./finding.ts";
import { type Decision, type Review, type ReviewLook, reviewLines, reviewListLines } from "./show.ts";

const lookOf = (io: CommandIo): ReviewLook => ({
  paint: paintFor(io.output, io.env),
  width: columnsOf(io.output),
  nowMs: io.clock.now(),
});

const printed = (io: CommandIo, lines: readonly string[]): void => {
  io.output.write(`${lines.join("\n")}\n`);
};

export const reviews: Command = {
  name: "reviews",
  summary: "List what waits for a person",
  help: `Usage: recourse reviews [--all] [--json]

  --all            decided, expired and withdrawn reviews too
  --json           the API's answer, for programs
${OPERATOR_HELP}`,
  async run(args, io) {
    const { values } = readArguments("reviews", args, {
      ...OPERATOR_OPTIONS,
      all: { type: "boolean" },
      json: { type: "boolean" },
    });
    const all = values.all === true;
    const listed = await list(operatorApi(values, io), all ? "all" : "active");
    if (values.json === true) printed(io, [JSON.stringify({ reviews: listed }, null, 2)]);
    else {
      const open = listed.filter(({ state }) => state === "open" || state === "waiting").length;
      printed(io, [
        ...reviewListLines(listed, all, lookOf(io)),
        ...(open > 0
          ? ["", `${open} to do. \`recourse review ID\` shows one; the end of an ID is enough.`]
          : []),
      ]);
    }
    return EXIT.ok;
  },
};

export const review: Command = {
  name: "review",
  summary: "Show everything needed to decide a review",
  help: `Usage: recourse review ID [--json]

  ID               the review's ID, or its last characters (4 or more)
  --json           the API's answer, for programs
${OPERATOR_HELP}`,
  async run(args, io) {
    const { values, words } = readArguments(
      "review",
      args,
      { ...OPERATOR_OPTIONS, json: { type: "boolean" } },
      ["ID"],
    );
    const found = await read(operatorApi(values, io), words[0] as string);
    printed(
      io,
      values.json === true ? [JSON.stringify(found, null, 2)] : reviewLines(found, lookOf(io), true),
    );
    return EXIT.ok;
  },
};

type Verb = "approve" | "reject" | "resolve";

const DECISIONS: Readonly<Record<Verb, { summary: string; note: string; done: string }>> = {
  approve: {
    summary: "Approve the refund or return of a review",
    note: "--note TEXT      kept with the decision",
    done: "Approved. It is checked once more against policy, then carried out; the customer hears the outcome.",
  },
  reject: {
    summary: "Reject the refund or return of a review",
    note: "--note TEXT      needed: the customer reads it as the reason",
    done: "Rejected. The customer has been told, with your note.",
  },
  resolve: {
    summary: "End a handoff that you have settled, or have an uncertain outcome looked up",
    note: "--note TEXT      for a handoff: your answer, which the customer reads",
    done: "Resolved.",
  },
};

export const approve = decisionCommand("approve");
export const reject = decisionCommand("reject");
export const resolve = decisionCommand("resolve");

function decisionCommand(verb: Verb): Command {
  const { summary, note, done } = DECISIONS[verb];
  return {
    name: verb,
    summary,
    help: `Usage: recourse ${verb} ID [--note TEXT] [--seen VERSION] [--yes]

  ID               the review's ID, or its last characters (4 or more)
  ${note}
  --seen VERSION   the version that \`recourse review\` showed you: if it has changed, nothing happens
  --yes            do not ask at a terminal
${OPERATOR_HELP}

Exit codes: 0 decided, 1 refused (decided already, changed, expired), 3 no server.`,
    async run(args, io) {
      const { values, words } = readArguments(
        verb,
        args,
        {
          ...OPERATOR_OPTIONS,
          note: { type: "string" },
          seen: { type: "string" },
          yes: { type: "boolean" },
        },
        ["ID"],
      );
      if (verb === "reject" && (values.note ?? "").trim() === "") {
        throw new CliError(
          "A rejection needs a note: the customer reads it as the reason.",
          `Add --note "why".`,
          EXIT.usage,
        );
      }
      const seen = values.seen === undefined ? null : wholeNumber("seen", values.seen, 0, 999_999_999);
      const api = operatorApi(values, io);
      const found = await read(api, words[0] as string);
      printed(io, [...reviewLines(found, lookOf(io), false), ""]);
      if (found.state === "open" && seen === null && values.yes !== true && !(await confirmed(io, verb))) {
        printed(io, ["Nothing was decided."]);
        return EXIT.no;
      }
      const decided = await decide(api, found, verb, values.note ?? null, seen ?? found.version);
      const undo = undoLine(decided, io);
      const isFirst = decided.first_approval != null && decided.state === "open";
      printed(io, [
        `${paintFor(io.output, io.env)("green", "✓")} ${isFirst ? "Yours is the first of two approvals: somebody else has to approve it too." : done}`,
        ...(undo === null ? [] : [undo]),
      ]);
      if (verb === "approve" && found.action_id !== null && !isFirst) {
        const outcome = await outcomeOf(api, found.action_id, decided.undo_until, io);
        if (outcome !== null) printed(io, [`  The customer is told: “${outcome}”`]);
      }
      return EXIT.ok;
    },
  };
}

/** Asks at a terminal; a script has decided already. */
async function confirmed(io: CommandIo, verb: Verb): Promise<boolean> {
  if (!isTerminal(io.input) || !isTerminal(io.output)) return true;
  const asking = createInterface({ input: io.input, output: io.output });
  try {
    const answer = await asking.question(`${verb[0]?.toUpperCase()}${verb.slice(1)}? [y/N] `, {
      signal: io.interrupted,
    });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    asking.close();
  }
}

/** How long it can be taken back, and how; null when it has taken effect. */
function undoLine(decided: Review, io: CommandIo): string | null {
  if (decided.undo_until == null) return null;
  const leftMs = Date.parse(decided.undo_until) - io.clock.now();
  if (!(leftMs > 0)) return null;
  return `  It takes effect in ${Math.ceil(leftMs / 1_000)} s. Until then: recourse undo ${plainLine(decided.review_id, 60)}`;
}

const OUTCOME_MS = 5_000;
const POLL_MS = 150;

/** What became of an approved action, if that is known within some seconds: a service, never a failure. */
async function outcomeOf(
  api: Api,
  actionId: string,
  notBefore: string | null | undefined,
  io: CommandIo,
): Promise<string | null> {
  const startMs = notBefore == null ? io.clock.now() : Math.max(io.clock.now(), Date.parse(notBefore));
  const giveUpMs = startMs + OUTCOME_MS;
  while (io.clock.now() < giveUpMs && !io.interrupted.aborted) {
    const action = await api
      .call<{ state: string; text: string }>("GET", `/v1/operator/actions/${encodeURIComponent(actionId)}`)
      .catch(() => null);
    if (action === null) return null;
    if (action.state !== "scheduled" && action.state !== "executing") return plainLine(action.text, 500);
    await io.clock.sleep(POLL_MS, io.interrupted);
  }
  return null;
}

async function decide(
  api: Api,
  found: Review,
  decision: Verb,
  note: string | null,
  version: number,
): Promise<Review> {
  try {
    return await api.call<Review>(
      "POST",
      `/v1/operator/reviews/${encodeURIComponent(found.review_id)}/decision`,
      {
        decision,
        args_hash: found.args_hash,
        version,
        ...(note === null ? {} : { note }),
      },
    );
  } catch (error) {
    throw explained(error, found, version);
  }
}

/** A conflict in words: what counts now, and that nothing happened. */
function explained(error: unknown, found: Review, version: number): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const id = plainLine(found.review_id, 60);
  switch (error.code) {
    case "already_decided": {
      const earlier = error.document.decision as Decision | undefined;
      const by =
        earlier === undefined
          ? error.message
          : `${plainLine(earlier.decided_by, 80)} decided "${plainLine(earlier.decision, 20)}" at ${plainLine(earlier.at, 40)}.`;
      return new CliError(
        `This was decided already: ${by}`,
        "That decision counts; yours changed nothing and no money moved because of it.",
      );
    }
    case "review_changed":
      return new CliError(
        `This review has changed: you saw version ${version}, it is at version ${Number(error.document.version ?? found.version)} (${plainLine(error.document.state ?? found.state, 20)}).`,
        `Nothing was decided. Look again with \`recourse review ${id}\` and decide on what it says now.`,
      );
    case "review_claimed":
    case "second_person_needed":
    case "decision_not_permitted":
      return new CliError(
        plainLine(error.message, 400),
        `Nothing was decided. ${plainLine(error.document.next ?? "", 300)}`,
      );
    case "review_expired":
      return new CliError(
        "This review has expired: nobody decided it in time, and the customer was told.",
        "Nothing was decided. If it is still wanted, the customer asks again.",
      );
    default:
      return operatorError(error);
  }
}
