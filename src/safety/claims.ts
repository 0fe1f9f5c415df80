/**
 * Room `safety`: what may leave and what may be stored. May import `kernel`, `wording` and `tools/views`.
 * Promises: no text of an agent says that an effect happened, or will, unless the ledger's own words say
 * so (G2); nothing here keeps what could change an answer, reads a clock or takes time that is not linear in the text.
 * `may-leave.ts` is the door; the other files are what it looks for.
 *
 * This file: claims and promises of effects. Sentences that the ledger made (`ActionSummary.text`) are true
 * and are taken out first; what is left must not say that money moved or will move, that a return exists, or
 * that anything was done which no tool here can do. A sentence too many costs an answer its words; a sentence
 * too few costs a customer their trust: when in doubt, it is a claim. Every language's words are tried on
 * every sentence: a model may mix them.
 */
import type { Language } from "../kernel/language.ts";
import { keepingLatest } from "../kernel/latest.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { ActionSummary } from "../tools/views.ts";
import { wordsOf } from "../wording/words.ts";
import { BARE_ASSERTIONS } from "./bare-assertions.ts";
import { CLAIM_WORDS, type ClaimWords } from "./claim-words.ts";
import { EFFECT_GRAMMAR, type EffectGrammar } from "./effect-grammar.ts";
import { EFFECT_WORDS } from "./effect-words.ts";
import { anyOf, apart, everyMatch, folded, sentencesOf, unaccented, unspaced } from "./reading.ts";
import { REPORTED_EFFECTS } from "./reported-effects.ts";

export interface Claim {
  readonly kind: "claim" | "promise";
  readonly sentence: string;
}

