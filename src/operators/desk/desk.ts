/**
 * The desk: conversations as operators work with them. `listing.ts` finds them, `inside.ts` shows one, `messages.ts`
 * writes to the customer, `beside.ts` keeps what no customer sees, `canned-replies.ts` has the texts used again,
 * `order.ts` the order that a review is about.
 */
import type { TenantScope } from "../../kernel/scope.ts";
import { addNote, assignTo, changeTags, type NewNote, saveDraft } from "./beside.ts";
import { type CannedParts, type CannedReplies, createCannedReplies } from "./canned-replies.ts";
import {
  type ConversationInside,
  type DraftView,
  type InsideEvent,
  type InsideRun,
  type NoteView,
  readEvents,
  readInside,
  readRuns,
} from "./inside.ts";
import { type ConversationPage, type ConversationQuery, listConversations } from "./listing.ts";
import { createMessages, type MessageParts, type OperatorMessage } from "./messages.ts";
import { type ReviewedOrder, type ReviewedOrderParts, readReviewedOrder } from "./order.ts";
import { type Ratings, readRatings } from "./ratings.ts";

export interface Desk {
  /** @throws ProblemError `cursor_unknown` */
  list(scope: TenantScope, query: ConversationQuery, operator: string): Promise<ConversationPage>;
  /** @throws ProblemError `not_found` */
  view(scope: TenantScope, conversationId: string, operator: string): Promise<ConversationInside>;
  /** @throws ProblemError `not_found` */
  events(scope: TenantScope, conversationId: string, afterSeq: number): Promise<readonly InsideEvent[]>;
  /** @throws ProblemError `not_found` */
  runs(scope: TenantScope, conversationId: string): Promise<readonly InsideRun[]>;
  /** @throws ProblemError see `messages.ts` */
  send(
    scope: TenantScope,
    conversationId: string,
    message: OperatorMessage,
  ): Promise<{ readonly seq: number }>;
  /** @throws ProblemError `not_found`, `notes_exhausted`, `client_note_id_reused` */
  note(scope: TenantScope, conversationId: string, note: NewNote): Promise<NoteView>;
  /** @throws ProblemError `not_found`, `tags_exhausted` */
  tag(
    scope: TenantScope,
    conversationId: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[]; readonly by: string },
  ): Promise<readonly string[]>;
  /** @throws ProblemError `not_found` */
  assign(scope: TenantScope, conversationId: string, operator: string | null): Promise<void>;
  /** Null: there is none (any more). @throws ProblemError `not_found`, `draft_changed` */
  draft(
    scope: TenantScope,
    conversationId: string,
    draft: { readonly text: string; readonly version: number; readonly operator: string },
  ): Promise<DraftView | null>;
  /** Of ratings given in `[fromMs, toMs)`. */
  ratings(scope: TenantScope, fromMs: number, toMs: number): Promise<Ratings>;
  /** @throws ProblemError `not_found`, `shop_unavailable`, `provider_unavailable` */
  reviewedOrder(scope: TenantScope, reviewId: string): Promise<ReviewedOrder>;
  readonly cannedReplies: CannedReplies;
}

export function createDesk(parts: CannedParts & MessageParts & ReviewedOrderParts): Desk {
  const { store } = parts;
  return {
    list: (scope, query, operator) => store.transact(scope, (tx) => listConversations(tx, query, operator)),
    view: (scope, id, operator) => store.transact(scope, (tx) => readInside(tx, id, operator)),
    events: (scope, id, afterSeq) => store.transact(scope, (tx) => readEvents(tx, id, afterSeq)),
    runs: (scope, id) => store.transact(scope, (tx) => readRuns(tx, id)),
    send: createMessages(parts),
    note: (scope, id, note) => store.transact(scope, (tx) => addNote(tx, parts, id, note)),
    tag: (scope, id, change) => store.transact(scope, (tx) => changeTags(tx, parts, id, change)),
    assign: (scope, id, operator) => store.transact(scope, (tx) => assignTo(tx, parts, id, operator)),
    draft: (scope, id, draft) => store.transact(scope, (tx) => saveDraft(tx, parts, id, draft)),
    ratings: (scope, fromMs, toMs) => store.transact(scope, (tx) => readRatings(tx, fromMs, toMs)),
    reviewedOrder: (scope, reviewId) => readReviewedOrder(parts, scope, reviewId),
    cannedReplies: createCannedReplies(parts),
  };
}
