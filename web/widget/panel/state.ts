/** What the panel shows of a conversation, derived from its events and from what is being written. Pure. */
import type { ActionCard, Attached, ChatEvent, Draft, OrderCard } from "./client.ts";
import type { Pending } from "./storage.ts";

export interface Shown {
  readonly key: string;
  readonly at: string;
  readonly author: "customer" | "agent" | "operator" | "system";
  readonly text: string;
  readonly pictures: readonly Attached[];
  readonly cards: readonly (OrderCard | ActionCard)[];
  readonly citations: readonly {
    readonly title: string;
    readonly version: string;
    readonly effectiveFrom?: string;
  }[];
}
export type ActionEvent = Extract<ChatEvent, { type: "action" }>;

export interface ChatState {
  readonly messages: readonly Shown[];
  readonly pending: readonly Pending[];
  /** Latest state of each refund and return, oldest first, with every state it had. */
  readonly actions: readonly { readonly latest: ActionEvent; readonly states: readonly string[] }[];
  readonly quickReplies: readonly string[];
  readonly status: string;
  /** The event with which it ended last; 0: it never did. */
  readonly endedSeq: number;
  readonly isTyping: boolean;
  /** An answer as far as it is written; the message that comes is what was said. */
  readonly draft: { readonly runId: string; readonly text: string } | null;
  readonly isOnline: boolean;
  readonly isLoading: boolean;
  /** Set when the server asks to slow down: until when. */
  readonly waitUntilMs: number | null;
  /** What its latest ending was rated here. */
  readonly rated: number | null;
  /** Why there is no conversation to be had, for the customer. */
  readonly failure: string | null;
  readonly lastSeq: number;
}

/** Before anything was heard. */
export const EMPTY: ChatState = {
  messages: [],
  pending: [],
  actions: [],
  quickReplies: [],
  status: "open",
  endedSeq: 0,
  isTyping: false,
  draft: null,
  isOnline: true,
  isLoading: false,
  waitUntilMs: null,
  rated: null,
  failure: null,
  lastSeq: 0,
};

/** The state after one more event. Pure. */
export function withEvent(state: ChatState, event: ChatEvent): ChatState {
  const next = { ...state, lastSeq: event.seq };
  switch (event.type) {
    case "message": {
      const isMine = event.author === "customer";
      const shown: Shown = {
        key: `e${event.seq}`,
        at: event.at,
        author: event.author,
        text: event.text,
        pictures: event.attachments ?? [],
        cards: event.cards ?? [],
        citations: event.citations ?? [],
      };
      return {
        ...next,
        messages: [...state.messages, shown],
        pending: state.pending.filter(({ id }) => id !== event.client_message_id),
        quickReplies: isMine ? [] : (event.quick_replies ?? []),
        isTyping: isMine && state.isTyping,
        draft: event.author === "agent" ? null : state.draft,
      };
    }
    case "action": {
      const before = state.actions.find(({ latest }) => latest.action_id === event.action_id);
      const others = state.actions.filter((each) => each !== before);
      return {
        ...next,
        actions: [...others, { latest: event, states: [...(before?.states ?? []), event.state] }],
      };
    }
    case "run":
      return event.state === "queued" || event.state === "running"
        ? { ...next, isTyping: true }
        : { ...next, isTyping: false, draft: state.draft?.runId === event.run_id ? null : state.draft };
    case "status":
      return {
        ...next,
        status: event.status,
        endedSeq: event.status === "resolved" ? event.seq : state.endedSeq,
        isTyping: event.status === "with_agent" && state.isTyping,
      };
    default:
      // A kind that a newer server knows.
      return next;
  }
}

/** The state with what is being written now: replaced as a whole, gone when it is taken back. Pure. */
export function withDraft(state: ChatState, draft: Draft | null): ChatState {
  if (draft !== null && draft.text !== "") {
    return { ...state, draft: { runId: draft.run_id, text: draft.text } };
  }
  const isOther = draft !== null && state.draft?.runId !== draft.run_id;
  return state.draft === null || isOther ? state : { ...state, draft: null };
}
