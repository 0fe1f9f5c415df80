/**
 * Reads a policy document: front matter, clauses (`## Title {#id}`) with prose, a customer's sentence
 * (`> Customer: …`) and ```cedar blocks. All faults are reported at once, with lines.
 *
 * One source for each number: prose shows limits through `{{limits.…}}`; a number of days, times or
 * money that a person wrote by hand is refused, for it could contradict the limit that is enforced.
 * A line that needs such a number for another reason ends with `<!-- literal: the reason -->`.
 */
import { createHash } from "node:crypto";
import { parseDocument } from "yaml";
import { z } from "zod";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { type Currency, parseAmount } from "../../kernel/money.ts";
import { type Statement, splitStatements, validateStatements } from "./cedar.ts";
import type { PolicyClause, PolicyLimits, PolicyVersion } from "./policy.ts";

export interface PolicyFault {
  /** 1-based line of the document. */
  readonly line: number;
  readonly message: string;
  readonly fix: string;
}

/** What a document is, or everything that is wrong with it. */
export type ParsedPolicy =
  | { readonly ok: true; readonly policy: PolicyVersion }
  | { readonly ok: false; readonly faults: readonly PolicyFault[] };

const amounts = z.record(z.string().regex(/^[A-Z]{3}$/, "a currency is three capital letters"), z.string());
const frontMatter = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/),
  tenant: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/),
  version: z.string().min(1).max(40),
  title: z.string().min(1).max(200),
  effective_from: z.iso.date(),
  governed_by: z.enum(["order_placed", "request_made"]),
  limits: z.strictObject({
    return_window_days: z.int().min(0).max(3_650),
    unattended_max: amounts,
    high_value_lifetime_spend: z.string(),
    refund_limit: z.strictObject({
      window_days: z.int().min(1).max(366),
      max_count: z.int().min(1).max(10_000),
      max_amount: amounts,
    }),
  }),
});
type FrontMatter = z.infer<typeof frontMatter>;

/** @throws ProblemError `policy_invalid`: its message lists every fault as `name:line: what (fix)` */
export function parsePolicy(source: string, name = "policy"): PolicyVersion {
  const parsed = readPolicy(source);
  if (parsed.ok) return parsed.policy;
  throw new ProblemError(
    "policy_invalid",
    parsed.faults.map((fault) => `${name}:${fault.line}: ${fault.message} ${fault.fix}`).join("\n"),
    { details: { faults: parsed.faults } },
  );
}

export function readPolicy(source: string): ParsedPolicy {
  const faults: PolicyFault[] = [];
  const fault = (line: number, message: string, fix: string) => void faults.push({ line, message, fix });
  if (Buffer.byteLength(source) > LIMITS.policyBytes) {
    fault(1, `The document is larger than ${LIMITS.policyBytes} bytes.`, "Split it.");
    return { ok: false, faults };
  }
  const lines = source.split(/\r?\n/);
  const end = lines.indexOf("---", 1);
  if (lines[0] !== "---" || end === -1) {
    fault(1, "There is no front matter.", "Start with `---`, the fields, and `---`.");
    return { ok: false, faults };
  }
  const front = readFrontMatter(lines.slice(1, end).join("\n"), fault);
  const limits = front === null ? null : readLimits(front, lines, fault);
  const sections = readSections(lines, end + 1, fault);
  const shown = front === null ? null : shownLimits(front);
  const clauses: PolicyClause[] = [];
  const statements: Statement[] = [];
  for (const section of sections) {
    const fill = (text: string, line: number) => fillPlaceholders(text, line, shown, fault);
    for (const part of [...section.prose, ...section.customer]) refuseLiteralNumbers(part, fault);
    if (section.customer.length === 0) {
      fault(
        section.line,
        `The clause ${section.id} has no sentence for customers.`,
        "Add a line `> Customer: …`.",
      );
    }
    clauses.push({
      id: section.id,
      title: section.title,
      line: section.line,
      prose: section.prose
        .map((part) => fill(part.text, part.line))
        .join("\n")
        .trim(),
      customerText: section.customer.map((part) => fill(part.text, part.line)).join(" "),
    });
    for (const block of section.blocks) {
      const split = splitStatements(block.text);
      if (Array.isArray(split)) {
        for (const text of split) {
          const offset = Math.max(0, block.text.indexOf(text.split("\n")[0] ?? ""));
          const line = block.line + block.text.slice(0, offset).split("\n").length - 1;
          statements.push({
            id: `${section.id}#${statements.filter((s) => s.id.startsWith(`${section.id}#`)).length + 1}`,
            text,
            line,
          });
        }
      } else
        fault(
          block.line + split.line - 1,
          `Cedar: ${split.message}.`,
          split.help ?? "See the clause's neighbours for the form.",
        );
    }
  }
  if (statements.length === 0)
    fault(end + 1, "No clause has a rule.", "Add a ```cedar block beside the clause that it enforces.");
  for (const found of validateStatements(statements)) {
    fault(
      found.line,
      `Cedar: ${found.message}.`,
      found.help ?? "Facts and limits are listed in docs/policies.md.",
    );
  }
  if (faults.length > 0 || front === null || limits === null) {
    return { ok: false, faults: faults.sort((a, b) => a.line - b.line) };
  }
  return {
    ok: true,
    policy: {
      tenant: front.tenant,
      id: front.id,
      version: front.version,
      title: front.title,
      effectiveFrom: front.effective_from,
      governedBy: front.governed_by,
      limits,
      clauses,
      statements,
      hash: createHash("sha256").update(source).digest("hex"),
      source,
    },
  };
}

