/**
 * The sentences written for this project (`data/training/written`): compact lines with alternations and
 * slots, read into rows. A line is the unit of cross-validation: its variants never stand on both sides.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { MESSAGE_INTENTS, type MessageIntent } from "../../src/agents/understanding/signals.ts";
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";

export interface Example {
  readonly text: string;
  readonly intent: MessageIntent;
  readonly also: readonly MessageIntent[];
  /** Null where the source does not say. */
  readonly sentiment: "negative" | "neutral" | "positive" | null;
  readonly language: Language;
  readonly legal: boolean | null;
  readonly person: boolean | null;
  readonly injection: boolean | null;
  readonly weight: number;
  /** Rows of one group (a written line, a source's row) stay together in a split. */
  readonly group: string;
  readonly source: string;
}

export const TRAINING_FOLDER = resolve(import.meta.dirname, "../../data/training");

/** A small seeded generator (mulberry32): the same seed, the same weights. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const choose = <T>(chance: () => number, from: readonly T[]): T =>
  from[Math.floor(chance() * from.length)] as T;

type Slots = ReadonlyMap<string, readonly string[]>;

function readSlots(): Slots {
  const lines = readFileSync(join(TRAINING_FOLDER, "written/slots.txt"), "utf8").split("\n");
  return new Map(
    lines
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2).split("|")] as const;
      }),
  );
}

const ALTERNATION = /\(([^()]*\|[^()]*)\)/;

function expanded(line: string, slots: Slots, chance: () => number): string {
  let text = line;
  for (let match = ALTERNATION.exec(text); match !== null; match = ALTERNATION.exec(text)) {
    const chosen = choose(chance, (match[1] ?? "").split("|"));
    text = text.slice(0, match.index) + chosen + text.slice(match.index + match[0].length);
  }
  for (let depth = 0; depth < 2; depth += 1) {
    text = text.replace(/\{(\w+)\}/g, (_, name: string) => choose(chance, slots.get(name) ?? [name]));
  }
  return text
    .replace(/\s+/g, " ")
    .replace(/ ([,.?!])/g, "$1")
    .trim();
}

interface Section {
  readonly intent: MessageIntent;
  readonly sentiment: "negative" | "neutral" | "positive";
  readonly also: readonly MessageIntent[];
  readonly flags: ReadonlySet<string>;
}

const MARKS = { "-": "negative", "+": "positive", "~": "neutral" } as const;

function sectionOf(head: string): Section {
  const [intent = "", sentiment = "", ...rest] = head.slice(3).split(" ");
  if (!MESSAGE_INTENTS.includes(intent as MessageIntent)) throw new Error(`No intent: ${head}`);
  return {
    intent: intent as MessageIntent,
    sentiment: sentiment as Section["sentiment"],
    also: rest.filter((it) => it.startsWith("also=")).map((it) => it.slice(5) as MessageIntent),
    flags: new Set(rest.filter((it) => it.startsWith("+")).map((it) => it.slice(1))),
  };
}

/** `most` variants of every line, fewer where a line has no more; each line weighs the same in all. */
export function writtenExamples(seed: number, most: number): Example[] {
  const slots = readSlots();
  const examples: Example[] = [];
  for (const language of LANGUAGES) {
    const chance = seeded(seed * 31 + LANGUAGES.indexOf(language));
    let section: Section | null = null;
    const lines = readFileSync(join(TRAINING_FOLDER, `written/${language}.txt`), "utf8").split("\n");
    for (const [number, line] of lines.entries()) {
      if (line.startsWith("## ")) section = sectionOf(line);
      if (line.trim() === "" || (line.startsWith("#") && line.startsWith("# ")) || line.startsWith("## "))
        continue;
      if (section === null) throw new Error(`${language}.txt:${number + 1} stands before any section`);
      const mark = /^[-+~]*/.exec(line)?.[0].at(-1) as keyof typeof MARKS | undefined;
      const sentence = line.replace(/^[-+~]+/, "");
      const texts = new Set<string>();
      for (let tries = 0; tries < most * 2 && texts.size < most; tries += 1) {
        texts.add(expanded(sentence, slots, chance));
      }
      for (const text of texts) {
        examples.push({
          text,
          intent: section.intent,
          also: section.also,
          sentiment: mark === undefined ? section.sentiment : MARKS[mark],
          language,
          legal: section.flags.has("legal"),
          person: section.flags.has("person"),
          injection: section.flags.has("injection"),
          weight: 1,
          group: `${language}:${number + 1}`,
          source: `written-${language}`,
        });
      }
    }
  }
  return examples;
}
