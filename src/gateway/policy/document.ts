/**
 * Reads a policy document: front matter, clauses (`## Title {#id}`) with prose, a customer's sentence
 * (`> Customer: …`) and ```cedar blocks. What customers are told and what is enforced is one source:
 * numbers come from limits, limits that are shown are enforced, and nothing that looks like a rule is
 * left unread. All faults are reported at once, with line and column.
 *
 * May import `kernel` and its own room; no I/O, no clock.
 */
import { createHash } from "node:crypto";
import { ProblemError } from "../../kernel/errors.ts";
import { LANGUAGES, type Language } from "../../kernel/language.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { inOrder, type Place, type PolicyFault, placeIn, type Report, spotOf } from "./faults.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import { createPlaceholders, type Placeholders, refuseUnenforced } from "./placeholders.ts";
import type { PolicyClause, PolicyVersion } from "./policy.ts";
import { readRules, refuseSilence } from "./rules.ts";
import { refuseSecondSources } from "./second-source.ts";
import { isEmpty, type Part, readSections, type Section } from "./sections.ts";

export type { PolicyFault } from "./faults.ts";

/** What a document is, or everything that is wrong with it. */
export type ParsedPolicy =
  | { readonly ok: true; readonly policy: PolicyVersion }
  | { readonly ok: false; readonly faults: readonly PolicyFault[] };

/** @throws ProblemError `policy_invalid`: its message lists every fault as `name:line:column: what fix` */
export function parsePolicy(source: string, name = "policy"): PolicyVersion {
  const parsed = readPolicy(source);
  if (parsed.ok) return parsed.policy;
  throw new ProblemError("policy_invalid", faultLines(name, parsed.faults).join("\n"), {
    details: { faults: parsed.faults },
  });
}

/** One line a fault. */
export const faultLines = (name: string, faults: readonly PolicyFault[]): string[] =>
  faults.map((fault) => `${spotOf(name, fault)}: ${fault.message} ${fault.fix}`);

export function readPolicy(source: string): ParsedPolicy {
  const faults: PolicyFault[] = [];
  const report: Report = ({ line, column }, message, fix) => void faults.push({ line, column, message, fix });
  const start: Place = { line: 1, column: null };
  if (Buffer.byteLength(source) > LIMITS.policyBytes) {
    report(start, `The document is larger than ${LIMITS.policyBytes} bytes.`, "Split it.");
    return { ok: false, faults };
  }
  // Some editors begin a file with a byte order mark; it means nothing.
  const written = source.replace(/^\uFEFF/, "");
  refuseInvisible(written, report);
  // Neither the engine nor the database takes half a surrogate pair; it has been reported.
  const lines = written.toWellFormed().split(/\r?\n/);
  const end = /^---\s*$/.test(lines[0] ?? "")
    ? lines.findIndex((line, at) => at > 0 && /^---\s*$/.test(line))
    : -1;
  if (end === -1) report(start, "There is no front matter.", "Start with `---`, the fields, and `---`.");
  const front =
    end === -1 ? null : guarded(() => readFrontMatter(lines.slice(1, end).join("\n"), 2, report), report);
  const beforeBody = faults.length;
  const { preamble, sections } = readSections(lines, end + 1, report);
  const unread = faults.length > beforeBody;
  const placeholders = createPlaceholders(front, report);
  const title = front === null ? null : { text: front.fields.title, ...atColumn(front.titleAt) };
  for (const text of readable(title, preamble, sections)) refuseSecondSources(text, report);
  for (const part of preamble) placeholders.fill(part);
  const clauses = sections.map(
    (section): PolicyClause => ({
      id: section.id,
      title: placeholders.fill(section.title),
      translations: translationsOf(section, front, placeholders, report),
      line: section.line,
      prose: section.prose
        .map((part) => placeholders.fill(part))
        .join("\n")
        .trim(),
      customerText: section.customer
        .map((part) => placeholders.fill(part))
        .join(" ")
        .trim(),
    }),
  );
  const beforeRules = faults.length;
  const { statements, reads } = readRules(sections, report);
  // Conclusions from all rules together are drawn only when each of them was read.
  if (!unread && faults.length === beforeRules) {
    refuseSilence(statements, sections, report);
    refuseUnenforced(placeholders, reads, report);
  }
  const titleText = title === null ? "" : placeholders.fill(title);
  if (faults.length > 0 || front === null) return { ok: false, faults: listed(faults) };
  return {
    ok: true,
    policy: { ...headOf(front), title: titleText, clauses, statements, hash: hashOfText(source), source },
  };
}

const headOf = ({ fields, limits, currency }: FrontMatter) => ({
  tenant: fields.tenant,
  id: fields.id,
  version: fields.version,
  effectiveFrom: fields.effective_from,
  governedBy: fields.governed_by,
  language: fields.language,
  currency,
  limits,
});

/** The customer's sentence in further languages; a language that is none, or the document's own, is a fault. */
function translationsOf(
  section: Section,
  front: FrontMatter | null,
  placeholders: Placeholders,
  report: Report,
): PolicyClause["translations"] {
  const found: Partial<Record<Language, string>> = {};
  for (const [code, parts] of section.translations) {
    const language = LANGUAGES.find((each) => each === code);
    const at = { line: parts[0]?.line ?? section.line, column: 1 };
    if (language === undefined) {
      report(at, `"${code}" is no language that customers are answered in.`, `Use ${LANGUAGES.join(", ")}.`);
    } else if (language === front?.fields.language) {
      report(at, `The policy itself is in ${code}.`, "Leave the language out: `> Customer: …`.");
    } else if (isEmpty(parts)) {
      report(at, `The sentence in ${code} is empty.`, "Write it, or remove the line.");
    } else
      found[language] = parts
        .map((part) => placeholders.fill(part, language))
        .join(" ")
        .trim();
  }
  return found;
}

/** What names a text: a published version is found by it. */
export const hashOfText = (source: string): string => createHash("sha256").update(source).digest("hex");
const atColumn = ({ line, column }: Place) => ({ line, column: column ?? 1 });

/** Everything that customers can read, as texts that each stand by themselves. */
function readable(
  title: Part | null,
  preamble: readonly Part[],
  sections: readonly Section[],
): (readonly Part[])[] {
  return [
    ...(title === null ? [] : [[title]]),
    preamble,
    ...sections.flatMap((section) => [
      [section.title],
      section.prose,
      section.customer,
      ...section.translations.values(),
    ]),
  ].filter((parts) => parts.length > 0);
}

/** The YAML reader recurses: nesting by the thousand overflows the stack, which is a fault like any other. */
function guarded<T>(read: () => T, report: Report): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(
      { line: 2, column: null },
      "The front matter is nested too deeply.",
      "Write it as docs/policies.md shows.",
    );
    return null;
  }
}

/** Characters that nobody sees could hide a number, or show rules in another order than they have. */
function refuseInvisible(text: string, report: Report): void {
  for (const match of text.matchAll(
    /(?![\t\n\r\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}]|[\p{Zl}\p{Zp}\uE000-\uE010]/gu,
  )) {
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    report(
      placeIn(text, match.index, { line: 1, column: 1 }),
      `U+${code} is invisible.`,
      "Remove this character.",
    );
  }
}

function listed(faults: readonly PolicyFault[]): PolicyFault[] {
  const all = inOrder(faults);
  if (all.length <= LIMITS.policyFaults) return all;
  const shown = all.slice(0, LIMITS.policyFaults);
  const line = shown.at(-1)?.line ?? 1;
  const more = `There are ${all.length - shown.length} more faults.`;
  return [...shown, { line, column: null, message: more, fix: "Correct these first." }];
}
