/** Reviews as `/v1/operator/reviews` has them. */
import { ask } from "./client.ts";

export type ReviewKind = "approval" | "handoff" | "uncertain";
export type Priority = "urgent" | "high" | "normal" | "low";
export type DecisionKind = "approve" | "approve_changed" | "reject" | "ask" | "hand_back" | "resolve";

export interface ReviewItem {
  readonly review_id: string;
  readonly kind: ReviewKind;
  readonly state: "open" | "waiting" | "decided" | "expired" | "withdrawn";
  readonly version: number;
  readonly reason: string;
  readonly priority: Priority;
  readonly conversation_id: string;
  readonly customer_id: string;
  readonly language: string | null;
  readonly action_id: string | null;
  readonly args_hash: string | null;
  readonly order_number: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly sla: {
    readonly due_at: string | null;
    readonly left_ms: number;
    readonly running: boolean;
    readonly overdue: boolean;
  };
  readonly claim: { readonly by: string; readonly until: string } | null;
  readonly approvals_needed: 1 | 2;
  readonly first_approval: {
    readonly by: string;
    readonly at: string;
    readonly amount: string | null;
  } | null;
  readonly asked: {
    readonly question: string;
    readonly by: string;
    readonly at: string;
    readonly answer: string | null;
    readonly answered_at: string | null;
  } | null;
  readonly decision: {
    readonly decision_id: string;
    readonly decision: DecisionKind;
    readonly decided_by: string;
    readonly at: string;
    readonly note: string | null;
    readonly amount: string | null;
  } | null;
  readonly undo_until: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}

export interface Clause {
  readonly clause_id: string;
  readonly title: string;
  readonly text: string;
  readonly policy: string;
  readonly version: string;
}

export interface Rule {
  readonly clause_id: string;
  readonly title: string;
  readonly text: string;
  readonly result: "permits" | "forbids" | "needs_person" | "no_objection";
  readonly inputs: readonly { readonly name: string; readonly value: unknown }[];
}

/** What speaks for looking twice; counts are of the customer's last 90 days. */
export interface RiskSignal {
  readonly signal: string;
  readonly count: number | null;
  readonly amount: string | null;
  readonly currency: string | null;
}

export interface Review extends ReviewItem {
  readonly packet: {
    readonly customer: string;
    readonly issue: string;
    readonly tried: readonly string[];
    readonly recommended: string;
    readonly clauses: readonly Clause[];
    readonly facts: Readonly<Record<string, unknown>> | null;
    readonly amount: string | null;
    readonly order_number: string | null;
    readonly transcript: readonly { readonly author: string; readonly text: string; readonly at: string }[];
  };
  /** Those that decided first. */
  readonly rules: readonly Rule[];
  /** The weightiest first. */
  readonly signals: readonly RiskSignal[];
  /** What the customer could be written, in their language; empty: nothing to suggest. */
  readonly draft_reply: string;
  /** What the customer's lifetime spend is in. */
  readonly tenant_currency: string;
  readonly changes: readonly {
    readonly version: number;
    readonly at: string;
    readonly what: string;
    readonly by: string;
    readonly fields: readonly { readonly field: string; readonly seen: unknown; readonly now: unknown }[];
  }[];
}

export interface QueueFilter {
  readonly state?: string;
  readonly kind?: string;
  readonly priority?: string;
  readonly claim?: string;
  readonly overdue?: boolean;
  readonly language?: string;
}

export interface QueueCounts {
  readonly open: number;
  readonly waiting: number;
  readonly overdue: number;
  readonly unclaimed: number;
  readonly mine: number;
  readonly by_kind: Readonly<Record<ReviewKind, number>>;
}

export const queuePage = (filter: QueueFilter, cursor: string | null, signal: AbortSignal) =>
  ask<{ reviews: ReviewItem[]; next_cursor: string | null }>("/v1/operator/reviews", {
    query: { ...filter, cursor, limit: 100 },
    signal,
  });
export const queueCounts = (signal: AbortSignal) =>
  ask<QueueCounts>("/v1/operator/review-counts", { signal });
export const oneReview = (id: string, signal: AbortSignal) =>
  ask<Review>(`/v1/operator/reviews/${id}`, { signal });
export const claim = (id: string) =>
  ask<Review>(`/v1/operator/reviews/${id}/claim`, { method: "POST", body: {} });
export const release = (id: string) =>
  ask<Review>(`/v1/operator/reviews/${id}/release`, { method: "POST", body: {} });

export interface Decision {
  readonly decision_id: string;
  readonly decision: DecisionKind;
  readonly args_hash: string | null;
  readonly version: number;
  readonly note?: string;
  readonly amount?: string;
}
export const decide = (id: string, decision: Decision) =>
  ask<Review>(`/v1/operator/reviews/${id}/decision`, { method: "POST", body: decision });
export const undo = (id: string, decisionId: string) =>
  ask<Review>(`/v1/operator/reviews/${id}/undo`, { method: "POST", body: { decision_id: decisionId } });

export interface ReviewedOrder {
  readonly state: string;
  readonly placed_at: string;
  readonly currency: string;
  readonly paid: string;
  readonly refunded: string;
  readonly pending: string;
  readonly refundable: string;
  readonly gift: boolean;
  readonly disputed: boolean;
  readonly items: readonly {
    readonly title: string;
    readonly quantity: number;
    readonly paid: string;
    readonly final_sale: boolean;
    readonly refundable_units: number;
  }[];
}
export const reviewedOrder = (id: string, signal: AbortSignal) =>
  ask<ReviewedOrder>(`/v1/operator/reviews/${id}/order`, { signal });
