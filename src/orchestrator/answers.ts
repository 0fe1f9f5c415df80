/** The messages that a run writes, each as the answer to one of the customer's. Pure. */
import { type ActionRow, actionEvent, summary } from "../actions/ledger.ts";
import type { Call, Citation, Say } from "../agents/agent.ts";
import type { NewEvent } from "../conversations/events.ts";
import type { GatewayAnswer } from "../gateway/gateway.ts";
import type { RunId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import { wordsOf } from "../wording/words.ts";
import type { ToldDenial } from "./steps.ts";
import type { Answer, LoggedMessage } from "./view.ts";

/** What an agent said, with only those of its cards, buttons and citations that may leave. */
export function saidAnswer(
  runId: RunId,
  focusSeq: number,
  say: Say,
  shown: {
    readonly cards: readonly unknown[];
    readonly quickReplies: readonly string[];
    readonly citations: readonly Citation[];
    readonly denial: ToldDenial | null;
  },
): Answer {
  const { cards, quickReplies, citations, denial } = shown;
  return messageAnswer(
    focusSeq,
    {
      text: say.text,
      ...(cards.length > 0 ? { cards } : {}),
      ...(quickReplies.length > 0 ? { quick_replies: quickReplies } : {}),
      ...(citations.length > 0 ? { citations } : {}),
    },
    { runId, dialogue: say.dialogue ?? null, ...(denial === null ? {} : { denial }) },
  );
}

/** An offer: exact terms in code's words, with what is agreed to by a yes. */
export function offerAnswer(
  runId: RunId,
  focusSeq: number,
  call: Call,
  { text, offer, citations }: Extract<GatewayAnswer, { kind: "offer" }>,
  language: Language,
): Answer {
  const { buttons } = wordsOf(language).talk;
  return messageAnswer(
    focusSeq,
    { text, quick_replies: [buttons.yes, buttons.no], citations },
    { runId, offer, dialogue: call.dialogue ?? null },
  );
}

/** Words of code alone. */
export const plainAnswer = (
  runId: RunId,
  focusSeq: number,
  text: string,
  internal: Readonly<Record<string, unknown>> = {},
): Answer => messageAnswer(focusSeq, { text }, { runId, dialogue: null, ...internal });

/** The customer stopped the run. */
export const stoppedAnswer = (runId: RunId, { seq, spoken }: LoggedMessage): Answer =>
  plainAnswer(runId, seq, wordsOf(spoken.language).frame.stopped);

/**
 * Asks the customer to say who they are; code's words. It names the message that is answered once they have:
 * see `src/conversations/adopting.ts`.
 */
export function identityAnswer(
  runId: RunId,
  { seq, spoken }: LoggedMessage,
  call: Call,
  channel: "chat" | "email",
): Answer {
  const { signIn, confirmByLink } = wordsOf(spoken.language).frame;
  const text = channel === "email" ? confirmByLink(LIMITS.identityLinkMs / 60_000) : signIn;
  return messageAnswer(
    seq,
    { text, identity_needed: true },
    { runId, dialogue: call.dialogue ?? null, identityNeededFor: seq },
  );
}

/** What the log says of an action that was just recorded, or had been. */
export function recordedAnswer(
  runId: RunId,
  focusSeq: number,
  action: ActionRow,
  isNew: boolean,
  language: Language,
): Answer {
  const events: NewEvent[] = isNew ? [actionEvent(action, language)] : [];
  // Under way: the client shows it from the `action` event, and its outcome follows as a message.
  if (isNew && action.state === "executing") return { focusSeq, events };
  const told = summary(action, language);
  const payload = { text: told.text, cards: [{ type: "action", action: told }] };
  const message = messageAnswer(focusSeq, payload, { runId, actionId: action.id, dialogue: null });
  return { focusSeq, events: [...events, ...message.events] };
}

const messageAnswer = (
  focusSeq: number,
  payload: NewEvent["payload"],
  internal: NonNullable<NewEvent["internal"]>,
): Answer => ({ focusSeq, events: [{ type: "message", author: "agent", payload, internal }] });
