/**
 * A message as words: lower case, Unicode-folded, without accents, contractions written out, common typos of
 * the words that matter put right, each with what it means in the language that it is read in. Everything
 * else in this folder reads these words. One linear pass.
 */
import { keepingLatest } from "../../kernel/latest.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { withoutLookAlikes } from "../../safety/reading.ts";
import { withoutCardNumbers } from "./card-numbers.ts";
import { DISGUISED_NUMBER, withPlainDigits } from "./digits.ts";
import { type Meaning, withoutAccents } from "./lexicon/lexicon.ts";
import { NO_SENSE, type Sense, type Token, theVocabulary } from "./vocabulary.ts";

export interface Word {
  /** `number`: digits with their separators as typed, or a run that only looks like digits (`1o42`). `mark`: one punctuation mark, `\n` for a line end. */
  readonly kind: "word" | "number" | "currency" | "mark" | "emoji";
  /** Without accents. */
  readonly text: string;
  /** For a number: written with `#`. */
  readonly hash: boolean;
  /** With accents, for what is read by others than the rules. */
  readonly written: string;
  readonly sense: Sense;
}

export const LINE_END: Word = { kind: "mark", text: "\n", hash: false, written: "\n", sense: NO_SENSE };

const TOKEN = new RegExp(
  `(?:#\\s?)?${DISGUISED_NUMBER}|${String.raw`(?:#\s?)?\d+(?:'\d{3})+(?:[.,]\d+)*|\d{1,3}(?: \d{3})+,\d{2}(?!\d)|(?:#\s?)?\d+(?:[.,]\d+)*|[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|\p{Extended_Pictographic}|[$€£¥]|\n|[^\s]`}`,
  "gu",
);
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/g;
const IS_DISGUISED = new RegExp(`^${DISGUISED_NUMBER}$`, "u");
const SILENT_MARKS = new Set(["-", "_", "/", "'", '"', "*", "`", "~", "¿", "¡"]);

/** Text without characters that nobody sees, in one Unicode form, cut to the length a message may have. */
export function fold(text: string): string {
  return withPlainDigits(text.slice(0, LIMITS.messageChars).replace(INVISIBLE, ""))
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .toLowerCase();
}

/** A word as typed, before anything is known of its neighbours; anything else is done already. */
type Raw = Word | { readonly kind: "raw"; readonly token: Token };

/** One message is read several times within a run: for its language, its mood, its wish. */
export const LATEST_TEXTS = 64;

/** The words of a text in order, with what each means in the languages that the text is read in. */
export const readWords: (text: string) => readonly Word[] = keepingLatest(freshWords, LATEST_TEXTS);

function freshWords(text: string): readonly Word[] {
  const vocabulary = theVocabulary();
  const raw: Raw[] = [];
  for (const [token] of withoutCardNumbers(withoutLookAlikes(fold(text))).matchAll(TOKEN)) {
    const first = token[0] ?? "";
    if (first === "#" && token.length > 1) raw.push(word("number", token.replace(/^#\s?/, ""), true));
    else if ((first >= "0" && first <= "9") || IS_DISGUISED.test(token)) raw.push(word("number", token));
    else if (/^[\p{L}\p{M}]/u.test(first) || /^[\p{L}\p{M}]/u.test(token)) {
      // "refuuuund", "pleeease", "nooo": three or more of a letter are one.
      const calm = token.replace(/(.)\1{2,}/gu, "$1");
      for (const part of vocabulary.partsOf(calm)) raw.push({ kind: "raw", token: tokenOf(part) });
    } else if (/^[$€£¥]$/.test(token)) raw.push(word("currency", token));
    else if (/^\p{Extended_Pictographic}$/u.test(token)) raw.push(word("emoji", token));
    else if (token === "–" || token === "—") raw.push(word("mark", ","));
    else if (!SILENT_MARKS.has(token)) raw.push(word("mark", token));
  }
  const languages = vocabulary.languagesOf(raw.flatMap((it) => (it.kind === "raw" ? [it.token] : [])));
  const meant = raw.flatMap((it): (Word | Token)[] =>
    it.kind === "raw" ? vocabulary.meant(it.token, languages).map((part) => tokenOf(withoutS(part))) : [it],
  );
  const senses = vocabulary.sensesOf(
    meant.map((it) => ("kind" in it ? null : it)),
    languages,
  );
  return meant.map((it, index) =>
    "kind" in it
      ? it
      : { kind: "word", text: it.plain, hash: false, written: it.typed, sense: senses[index] ?? NO_SENSE },
  );
}

const tokenOf = (typed: string): Token => ({ typed, plain: withoutAccents(typed) });
const withoutS = (text: string): string => (text.endsWith("'s") ? text.slice(0, -2) : text);

/** The words as one text with single spaces and a space at both ends, for patterns: ` where is my order #1042 ? `. */
export function phrase(words: readonly Word[]): string {
  const parts: string[] = [];
  for (const { kind, text, hash } of words) {
    if (kind !== "emoji") parts.push(hash ? `#${text}` : text);
  }
  return ` ${parts.join(" ")} `;
}

/** The same without punctuation: for patterns that must hold for a message as a whole. */
export const bare = (words: readonly Word[]): string => phrase(words.filter(({ kind }) => kind !== "mark"));

/** The words with their accents, for whoever reads them next: a search, a later message of the dialogue. */
export const written = (words: readonly Word[]): string =>
  words.flatMap((it) => (it.kind === "emoji" ? [] : [it.hash ? `#${it.written}` : it.written])).join(" ");

export const means = ({ sense }: Word, ...any: readonly Meaning[]): boolean =>
  any.some((meaning) => sense.meanings.has(meaning));

const SENTENCE_ENDS = new Set([".", "!", "?", ";", "\n", "…"]);

export const endsSentence = ({ kind, text }: Word): boolean => kind === "mark" && SENTENCE_ENDS.has(text);
export const splitsClause = (it: Word): boolean =>
  it.kind === "mark" ? it.text === "," || it.text === ":" : means(it, "clause");

/** Pieces between the words for which `ends` holds; those words stay at the end of their piece. */
export function splitAfter(words: readonly Word[], ends: (word: Word) => boolean): Word[][] {
  const pieces: Word[][] = [];
  let piece: Word[] = [];
  for (const it of words) {
    piece.push(it);
    if (ends(it)) {
      pieces.push(piece);
      piece = [];
    }
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

/** 0 to ten in words, or a whole number of at most two digits; null for anything else. */
export function countOf({ kind, text, hash, sense }: Word): number | null {
  if (kind === "number") return !hash && /^\d{1,2}$/.test(text) ? Number(text) : null;
  return sense.count;
}

function word(kind: Word["kind"], text: string, hash = false): Word {
  return { kind, text, hash, written: text, sense: NO_SENSE };
}
