/**
 * The rules of a document: each ```cedar block split into statements with their places, checked one by
 * one and then together. Beside Cedar's own strict validation it refuses what validation cannot see:
 * a word that a fact never is (`state == "in_transt"`), a number that should be a limit, and rules so
 * deep that they would overflow the stack of the engine, which serves the whole process.
 */
import { LIMITS } from "../../kernel/limits.ts";
import { type CedarFault, type Expression, parseRule, validateRules } from "./cedar.ts";
import { type Place, placeIn, type Report } from "./faults.ts";
import type { PolicyStatement } from "./policy.ts";
import { VOCABULARY } from "./schema.ts";
import type { Block, Section } from "./sections.ts";

/** A statement with what the scanner saw in it; offsets are within `text`. */
interface Scanned {
  readonly text: string;
  readonly offset: number;
  readonly numbers: readonly { readonly digits: string; readonly offset: number }[];
}

const LIMIT_HINT =
  "Compare with context.limits, so that customers are told the same number; or end the line with // literal: why";
const WORDS_HINT = 'Compare it by == or != with one of its words, or write ["…", "…"].contains(fact)';

export interface CheckedRules {
  readonly statements: readonly PolicyStatement[];
  /** The facts and limits that all rules read. */
  readonly reads: ReadonlySet<string>;
}

/** Reads and checks the rules of all clauses; whatever is wrong is reported and left out of the answer. */
export function readRules(sections: readonly Section[], report: Report): CheckedRules {
  const statements: PolicyStatement[] = [];
  const reads = new Set<string>();
  let count = 0;
  for (const section of sections) {
    let ofClause = 0;
    for (const block of section.blocks) {
      for (const scanned of scanBlock(block, report)) {
        count += 1;
        ofClause += 1;
        const place = placeIn(block.text, scanned.offset, block);
        if (count > LIMITS.policyRules) {
          if (count === LIMITS.policyRules + 1)
            report(place, `There are more than ${LIMITS.policyRules} rules.`, "Join rules of one clause.");
          continue;
        }
        refuseNumbers(scanned, block, place, report);
        const parsed = parseRule(scanned.text);
        if ("faults" in parsed) {
          for (const fault of parsed.faults) reportCedar(fault, scanned.text, place, report);
          continue;
        }
        const spot = (word: string) => placeIn(scanned.text, scanned.text.indexOf(word), place);
        for (const condition of parsed.rule.conditions) {
          const seen = readExpression(condition.body);
          for (const fact of seen.reads) reads.add(fact);
          for (const { what, fix, near } of seen.faults)
            report(near === null ? place : spot(near), what, fix);
        }
        const id = `${section.id}#${ofClause}`;
        statements.push({ id, clauseId: section.id, text: scanned.text, ...place });
      }
    }
  }
  for (const { statementId, fault } of validateRules(statements)) {
    const statement = statements.find(({ id }) => id === statementId);
    reportCedar(fault, statement?.text ?? "", statement ?? { line: 1, column: null }, report);
  }
  return { statements, reads };
}

/** A document that permits nothing would deny everything, which nobody writes a document for. */
export function refuseSilence(
  statements: readonly PolicyStatement[],
  sections: readonly Section[],
  report: Report,
): void {
  if (statements.some(({ text }) => aboutRule(text).effect === "permit")) return;
  report(
    { line: sections[0]?.line ?? 1, column: null },
    statements.length === 0
      ? "No clause has a rule."
      : "No rule permits anything, so everything would be denied.",
    "Add a ```cedar block with a permit rule beside the clause that it enforces.",
  );
}

/** The actions that one rule speaks of (null: every one) and the facts it reads, for explaining a decision. */
export function aboutRule(text: string): {
  effect: "permit" | "forbid";
  actions: readonly string[] | null;
  reads: readonly string[];
} {
  const parsed = parseRule(text);
  if ("faults" in parsed) return { effect: "forbid", actions: [], reads: [] };
  const { effect, action, conditions } = parsed.rule;
  const named =
    action.op === "All" || "slot" in action ? null : "entities" in action ? action.entities : [action.entity];
  return {
    effect,
    actions: named?.map((entity) => ("__entity" in entity ? entity.__entity.id : entity.id)) ?? null,
    reads: [...new Set(conditions.flatMap(({ body }) => [...readExpression(body).reads]))],
  };
}

function reportCedar(fault: CedarFault, text: string, place: Place, report: Report): void {
  const at = fault.offset === null ? place : placeIn(text, fault.offset, place);
  report(at, `Cedar: ${fault.message}.`, fault.help ?? "docs/policies.md lists the facts and limits.");
}

