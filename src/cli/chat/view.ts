/**
 * What a conversation's events look like as lines of text: pure, so that the chat in a terminal, the
 * piped chat and the tests show the same. Everything from the server passes through `plainText`.
 */
import { hanging, type Paint, plainLine, plainText } from "../terminal.ts";
import { type ChatEvent, latestActions, liveRuns, openQuickReplies, statusOf } from "./events.ts";
import { type CardLook, orderCard } from "./order-card.ts";

export interface Look extends CardLook {
  /** What the customer's own messages are headed with. */
  readonly you: string;
}

const AUTHORS: Readonly<Record<string, { readonly name: string; readonly format: Parameters<Paint>[0] }>> = {
  agent: { name: "shop", format: ["green", "bold"] },
  operator: { name: "person", format: ["magenta", "bold"] },
  system: { name: "system", format: "dim" },
};

const NAME_WIDTH = 7;

/** The lines that an event adds to the transcript; empty for what is only shown as a state. */
export function eventLines(event: ChatEvent, look: Look): string[] {
  switch (event.type) {
    case "message":
      return event.author === "customer" ? ownLines(plainText(event.text), look) : messageLines(event, look);
    case "status":
      return event.status === "with_person" ? [note("A person has this conversation now.", look)] : [];
    default:
      return [];
  }
}

/** A message of the customer, as it was sent. */
export function ownLines(text: string, look: Look): string[] {
  return said(look.you, ["blue", "bold"], plainText(text), look);
}

function messageLines(event: ChatEvent, look: Look): string[] {
  const author = AUTHORS[String(event.author)] ?? { name: "shop", format: ["green", "bold"] as const };
  const cards = Array.isArray(event.cards) ? event.cards.slice(0, 20) : [];
  return [
    ...said(author.name, author.format, plainText(event.text), look),
    ...cards.flatMap((card: unknown) => {
      const { type, order } = (card ?? {}) as { type?: unknown; order?: unknown };
      // An action's card repeats the `action` event, which has a line of its own.
      return type === "order" ? orderCard(order, look) : [];
    }),
    ...citationLines(event.citations, look),
  ];
}

function said(name: string, format: Parameters<Paint>[0], text: string, look: Look): string[] {
  const shown = plainLine(name, 24);
  const head = `${look.paint(format, shown)}${" ".repeat(Math.max(1, NAME_WIDTH - shown.length))}`;
  return hanging(head, " ".repeat(NAME_WIDTH), text, look.width);
}

const note = (text: string, look: Look): string => look.paint("dim", `${" ".repeat(NAME_WIDTH)}${text}`);

function citationLines(citations: unknown, look: Look): string[] {
  if (!Array.isArray(citations)) return [];
  const titles = citations
    .slice(0, 10)
    .map((citation: unknown) => {
      const { title, policyId, documentId, version, effectiveFrom } = (citation ?? {}) as Record<
        string,
        unknown
      >;
      const since = plainLine(effectiveFrom, 12);
      const policy = [
        plainLine(documentId ?? policyId, 60),
        plainLine(version, 30),
        since === "" ? "" : `since ${since}`,
      ]
        .filter((part) => part !== "")
        .join(" ");
      return `${plainLine(title, 80)}${policy === "" ? "" : ` (${policy})`}`;
    })
    .filter((title) => title !== "");
  return [...new Set(titles)].map((title) => note(`§ ${title}`, look));
}

const QUIET = { mark: "○", format: "dim" } as const;
const AT_WORK = { mark: "◐", format: "yellow" } as const;

/** How the state of an action is shown: a mark, its colour, and words for the state alone. */
const ACTION_STATES: Readonly<
  Record<string, { readonly mark: string; readonly format: Parameters<Paint>[0]; readonly words: string }>
> = {
  awaiting_approval: { ...AT_WORK, words: "waits for a person's approval" },
  scheduled: { ...AT_WORK, words: "is about to be sent" },
  executing: { ...AT_WORK, words: "is being sent" },
  unknown: { ...AT_WORK, words: "is still being checked" },
  pending: { ...AT_WORK, words: "accepted, not final yet" },
  needs_person: { ...AT_WORK, words: "is being checked by a person" },
  succeeded: { mark: "✓", format: "green", words: "confirmed" },
  failed: { mark: "✗", format: "red", words: "failed" },
  rejected: { mark: "✗", format: "red", words: "not approved" },
  expired: { ...QUIET, words: "not decided in time" },
  cancelled: { ...QUIET, words: "cancelled" },
};

