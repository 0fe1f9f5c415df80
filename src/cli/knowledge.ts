/** `recourse knowledge add | list | search | remove | release`: the documents that answers come from. */
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { LANGUAGES } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments } from "./command.ts";
import { OPERATOR_HELP, OPERATOR_OPTIONS, operatorApi, operatorError } from "./operator.ts";
import { columnsOf, hanging, type Paint, paintFor, plainLine, plainText } from "./terminal.ts";

type Loose = Readonly<Record<string, unknown>>;

const FORMATS: Readonly<Record<string, string>> = {
  ".md": "markdown",
  ".markdown": "markdown",
  ".html": "html",
  ".htm": "html",
  ".pdf": "pdf",
  ".txt": "text",
};

const print = (io: CommandIo, lines: readonly string[]): void => {
  io.output.write(`${lines.join("\n")}\n`);
};

async function asked<T>(
  io: CommandIo,
  values: Loose,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<T> {
  try {
    return await operatorApi(values, io).call<T>(method, path, body);
  } catch (error) {
    throw operatorError(error);
  }
}

export const knowledgeAdd: Command = {
  name: "knowledge add",
  summary: "Add a document, or a new version of one, to what answers come from",
  help: `Usage: recourse knowledge add FILE --id ID --version V [options]

  FILE             Markdown (.md), HTML (.html), PDF with text (.pdf) or plain text (.txt), up to ${LIMITS.documentBytes / 1_048_576} MB
  --id ID          the document's name through all its versions, such as shipping
  --version V      of this text, such as 2; a text that was published does not change
  --title TEXT     shown in citations (the file's name unless stated)
  --kind KIND      policy, faq (unless stated), product, resolved_case
  --language LL    ${LANGUAGES.join(", ")} (en unless stated)
  --audience WHO   customer (unless stated), operator: never told to a customer
  --from WHEN      in force from this date of your shop's calendar (2026-03-01) or this instant on (now
                   unless stated); the version before answers until then
  --until WHEN     and not from this one on
  --json           the API's answer, for programs
${OPERATOR_HELP}

In Markdown, a heading is the question that its text answers; a line "Also asked: one? / another?" below it
names other ways to ask. A document that seems to speak to an assistant, hides text or contradicts the policy
is held: it answers nobody until \`recourse knowledge release\`.

Exit codes: 0 published or unchanged, 1 held or refused.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "knowledge add",
      args,
      {
        ...OPERATOR_OPTIONS,
        id: { type: "string" },
        version: { type: "string" },
        title: { type: "string" },
        kind: { type: "string" },
        language: { type: "string" },
        audience: { type: "string" },
        from: { type: "string" },
        until: { type: "string" },
        json: { type: "boolean" },
      },
      ["FILE"],
    );
    const file = words[0] as string;
    const format = FORMATS[extname(file).toLowerCase()];
    if (format === undefined) {
      throw new CliError(
        `${plainLine(file, 300)} is none of ${Object.keys(FORMATS).join(", ")}.`,
        "Save it in one of these formats.",
        EXIT.usage,
      );
    }
    if (values.id === undefined || values.version === undefined) {
      throw new CliError(
        "`recourse knowledge add` needs --id and --version.",
        "See `recourse knowledge add --help`.",
        EXIT.usage,
      );
    }
    const content = await contentOf(file);
    const added = await asked<Loose>(io, values, "POST", "/v1/operator/knowledge", {
      document_id: values.id,
      version: values.version,
      kind: values.kind ?? "faq",
      language: values.language ?? "en",
      audience: values.audience ?? "customer",
      title: values.title ?? titleOf(file),
      ...(values.from === undefined ? {} : { effective_from: values.from }),
      ...(values.until === undefined ? {} : { effective_until: values.until }),
      format,
      content,
    });
    if (values.json === true) print(io, [JSON.stringify(added, null, 2)]);
    else print(io, addedLines(added, paintFor(io.output, io.env), columnsOf(io.output)));
    return added.outcome === "held" ? EXIT.no : EXIT.ok;
  },
};

async function contentOf(file: string): Promise<string> {
  try {
    const found = await stat(file);
    // A pipe or a device says nothing of its size, and may never end.
    if (!found.isFile())
      throw new CliError(`${plainLine(file, 300)} is no file.`, "Name one document.", EXIT.usage);
    const { size } = found;
    if (size > LIMITS.documentBytes) {
      throw new CliError(
        `${plainLine(file, 300)} has ${size.toLocaleString("en-US")} bytes; at most ${LIMITS.documentBytes.toLocaleString("en-US")} are read. [document_too_large]`,
        "Split it.",
      );
    }
    return (await readFile(file)).toString("base64");
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError(
      `${plainLine(file, 300)} cannot be read (${code}).`,
      "Check the path.",
      EXIT.usage,
      cause,
    );
  }
}

const titleOf = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file)
    .replace(/\.\w+$/, "")
    .replace(/[-_.]+/g, " ")
    .trim() || "Document";

const named = (document: Loose): string =>
  `${plainLine(document.document_id, 64)} (${plainLine(document.language, 8)}) version ${plainLine(document.version, 64)}`;

function addedLines(added: Loose, paint: Paint, width: number): string[] {
  const from = plainLine(added.effective_from, 40);
  if (added.outcome === "unchanged")
    return [`${paint("dim", "·")} ${named(added)} is there already, with the same text.`];
  if (added.outcome === "published") {
    return [
      `${paint("green", "✓")} ${named(added)}: ${added.passages === 1 ? "1 passage" : `${added.passages} passages`}, in force from ${from}.`,
    ];
  }
  const reasons = Array.isArray(added.held_for) ? added.held_for : [];
  return [
    `${paint("yellow", "!")} ${named(added)} is held: it answers nobody until a person has looked at it.`,
    ...reasons.flatMap((reason) => hanging("  • ", "    ", plainText(reason), width)),
    `  ${paint("cyan", "→")} If it is as it should be: recourse knowledge release ${plainLine(added.document_id, 64)} --version ${plainLine(added.version, 64)} --language ${plainLine(added.language, 8)}`,
  ];
}

export const knowledgeList: Command = {
  name: "knowledge list",
  summary: "List the documents that answers come from, with their versions",
  help: `Usage: recourse knowledge list [--all] [--json]

  --all            superseded and ended versions too
  --json           the API's answer, for programs
${OPERATOR_HELP}

States: current answers now, future will, held waits for \`recourse knowledge release\`; superseded and
ended answer nobody any more.`,
  async run(args, io) {
    const { values } = readArguments("knowledge list", args, {
      ...OPERATOR_OPTIONS,
      all: { type: "boolean" },
      json: { type: "boolean" },
    });
    const { documents } = await asked<{ documents: readonly Loose[] }>(
      io,
      values,
      "GET",
      "/v1/operator/knowledge",
    );
    if (values.json === true) print(io, [JSON.stringify({ documents }, null, 2)]);
    else {
      const paint = paintFor(io.output, io.env);
      const past = new Set(["superseded", "ended"]);
      const listed = documents.filter(({ state }) => values.all === true || !past.has(String(state)));
      print(
        io,
        listed.length === 0
          ? ["No documents. `recourse knowledge add FILE` adds one."]
          : listed.map(
              (document) =>
                `${stateMark(document, paint)} ${named(document).padEnd(36)} ${plainLine(document.kind, 14).padEnd(8)} from ${plainLine(document.effective_from, 10)}  ${plainLine(document.title, 60)}`,
            ),
      );
    }
    return EXIT.ok;
  },
};

function stateMark({ state }: Loose, paint: Paint): string {
  const text = plainLine(state, 12).padEnd(10);
  return state === "current"
    ? paint("green", text)
    : state === "held"
      ? paint("yellow", text)
      : paint("dim", text);
}

export const knowledgeSearch: Command = {
  name: "knowledge search",
  summary: "See what would answer a customer's question, and whether it would",
  help: `Usage: recourse knowledge search QUESTION [--language LL] [--operator] [--json]

  QUESTION         in quotes
  --language LL    the customer's (${LANGUAGES.join(", ")}): documents in it go first
  --operator       documents for operators too
  --json           the API's answer, for programs
${OPERATOR_HELP}

Exit codes: 0 it would be answered, 1 the customer would be told that we do not know.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "knowledge search",
      args,
      {
        ...OPERATOR_OPTIONS,
        language: { type: "string" },
        operator: { type: "boolean" },
        json: { type: "boolean" },
      },
      ["QUESTION"],
    );
    const answer = await asked<Loose>(io, values, "POST", "/v1/operator/knowledge/search", {
      query: words[0],
      audience: values.operator === true ? "operator" : "customer",
      ...(values.language === undefined ? {} : { language: values.language }),
    });
    if (values.json === true) print(io, [JSON.stringify(answer, null, 2)]);
    else print(io, answerLines(answer, paintFor(io.output, io.env), columnsOf(io.output)));
    return answer.answered === true ? EXIT.ok : EXIT.no;
  },
};

function answerLines(answer: Loose, paint: Paint, width: number): string[] {
  const passages = (Array.isArray(answer.passages) ? answer.passages : []) as readonly Loose[];
  const sure = Number(answer.confidence).toFixed(2);
  const doubts = Array.isArray(answer.doubts)
    ? answer.doubts.map((each) => plainLine(each, 40)).join(", ")
    : "";
  return [
    answer.answered === true
      ? `${paint("green", "✓")} would be answered (confidence ${sure})`
      : `${paint("yellow", "?")} "I don't know" (confidence ${sure}${doubts === "" ? "" : `: ${doubts}`})`,
    ...passages
      .slice(0, 3)
      .flatMap((passage) => [
        "",
        `${paint("bold", plainLine((passage.headings as unknown[])?.at(-1) ?? passage.title, 100))}  ${paint("dim", `${Number(passage.score).toFixed(2)} · ${named(passage)}, in force since ${plainLine(passage.effective_from, 12)}`)}`,
        ...hanging("  ", "  ", plainText(passage.text), width),
      ]),
  ];
}

export const knowledgeRemove: Command = {
  name: "knowledge remove",
  summary: "Remove a document, or one version of it",
  help: `Usage: recourse knowledge remove ID [--version V] [--language LL]

  ID               as \`recourse knowledge list\` shows it
  --version V      this version only; what was in force leaves a gap: an older version does not come back
  --language LL    in this language only
${OPERATOR_HELP}`,
  async run(args, io) {
    const { values, words } = readArguments(
      "knowledge remove",
      args,
      { ...OPERATOR_OPTIONS, version: { type: "string" }, language: { type: "string" } },
      ["ID"],
    );
    const { removed } = await asked<{ removed: number }>(
      io,
      values,
      "POST",
      "/v1/operator/knowledge/remove",
      {
        document_id: words[0],
        ...(values.version === undefined ? {} : { version: values.version }),
        ...(values.language === undefined ? {} : { language: values.language }),
      },
    );
    print(io, [
      `Removed ${removed === 1 ? "one version" : `${removed} versions`}. It answers nobody any more.`,
    ]);
    return EXIT.ok;
  },
};

export const knowledgeRelease: Command = {
  name: "knowledge release",
  summary: "Let a held document answer, after looking at it",
  help: `Usage: recourse knowledge release ID --version V [--language LL]

  ID               as \`recourse knowledge list\` shows it
  --version V      the version that is held
  --language LL    its language (en unless stated)
${OPERATOR_HELP}

A document is held when it seems to speak to an assistant, hides text, or names a limit on refunds that the
policy does not have. Read it first. The policy stays above it: passages that contradict it answer nobody.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "knowledge release",
      args,
      { ...OPERATOR_OPTIONS, version: { type: "string" }, language: { type: "string" } },
      ["ID"],
    );
    if (values.version === undefined) {
      throw new CliError(
        "`recourse knowledge release` needs --version.",
        "`recourse knowledge list` shows it.",
        EXIT.usage,
      );
    }
    await asked(io, values, "POST", "/v1/operator/knowledge/release", {
      document_id: words[0],
      version: values.version,
      language: values.language ?? "en",
    });
    print(io, ["Released."]);
    return EXIT.ok;
  },
};

export const KNOWLEDGE_COMMANDS: readonly Command[] = [
  knowledgeAdd,
  knowledgeList,
  knowledgeSearch,
  knowledgeRemove,
  knowledgeRelease,
];
