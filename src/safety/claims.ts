/**
 * Room `safety`: what may leave and what may be stored. May import `kernel`, `wording` and `tools/views`.
 * Promises: no text of an agent says that an effect happened, or will, unless the ledger's own words say
 * so (G2); nothing here keeps state, reads a clock or takes time that is not linear in the text.
 * `may-leave.ts` is the door; the other files are what it looks for.
 *
 * This file: claims and promises of effects. Sentences that the ledger made (`ActionSummary.text`) are true
 * and are taken out first; what is left must not say that money moved or will move, or a return exists. A
 * sentence too many costs an answer its words; a sentence too few costs a customer their trust: when in
 * doubt, it is a claim. Every language's words are tried on every sentence: a model may mix them.
 */
import type { Language } from "../kernel/language.ts";
import type { ActionSummary } from "../tools/views.ts";
import { wordsOf } from "../wording/words.ts";
import { CLAIM_WORDS, type ClaimWords } from "./claim-words.ts";
import { folded, sentencesOf, unaccented } from "./reading.ts";

export interface Claim {
  readonly kind: "claim" | "promise";
  readonly sentence: string;
}

const LANGUAGES = Object.values(CLAIM_WORDS);
const FIRST_PERSON = /^(?:i|we)\b/u;
/** "I have refunded you, ok?" is no question. */
const TAG_QUESTION = /,\s*[\p{L}' ]{1,14}\?$/u;

/** The first sentence that claims or promises an effect without the ledger's backing, or null. */
export function claimIn(text: string, actions: readonly Pick<ActionSummary, "text">[]): Claim | null {
  return claimInPlain(withoutLedger(text, actions));
}

/** The same, of a text without the ledger's words. */
export function claimInPlain(text: string): Claim | null {
  for (const sentence of sentencesOf(folded(text).text)) {
    const plain = unaccented(sentence);
    for (const language of LANGUAGES) {
      if (isQuestion(plain, language)) continue;
      const supposed = language.supposed.test(plain);
      if (says(plain, language.done, language.denied, supposed)) return { kind: "claim", sentence };
      if (!supposed && says(plain, language.promised, language.denied, false)) {
        return { kind: "promise", sentence };
      }
    }
  }
  return null;
}

/** The sentence of {@link claimIn}. */
export function unconfirmedClaim(text: string, actions: readonly ActionSummary[]): string | null {
  return claimIn(text, actions)?.sentence ?? null;
}

/** The text without what the ledger itself says of these actions. */
export function withoutLedger(text: string, actions: readonly Pick<ActionSummary, "text">[]): string {
  let rest = text;
  for (const { text: words } of actions) if (words !== "") rest = rest.replaceAll(words, " ");
  return rest;
}

function isQuestion(sentence: string, { asked }: ClaimWords): boolean {
  if (!sentence.endsWith("?")) return false;
  return asked === null ? !TAG_QUESTION.test(sentence) : asked.test(sentence);
}

function says(sentence: string, patterns: readonly RegExp[], denied: RegExp, supposed: boolean): boolean {
  for (const pattern of patterns) {
    for (const match of sentence.matchAll(pattern)) {
      if (supposed && !FIRST_PERSON.test(match[0])) continue;
      const lead = sentence.slice(0, match.index);
      const clause = lead.slice(lead.search(/[^,;:()]*$/u)) + match[0];
      if (!denied.test(clause)) return true;
    }
  }
  return false;
}

/** What is said instead: what the ledger knows, or that nothing is known. */
export function withoutClaims(actions: readonly Pick<ActionSummary, "text">[], language: Language): string {
  const { nothingConfirmed, confirmed } = wordsOf(language).frame;
  const latest = actions[0];
  return latest === undefined ? nothingConfirmed : confirmed(latest.text);
}
