/**
 * Everything that can be known of a message by reading it: intents with calibrated confidence, mood,
 * legal words, the wish for a person, language, order numbers, personal data, attempts to steer.
 *
 * Pure and synchronous: the same text, the same signals; no clock, no network; time linear in the text.
 * The one thing it reads is the model's file, at its first call. Rules decide what fixed words can decide,
 * the model what they cannot; below {@link SURE_AT} it says so instead of guessing.
 */
import { LANGUAGES, type Language } from "../../kernel/language.ts";
import { keepingLatest } from "../../kernel/latest.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { personalDataIn } from "../../safety/personal-data.ts";
import { conceptsIn } from "./concepts.ts";
import { featuresOf, normalised } from "./features.ts";
import { cancelsEffect } from "./intents.ts";
import { type FLAGS, HEADS, type Model, SENTIMENTS, scoresOf, sigmoid, softmax, theModel } from "./model.ts";
import { orderNumbersIn } from "./order-numbers.ts";
import { refusesRefund } from "./refused-refund.ts";
import { saysOutright } from "./said.ts";
import { MESSAGE_INTENTS, type MessageIntent, type MessageSignals } from "./signals.ts";
import { wishesIn } from "./wishes.ts";
import { bare, LATEST_TEXTS, readWords, type Word } from "./words.ts";

/**
 * Below this confidence of the likeliest intent, asking is better than guessing. Read off the abstention
 * curve of `npm run evals -- understanding`.
 */
export const SURE_AT = 0.55;
/**
 * A flag that only the model hears counts from here on: nine in ten that it raises over held-out lines are right.
 */
const FLAG_AT: Readonly<Record<(typeof FLAGS)[number], number>> = { legal: 0.6, person: 0.6, injection: 0.6 };
const LANGUAGE_AT = 0.5;

export interface Reading {
  readonly intents: readonly { readonly intent: MessageIntent; readonly confidence: number }[];
  readonly sentiment: number;
  readonly language: Language | null;
  readonly languageConfidence: number;
  readonly flags: Readonly<Record<(typeof FLAGS)[number], number>>;
}

const latestReading = keepingLatest((text) => freshReading(text, theModel()), LATEST_TEXTS);

/** The hashed stage alone: what the model reads, before any rule. */
export const read = (text: string, model?: Model): Reading =>
  model === undefined ? latestReading(text) : freshReading(text, model);

/** `ruledOut`: an intent that fixed words say it is not; its likelihood goes to the others. */
function freshReading(text: string, model: Model, ruledOut: MessageIntent | null = null): Reading {
  const logits = scoresOf(model, featuresOf(text));
  if (ruledOut !== null) {
    const index = MESSAGE_INTENTS.indexOf(ruledOut);
    logits[HEADS.intent + index] = Number.NEGATIVE_INFINITY;
    logits[HEADS.asks + index] = Number.NEGATIVE_INFINITY;
  }
  const { temperature, asksTemperature, languageTemperature } = model.header;
  const mainly = softmax(logits, HEADS.intent, MESSAGE_INTENTS.length, temperature);
  const top = mainly.indexOf(Math.max(...mainly));
  const topConfidence = mainly[top] ?? 0;
  // `other` is what asks for none of the rest: beside it there is no second wish, only doubt about the first.
  const beside = (index: number): number =>
    MESSAGE_INTENTS[top] === "other"
      ? (mainly[index] ?? 0)
      : Math.min(topConfidence, sigmoid((logits[HEADS.asks + index] ?? 0) / asksTemperature));
  const intents = MESSAGE_INTENTS.map((intent, index) => ({
    intent,
    confidence: index === top ? topConfidence : beside(index),
  })).sort((a, b) => b.confidence - a.confidence || (a.intent === MESSAGE_INTENTS[top] ? -1 : 1));
  const [negative = 0, , positive = 0] = softmax(logits, HEADS.sentiment, SENTIMENTS.length);
  const languages = softmax(logits, HEADS.language, LANGUAGES.length, languageTemperature);
  const languageConfidence = Math.max(...languages);
  const flag = (index: number) => sigmoid(logits[HEADS.flags + index] ?? 0);
  return {
    intents,
    sentiment: positive - negative,
    language: LANGUAGES[languages.indexOf(languageConfidence)] ?? null,
    languageConfidence,
    flags: { legal: flag(0), person: flag(1), injection: flag(2) },
  };
}

/** `model` is the shipped one but in evaluations. */
export function understand(message: string, model?: Model): MessageSignals {
  const text = message.slice(0, LIMITS.messageChars);
  const words = readWords(text);
  const plain = normalised(text).replace(/[^\p{L}\p{N}]+/gu, " ");
  const reading = refusesRefund(plain)
    ? freshReading(text, model ?? theModel(), "refund-request")
    : read(text, model);
  const wishes = wishesIn(text, words, plain);
  const personal = personalDataIn(text);
  const threatensLegally = wishes.threatensLegally || reading.flags.legal >= FLAG_AT.legal;
  const intents = withdraws(words, plain) ? withdrawn(reading.intents) : reading.intents;
  return {
    intents,
    isSure: (intents[0]?.confidence ?? 0) >= SURE_AT,
    sentiment: threatensLegally ? Math.min(reading.sentiment, -0.5) : reading.sentiment,
    threatensLegally,
    wishesPerson: wishes.wishesPerson || reading.flags.person >= FLAG_AT.person,
    language: languageOf(text, reading),
    orderReferences: orderNumbersIn(
      text,
      // A street and an e-mail address may stand beside an order number; the others are numbers themselves.
      personal.filter(({ kind }) => kind !== "address").map(({ value }) => value),
    ),
    personalData: [...new Set(personal.map(({ kind }) => kind))],
    injection: wishes.injection || reading.flags.injection >= FLAG_AT.injection,
  };
}

/**
 * "Cancel my refund, I keep it": the words of a refund in a message that wants none. Taken for a request it
 * would cost money, so fixed words decide it, not the model.
 */
function withdraws(words: readonly Word[], plain: string): boolean {
  return (saysOutright("withdraws", words, bare) || cancelsEffect(words)) && !ASKS_ANYWAY.test(plain);
}
/** "Cancel the exchange and refund me instead" asks for one thing while it drops another. */
const ASKS_ANYWAY =
  /(?: instead | and (?:refund|give|send|return|pay) | refund me | money back | rembours\S* moi | statt ?dessen | y (?:devu|reem)\S+ | invece | em vez | ridatemi | devolvam )/;

const withdrawn = (intents: MessageSignals["intents"]): MessageSignals["intents"] => [
  { intent: "other" as const, confidence: 0.95 },
  ...intents
    .filter(({ intent }) => intent !== "other")
    .map((it) => ({ ...it, confidence: it.confidence * 0.05 })),
];

/** Letters of another script are another language; too few letters, or no clear winner, are none. */
function languageOf(text: string, { language, languageConfidence }: Reading): MessageSignals["language"] {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3) return null;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 < letters) return "other";
  return languageConfidence >= LANGUAGE_AT ? language : null;
}

/** What the message is about in the words that the six languages share: for telling kinds of status apart. */
export function conceptsOf(text: string): ReadonlySet<string> {
  return new Set(conceptsIn(normalised(text).match(/\p{L}+/gu) ?? []));
}
