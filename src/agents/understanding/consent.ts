/**
 * Whether a customer's own words accept an offer. The gateway asks this before money moves, so it is
 * strict: a yes is a message that consists of nothing but agreement and courtesy. Whatever adds,
 * limits, asks, counts or quotes is not a yes, and neither is a yes beside anything else.
 */
import type { Consent } from "../agent.ts";
import { type Answers, phrasesOf, spellingsOf } from "./lexicon/lexicon.ts";
import { LEXICONS } from "./lexicon/lexicons.ts";

/** Longer than any plain agreement. */
const LONGEST_ANSWER_CHARS = 120;
/** More messages than this since the offer are a discussion, not an answer. */
const MOST_ANSWERS = 10;

type Part = keyof Answers;

/** Signs that mean the same everywhere. */
const SIGNS: Readonly<Partial<Answers>> = {
  yes: "👍|👌|✅|✔|🆗|☑",
  no: "👎|❌|🚫|✖|🛑",
  courtesy: "🙏|🙂|😊|😀|😃|😄|❤|🎉|💯|🤝",
};

/** Every phrase of every language, as spelled and as spelled without its accents. */
const PHRASES: ReadonlyMap<string, Part> = phraseTable();
const LONGEST_PHRASE_WORDS = 8;

function phraseTable(): Map<string, Part> {
  const table = new Map<string, Part>();
  for (const answers of [...LEXICONS.map((lexicon) => lexicon.answers), SIGNS]) {
    for (const part of ["courtesy", "yes", "no", "neither"] as const) {
      for (const phrase of phrasesOf(answers[part] ?? "")) {
        for (const spelling of spellingsOf(phrase)) table.set(spelling, part);
      }
    }
  }
  return table;
}

/**
 * Judges the customer's messages since an offer, oldest first, as one answer.
 *
 * `yes`: at least one message agrees, and all of them hold nothing but agreement and courtesy.
 * `no`: they refuse, and say nothing else (a yes that a later message takes back is a no).
 * `other`: anything else, silence included.
 *
 * @example judgeConsent(["yes please"]) // "yes"
 * @example judgeConsent(["yes but only the socks"]) // "other"
 */
export function judgeConsent(texts: string[]): Consent {
  if (texts.length > MOST_ANSWERS) return "other";
  let answer: Consent = "other";
  for (const text of texts) {
    const said = judgeOne(text);
    if (said === "other") return "other";
    if (said === "courtesy") continue;
    // A no that a later yes takes back has been talked about: it is asked again.
    if (answer === "no" && said === "yes") return "other";
    answer = said;
  }
  return answer;
}

function judgeOne(text: string): Consent | "courtesy" {
  if (text.length > LONGEST_ANSWER_CHARS) return "other";
  const tokens = tokensOf(text);
  if (tokens === null) return "other";
  let answer: Consent | "courtesy" = "courtesy";
  for (let at = 0; at < tokens.length; ) {
    const match = longestPhrase(tokens, at);
    if (match === null || match.part === "neither") return "other";
    at += match.words;
    if (match.part === "courtesy") continue;
    if (answer !== "courtesy" && answer !== match.part) return "other";
    answer = match.part;
  }
  return answer;
}

function longestPhrase(tokens: readonly string[], at: number): { part: Part; words: number } | null {
  for (let words = Math.min(LONGEST_PHRASE_WORDS, tokens.length - at); words > 0; words -= 1) {
    const part = PHRASES.get(tokens.slice(at, at + words).join(" "));
    if (part !== undefined) return { part, words };
  }
  return null;
}

/** Words and emoji; null when the text holds anything that plain agreement has no use for. */
function tokensOf(text: string): string[] | null {
  const calm = text
    .normalize("NFC")
    .replace(UNSEEN, "")
    .replace(/[’ʼ]/g, "'")
    .replace(/(?:^|\s)[:;]-?[)D](?=\s|$)/g, " ")
    .toLowerCase();
  const tokens: string[] = [];
  for (const [token] of calm.matchAll(TOKEN)) {
    if (/^[\p{L}\p{M}]/u.test(token)) {
      // "allez-y" is two words, "d'accord" one.
      for (const word of token.split("-")) tokens.push(unstretched(word.replaceAll("'", "")));
    } else if (/^\p{Extended_Pictographic}$/u.test(token)) tokens.push(token);
    else if (!/^[.,!¡…]$/.test(token)) return null;
  }
  return tokens;
}

/** A word ends in an apostrophe where Italian keyboards have no accent: "si'". */
const TOKEN = /[\p{L}\p{M}]+(?:['-][\p{L}\p{M}]+)*(?:(?<=[aeiou])')?|[^\s]/gu;
/**
 * What nobody sees. Not the two overrides of direction: with them a text is read otherwise than it is
 * shown, and neither reading is a plain yes.
 */
const UNSEEN =
  /[\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202c\u2060-\u2064\u2066-\u2069\ufeff]|\ufe0f|(?<=\p{L})\u200d(?=\p{L})|\p{Emoji_Modifier}/gu;

/** "yesss", "yeeees", "okkk", "nooo" are their words. */
function unstretched(word: string): string {
  return word
    .replace(/(.)\1+/gu, (run, letter: string) => (run.length > 2 ? letter : run))
    .replace(/^yess$/, "yes");
}
