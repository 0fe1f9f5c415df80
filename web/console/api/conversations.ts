/** Conversations as `/v1/operator/conversations` has them. */
import { ask } from "./client.ts";

export interface ConversationItem {
  readonly conversation_id: string;
  readonly customer_id: string;
  readonly channel: "chat" | "email";
  readonly status: "open" | "with_agent" | "with_person" | "resolved";
  readonly language: string;
  readonly assignee: string | null;
  readonly tags: readonly string[];
  readonly last_message: { readonly author: string; readonly text: string; readonly at: string } | null;
  readonly open_reviews: readonly { readonly review_id: string; readonly kind: string }[];
  readonly updated_at: string;
}
export interface Note {
  readonly note_id: string;
  readonly author: string;
  readonly text: string;
  readonly at: string;
}
export interface Draft {
  readonly text: string;
  readonly version: number;
}
export interface Conversation extends ConversationItem {
  readonly last_seq: number;
  readonly assurance: string;
  readonly rating: {
    readonly score: number;
    readonly comment: string | null;
    /** Not: it went on since, and can be rated again. */
    readonly is_latest: boolean;
  } | null;
  readonly notes: readonly Note[];
  readonly draft: Draft | null;
}
export interface InsideEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly author: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}
export interface Run {
  readonly run_id: string;
  readonly cause: string;
  readonly state: string;
  readonly attempts: number;
  readonly started_at: string;
  readonly took_ms: number | null;
  readonly model: {
    readonly tier: string;
    readonly model: string | null;
    readonly calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_micros: number;
  } | null;
  readonly steps: readonly {
    readonly n: number;
    readonly at: string;
    readonly proposal: unknown;
    readonly outcome: unknown;
  }[];
}
export interface CannedReply {
  readonly reply_id: string;
  readonly shortcut: string;
  readonly title: string;
  readonly text: string;
  readonly language: string | null;
  readonly version: number;
  readonly updated_by: string;
}
export type ReplyText = Pick<CannedReply, "shortcut" | "title" | "text" | "language">;
export interface ConversationFilter {
  readonly q?: string;
  readonly order_number?: string;
  readonly customer_id?: string;
  readonly status?: string;
  readonly tag?: string;
  readonly assignee?: string;
}

const ROOT = "/v1/operator/conversations";
const post = <T>(path: string, body: unknown) => ask<T>(path, { method: "POST", body });

export const conversationPage = (filter: ConversationFilter, cursor: string | null, signal: AbortSignal) =>
  ask<{ conversations: ConversationItem[]; next_cursor: string | null }>(ROOT, {
    query: { ...filter, cursor },
    signal,
  });
export const oneConversation = (id: string, signal: AbortSignal) =>
  ask<Conversation>(`${ROOT}/${id}`, { signal });
export const runsOf = (id: string, signal: AbortSignal) =>
  ask<{ runs: Run[] }>(`${ROOT}/${id}/runs`, { signal });

/** The log never changes, so only what came after what is known is asked for. */
export async function eventsOf(
  id: string,
  known: readonly InsideEvent[],
  signal: AbortSignal,
): Promise<readonly InsideEvent[]> {
  const all = [...known];
  for (;;) {
    const page = await ask<{ events: InsideEvent[]; more: boolean }>(`${ROOT}/${id}/events`, {
      query: { after_seq: all.at(-1)?.seq ?? 0 },
      signal,
    });
    all.push(...page.events);
    if (!page.more || page.events.length === 0) return all;
  }
}
/** Refused when somebody else has written after `seenSeq`. */
export const sendMessage = (id: string, clientMessageId: string, text: string, seenSeq: number) =>
  post<{ seq: number }>(`${ROOT}/${id}/messages`, {
    client_message_id: clientMessageId,
    text,
    seen_seq: seenSeq,
  });
export const addNote = (id: string, clientNoteId: string, text: string) =>
  post<Note>(`${ROOT}/${id}/notes`, { client_note_id: clientNoteId, text });
export const changeTags = (id: string, change: { add?: readonly string[]; remove?: readonly string[] }) =>
  post<{ tags: string[] }>(`${ROOT}/${id}/tags`, change);
export const assign = (id: string, assignee: string | null) =>
  post<{ assignee: string | null }>(`${ROOT}/${id}/assign`, { assignee });
export const saveDraft = (id: string, text: string, version: number) =>
  post<{ draft: Draft | null }>(`${ROOT}/${id}/draft`, { text, version });
export const takeOver = (id: string) => post<unknown>(`${ROOT}/${id}/take-over`, {});
export const ratingLink = (id: string) =>
  post<{ url: string; expires_at: string }>(`${ROOT}/${id}/rating-link`, {});
export const giveBack = (id: string) => post<Conversation>(`${ROOT}/${id}/give-back`, {});
export const cannedReplies = (signal: AbortSignal) =>
  ask<{ replies: CannedReply[] }>("/v1/operator/canned-replies", { signal });
export const addReply = (reply: ReplyText) => post<CannedReply>("/v1/operator/canned-replies", reply);
export const changeReply = (id: string, version: number, reply: ReplyText) =>
  post<CannedReply>(`/v1/operator/canned-replies/${id}`, { ...reply, version });
export const removeReply = ({ reply_id: id, version }: CannedReply) =>
  post<unknown>(`/v1/operator/canned-replies/${id}/remove`, { version });
export const fillReply = (replyId: string, conversationId: string) =>
  post<{ text: string; missing: string[] }>(`/v1/operator/canned-replies/${replyId}/fill`, {
    conversation_id: conversationId,
  });
