/** Text for terminals: cleaned of what could steer them, coloured where colours are wanted, wrapped. */
import { stripVTControlCharacters, styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];
/** Colours text, or leaves it as it is: for a file, a pipe, or with NO_COLOR. */
export type Paint = (format: Format, text: string) => string;

export const plainPaint: Paint = (_format, text) => text;

/** Colours by what the stream can do; `NO_COLOR` and `FORCE_COLOR` are heeded. */
export function paintFor(
  stream: NodeJS.WritableStream,
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  const wanted = forced || (isTerminal(stream) && env.TERM !== "dumb");
  if (!wanted || (env.NO_COLOR !== undefined && env.NO_COLOR !== "" && !forced)) return plainPaint;
  return (format, text) => styleText(format, text, { validateStream: false });
}

export const isTerminal = (stream: object): boolean => (stream as { isTTY?: boolean }).isTTY === true;

const WIDEST = 96;

/** Columns to write in: the terminal's, at most 96; 80 where there is no terminal. */
export function columnsOf(stream: NodeJS.WritableStream): number {
  const { columns } = stream as { columns?: number };
  return Math.max(30, Math.min(WIDEST, columns !== undefined && columns > 0 ? columns : 80));
}

/** Controls but tab and line feed; direction overrides and isolates, which can disguise text; tags; lone surrogates. */
const CONTROLS =
  /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * Text of others made safe to print: no escape sequences, no control characters, no overrides of the
 * direction of writing. Line feeds stay; other line ends become line feeds; a tab becomes a space.
 */
export function plainText(text: unknown): string {
  if (typeof text !== "string") return "";
  return stripVTControlCharacters(text)
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replaceAll("\t", " ")
    .replace(CONTROLS, "")
    .toWellFormed();
}

/** {@link plainText} on one line, shortened to `max` characters. */
export function plainLine(text: unknown, max = 200): string {
  const line = plainText(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** Columns that text takes in a terminal, escape sequences not counted. */
export function displayWidth(text: string): number {
  const bare = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(bare)) return bare.length;
  let width = 0;
  for (const { segment } of graphemes.segment(bare)) {
    if (!NO_WIDTH.test(segment)) width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}

/** Lines of at most `width` columns, broken between words, within a word only when it is longer than a line. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(8, width);
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(/ +/)) {
      const joined = line === "" ? word : `${line} ${word}`;
      if (displayWidth(joined) <= room) {
        line = joined;
        continue;
      }
      if (line !== "") lines.push(line);
      const pieces = breakWord(word, room);
      lines.push(...pieces.slice(0, -1));
      line = pieces.at(-1) ?? "";
    }
    lines.push(line);
    return lines;
  });
}

function breakWord(word: string, room: number): string[] {
  if (displayWidth(word) <= room) return [word];
  const pieces: string[] = [];
  let piece = "";
  let width = 0;
  for (const { segment } of graphemes.segment(word)) {
    const own = displayWidth(segment);
    if (width + own > room) {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += segment;
    width += own;
  }
  return [...pieces, piece];
}

/** Text filled up with spaces to `width` columns. */
export const padTo = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - displayWidth(text)));

/** Indents every line of a wrapped text; the first gets `first` instead. */
export function hanging(first: string, rest: string, text: string, width: number): string[] {
  const room = width - Math.max(displayWidth(first), displayWidth(rest));
  return wrap(text, room).map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd());
}
