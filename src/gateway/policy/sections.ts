/**
 * The body of a policy document, line by line: clauses with their prose, the customer's sentence and
 * their rules. Everything that looks like a rule or a clause and is not read as one is a fault: a rule
 * that is printed and not enforced is worse than a document that is refused.
 */
import type { Place, Report } from "./faults.ts";

/** A piece of one line. */
export interface Part extends Place {
  readonly text: string;
  readonly column: number;
}
export interface Block extends Place {
  readonly text: string;
  readonly column: number;
}
export interface Section {
  readonly id: string;
  readonly title: Part;
  readonly line: number;
  readonly prose: Part[];
  readonly customer: Part[];
  /** The customer's sentence in other languages, by the code as it was written. */
  readonly translations: Map<string, Part[]>;
  readonly blocks: Block[];
}
export interface Body {
  /** What stands before the first clause. */
  readonly preamble: readonly Part[];
  readonly sections: readonly Section[];
}

const CLAUSE = "A clause is a line `## Title {#clause-id}`: lower-case letters, digits, hyphens.";
const FENCE = "A rule stands between a line ```cedar and a line ```, from the first column, in its clause.";

/** Reads `lines` from index `from` on; line numbers are those of the whole document. */
export function readSections(lines: readonly string[], from: number, report: Report): Body {
  const preamble: Part[] = [];
  const sections: Section[] = [];
  const ids = new Set<string>();
  let current: Section | null = null;
  /** The customer's sentence that the last line belongs to. */
  let inCustomer: Part[] | null = null;
  let inComment = false;
  for (let index = from; index < lines.length; index += 1) {
    const text = lines[index] ?? "";
    const line = index + 1;
    const here = { line, column: 1 };
    const wasCustomer: Part[] | null = inCustomer;
    inCustomer = null;
    if (text.includes("```") || text.includes("~~~")) {
      const opens = /^```cedar\s*$/.test(text);
      const close = closingLine(lines, index);
      if (!opens) report(here, "This fence is not read as a rule.", FENCE);
      else if (close === null || !/^```\s*$/.test(lines[close] ?? ""))
        report(here, "This block is not closed.", FENCE);
      else if (current === null) report(here, "This rule stands in no clause.", FENCE);
      else {
        const block = { text: lines.slice(index + 1, close).join("\n"), line: line + 1, column: 1 };
        if (block.text.trim() === "") report(here, "This block has no rule.", "Write one, or remove it.");
        current.blocks.push(block);
      }
      // What follows a fence that never closes is read on, so that its faults show too.
      index = close ?? index;
      continue;
    }
    const heading = /^( {0,3}#{1,6}[ \t]+)(\S.*?)[ \t]*$/.exec(text);
    if (heading !== null && !(current === null && /^# [^{]*$/.test(text))) {
      const [, mark = "", title = ""] = heading;
      if (mark.trimEnd() !== "##") report(here, "This heading is not a clause.", CLAUSE);
      // One with an ID was meant to be a clause: what follows is read as its own.
      if (mark.trimEnd() === "##" || title.includes("{#")) {
        current = openSection(title, line, mark.length + 1, ids, report);
        sections.push(current);
      }
      continue;
    }
    if (heading === null && text.includes("{#"))
      report({ line, column: text.indexOf("{#") + 1 }, "This ID is not in a clause's heading.", CLAUSE);
    if (/^\s*(?:@\w+\s*\(|(?:permit|forbid)\s*\()/.test(text))
      report(here, "This looks like a rule, but would not be enforced.", FENCE);
    const marks = text.replace(/<!--.*?-->/g, (comment) => " ".repeat(comment.length));
    const open = marks.search(/<!--|-->/);
    // The end of a comment that was reported at its start is no fault of its own.
    if (open !== -1 && !(inComment && marks.startsWith("-->", open)))
      report({ line, column: open + 1 }, "This comment does not end on its line.", "Close it with `-->`.");
    if (open !== -1) inComment = marks.lastIndexOf("<!--") > marks.lastIndexOf("-->");
    const customer = /^>\s*customer\s*(?:\(([^)]*)\)\s*)?:\s*/i.exec(text);
    if (current === null) preamble.push({ text, ...here });
    else if (customer !== null) {
      const mark = customer[0];
      const language = customer[1]?.trim();
      inCustomer = language === undefined ? current.customer : translationOf(current, language);
      if (inCustomer.length > 0) {
        const which = language === undefined ? "" : ` in ${language}`;
        const message = `The clause ${current.id} has a second customer's sentence${which}.`;
        report(here, message, "Make one of the two.");
      }
      inCustomer.push({ text: text.slice(mark.length), line, column: mark.length + 1 });
    } else if (wasCustomer !== null && /^>/.test(text)) {
      const mark = /^>\s*/.exec(text)?.[0].length ?? 0;
      wasCustomer.push({ text: text.slice(mark), line, column: mark + 1 });
      inCustomer = wasCustomer;
    } else current.prose.push({ text, ...here });
  }
  for (const section of sections) {
    if (isEmpty(section.customer)) {
      report(
        { line: section.line, column: null },
        `The clause ${section.id} has no sentence for customers.`,
        "Add a line `> Customer: …`: what they are told when this clause decides.",
      );
    }
  }
  return { preamble, sections };
}

/** Nothing that a customer would see. */
export const isEmpty = (parts: readonly Part[]): boolean =>
  parts.every((part) => part.text.replace(/<!--.*?-->/g, "").trim() === "");

function openSection(
  heading: string,
  line: number,
  column: number,
  ids: Set<string>,
  report: Report,
): Section {
  const [, title = heading, id] = /^(.*?)[ \t]*\{#([^}]*)\}$/.exec(heading) ?? [];
  const at = { line, column };
  if (id === undefined) report(at, `The clause "${heading}" has no ID.`, CLAUSE);
  else if (!/^[a-z][a-z0-9-]{0,60}$/.test(id)) report(at, `"${id}" is not an ID for a clause.`, CLAUSE);
  else if (ids.has(id)) report(at, `The ID ${id} is used twice.`, "Give each clause its own.");
  if (title.trim() === "") report(at, "This clause has no title.", CLAUSE);
  ids.add(id ?? "");
  return {
    id: id ?? `line-${line}`,
    title: { text: title, line, column },
    line,
    prose: [],
    customer: [],
    translations: new Map(),
    blocks: [],
  };
}

function translationOf({ translations }: Section, language: string): Part[] {
  const parts = translations.get(language) ?? [];
  translations.set(language, parts);
  return parts;
}

/** Index of the line that closes the fence of line `index`, whatever its marks; null when none does. */
function closingLine(lines: readonly string[], index: number): number | null {
  for (let at = index + 1; at < lines.length; at += 1) {
    if (/^\s*(?:```+|~~~+)\s*$/.test(lines[at] ?? "")) return at;
    // A new clause ends what an unclosed fence would swallow.
    if (/^##[ \t]+\S.*\{#[^}]*\}\s*$/.test(lines[at] ?? "")) return null;
  }
  return null;
}
