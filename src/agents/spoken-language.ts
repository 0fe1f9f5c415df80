/**
 * Which language a conversation is in, decided by code from the customer's own messages. It is sticky: "ok",
 * an order number, a product's name or a courtesy changes nothing; a clear message in another language does.
 */
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import { read } from "./understanding/understand.ts";

export interface SpokenLanguage {
  readonly language: Language;
  /** False: the customer has not shown one yet, and `language` is the shop's own. */
  readonly isShown: boolean;
}

const CLEAR_AT = 0.9;
/** "Hola" tells who writes Spanish; three words in another language, that somebody changed to it. */
const LETTERS_TO_BEGIN = 3;
const WORDS_TO_CHANGE = 3;

/** The language after one more message of the customer. */
export function languageAfter(text: string, before: SpokenLanguage): SpokenLanguage {
  const message = text.slice(0, LIMITS.messageChars);
  // Words with digits are numbers of orders and products.
  const words = (message.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []).filter((word) => !/\p{N}/u.test(word));
  const letters = words.join("").match(/\p{L}/gu) ?? [];
  if (letters.length < LETTERS_TO_BEGIN) return before;
  const isLatin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length * 2 >= letters.length;
  if (!isLatin) return before;
  const { language, languageConfidence } = read(message);
  if (language === null || languageConfidence < CLEAR_AT) return before;
  if (language === before.language) return { language, isShown: true };
  return !before.isShown || words.length >= WORDS_TO_CHANGE ? { language, isShown: true } : before;
}
