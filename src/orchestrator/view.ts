/**
 * What an agent sees of a conversation, derived from its rows; pure but for the reading function.
 * The offer that a yes can confirm is the one in the agent's last message: anything said since by the
 * agent or a person has withdrawn it.
 */
import { type ActionRow, actionsOfCustomer, summary } from "../actions/ledger.ts";
import type { DialogueState, RejectedText, RunView, StepRecord, TranscriptEntry } from "../agents/agent.ts";
import { languageAfter, type SpokenLanguage } from "../agents/spoken-language.ts";
import { judgeConsent } from "../agents/understanding/consent.ts";
import type { LockedConversation, NewEvent } from "../conversations/events.ts";
import type { StoredOffer } from "../gateway/gateway.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import { compiled } from "../store/compiled.ts";
import type { Tx } from "../store/store.ts";
import type { TenantFacts } from "../tools/tool.ts";
import type { ActionSummary } from "../tools/views.ts";
import { readDenial, type ToldDenial } from "./steps.ts";

/** A message of the log with what only we see of it. */
export interface LoggedMessage extends TranscriptEntry {
  readonly offer: StoredOffer | null;
  readonly dialogue: DialogueState | null;
  /** What the message told of was denied. */
  readonly denial: ToldDenial | null;
  /** The conversation's language once this message is read; of what is answered already: as it is now. */
  readonly spoken: SpokenLanguage;
}

export interface ConversationState {
  /** Oldest first. */
  readonly messages: readonly LoggedMessage[];
  readonly answeredSeq: number;
  readonly nextSeq: number;
  /** The customer's actions, newest first. */
  readonly ledger: readonly ActionRow[];
  /** The language before the messages that have no answer yet. */
  readonly spoken: SpokenLanguage;
}

/** The customer's actions as they are told in a language. */
export const actionsIn = ({ ledger }: ConversationState, language: Language): readonly ActionSummary[] =>
  ledger.map((row) => summary(row, language));

/** The language in which the customer's message at `seq`, or the last one before it, is answered. */
export const spokenAt = (state: ConversationState, seq: number): SpokenLanguage =>
  state.messages.findLast((message) => message.author === "customer" && message.seq <= seq)?.spoken ??
  state.spoken;

const latestMessages = compiled((db, it: Pick<LockedConversation, "tenant_id" | "id">) =>
  db
    .selectFrom("events")
    .select(["seq", "at_ms", "author", "payload", "internal"])
    .where("tenant_id", "=", it.tenant_id)
    .where("conversation_id", "=", it.id)
    .where("type", "=", "message")
    .orderBy("seq", "desc")
    .limit(LIMITS.transcriptEntries),
);

export async function readConversation(
  tx: Tx,
  conversation: Pick<
    LockedConversation,
    "tenant_id" | "id" | "customer_id" | "answered_seq" | "next_seq" | "language" | "language_shown"
  >,
): Promise<ConversationState> {
  const rows = await latestMessages(tx, conversation);
  const ledger = await actionsOfCustomer(tx, conversation.customer_id, LIMITS.actionsInView);
  const before: SpokenLanguage = {
    language: conversation.language,
    isShown: conversation.language_shown,
  };
  let spoken = before;
  let buttons: readonly unknown[] = [];
  const messages = rows.reverse().map((row): LoggedMessage => {
    const text = String(row.payload.text ?? "");
    const isNew = row.author === "customer" && row.seq > conversation.answered_seq;
    // A pressed button is in our words, with the shop's titles in it: it says nothing of the customer's language.
    if (isNew && !buttons.includes(text.trim())) spoken = languageAfter(text, spoken);
    if (row.author !== "customer") buttons = (row.payload.quick_replies as unknown[] | undefined) ?? [];
    return {
      seq: row.seq,
      at: row.at_ms,
      author: row.author ?? "system",
      text,
      offer: (row.internal?.offer as StoredOffer | undefined) ?? null,
      dialogue: (row.internal?.dialogue as DialogueState | undefined) ?? null,
      denial: readDenial(row.internal?.denial),
      spoken,
    };
  });
  return {
    messages,
    answeredSeq: conversation.answered_seq,
    nextSeq: conversation.next_seq,
    ledger,
    spoken: before,
  };
}

