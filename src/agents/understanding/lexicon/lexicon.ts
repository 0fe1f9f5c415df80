/**
 * What one language says for the things that the rules ask about: data, one file a language, English among
 * them. The rules are one for all and live elsewhere in this folder; adding a language is adding a file to
 * {@link LEXICONS} in `lexicons.ts`.
 *
 * Words are written as people spell them, accents included, separated by bars; where an accent is missing
 * in a message, the word is still understood.
 */
import type { Language } from "../../../kernel/language.ts";

/** Phrases separated by bars: `yes|go ahead|sounds good`. A phrase may go over several lines. */
export type Phrases = string;

export interface Answers {
  /** Plain agreement to what was just offered, and nothing that could mean anything else. */
  readonly yes: Phrases;
  readonly no: Phrases;
  /** Beside a yes or a no it changes neither. */
  readonly courtesy: Phrases;
  /** Made of words that agree or refuse, but said of something else: laughter, "no problem". */
  readonly neither: Phrases;
}

export interface Lexicon {
  readonly language: Language;
  readonly answers: Answers;
}

export const phrasesOf = (phrases: Phrases): readonly string[] =>
  phrases.split("|").map((phrase) => phrase.trim().replace(/\s+/g, " "));

/**
 * Ways in which a phrase is typed: each word with its accents or without, umlauts also as two letters,
 * apostrophes left out or as a space. Lower case. A message that has another accent than the phrase is
 * another word: Portuguese `já` is not German `ja`.
 */
export function spellingsOf(phrase: string): readonly string[] {
  let ways = [""];
  for (const word of phrase.toLowerCase().normalize("NFC").split(" ")) {
    const typed = new Set([word, ...(UMLAUT.test(word) ? [twoLetters(word)] : [])]);
    const plain = [...typed].flatMap((it) => [it, withoutAccents(it)]);
    const words = new Set(plain.flatMap((it) => [it.replaceAll("'", ""), it.replaceAll("'", " ")]));
    ways = ways.flatMap((way) => [...words].map((it) => (way === "" ? it : `${way} ${it}`)));
  }
  return ways;
}

const UMLAUT = /[äöü]/;
const twoLetters = (word: string): string => word.replace(/[äöü]/g, (letter) => `${withoutAccents(letter)}e`);

/** `é` is `e`, `ß` is `ss`, `œ` is `oe`. */
export const withoutAccents = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").replace(/œ/g, "oe").normalize("NFC");