type Report = (line: number, message: string, fix: string) => void;

function readFrontMatter(text: string, fault: Report): FrontMatter | null {
  const yaml = parseDocument(text, { uniqueKeys: true });
  const lineOf = (offset: number) => 2 + text.slice(0, offset).split("\n").length - 1;
  if (yaml.errors.length > 0) {
    for (const error of yaml.errors)
      fault(lineOf(error.pos[0]), `Front matter: ${error.message.split("\n")[0]}.`, "Correct the YAML.");
    return null;
  }
  const value: unknown = yaml.toJS({ maxAliasCount: 0 });
  const parsed = frontMatter.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const node = yaml.getIn(issue.path as (string | number)[], true) as
      | { range?: [number, number, number] }
      | undefined;
    const unknownKeys = issue.code === "unrecognized_keys" ? issue.keys.join(", ") : null;
    const at =
      unknownKeys === null
        ? node?.range?.[0]
        : text.indexOf(issue.code === "unrecognized_keys" ? (issue.keys[0] ?? "") : "");
    fault(
      at === undefined || at < 0 ? 2 : lineOf(at),
      unknownKeys === null
        ? `${issue.path.join(".")}: ${issue.message}.`
        : `${unknownKeys}: there is no such field.`,
      unknownKeys === null
        ? 'Amounts are text such as "100.00"; dates such as 2026-03-01.'
        : "Remove it, or correct its name.",
    );
  }
  return null;
}

function readLimits(front: FrontMatter, lines: readonly string[], fault: Report): PolicyLimits | null {
  let ok = true;
  const amount = (text: string, currency: Currency): number => {
    try {
      return parseAmount(text, currency);
    } catch (error) {
      ok = false;
      const line = lines.findIndex(
        (candidate) => candidate.includes(`"${text}"`) || candidate.endsWith(` ${text}`),
      );
      fault(line + 1, (error as Error).message, error instanceof ProblemError ? error.next : "");
      return 0;
    }
  };
  const all = (record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([currency, text]) => [currency, amount(text, currency)]));
  const { limits } = front;
  const [first = "USD"] = Object.keys(limits.unattended_max);
  const read: PolicyLimits = {
    returnWindowDays: limits.return_window_days,
    unattendedMaxMinor: all(limits.unattended_max),
    highValueLifetimeSpendMinor: amount(limits.high_value_lifetime_spend, first),
    refundLimit: {
      windowDays: limits.refund_limit.window_days,
      maxCount: limits.refund_limit.max_count,
      maxAmountMinor: all(limits.refund_limit.max_amount),
    },
  };
  return ok ? read : null;
}

