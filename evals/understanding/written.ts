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
  /** What else it asks for. Null, as of what follows, where the source does not say. */
  readonly also: readonly MessageIntent[] | null;
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

/** The files of a language: compact lines, and whole messages as people send them. */
const FILES = ["written", "written/stories"] as const;
/** A line without choices is typed this many times over, or it would count for a fraction of one with many. */
const LEAST_COPIES = 3;
const ALSO = /\s+@([a-z,-]+)$/;

/** Up to `most` variants of every line. */
export function writtenExamples(seed: number, most: number): Example[] {
  const slots = readSlots();
  return LANGUAGES.flatMap((language) => {
    const chance = seeded(seed * 31 + LANGUAGES.indexOf(language));
    return FILES.flatMap((folder) =>
      linesOf(`${folder}/${language}.txt`).flatMap(({ section, line, number }) => {
        const mark = /^[-+~]*/.exec(line)?.[0].at(-1) as keyof typeof MARKS | undefined;
        const also = (ALSO.exec(line)?.[1]?.split(",") ?? section.also) as readonly MessageIntent[];
        const sentence = line.replace(ALSO, "").replace(/^[-+~]+/, "");
        return variants(sentence, slots, most, chance).map((text) => ({
          text,
          intent: section.intent,
          also,
          sentiment: mark === undefined ? section.sentiment : MARKS[mark],
          language,
          legal: section.flags.has("legal"),
          person: section.flags.has("person"),
          injection: section.flags.has("injection"),
          weight: 1,
          group: groupOf(folder, language, number),
          source: `written-${language}`,
        }));
      }),
    );
  });
}

/**
 * The stories of five languages say the same line by line: a story and its translations stand on one side of a
 * split, or the concepts that languages share would carry the answer over.
 */
const groupOf = (folder: (typeof FILES)[number], language: Language, line: number): string =>
  folder === "written/stories" && language !== "en" ? `stories:${line}` : `${folder}/${language}:${line}`;

interface Line {
  readonly section: Section;
  readonly line: string;
  readonly number: number;
}

function linesOf(file: string): Line[] {
  let section: Section | null = null;
  const found: Line[] = [];
  for (const [index, line] of readFileSync(join(TRAINING_FOLDER, file), "utf8").split("\n").entries()) {
    if (line.startsWith("## ")) section = sectionOf(line);
    else if (line.trim() !== "" && !line.startsWith("# ")) {
      if (section === null) throw new Error(`${file}:${index + 1} stands before any section`);
      found.push({ section, line, number: index + 1 });
    }
  }
  return found;
}

function variants(sentence: string, slots: Slots, most: number, chance: () => number): string[] {
  const texts = new Set<string>();
  for (let tries = 0; tries < most * 2 && texts.size < most; tries += 1) {
    texts.add(expanded(sentence, slots, chance));
  }
  const all = [...texts];
  while (all.length < Math.min(most, LEAST_COPIES)) all.push(all[0] ?? sentence);
  return all;
}
