/** Every regular expression that stands in the product's files, and texts that are made to be slow for one. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { parseSync } from "vite";

export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** File and line. */
  readonly from: string;
}

const ROOT = join(import.meta.dirname, "../..");

export function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

/** Regular expressions that stand in the files as literals. */
export function literalPatterns(folder: string): Pattern[] {
  const found: Pattern[] = [];
  for (const file of filesUnder(folder)) {
    const text = readFileSync(join(ROOT, file), "utf8");
    const walk = (node: unknown): void => {
      if (node === null || typeof node !== "object") return;
      const { type, regex, start } = node as {
        type?: string;
        start?: number;
        regex?: { pattern: string; flags: string };
      };
      if (type === "Literal" && regex !== undefined) {
        const line = text.slice(0, start).split("\n").length;
        found.push({ source: regex.pattern, flags: regex.flags, from: `${file}:${line}` });
      }
      for (const child of Object.values(node)) walk(child);
    };
    walk(parseSync(file, text).program);
  }
  return found;
}

/** As many repetitions are a loop: fewer cannot be pumped. */
const LOOP_MIN = 8;
const PUMPS_MAX = 60;

/**
 * Texts of `chars` characters: for each loop of the pattern, what comes before it once, what it repeats over and over,
 * and an end at which it fails. It is what makes a pattern slow that can read one text in many ways.
 */
export function attacksOn({ source, flags }: Pattern, chars: number): string[] {
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  const attacks = new Set<string>();
  const visit = (alternatives: readonly AST.Alternative[], before: string): void => {
    for (const { elements } of alternatives) {
      let lead = before;
      for (const element of elements) {
        if (element.type === "Quantifier" && element.max >= LOOP_MIN) {
          for (const pump of pumpsOf(element.element)) {
            if (pump === "" || attacks.size >= PUMPS_MAX) continue;
            const body = pump.repeat(Math.ceil(chars / pump.length)).slice(0, chars);
            attacks.add(`${lead}${body}\u0001`);
            attacks.add(body);
          }
        }
        for (const inner of innerOf(element)) visit(inner, lead);
        lead += sample(element);
      }
    }
  };
  visit(pattern.alternatives, "");
  return [...attacks];
}

function innerOf(element: AST.Element): (readonly AST.Alternative[])[] {
  if (element.type === "Quantifier") return innerOf(element.element);
  if (element.type === "Group" || element.type === "CapturingGroup") return [element.alternatives];
  if (element.type === "Assertion" && "alternatives" in element) return [element.alternatives];
  return [];
}

/** What a loop may repeat: a text for each of its alternatives. */
function pumpsOf(element: AST.QuantifiableElement): string[] {
  if (element.type === "Group" || element.type === "CapturingGroup") {
    return element.alternatives.map(({ elements }) => elements.map(sample).join(""));
  }
  if (element.type === "CharacterClass") return element.elements.slice(0, 6).map(sampleOfClass);
  return [sample(element)];
}

/** A text that the element takes, as far as that is easily said. */
function sample(element: AST.Element): string {
  switch (element.type) {
    case "Character":
      return String.fromCodePoint(element.value);
    case "CharacterSet":
      return sampleOfSet(element);
    case "CharacterClass":
      return element.negate ? "~" : sampleOfClass(element.elements[0]);
    case "Quantifier":
      return sample(element.element).repeat(Math.max(element.min, Math.min(1, element.max)));
    case "Group":
    case "CapturingGroup":
      return (element.alternatives[0]?.elements ?? []).map(sample).join("");
    default:
      return "";
  }
}

function sampleOfClass(element: AST.CharacterClass["elements"][number] | undefined): string {
  switch (element?.type) {
    case "Character":
      return String.fromCodePoint(element.value);
    case "CharacterClassRange":
      return String.fromCodePoint(element.min.value);
    case "CharacterSet":
      return sampleOfSet(element);
    default:
      return "a";
  }
}

function sampleOfSet(set: AST.CharacterSet): string {
  if (set.kind === "digit") return set.negate ? "a" : "1";
  if (set.kind === "space") return set.negate ? "a" : " ";
  if (set.kind === "property" && /^(?:N|Nd|Number)/.test(set.value ?? set.key)) return "1";
  return "a";
}