/** Text of each placeholder. The first currency of a list is the tenant's own: prose shows that one. */
function shownLimits(front: FrontMatter): ReadonlyMap<string, string> {
  const { limits } = front;
  const [own = "USD"] = Object.keys(limits.unattended_max);
  const money = (record: Readonly<Record<string, string>>) => {
    const [currency, text] = Object.entries(record)[0] ?? [own, "0"];
    return `${text} ${currency}`;
  };
  return new Map([
    ["limits.return_window_days", String(limits.return_window_days)],
    ["limits.unattended_max", money(limits.unattended_max)],
    ["limits.high_value_lifetime_spend", `${limits.high_value_lifetime_spend} ${own}`],
    ["limits.refund_limit.window_days", String(limits.refund_limit.window_days)],
    ["limits.refund_limit.max_count", String(limits.refund_limit.max_count)],
    ["limits.refund_limit.max_amount", money(limits.refund_limit.max_amount)],
  ]);
}

interface Part {
  readonly text: string;
  readonly line: number;
}
interface Section {
  readonly id: string;
  readonly title: string;
  readonly line: number;
  readonly prose: Part[];
  readonly customer: Part[];
  readonly blocks: Part[];
}

function readSections(lines: readonly string[], from: number, fault: Report): Section[] {
  const sections: Section[] = [];
  let current: Section | null = null;
  for (let index = from; index < lines.length; index += 1) {
    const text = lines[index] ?? "";
    const line = index + 1;
    const heading = /^##\s+(.+?)(?:\s+\{#([a-z][a-z0-9-]*)\})?\s*$/.exec(text);
    if (heading !== null) {
      const [, title = "", id] = heading;
      if (id === undefined) fault(line, `The clause "${title}" has no ID.`, "Write `## Title {#clause-id}`.");
      if (sections.some((section) => section.id === id))
        fault(line, `The ID ${id} is used twice.`, "Give each clause its own.");
      current = { id: id ?? `line-${line}`, title, line, prose: [], customer: [], blocks: [] };
      sections.push(current);
    } else if (/^```cedar\s*$/.test(text)) {
      const close = lines.findIndex((candidate, at) => at > index && /^```\s*$/.test(candidate));
      if (close === -1 || current === null) {
        fault(
          line,
          "This block is not closed, or stands in no clause.",
          "Close it with ``` below a `## Title {#id}`.",
        );
        break;
      }
      current.blocks.push({ text: lines.slice(index + 1, close).join("\n"), line: line + 1 });
      index = close;
    } else if (current !== null && /^>\s*Customer:/.test(text)) {
      current.customer.push({ text: text.replace(/^>\s*Customer:\s*/, ""), line });
    } else if (current !== null && current.customer.length > 0 && /^>/.test(text)) {
      current.customer.push({ text: text.replace(/^>\s*/, ""), line });
    } else if (current !== null) current.prose.push({ text, line });
  }
  return sections;
}

function fillPlaceholders(
  text: string,
  line: number,
  shown: ReadonlyMap<string, string> | null,
  fault: Report,
): string {
  return text
    .replace(/\{\{\s*([^}]*?)\s*\}\}/g, (whole, name: string) => {
      const value = shown?.get(name);
      if (value === undefined && shown !== null) {
        fault(line, `There is no ${whole}.`, `Use one of ${[...shown.keys()].join(", ")}.`);
      }
      return value ?? whole;
    })
    .replace(/\s*<!--.*?-->/g, "");
}

const NUMBER_WORDS =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand";
const UNITS = "days?|weeks?|months?|hours?|times|refunds?|returns?|dollars?|euros?|yen|dinars?|[A-Z]{3}";
const LITERAL = new RegExp(
  `(?:[$€£¥]\\s?\\d[\\d.,]*|\\b\\d[\\d.,]*[\\s-]*(?:${UNITS})\\b|\\b(?:USD|EUR|GBP|JPY|KWD)\\s?\\d[\\d.,]*|\\b(?:${NUMBER_WORDS})(?:[\\s-](?:${NUMBER_WORDS}))*[\\s-]+(?:days?|weeks?|months?|hours?|times|dollars?|euros?)\\b)`,
);

function refuseLiteralNumbers(part: Part, fault: Report): void {
  if (/<!--\s*literal:\s*\S.*-->/.test(part.text)) return;
  const found = LITERAL.exec(part.text.replace(/\{\{[^}]*\}\}/g, "§"));
  if (found !== null) {
    fault(
      part.line,
      `"${found[0]}" is a number that no limit gives.`,
      "Use a {{limits.…}} placeholder, so that what customers read is what is enforced; or end the line with <!-- literal: why -->.",
    );
  }
}