/** Customer messages that have no answer yet, oldest first. */
export function unanswered(state: ConversationState): readonly LoggedMessage[] {
  return state.messages.filter((message) => message.author === "customer" && message.seq > state.answeredSeq);
}

/** The offer that stands, with its place: it must be in the last message that is not the customer's. */
export function standingOffer(
  state: ConversationState,
): (StoredOffer & { seq: number; atMs: number }) | null {
  const last = state.messages.findLast((message) => message.author !== "customer");
  return last?.offer ? { ...last.offer, seq: last.seq, atMs: last.at } : null;
}

export function runView(
  state: ConversationState,
  focus: LoggedMessage,
  surroundings: {
    tenant: TenantFacts;
    firstName: string | null;
    nowMs: number;
    steps: readonly StepRecord[];
    rejected: readonly RejectedText[];
  },
): RunView {
  const open = unanswered(state);
  const offer = standingOffer(state);
  return {
    now: surroundings.nowMs,
    tenant: surroundings.tenant,
    customer: { firstName: surroundings.firstName },
    language: focus.spoken.language,
    focus: { seq: focus.seq, at: focus.at, text: focus.text },
    later: open.filter((message) => message.seq > focus.seq).map((message) => message.text),
    transcript: state.messages
      .filter((message) => message.seq < focus.seq || message.author !== "customer")
      .map(({ seq, at, author, text }) => ({ seq, at, author, text })),
    dialogue: state.messages.findLast((message) => message.author !== "customer")?.dialogue ?? null,
    offer:
      offer === null ? null : { seq: offer.seq, tool: offer.tool, args: offer.args, summary: offer.summary },
    consent: consentOf(state, focus),
    steps: surroundings.steps,
    actions: actionsIn(state, focus.spoken.language),
    ...(surroundings.rejected.length > 0 ? { rejected: surroundings.rejected } : {}),
  };
}

/** The customer's answer to the standing offer: every message since the offer counts, not only the one in focus. */
export function consentOf(state: ConversationState, focus: LoggedMessage): RunView["consent"] {
  const offer = standingOffer(state);
  if (offer === null || focus.seq < offer.seq) return "other";
  const since = state.messages.filter((message) => message.author === "customer" && message.seq > offer.seq);
  return judgeConsent(since.map((message) => message.text));
}

/** One answered message: what is written when the run commits. */
export interface Answer {
  readonly focusSeq: number;
  readonly events: readonly NewEvent[];
}

/** The oldest customer message that neither the log nor this run has answered. */
export function nextFocus(state: ConversationState, answers: readonly Answer[]): LoggedMessage | null {
  const upTo = Math.max(state.answeredSeq, ...answers.map((answer) => answer.focusSeq));
  return unanswered(state).find((message) => message.seq > upTo) ?? null;
}

/** The conversation as it will be once this run's answers are written: the agent sees what it has said. */
export function withAnswers(
  state: ConversationState,
  answers: readonly Answer[],
  nowMs: number,
): ConversationState {
  if (answers.length === 0) return state;
  const said = answers.flatMap((answer) =>
    answer.events.map(
      (event): LoggedMessage => ({
        seq: answer.focusSeq,
        at: nowMs,
        author: "agent",
        text: String(event.payload.text ?? ""),
        offer: null,
        dialogue: (event.internal?.dialogue as LoggedMessage["dialogue"]) ?? null,
        denial: readDenial(event.internal?.denial),
        spoken: spokenAt(state, answer.focusSeq),
      }),
    ),
  );
  return {
    ...state,
    messages: [...state.messages, ...said],
    answeredSeq: Math.max(state.answeredSeq, ...answers.map((answer) => answer.focusSeq)),
  };
}