/** Splits at the semicolons that stand in neither text nor comment, in the order of the document. */
function scanBlock(block: Block, report: Report): Scanned[] {
  const { text } = block;
  const found: Scanned[] = [];
  const token = /\/\/[^\n]*|"(?:[^"\\]|\\.)*"|"|[A-Za-z_]\w*|\d+|\s+|&&|\|\||./sy;
  let start = -1;
  let depth = 0;
  let deepest = 0;
  let operators = 0;
  let numbers: { digits: string; offset: number }[] = [];
  const wrong = (offset: number, what: string, fix: string) =>
    report(placeIn(text, offset, block), what, fix);
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [piece] = match;
    if (/^(?:\s|\/\/)/.test(piece)) continue;
    if (start === -1) start = match.index;
    if (piece === '"') {
      wrong(match.index, "This text is not closed.", 'Close it with `"`.');
      return found;
    }
    if (/^\d/.test(piece)) numbers.push({ digits: piece, offset: match.index - start });
    else if (/^[([{]$/.test(piece)) depth += 1;
    else if (/^[)\]}]$/.test(piece)) depth -= 1;
    else if (piece !== ";" && (/^(?:if|has|in|like|is)$/.test(piece) || !/^[\w",:]/.test(piece)))
      operators += 1;
    deepest = Math.max(deepest, depth);
    if (piece !== ";") continue;
    if (deepest > LIMITS.policyRuleDepth || operators > LIMITS.policyRuleOperators)
      wrong(start, "This rule is too deep or too long to be evaluated.", "Split it into several rules.");
    else found.push({ text: text.slice(start, match.index + 1), offset: start, numbers });
    [start, depth, deepest, operators, numbers] = [-1, 0, 0, 0, []];
  }
  if (start !== -1) wrong(start, "This rule does not end.", "End it with `;`.");
  return found;
}

function refuseNumbers(scanned: Scanned, block: Block, place: Place, report: Report): void {
  const lines = block.text.split("\n");
  for (const { digits, offset } of scanned.numbers) {
    if (digits === "0" || digits === "1") continue;
    const at = placeIn(scanned.text, offset, place);
    if (/\/\/\s*literal:\s*\S/.test(lines[at.line - block.line] ?? "")) continue;
    report(at, `${digits} is a number that no limit gives.`, LIMIT_HINT);
  }
}

interface Seen {
  readonly reads: Set<string>;
  readonly faults: { what: string; fix: string; near: string | null }[];
}

/**
 * Walks a condition. Facts are read as `context.group.name` and in no other way, so that what a rule
 * reads is known; a fact with a closed set of words is compared with one of those words.
 */
function readExpression(root: Expression): Seen {
  const seen: Seen = { reads: new Set(), faults: [] };
  const wrong = (what: string, fix: string, near: string | null) => seen.faults.push({ what, fix, near });
  const compared = (fact: string, word: unknown): void => {
    const words = VOCABULARY.get(fact);
    seen.reads.add(fact);
    // What is no text at all is refused by validation, with its types.
    if (words === undefined || typeof word !== "string" || words.has(word)) return;
    const known = words.size > 20 ? "an ISO 4217 code in capitals" : [...words].join(", ");
    wrong(
      `${fact} is never ${JSON.stringify(word)}, so this would never apply.`,
      `Write ${words.size > 20 ? "" : "one of "}${known}.`,
      JSON.stringify(word),
    );
  };
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    const [entry] = Object.entries(node) as [string, Operands][];
    if (entry === undefined) return;
    const [operator, operands] = entry;
    if (operator === "Value") return;
    const path = pathOf(node);
    if (path !== null) {
      const fact = path.join(".");
      if (path.length !== 2) wrong("Facts are read one by one.", "Write context.group.name.", "context");
      else if (VOCABULARY.has(fact))
        wrong(`${fact} has a closed set of words.`, WORDS_HINT, path[1] as string);
      else seen.reads.add(fact);
      return;
    }
    if (operator === "has") {
      const left = pathOf(operands.left);
      const attribute = typeof operands.attr === "string" ? [operands.attr] : (operands.attr ?? []);
      if (left === null) visit(operands.left);
      else if (left.length + attribute.length === 2) seen.reads.add([...left, ...attribute].join("."));
      return;
    }
    const words = wordsComparison(operator, operands);
    if (words !== null) {
      for (const word of words.words) compared(words.fact, word);
      return;
    }
    if (Array.isArray(operands)) for (const operand of operands) visit(operand);
    else if (operator === "Record") for (const member of Object.values(operands)) visit(member);
    else for (const name of ["left", "right", "arg", "if", "then", "else", "in"]) visit(operands[name]);
  };
  visit(root);
  return seen;
}

type Operands = { readonly attr?: string | readonly string[] } & { readonly [name: string]: unknown };

/** `fact == "word"`, either way round, or `["word", …].contains(fact)`. */
function wordsComparison(operator: string, operands: Operands): { fact: string; words: unknown[] } | null {
  const factOf = (node: unknown): string | null => {
    const fact = pathOf(node)?.join(".");
    return fact !== undefined && VOCABULARY.has(fact) ? fact : null;
  };
  if (operator === "contains") {
    const fact = factOf(operands.right);
    const members = (operands.left as { Set?: unknown; Value?: unknown }).Set;
    if (fact === null || !Array.isArray(members)) return null;
    const words = members.map(literalOf);
    return words.includes(undefined) ? null : { fact, words };
  }
  if (operator !== "==" && operator !== "!=") return null;
  for (const [side, other] of [
    [operands.left, operands.right],
    [operands.right, operands.left],
  ]) {
    const fact = factOf(side);
    const word = literalOf(other);
    if (fact !== null && word !== undefined) return { fact, words: [word] };
  }
  return null;
}

const literalOf = (node: unknown): unknown => (node as { Value?: unknown } | null)?.Value;

/** `["order", "state"]` of `context.order.state`, `[]` of `context`; null of anything else. */
function pathOf(node: unknown): string[] | null {
  if (node === null || typeof node !== "object") return null;
  const { Var: variable, ".": access } = node as { Var?: string; "."?: { left: unknown; attr: string } };
  if (variable === "context") return [];
  if (access === undefined) return null;
  const left = pathOf(access.left);
  return left === null ? null : [...left, access.attr];
}
