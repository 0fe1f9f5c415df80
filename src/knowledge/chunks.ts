/**
 * Blocks to chunks: one answer's worth of text under its headings. A chunk begins and ends between
 * sentences, list items or table rows; every part of a table repeats its caption and header. Pure.
 */
import { ProblemError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Block } from "./reading/blocks.ts";

export interface Chunk {
  /** From the document's top down, without its title. */
  readonly headings: readonly string[];
  readonly clauseId: string | null;
  readonly text: string;
  /** Questions that this text answers: its heading when it asks, and what its author lists. */
  readonly questions: readonly string[];
}

/** "Also asked: Do you ship abroad? / Shipping to Canada": not shown, but found by. */
const ALSO_ASKED = /^Also asked:\s*/i;

/** @throws ProblemError `document_empty`, `document_too_large` */
export function chunksOf(blocks: readonly Block[], title: string, isFaq: boolean): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let path: { readonly depth: number; readonly text: string; readonly id: string | null }[] = [];
  let asked: string[] = [];
  let units: string[] = [];
  const close = (): void => {
    const headings = path.map(({ text }) => text).filter((text) => text !== title);
    const own = headings.at(-1);
    const questions = [...(own !== undefined && (isFaq || own.endsWith("?")) ? [own] : []), ...asked]
      .map((text) => text.slice(0, 300))
      .slice(0, LIMITS.questionsPerChunk);
    const texts = packed(units);
    for (const text of texts) chunks.push({ headings, clauseId: path.at(-1)?.id ?? null, text, questions });
    units = [];
    asked = [];
  };
  for (const block of blocks) {
    if (block.kind === "heading") {
      close();
      path = [...path.filter(({ depth }) => depth < block.depth), block];
    } else if (block.kind === "table") {
      units.push(...tableUnits(block));
    } else if (ALSO_ASKED.test(block.text)) {
      asked.push(
        ...block.text
          .replace(ALSO_ASKED, "")
          .split(/\s+\/\s+/)
          .filter((text) => text !== ""),
      );
    } else units.push(...sentencesWithin(block.text));
  }
  close();
  if (chunks.length === 0) throw new ProblemError("document_empty");
  const keys = chunks.reduce((sum, { questions }) => sum + 1 + questions.length, 0);
  if (keys > LIMITS.keysPerDocument) {
    throw new ProblemError("document_too_large", `The document has ${keys} passages and questions.`);
  }
  if (chunks.length > LIMITS.chunksPerDocument) {
    throw new ProblemError("document_too_large", `The document has ${chunks.length} passages.`);
  }
  return chunks;
}

/** Units joined to texts of at most the limit. A unit is never cut. */
function packed(units: readonly string[]): string[] {
  const texts: string[] = [];
  let text = "";
  for (const unit of units) {
    if (text !== "" && text.length + unit.length + 1 > LIMITS.chunkChars) {
      texts.push(text);
      text = "";
    }
    text = text === "" ? unit : `${text}\n${unit}`;
  }
  return text === "" ? texts : [...texts, text];
}

/** A paragraph whole, or, when it alone is more than a chunk, its sentences in groups. */
function sentencesWithin(text: string): string[] {
  if (text.length <= LIMITS.chunkChars) return [text];
  const groups: string[] = [];
  for (const sentence of sentencesOf(text).flatMap(withinLimit)) {
    const last = groups.at(-1);
    if (last === undefined || last.length + sentence.length + 1 > LIMITS.chunkChars) groups.push(sentence);
    else groups[groups.length - 1] = `${last} ${sentence}`;
  }
  return groups;
}

/** A "sentence" without an end, as broken documents have: cut between words, for want of anything better. */
function withinLimit(sentence: string): string[] {
  if (sentence.length <= LIMITS.chunkChars) return [sentence];
  const parts: string[] = [];
  for (let rest = sentence; rest !== ""; ) {
    const space = rest.length <= LIMITS.chunkChars ? rest.length : rest.lastIndexOf(" ", LIMITS.chunkChars);
    const end = space > 0 ? space : LIMITS.chunkChars;
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return parts;
}

/** Sentences of a text; an abbreviation or a number with a point does not end one. */
export function sentencesOf(text: string): string[] {
  const pieces = text.split(/(?<=[.!?…])["')\]]?\s+(?=["'(¿¡]?[\p{Lu}\p{N}¿¡•])|\n+/u);
  const sentences: string[] = [];
  for (const piece of pieces) {
    const last = sentences.at(-1);
    if (
      last !== undefined &&
      /(?:^|[\s(])(?:\p{L}|e\.g|i\.e|etc|approx|ca|Nr|No|St|Dr|Mr|Ms|Mrs|z\.B|bzw|Sr|Sra|p\.ej|env|min|max)\.$/u.test(
        last,
      )
    ) {
      sentences[sentences.length - 1] = `${last} ${piece}`;
    } else if (piece.trim() !== "") sentences.push(piece.trim());
  }
  return sentences;
}

function tableUnits({ caption, header, rows }: Extract<Block, { kind: "table" }>): string[] {
  const head = [...(caption === null ? [] : [caption]), header.join(" | ")].join("\n");
  const units: string[] = [];
  let unit = head;
  for (const row of rows) {
    // Each row says which column is which, so that it is right even when it is read alone.
    const line = row
      .map((cell, index) => (header[index] ? `${header[index]}: ${cell}` : cell))
      .filter((cell) => cell !== "")
      .join("; ");
    if (unit.length + line.length + 1 > LIMITS.chunkChars && unit !== head) {
      units.push(unit);
      unit = head;
    }
    unit = `${unit}\n${line}`;
  }
  units.push(unit);
  return units;
}
