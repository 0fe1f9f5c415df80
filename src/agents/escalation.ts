/**
 * When a person takes over, judged from the customer's own messages before any agent is asked: the same for
 * a workflow and a model. Pure; thresholds are the tenant's configuration.
 *
 * What only shows later has its own place: no progress, limits and the safety filter in
 * `orchestrator/decide.ts`; an insisted denial in `insistsOn` here; confidence and a model that is out in the
 * model agent; amounts and the customer's lifetime spend in the policy, whose clauses the packet names.
 */
import type { EscalationReason } from "./agent.ts";
import { alarmIn, wishesPerson } from "./understanding/alarms.ts";
import { isAngry } from "./understanding/intents.ts";
import { read } from "./understanding/understand.ts";
import { readWords } from "./understanding/words.ts";

export interface EscalationThresholds {
  /** Sentiment (−1 to 1) of one message at or below which a person takes over. */
  readonly sentiment: number;
  /** How far sentiment may fall over the last `fallingMessages` messages, each worse than the one before. */
  readonly fallingBy: number;
  readonly fallingMessages: number;
  /** A fall that ends above this is no trend yet. */
  readonly fallingBelow: number;
  /** From this lifetime spend, in the tenant's currency, the packet says that the customer is one to look after. */
  readonly highValueLifetimeSpend: number;
  /** Tool calls in a row that may bring nothing new; one more is a person's. */
  readonly stalledCalls: number;
}

export const DEFAULT_THRESHOLDS: EscalationThresholds = {
  sentiment: -0.8,
  fallingBy: 0.5,
  fallingMessages: 3,
  fallingBelow: -0.4,
  highValueLifetimeSpend: 10_000,
  stalledCalls: 3,
};

/** What one message tells of it; the reader of messages says more, this is all that is needed here. */
export interface Heard {
  readonly sentiment: number;
  readonly alarm: "legal" | "safety" | null;
  readonly wishesPerson: boolean;
}

export interface Trigger {
  readonly reason: EscalationReason;
  /** For the person who takes over, in words. */
  readonly wish: string;
}

/**
 * `text`: the customer's message in focus; `earlier`: those before it, oldest first, read only where the mood of
 * this one may be the end of a fall. Null: the agent may answer.
 */
export function triggerIn(
  text: string,
  earlier: readonly string[],
  thresholds: EscalationThresholds,
): Trigger | null {
  const now = hear(text);
  if (now.alarm === "safety") {
    return {
      reason: "legal_or_safety",
      wish: "The message speaks of harm or danger: please read it now.",
    };
  }
  if (now.alarm === "legal") {
    return {
      reason: "legal_or_safety",
      wish: "The customer mentions legal steps, a payment dispute or data protection.",
    };
  }
  if (now.wishesPerson) return { reason: "asked_for_person", wish: "The customer asks for a person." };
  if (now.sentiment <= thresholds.sentiment) {
    return { reason: "negative_sentiment", wish: "The customer is very upset." };
  }
  if (isFalling(now, earlier, thresholds)) {
    return {
      reason: "negative_sentiment",
      wish: "The customer's mood has been getting worse with every message.",
    };
  }
  return null;
}

function isFalling(
  { sentiment: end }: Heard,
  earlier: readonly string[],
  { fallingMessages, fallingBelow, fallingBy }: EscalationThresholds,
): boolean {
  if (end > fallingBelow || earlier.length + 1 < fallingMessages) return false;
  const before = fallingMessages === 1 ? [] : earlier.slice(1 - fallingMessages);
  const moods = [...before.map((text) => hear(text).sentiment), end];
  const falls = moods.every((value, index) => index === 0 || value < (moods[index - 1] as number));
  return falls && (moods[0] as number) - end >= fallingBy - 1e-9;
}

/** What was denied, kept with the message that said so. */
export interface Denial {
  readonly tool: string;
  readonly code: string;
  readonly order: string | null;
}

/** The same thing asked again right after it was denied: the customer does not accept the answer. */
export function insistsOn(before: Denial | null, now: Denial): boolean {
  return (
    before !== null && before.tool === now.tool && before.code === now.code && before.order === now.order
  );
}

const FURIOUS = /[!?]{3,}|\b(?:\p{Lu}{3,}\W+){3,}/u;
const SWEARING =
  /(?<!\p{L})(?:fuck\p{L}*|bullshit|wtf|assholes?|bastards?|scam(?:mers?)?|thieves|thief|arschl\p{L}*|scheiß\p{L}*|verarsch\p{L}*|betrüger\p{L}*|mierda|estafador\p{L}*|ladrones|putain|merde|escroc\p{L}*|arnaque\p{L}*|voleurs?|merda|ladr[õo]es|burla|cazzo|truffa\p{L}*|ladri)(?!\p{L})/iu;

/** How far the model of moods counts where no word is strong: it is sure of a complaint, not of its strength. */
const MODEL_WEIGHT = 0.5;

/** Reads one message: strong words first, for they are exact; below them, shades that only a trend is made of. */
export function hear(text: string): Heard {
  const words = readWords(text);
  const angry = isAngry(words);
  const swears = SWEARING.test(text);
  const strong = swears && (angry || FURIOUS.test(text)) ? -0.9 : swears ? -0.7 : angry ? -0.6 : 0;
  const sentiment = Math.min(strong, MODEL_WEIGHT * read(text).sentiment);
  return { sentiment, alarm: alarmIn(words), wishesPerson: wishesPerson(words) };
}

/** What a person should do first, by reason: for the packet, beside what the agent itself would do. */
export const FIRST_STEPS: Readonly<Record<EscalationReason, string>> = {
  asked_for_person: "Answer the customer here; nothing else is waiting.",
  not_understood: "Read the last messages, ask what is wanted, and go on from there.",
  legal_or_safety:
    "Read the message before anything else. Admit and promise nothing in writing; bring in whoever answers legal or safety matters, and tell the customer who will write and when.",
  policy_denied_contested:
    "Check the clauses below against the case. Keep the denial, or make an exception in your own name and say why.",
  complaint: "Apologise for what went wrong and offer what the policy allows.",
  no_progress: "See what was tried below; look the order up in the shop and answer.",
  step_limit: "See what was tried below; look the order up in the shop and answer.",
  deadline: "See what was tried below; the customer has been waiting.",
  agent_failed: "The assistant could not work on this message. Nothing was done; take it from the start.",
  outcome_uncertain: "Look the refund up at the provider before you say anything about it.",
  outside_scope: "The assistant has no tool for this. Do it by hand, or say that it cannot be done.",
  low_confidence: "The assistant was not sure of its answer. Check what it found, then answer.",
  provider_unavailable:
    "See which system is out (`doctor` says it) and tell the customer when you will have an answer. Nothing was done yet.",
  model_unavailable: "No language model answered. Nothing is wrong with the case itself.",
  safety_filter:
    "What the assistant wanted to write was withheld (the kinds are below). Answer in your own words; check that nothing of it came from a document or an order's text.",
  negative_sentiment: "Answer soon, by name, and say what you will do and by when.",
};
