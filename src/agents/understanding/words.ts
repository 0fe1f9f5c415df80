/**
 * A message as words: lower case, Unicode-folded, contractions written out, common typos of the words
 * that matter put right. Everything else in this folder reads these words. One linear pass.
 */
import { LIMITS } from "../../kernel/limits.ts";
import { withoutCardNumbers } from "./card-numbers.ts";
import { withinOneEdit } from "./spelling.ts";

export interface Word {
  /** `number`: digits with their separators as typed. `mark`: one punctuation mark, `\n` for a line end. */
  readonly kind: "word" | "number" | "currency" | "mark" | "emoji";
  readonly text: string;
  /** For a number: written with `#`. */
  readonly hash: boolean;
}

const TOKEN =
  /(?:#\s?)?\d+(?:[.,]\d+)*|[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|\p{Extended_Pictographic}|[$€£¥]|\n|[^\s]/gu;
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/g;
const SILENT_MARKS = new Set(["-", "_", "/", "'", '"', "*", "`", "~"]);

/** Text without characters that nobody sees, in one Unicode form, cut to the length a message may have. */
export function fold(text: string): string {
  return text
    .slice(0, LIMITS.messageChars)
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .toLowerCase();
}

export function readWords(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const [token] of withoutCardNumbers(fold(text)).matchAll(TOKEN)) {
    const first = token[0] ?? "";
    if (first === "#" && token.length > 1) words.push(word("number", token.replace(/^#\s?/, ""), true));
    else if (first >= "0" && first <= "9") words.push(word("number", token));
    else if (/^[\p{L}\p{M}]/u.test(first) || /^[\p{L}\p{M}]/u.test(token)) {
      for (const part of writtenOut(token)) words.push(word("word", part));
    } else if (/^[$€£¥]$/.test(token)) words.push(word("currency", token));
    else if (/^\p{Extended_Pictographic}$/u.test(token)) words.push(word("emoji", token));
    else if (token === "–" || token === "—") words.push(word("mark", ","));
    else if (!SILENT_MARKS.has(token)) words.push(word("mark", token));
  }
  return words;
}

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

const SENTENCE_ENDS = new Set([".", "!", "?", ";", "\n", "…"]);
const CLAUSE_WORDS = new Set("and but also then plus because since so or though although however".split(" "));

export const endsSentence = ({ kind, text }: Word): boolean => kind === "mark" && SENTENCE_ENDS.has(text);
export const splitsClause = (it: Word): boolean =>
  (it.kind === "mark" && (it.text === "," || it.text === ":")) ||
  (it.kind === "word" && CLAUSE_WORDS.has(it.text));

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

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten".split(" ");

/** 0 to ten in words, or a whole number of at most two digits; null for anything else. */
export function countOf({ kind, text, hash }: Word): number | null {
  if (kind === "number") return !hash && /^\d{1,2}$/.test(text) ? Number(text) : null;
  const value = kind === "word" ? NUMBER_WORDS.indexOf(text) : -1;
  return value < 0 ? null : value;
}

function word(kind: Word["kind"], text: string, hash = false): Word {
  return { kind, text, hash };
}

/** `short=written out`, separated by bars. */
const SHORT_FORMS = new Map(
  (
    "i'm=i am|im=i am|i'd=i would|i've=i have|ive=i have|i'll=i will|you've=you have|you're=you are|" +
    "they're=they are|we're=we are|it's=it is|that's=that is|thats=that is|what's=what is|whats=what is|" +
    "where's=where is|wheres=where is|when's=when is|how's=how is|who's=who is|there's=there is|" +
    "here's=here is|let's=let us|" +
    "don't=do not|dont=do not|doesn't=does not|doesnt=does not|didn't=did not|didnt=did not|won't=will not|" +
    "wont=will not|can't=can not|cant=can not|cannot=can not|couldn't=could not|wouldn't=would not|" +
    "shouldn't=should not|isn't=is not|isnt=is not|aren't=are not|arent=are not|wasn't=was not|" +
    "wasnt=was not|weren't=were not|hasn't=has not|hasnt=has not|haven't=have not|havent=have not|" +
    "hadn't=had not|ain't=is not|aint=is not|" +
    "wanna=want to|gonna=going to|gotta=got to|gimme=give me|lemme=let me|pls=please|plz=please|u=you|" +
    "ur=your|thx=thanks|tnx=thanks|ty=thanks|nvm=never mind|nevermind=never mind|ok=okay|okey=okay|k=okay|" +
    "ya=yeah|colour=color|cancelled=canceled"
  )
    .split("|")
    .map((line): [string, readonly string[]] => {
      const [short = "", full = ""] = line.split("=");
      return [short, full.split(" ")];
    }),
);

/** Words of requests in which a slip is put right; none of the words people also mean is in {@link NO_TYPO}. */
const LEXICON = (
  "refund refunds refunded return returns returning returned order orders ordered money track tracking " +
  "delivery delivered arrive arrived arrives shipped shipping parcel package packages received receive " +
  "status person human agent everything cancel exchange please reimburse reimbursement lawyer attorney " +
  "chargeback damaged broken address representative manager latest whole entire"
).split(" ");
const KNOWN = new Set(LEXICON);
const NO_TYPO = new Set(
  (
    "older elder odder border ordeal honey monkey truck crack trick trace tracks tracked shopped slipped skipped " +
    "whipped shopping slipping skipping statue statues stats spoken damages damage dressed persons humans " +
    "agents managers manage later latent fastest pleased pleases cancels exchanged exchanges deliver delivers " +
    "receives receiver arrival parcels refunding aged urgent gent tenant while whose hole attire retire money's " +
    "return's detract retract broke refine refined layer"
  ).split(" "),
);

function writtenOut(token: string): readonly string[] {
  // "refuuuund", "pleeease", "nooo": three or more of a letter are one.
  const calm = token.replace(/(.)\1{2,}/gu, "$1");
  const full = SHORT_FORMS.get(calm);
  if (full !== undefined) return full;
  return [corrected(calm.endsWith("'s") ? calm.slice(0, -2) : calm)];
}

function corrected(text: string): string {
  if (text.length < 4 || text.length > 15 || KNOWN.has(text) || NO_TYPO.has(text)) return text;
  return LEXICON.find((entry) => entry.length >= 5 && withinOneEdit(text, entry)) ?? text;
}
