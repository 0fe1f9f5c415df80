/** `recourse policy explain ACTION`: the clauses, the facts and the policy version that decided an action (G7). */
import { CliError, type Command, EXIT, readArguments } from "./command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS } from "./operator.ts";
import { openRecords } from "./records.ts";
import { factLines } from "./reviews/show.ts";
import { columnsOf, hanging, type Paint, paintFor, plainLine, plainText } from "./terminal.ts";

type Loose = Readonly<Record<string, unknown>>;

const DECISIONS: Readonly<Record<string, string>> = {
  allow: "allowed without a person",
  needs_approval: "allowed with a person's approval",
  deny: "not allowed",
};

/** The explanation of an action's record, as lines. Pure. */
export function explanationLines(
  action: Loose,
  look: { readonly paint: Paint; readonly width: number },
): string[] {
  const { paint, width } = look;
  const decision = looseOf(action.decision);
  const verdict = looseOf(decision.verdict);
  const stop = looseOf(decision.stop);
  const clauses = Array.isArray(verdict.clauses)
    ? verdict.clauses
    : Array.isArray(stop.clauses)
      ? stop.clauses
      : [];
  const money =
    action.kind === "refund" ? `${plainLine(action.amount, 30)} ${plainLine(action.currency, 8)} · ` : "";
  const heading = (text: string) => ["", paint("bold", text)];
  const decidedAt =
    typeof decision.evaluatedAt === "number" && Math.abs(decision.evaluatedAt) < 8e15
      ? new Date(decision.evaluatedAt).toISOString()
      : null;
  return [
    `${paint("bold", plainLine(action.action_id, 60))}  ${plainLine(action.kind, 20)} · ${money}order #${plainLine(action.order_number, 30)} · ${plainLine(action.items, 120)}`,
    `  customer ${plainLine(action.customer_id, 60)} · state ${paint("bold", plainLine(action.state, 30))}${provider(action)}`,
    ...heading("Decision"),
    `  ${verdictWords(verdict, stop, decision)}`,
    ...(verdict.policyId === undefined
      ? []
      : [
          `  policy ${plainLine(verdict.policyId, 60)} version ${plainLine(verdict.policyVersion, 40)} (SHA-256 ${plainLine(verdict.policyHash, 64)})`,
        ]),
    ...(decidedAt === null ? [] : [`  decided at ${decidedAt}`]),
    ...(clauses.length === 0 ? [] : heading("Clauses that decided")),
    ...clauses.flatMap((clause: unknown) => {
      const { clauseId, title, customerText } = looseOf(clause);
      const text = plainText(customerText);
      return [
        ...hanging("  § ", "    ", `${plainLine(title, 120)} (${plainLine(clauseId, 60)})`, width),
        ...(text === "" ? [] : hanging("    ", "    ", text, width)),
      ];
    }),
    ...(decision.facts === undefined ? [] : heading("Facts that they read")),
    ...factLines(decision.facts ?? null, width),
    ...heading("Who"),
    `  proposed by ${plainLine(action.proposed_by, 80)}`,
    `  approved by ${action.approved_by === null ? "nobody: not needed, or not yet" : plainLine(action.approved_by, 80)}`,
    `  arguments ${plainLine(action.args_hash, 64)}`,
    `  idempotency key ${plainLine(action.idempotency_key, 100)}`,
    ...heading("What the customer may be told now"),
    ...hanging("  ", "  ", plainText(action.text), width),
  ];
}

function verdictWords(verdict: Loose, stop: Loose, decision: Loose): string {
  const known = DECISIONS[String(verdict.decision)];
  if (known !== undefined) return known;
  if (stop.code !== undefined)
    return `not allowed any more: ${plainLine(stop.explanation ?? stop.message ?? stop.code, 300)}`;
  return plainLine(decision.reason ?? "not recorded", 200).replaceAll("_", " ");
}

const provider = (action: Loose): string =>
  typeof action.provider_ref === "string" ? ` · at the provider ${plainLine(action.provider_ref, 80)}` : "";

const looseOf = (value: unknown): Loose =>
  value !== null && typeof value === "object" ? (value as Loose) : {};

export const policyExplain: Command = {
  name: "policy explain",
  summary: "Show the clauses, facts and policy version that decided an action",
  help: `Usage: recourse policy explain ACTION [--json]

  ACTION           the action's ID (act_…), as in reviews and in the chat's events
  --json           the record itself, for programs
${OPERATOR_HELP}

Asks the server; when none runs on this machine, reads the data folder or DATABASE_URL itself.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "policy explain",
      args,
      { ...OPERATOR_OPTIONS, json: { type: "boolean" } },
      ["ACTION"],
    );
    const [id = ""] = words;
    if (!/^act_[0-9a-f-]{36}$/.test(id)) {
      throw new CliError(
        `"${plainLine(id, 60)}" is not the ID of an action.`,
        "An action's ID is act_ and a UUID: see `recourse review ID` or `recourse reviews --all --json`.",
        EXIT.usage,
      );
    }
    const records = await openRecords(values, io);
    try {
      const action = await records.action(id);
      const lines =
        values.json === true
          ? [JSON.stringify(action, null, 2)]
          : explanationLines(action, { paint: paintFor(io.output, io.env), width: columnsOf(io.output) });
      io.output.write(`${lines.join("\n")}\n`);
      return EXIT.ok;
    } finally {
      await records.close();
    }
  },
};
