/**
 * What the workflows keep between messages: the open question and what was said towards a request.
 * IDs and the customer's choices only; orders are read again in every run. Read back defensively: it
 * was written by an earlier version of this code, perhaps.
 */
import type { DialogueState, DialogueValue } from "./agent.ts";
import { maskCardNumbers } from "./understanding/card-numbers.ts";

/** What the last message asked the customer. */
export const QUESTIONS = [
  "order",
  "items",
  "quantity",
  "reason",
  "amount",
  /** An offer was made by code. */
  "offer",
  /** "Shall I go on with …?" */
  "go_on",
  /** "I see no refund. Shall I start one?" */
  "start",
  /** "It says delivered. Shall a person look for it?" */
  "missing",
  /** "Policy says no. Shall a person look at it?" */
  "contest",
  /** "What would you like?" */
  "wish",
] as const;
export type Question = (typeof QUESTIONS)[number];

export interface Unit {
  readonly lineItemId: string;
  readonly quantity: number;
}
/** What a refund or return is for: the rest of the order, or units of lines. */
export type Selection = "whole" | readonly Unit[];

export interface Memory {
  readonly workflow: DialogueState["workflow"] | null;
  readonly asked: Question | null;
  /** How often the question was not understood. */
  readonly misses: number;
  /** Order ID. */
  readonly order: string | null;
  /** Order IDs in the order in which they were listed. */
  readonly choices: readonly string[];
  readonly selection: Selection | null;
  /** The line whose quantity was asked. */
  readonly line: string | null;
  /** Minor units of the order's currency: what the customer wants, when it is not the price of items. */
  readonly amountMinor: number | null;
  readonly reason: string | null;
  /** What the customer wrote before the open question, to be read again with the answer. */
  readonly said: string | null;
  /** Text of a request that comes after this one. */
  readonly queued: string | null;
  /** Text that could not be worked on because a system was down. */
  readonly retry: string | null;
  /** How often a system was silent when what is remembered here was proposed. */
  readonly silences: number;
}

export const NOTHING: Memory = {
  workflow: null,
  asked: null,
  misses: 0,
  order: null,
  choices: [],
  selection: null,
  line: null,
  amountMinor: null,
  reason: null,
  said: null,
  queued: null,
  retry: null,
  silences: 0,
};

const WORKFLOWS: readonly string[] = ["order-status", "return", "refund", "clarify"];
const LONGEST_TEXT = 500;
const MOST_UNITS = 100;

export function readMemory(dialogue: DialogueState | null): Memory {
  if (dialogue === null || !WORKFLOWS.includes(dialogue.workflow)) return NOTHING;
  const slots: Readonly<Record<string, DialogueValue>> = dialogue.slots ?? {};
  const text = (value: DialogueValue | undefined) =>
    typeof value === "string" && value.length > 0 ? value.slice(0, LONGEST_TEXT) : null;
  const whole = (value: DialogueValue | undefined) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
  const list = (value: DialogueValue | undefined): readonly DialogueValue[] =>
    Array.isArray(value) ? value.slice(0, MOST_UNITS) : [];
  return {
    workflow: dialogue.workflow,
    asked: QUESTIONS.find((question) => question === slots.asked) ?? null,
    misses: whole(slots.misses) ?? 0,
    order: text(slots.order),
    choices: list(slots.choices).flatMap((value) => text(value) ?? []),
    selection: slots.selection === "whole" ? "whole" : unitsOf(list(slots.selection)),
    line: text(slots.line),
    amountMinor: whole(slots.amountMinor),
    reason: text(slots.reason),
    said: text(slots.said),
    queued: text(slots.queued),
    retry: text(slots.retry),
    silences: whole(slots.silences) ?? 0,
  };
}

/** Units as they stand in memory or in a call's `items`; null when there is none that can be read. */
function unitsOf(values: readonly DialogueValue[]): readonly Unit[] | null {
  const units = values.flatMap((value) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return [];
    const { lineItemId, quantity } = value as { lineItemId?: unknown; quantity?: unknown };
    if (typeof lineItemId !== "string" || typeof quantity !== "number") return [];
    return Number.isSafeInteger(quantity) && quantity > 0 ? [{ lineItemId, quantity }] : [];
  });
  return units.length > 0 ? units : null;
}

/** Text for `said`, `queued` and `retry`: cut, and without card numbers. */
export const memorable = (text: string): string => maskCardNumbers(text).slice(0, LONGEST_TEXT);

/** The memory as dialogue state; what is empty is left out. */
export function remember(
  workflow: DialogueState["workflow"],
  memory: Partial<Omit<Memory, "workflow">>,
): DialogueState {
  const slots: Record<string, DialogueValue> = {};
  for (const [name, value] of Object.entries(memory)) {
    if (value === null || value === undefined || value === 0 || name === "workflow") continue;
    if (Array.isArray(value) && value.length === 0) continue;
    slots[name] = value as DialogueValue;
  }
  return { workflow, slots };
}
