/**
 * Reviews: work for a person. This file has what others see of them and what can be done with them.
 *
 * Reading order: `priority.ts` and `settings.ts` (the rules), `open.ts` (how one comes to be), `queue.ts` (the
 * list), `claims.ts` (who works on it), `checks.ts` and `decide.ts` (a decision), `taking-effect.ts` (what a
 * decision does once it can no longer be undone), `undo.ts`, `answers.ts` (what the customer was asked).
 */
import type { ActionId, ConversationId, ReviewId } from "../../kernel/ids.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import type { ReviewKind, ReviewState } from "../../store/review-tables.ts";
import type { Priority } from "./priority.ts";

/** What the queue shows of a review. Instants are RFC 3339. */
export interface ReviewItem {
  readonly review_id: ReviewId;
  readonly kind: ReviewKind;
  readonly state: ReviewState;
  /** Compare-and-set: a decision names the version it saw. */
  readonly version: number;
  readonly reason: string;
  readonly priority: Priority;
  readonly conversation_id: ConversationId;
  readonly customer_id: string;
  /** ISO 639-1: what the customer is answered in. Null for reviews of before conversations had one. */
  readonly language: string | null;
  readonly action_id: ActionId | null;
  /** Hash of the arguments that an approval binds to. */
  readonly args_hash: string | null;
  readonly order_number: string | null;
  /** Decimal text; null when no money is meant. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly sla: SlaView;
  /** Who works on it now; null when nobody does. */
  readonly claim: { readonly by: string; readonly until: string } | null;
  /** How many different people have to approve it. */
  readonly approvals_needed: 1 | 2;
  /** The first of two, for the version that is shown. */
  readonly first_approval: {
    readonly by: string;
    readonly at: string;
    /** Of a changed amount; the second person approves the same. */
    readonly amount: string | null;
  } | null;
  readonly asked: AskedView | null;
  readonly decision: ReviewDecisionRecord | null;
  /** Until then the decision can be undone and has had no effect; null when there is nothing to undo. */
  readonly undo_until: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}

/** One review with everything that a person needs to decide. */
export interface ReviewView extends ReviewItem {
  readonly packet: ReviewPacket;
  /** What made each version since it was opened, oldest first. */
  readonly changes: readonly ReviewChange[];
  /** Of the latest evaluation: each clause with what its rules read and what came of it; those that decided first. */
  readonly rules: readonly ReviewRule[];
  /** What speaks for looking twice, the weightiest first; empty: nothing that is known here. */
  readonly signals: readonly RiskSignal[];
  /** What the customer could be written, in their language: for the person to change. */
  readonly draft_reply: string;
  /** What the customer's lifetime spend, and limits of it, are in. */
  readonly tenant_currency: string;
}

/** A fact of the customer or the order with its figure; counts are of the last 90 days, this action not among them. */
export interface RiskSignal {
  readonly signal:
    | "charge_disputed"
    | "rejected_before"
    | "same_order_before"
    | "refunds_before"
    | "denied_before"
    | "open_elsewhere"
    | "only_order"
    | "valued_customer";
  readonly count: number | null;
  /** Decimal text in `currency`. */
  readonly amount: string | null;
  readonly currency: string | null;
}

export interface ReviewRule {
  readonly clause_id: string;
  readonly title: string;
  readonly text: string;
  readonly result: "permits" | "forbids" | "needs_person" | "no_objection";
  readonly inputs: readonly { readonly name: string; readonly value: unknown }[];
}

/** The clock of a review runs in opening hours only, and stands still while the customer is asked. */
export interface SlaView {
  /** Null while it waits for the customer. */
  readonly due_at: string | null;
  /** Opening time that is left; negative once it is overdue. */
  readonly left_ms: number;
  readonly running: boolean;
  readonly overdue: boolean;
}

export interface AskedView {
  readonly question: string;
  readonly by: string;
  readonly at: string;
  readonly answer: string | null;
  readonly answered_at: string | null;
}

/** What is different, by the name of the field. */
export interface FieldChange {
  readonly field: string;
  readonly seen: unknown;
  readonly now: unknown;
}

/** What led to a version. */
export interface ReviewChange {
  readonly version: number;
  readonly at: string;
  readonly what:
    | "reevaluated"
    | "asked"
    | "answered"
    | "decided"
    | "undone"
    | "reopened"
    | "withdrawn"
    | "expired";
  readonly by: string;
  readonly fields: readonly FieldChange[];
}

/** Why policy lets something happen only with a person; the first that holds, in this order. */
export const APPROVAL_REASONS = [
  /** A refund above the policy's `unattended_max` of its currency. */
  "amount_over_limit",
  /** A customer whose lifetime spend is at or above the policy's `high_value_lifetime_spend`. */
  "high_value_customer",
  /** Any other clause that wants a person. */
  "approval_needed",
] as const;
export type ApprovalReason = (typeof APPROVAL_REASONS)[number];

