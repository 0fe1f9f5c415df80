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

/**
 * How sure the reader of messages must be. On the hand-written set (`npm run evals -- understanding`) it names no
 * wrong language from 0.6 on; a few words say less than a sentence, and to change asks for more than to begin.
 */
const SENTENCE_AT = 0.6;
const FEW_WORDS_AT = 0.9;
const CHANGE_AT = 0.8;
const NAMED_AT = 0.4;
const FEWEST_LETTERS = 3;
const SENTENCE_WORDS = 3;

/** What each language calls itself: "¿Hablan español?" asks for it. */
const OWN_NAMES: Readonly<Record<Language, RegExp>> = {
  en: /(?<!\p{L})english(?!\p{L})/iu,
  es: /(?<!\p{L})(?:español|espanol|castellano)(?!\p{L})/iu,
  de: /(?<!\p{L})deutsch(?!\p{L})/iu,
  fr: /(?<!\p{L})fran[cç]ais(?!\p{L})/iu,
  pt: /(?<!\p{L})portugu[eê]s(?!\p{L})/iu,
  it: /(?<!\p{L})italiano(?!\p{L})/iu,
};

/**
 * The language after one more message of the customer.
 *
 * @example languageAfter("Hola", { language: "en", isShown: false }) // { language: "es", isShown: true }
 * @example languageAfter("gracias", { language: "de", isShown: true }) // unchanged
 */
export function languageAfter(text: string, before: SpokenLanguage): SpokenLanguage {
  const message = text.slice(0, LIMITS.messageChars).normalize("NFC");
  // Words with digits are numbers of orders and products.
  const words = (message.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []).filter((word) => !/\p{N}/u.test(word));
  const letters = words.join("").match(/\p{L}/gu) ?? [];
  if (letters.length < FEWEST_LETTERS) return before;
  const isLatin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length * 2 >= letters.length;
  if (!isLatin) return before;
  const { language, languageConfidence: sure } = read(message);
  if (language === null) return before;
  const after = { language, isShown: true };
  if (sure >= NAMED_AT && OWN_NAMES[language].test(message)) return after;
  const isSentence = words.length >= SENTENCE_WORDS;
  if (!before.isShown || language === before.language) {
    return sure >= (isSentence ? SENTENCE_AT : FEW_WORDS_AT) ? after : before;
  }
  return isSentence && sure >= CHANGE_AT ? after : before;
}
