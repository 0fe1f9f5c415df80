/**
 * Reviews: work for a person. This file has what others see of them; `decide.ts` applies a decision.
 */
import type { ActionId, ConversationId, ReviewId } from "../../kernel/ids.ts";
import type { TenantScope } from "../../kernel/scope.ts";

export interface ReviewView {
  readonly review_id: ReviewId;
  readonly kind: "approval" | "handoff" | "uncertain";
  readonly state: "open" | "decided" | "expired" | "withdrawn";
  /** Compare-and-set: a decision names the version it saw. */
  readonly version: number;
  readonly reason: string;
  readonly conversation_id: ConversationId;
  readonly customer_id: string;
  readonly action_id: ActionId | null;
  /** Hash of the arguments that an approval binds to. */
  readonly args_hash: string | null;
  readonly packet: ReviewPacket;
  readonly decision: ReviewDecisionRecord | null;
  /** RFC 3339. */
  readonly created_at: string;
  readonly expires_at: string | null;
}

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

export interface ReviewDecisionRecord {
  readonly decision: "approve" | "reject" | "resolve";
  readonly decided_by: string;
  readonly at: string;
  readonly note: string | null;
}

export interface Decision {
  /** `resolve` ends a handoff or an uncertain outcome that was settled by hand. */
  readonly decision: "approve" | "reject" | "resolve";
  /** For an approval: must equal the review's. */
  readonly argsHash: string | null;
  readonly version: number;
  /** For a rejection: a reason that the customer reads. */
  readonly note: string | null;
  readonly operator: string;
}

export interface Reviews {
  /** Oldest first. */
  list(
    scope: TenantScope,
    filter: { state: ReviewView["state"] | "all"; limit: number },
  ): Promise<readonly ReviewView[]>;
  /** @throws ProblemError `not_found` */
  view(scope: TenantScope, reviewId: string): Promise<ReviewView>;
  /**
   * Applies one decision, once.
   * @throws ProblemError `not_found`, `already_decided`, `review_changed`, `review_expired`, `decision_invalid`
   */
  decide(scope: TenantScope, reviewId: string, decision: Decision): Promise<ReviewView>;
}