/** Everything a person needs to decide, written when the review is made. */
export interface ReviewPacket {
  readonly customer: string;
  readonly issue: string;
  /** What was tried and what came of it. */
  readonly tried: readonly string[];
  readonly recommended: string;
  readonly clauses: readonly {
    clause_id: string;
    title: string;
    text: string;
    policy: string;
    version: string;
  }[];
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly amount: string | null;
  readonly order_number: string | null;
  readonly transcript: readonly { author: string; text: string; at: string }[];
}

/**
 * `approve_changed`: with a smaller amount, as a new action. `ask`: the customer, and the review waits. `hand_back`:
 * the agent goes on. `resolve` ends a handoff or an uncertain outcome that was settled by hand.
 */
export const DECISIONS = ["approve", "approve_changed", "reject", "ask", "hand_back", "resolve"] as const;
export type DecisionKind = (typeof DECISIONS)[number];

export interface ReviewDecisionRecord {
  readonly decision_id: string;
  readonly decision: DecisionKind;
  readonly decided_by: string;
  readonly at: string;
  readonly note: string | null;
  /** Decimal text: of `approve_changed`. */
  readonly amount: string | null;
}

export interface Decision {
  readonly decision: DecisionKind;
  /** For an approval: must equal the review's. */
  readonly argsHash: string | null;
  readonly version: number;
  /** For a rejection: a reason that the customer reads. For `ask`: the question. */
  readonly note: string | null;
  readonly operator: string;
  /** The client's own: sent again, the same decision is answered and not done again. */
  readonly decisionId?: string;
  /** Decimal text: for `approve_changed`. */
  readonly amount?: string | null;
  /** Whether the operator may be the second of two people. True unless stated. */
  readonly mayDecideLarge?: boolean;
  /** Whether it is a person who decides, and not a key for scripts. True unless stated. */
  readonly isPerson?: boolean;
}

export interface QueueQuery {
  /** `active`: open and waiting for the customer. */
  readonly state: ReviewState | "active" | "all";
  readonly kind?: ReviewKind;
  readonly priority?: Priority;
  readonly reason?: string;
  readonly language?: string;
  readonly customerId?: string;
  readonly orderNumber?: string;
  readonly conversationId?: string;
  /** `mine`: of the operator who asks. */
  readonly claim?: "mine" | "free" | "others";
  readonly overdue?: boolean;
  /** From an earlier page; the same filters go with it. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface QueuePage {
  /** Soonest due first. */
  readonly reviews: readonly ReviewItem[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/** Of what is open or waits for the customer. */
export interface QueueCounts {
  readonly open: number;
  readonly waiting: number;
  readonly overdue: number;
  /** Open and claimed by nobody. */
  readonly unclaimed: number;
  readonly mine: number;
  readonly by_kind: Readonly<Record<ReviewKind, number>>;
  readonly by_priority: Readonly<Record<Priority, number>>;
  /** The most frequent ones, at most 50. */
  readonly by_reason: Readonly<Record<string, number>>;
}

export interface Reviews {
  /** Whole reviews, oldest first. */
  list(
    scope: TenantScope,
    filter: { state: ReviewState | "all"; limit: number },
  ): Promise<readonly ReviewView[]>;
  /** @throws ProblemError `cursor_unknown` */
  queue(scope: TenantScope, query: QueueQuery, operator: string): Promise<QueuePage>;
  counts(scope: TenantScope, operator: string): Promise<QueueCounts>;
  /** @throws ProblemError `not_found` */
  view(scope: TenantScope, reviewId: string): Promise<ReviewView>;
  /**
   * Takes a review to work on, or renews the own claim. It frees itself.
   * @throws ProblemError `not_found`, `review_claimed`, `already_decided`, `review_expired`, `review_changed`
   */
  claim(scope: TenantScope, reviewId: string, operator: string): Promise<ReviewView>;
  /** Gives up the own claim; nothing happens when there is none. @throws ProblemError `not_found` */
  release(scope: TenantScope, reviewId: string, operator: string): Promise<ReviewView>;
  /**
   * Applies one decision, once.
   * @throws ProblemError `not_found`, `already_decided`, `review_changed`, `review_expired`, `review_claimed`,
   * `second_person_needed`, `decision_id_reused`, `decision_not_permitted`, `decision_invalid`, `text_withheld`
   */
  decide(scope: TenantScope, reviewId: string, decision: Decision): Promise<ReviewView>;
  /**
   * Takes a decision back before it takes effect; the review is open again. Repeated, it is answered the same.
   * @throws ProblemError `not_found`, `undo_too_late`
   */
  undo(
    scope: TenantScope,
    reviewId: string,
    undo: { decisionId: string; operator: string },
  ): Promise<ReviewView>;
  /**
   * Takes a conversation over from the agent, with a handoff that is claimed by the operator: the one that is open,
   * or a new one. A run that is under way writes nothing more. Repeated, it is answered the same.
   * @throws ProblemError `not_found`, `review_claimed`
   */
  takeOver(scope: TenantScope, conversationId: string, operator: string): Promise<ReviewView>;
  /**
   * Gives a conversation back to the agent: its open handoff is decided, and what nobody has answered is.
   * @throws ProblemError `not_found`, `review_claimed`, `conversation_with_agent`
   */
  giveBack(scope: TenantScope, conversationId: string, operator: string): Promise<void>;
}