/** One line that says where an action stands. */
export function actionLine(action: ChatEvent, look: Look): string {
  const state = ACTION_STATES[String(action.state)] ?? { ...QUIET, words: plainLine(action.state, 40) };
  const kind = plainLine(action.kind, 20);
  const amount = [plainLine(action.amount, 30), plainLine(action.currency, 8)]
    .filter((part) => part !== "")
    .join(" ");
  const what = [
    kind === "refund" && amount !== "" ? `Refund ${amount}` : kind === "return" ? "Return" : kind,
    `order #${plainLine(action.order_number, 30)}`,
    plainLine(action.items, 60),
  ].filter((part) => part !== "");
  return `${look.paint(state.format, state.mark)} ${what.join(" · ")} · ${look.paint(state.format, state.words)}`;
}

/** States after which an action's line is part of the transcript and not of the live area any more. */
const RESTING = new Set(["succeeded", "failed", "rejected", "expired", "cancelled"]);
export const isResting = (action: ChatEvent): boolean => RESTING.has(String(action.state));

/** Quick replies as one choice a number: typing the number sends the reply. */
export function quickReplyLine(replies: readonly string[], look: Look): string | null {
  if (replies.length === 0) return null;
  const shown = replies
    .slice(0, 9)
    .map((reply, index) => `${look.paint("cyan", `[${index + 1}]`)} ${plainLine(reply, 60)}`);
  return `${" ".repeat(NAME_WIDTH)}${shown.join("   ")}`;
}

/** What typed text means: the number of an open quick reply stands for it. */
export function withQuickReply(text: string, replies: readonly string[]): string {
  const chosen = /^\s*[1-9]\s*$/.test(text) ? replies[Number(text) - 1] : undefined;
  return chosen === undefined ? text : plainText(chosen);
}

const HISTORY_EVENTS = 40;

/** What was said before, when a conversation is resumed: the latest part of it. */
export function historyLines(events: readonly ChatEvent[], look: Look): string[] {
  const shown = events.flatMap((event) => {
    const lines =
      event.type === "action" && isResting(event)
        ? [`${" ".repeat(NAME_WIDTH)}${actionLine(event, look)}`]
        : eventLines(event, look);
    return lines.length === 0 ? [] : [lines];
  });
  const left = shown.length - HISTORY_EVENTS;
  return [...(left > 0 ? [note(`… ${left} earlier`, look)] : []), ...shown.slice(-HISTORY_EVENTS).flat()];
}

export interface LiveFacts {
  readonly events: readonly ChatEvent[];
  /** Null while connected. */
  readonly reconnecting: { readonly attempt: number; readonly why: string } | null;
  readonly unsent: number;
  /** What is being written; empty when there is nothing to show. */
  readonly draft: string;
}

/** What is so now and may change: under the transcript, above the input. Redrawn, never kept. */
export function liveLines(facts: LiveFacts, look: Look): string[] {
  const actions = [...latestActions(facts.events).values()].filter((action) => !isResting(action));
  const typing = liveRuns(facts.events).size > 0 && statusOf(facts.events) !== "with_person";
  const lines = actions.map((action) => actionLine(action, look));
  if (facts.reconnecting !== null && facts.reconnecting.attempt > 0) {
    lines.push(look.paint("yellow", `⟳ reconnecting… (${plainLine(facts.reconnecting.why, 80)})`));
  } else if (facts.draft !== "") {
    const written = hanging("shop   ", " ".repeat(NAME_WIDTH), `${plainText(facts.draft)} …`, look.width);
    lines.push(...written.map((line) => look.paint("dim", line)));
  } else if (typing) lines.push(look.paint("dim", "shop is typing…"));
  if (facts.unsent > 0 && facts.reconnecting !== null) {
    const what = facts.unsent === 1 ? "your message is" : `${facts.unsent} messages are`;
    lines.push(look.paint("dim", `${what} not sent yet; it happens by itself after the reconnection`));
  }
  const replies = quickReplyLine(openQuickReplies(facts.events), look);
  if (replies !== null && !typing) lines.push(replies);
  return lines;
}
