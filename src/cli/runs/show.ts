/** `recourse runs show [RUN]`: a run as a tree with timings; without an ID, the latest runs of the tenant. */
import { LIMITS } from "../../kernel/limits.ts";
import type { RunItem } from "../../orchestrator/traces/reading.ts";
import type { Span, Trace } from "../../orchestrator/traces/trace.ts";
import { type Command, EXIT, readArguments, wholeNumber } from "../command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS } from "../operator.ts";
import { columnsOf, hanging, type Paint, padTo, paintFor, plainLine } from "../terminal.ts";
import { openRuns, runIdOf } from "./source.ts";

interface Look {
  readonly paint: Paint;
  readonly width: number;
}

export const runsShow: Command = {
  name: "runs show",
  summary: "Draw what a run did, with timings, verdicts and cost; or list the latest runs",
  help: `Usage: recourse runs show [RUN] [--limit N] [--json]

  RUN              the run's ID (run_…); without it, the latest runs are listed
  --limit N        how many are listed: 1 to ${LIMITS.runsListed}, 20 unless stated
  --json           the spans, or the list, for programs
${OPERATOR_HELP}

No text that anybody wrote and nobody's data is shown: the conversation's page in the console has both.
Asks the server; when none runs on this machine, reads the data folder or DATABASE_URL itself.`,
  async run(args, io) {
    const options = { ...OPERATOR_OPTIONS, limit: { type: "string" }, json: { type: "boolean" } } as const;
    const { values, words } = readArguments("runs show", args, options, ["RUN?"]);
    const id = words[0] === undefined ? null : runIdOf(words[0]);
    const limit = wholeNumber("limit", values.limit ?? "20", 1, LIMITS.runsListed);
    const look = { paint: paintFor(io.output, io.env), width: columnsOf(io.output) };
    const runs = await openRuns(values, io);
    try {
      const found = id === null ? await runs.latest(limit) : await runs.trace(id);
      const lines =
        values.json === true
          ? [JSON.stringify(found, null, 2)]
          : "spans" in found
            ? traceLines(found, look)
            : listLines(found, look);
      io.output.write(`${lines.join("\n")}\n`);
      return EXIT.ok;
    } finally {
      await runs.close();
    }
  },
};

/** One run a line. Pure. */
export function listLines(runs: readonly RunItem[], { paint }: Look): string[] {
  if (runs.length === 0) return ["No run yet: a run is the work on a customer's message."];
  return runs.map((run) => {
    const took = run.took_ms === null ? "not ended" : `${run.took_ms} ms`;
    const model =
      run.model === null ? "no model" : `${plainLine(run.model, 60)} · ${dollars(run.cost_micros)}`;
    const steps = run.steps === 1 ? "1 step" : `${run.steps} steps`;
    return `${paint("bold", plainLine(run.run_id, 60))}  ${plainLine(run.started_at, 30)}  ${padTo(plainLine(run.state, 20), 10)}  ${took} · ${steps} · ${model}`;
  });
}

/** The tree of a run. Pure. */
export function traceLines(trace: Trace, { paint, width }: Look): string[] {
  const root = trace.spans.find(({ parent }) => parent === null);
  const about = root?.attributes ?? {};
  const code = about["recourse.code.version"];
  const attempts = Number(about["recourse.run.attempts"] ?? 1);
  const draw = (parent: string, rail: string): string[] => {
    const children = trace.spans.filter((span) => span.parent === parent);
    return children.flatMap((span, index) => {
      const isLast = index === children.length - 1 && parent !== root?.id;
      const [branch, below] = isLast ? ["└─ ", "   "] : ["├─ ", "│  "];
      const [name = "", ...more] = hanging("", "    ", spanText(span), width - rail.length - 3);
      return [
        `${rail}${branch}${span.error === null ? name : paint("yellow", name)}`,
        ...more.map((line) => `${rail}${below}${line}`),
        ...draw(span.id, `${rail}${below}`),
      ];
    });
  };
  const reason = about["recourse.handoff.reason"];
  return [
    `${paint("bold", plainLine(trace.run_id, 60))}  ${plainLine(about["recourse.run.cause"], 20)} in ${plainLine(trace.conversation_id, 60)}`,
    `${plainLine(root?.name, 80)} · started ${plainLine(root?.started_at ?? "", 30)}${attempts > 1 ? ` · ${attempts} attempts` : ""}${code === undefined ? "" : ` · Recourse ${plainLine(code, 30)}`}`,
    ...draw(root?.id ?? "", ""),
    `└─ ${paint("bold", plainLine(trace.state, 20).replaceAll("_", " "))}${reason === undefined ? "" : ` (${plainLine(reason, 40)})`}${root === undefined ? "" : tookOf(root)}${costOf(about)}`,
  ];
}

function spanText(span: Span): string {
  const { attributes: of } = span;
  const parts = [
    of["recourse.gateway.verdict"],
    of["recourse.gateway.code"],
    of["recourse.policy.decision"],
    clausesOf(of["recourse.policy.clauses"]),
    of["recourse.policy.id"] === undefined
      ? undefined
      : `${of["recourse.policy.id"]} version ${of["recourse.policy.version"] ?? "not recorded"}`,
    of["recourse.filter.verdict"],
    listOf(of["recourse.filter.findings"]),
    of["recourse.action.state"],
    of["recourse.action.because"],
    of["recourse.action.attempts"] === undefined
      ? undefined
      : counted(Number(of["recourse.action.attempts"]), "attempt"),
    of["recourse.outcome"],
    of["recourse.prompt.version"] === undefined ? undefined : `prompt ${of["recourse.prompt.version"]}`,
    of["gen_ai.usage.input_tokens"] === undefined
      ? undefined
      : `${of["gen_ai.usage.input_tokens"]} tokens in, ${of["gen_ai.usage.output_tokens"]} out`,
  ];
  const told = parts
    .filter((part) => part !== undefined && part !== "")
    .map((part) => plainLine(String(part), 120));
  return `${[plainLine(span.name, 80), ...told].join(" · ")}${costOf(of)}${tookOf(span)}`;
}

const clausesOf = (clauses: unknown): string =>
  Array.isArray(clauses) && clauses.length > 0 ? `§ ${clauses.join(", ")}` : "";

const listOf = (values: unknown): string => (Array.isArray(values) ? values.join(", ") : "");

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const costOf = (of: Span["attributes"]): string => {
  const micros = Number(of["recourse.cost_micros"] ?? 0);
  return micros === 0 ? "" : ` · ${dollars(micros)}`;
};

const dollars = (micros: number): string => `$${(micros / 1_000_000).toFixed(6)}`;

const tookOf = ({ started_at, ended_at, name }: Span): string => {
  if (started_at === null) return " · time not recorded";
  if (ended_at === null) return " · not ended";
  return name === "filter" ? "" : ` · ${Date.parse(ended_at) - Date.parse(started_at)} ms`;
};