const LANGUAGES = Object.entries(CLAIM_WORDS).map(([language, words]) => {
  const { done, promised, cancelled } = EFFECT_WORDS[language as Language];
  const reported = REPORTED_EFFECTS[language as Language];
  const grammar = EFFECT_GRAMMAR[language as Language];
  const said = {
    done: [...words.done, ...done, ...reported.done],
    cancelled,
    promised: [...words.promised, ...promised, ...reported.promised],
  };
  return {
    words,
    grammar,
    ...said,
    // What a text must have in it somewhere before it is read sentence by sentence: most have none.
    listed: anyOf(Object.values(said).flat(), "mu"),
    things: anyOf([grammar.money, grammar.things], "mu"),
  };
});
/** "I have refunded you, ok?" is no question. */
const TAG_QUESTION = /,\s*[\p{L}' ]{1,14}\?$/u;

/** What the tools of this run showed of effects beside the ledger's. */
export interface KnownEffects {
  /** An order of the customer's is cancelled. */
  readonly isCancelled?: boolean;
}

/** As far back as a clause is looked at. */
const CLAUSE_CHARS = 200;

/** The first sentence that claims or promises an effect without the ledger's backing, or null. */
export function claimIn(
  text: string,
  actions: readonly Pick<ActionSummary, "text">[],
  known: KnownEffects = {},
): Claim | null {
  return claimInPlain(withoutLedger(text, actions), known);
}

/** The same, of a text without the ledger's words. */
export const claimInPlain = (text: string, { isCancelled = false }: KnownEffects = {}): Claim | null =>
  (isCancelled ? claimBesideCancelled : claimOf)(text);

const claimOf = keepingLatest((text) => readClaim(text, false), LIMITS.keptJudgedTexts);
const claimBesideCancelled = keepingLatest((text) => readClaim(text, true), LIMITS.keptJudgedTexts);

function readClaim(text: string, isCancelled: boolean): Claim | null {
  const sentences = sentencesOf(unspaced(folded(text).text)).map((it) => [it, unaccented(it)] as const);
  const whole = apart(sentences.map(([, plain]) => plain));
  const languages = LANGUAGES.map((language) => ({
    ...language,
    hasListed: language.listed.test(whole),
    hasThings: language.things.test(whole),
  })).filter(({ hasListed, hasThings }) => hasListed || hasThings);
  const hasMoney = MONEY.test(whole);
  for (const [sentence, plain] of sentences) {
    for (const { words, grammar, done, cancelled, promised, hasListed, hasThings } of languages) {
      if (isQuestion(plain, words)) continue;
      const supposed = words.supposed.test(plain);
      if (hasListed) {
        if (says(plain, done, words, supposed) || (!isCancelled && says(plain, cancelled, words, supposed)))
          return { kind: "claim", sentence };
        if (!supposed && says(plain, promised, words, false)) return { kind: "promise", sentence };
      }
      const kind = supposed || !hasThings ? null : effectIn(plain, grammar, words);
      if (kind !== null) return { kind, sentence };
    }
    if (hasMoney && assertsMoney(plain)) return { kind: "claim", sentence };
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

function says(
  sentence: string,
  patterns: readonly RegExp[],
  language: ClaimWords,
  supposed: boolean,
): boolean {
  for (const pattern of patterns) {
    for (const match of everyMatch(sentence, pattern)) {
      const isFirst = language.first.test(match[0]);
      if (supposed && !isFirst) continue;
      const lead = clauseBefore(sentence, match.index, language);
      if (!(isFirst ? isTakenBack(lead, match[0], language) : isDenied(lead + match[0], language)))
        return true;
    }
  }
  return false;
}

/** A comma in an amount ends none. */
const CLAUSES = /,(?!\d)|[;:()]/u;

/** By its grammar: something of ours was done, or will be. */
function effectIn(sentence: string, grammar: EffectGrammar, language: ClaimWords): Claim["kind"] | null {
  for (const clause of sentence.split(CLAUSES)) {
    const isMoney = grammar.money.test(clause);
    if (!isMoney && !grammar.things.test(clause)) continue;
    const changes = (pattern: RegExp): boolean =>
      [...everyMatch(clause, pattern)].some((match) => {
        const verb = match.slice(1).find((it) => it !== undefined) ?? "";
        if (grammar.harmless.test(verb) || (!isMoney && grammar.onTheWay.test(verb))) return false;
        return !isDenied(clause.slice(0, match.index) + match[0], language);
      });
    if (changes(grammar.did) || changes(grammar.done)) return "claim";
    if (isMoney && changes(grammar.will)) return "promise";
  }
  return null;
}

const BARE = Object.values(BARE_ASSERTIONS);
const MONEY = anyOf(
  BARE.map(({ money }) => money),
  "mu",
);

/** A line of a list asserts nothing, whatever its things are called. */
const LISTED = /^\W*(?:[•*-]|\d{1,5} ?[x×])/u;

/** Words are shared between languages: a clause is an assertion if it is one in each language that reads money in it. */
function assertsMoney(sentence: string): boolean {
  if (sentence.endsWith("?") || LANGUAGES.some(({ words }) => words.supposed.test(sentence))) return false;
  return sentence.split(CLAUSES).some((clause) => {
    if (LISTED.test(clause)) return false;
    const read = BARE.filter(({ money }) => money.test(clause));
    return read.length > 0 && read.every(({ open }) => !open.test(clause));
  });
}

/** What stands before the place in its own clause. */
function clauseBefore(sentence: string, end: number, { joins }: ClaimWords): string {
  const lead = sentence.slice(Math.max(0, end - CLAUSE_CHARS), end);
  return lead.split(CLAUSES).at(-1)?.split(joins).at(-1) ?? "";
}

const isDenied = (clause: string, { denied, reassuring }: ClaimWords): boolean =>
  denied.test(clause.replace(reassuring, " "));

/** Who says what they did denies it inside, or right before, or makes it depend on something. */
function isTakenBack(lead: string, said: string, language: ClaimWords): boolean {
  const words = lead.trim().split(/\s+/u);
  const close = language.wordsBefore === 0 ? "" : words.slice(-language.wordsBefore).join(" ");
  if (isDenied(`${close} ${said}`, language)) return true;
  return words.some((_, index) => language.supposed.test(words.slice(index, index + 3).join(" ")));
}

/** What is said instead: what the ledger knows, or that nothing is known. */
export function withoutClaims(actions: readonly Pick<ActionSummary, "text">[], language: Language): string {
  const { nothingConfirmed, confirmed } = wordsOf(language).frame;
  const latest = actions[0];
  return latest === undefined ? nothingConfirmed : confirmed(latest.text);
}
