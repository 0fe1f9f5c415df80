/** The tables of reviews and of operators' work, as part of {@link Tables}; `migrations/*.sql` is the truth. */
import type { ColumnType, Generated } from "kysely";
import type { ActionId, ConversationId, CustomerId, ReviewId, TenantId } from "../kernel/ids.ts";

// biome-ignore lint/suspicious/noExplicitAny: each room narrows its own JSON columns when it reads them
type Json<T = any> = ColumnType<T, string, string>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type NullableJson<T = any> = ColumnType<T | null, string | null, string | null>;

export type ReviewKind = "approval" | "handoff" | "uncertain";
/** `waiting`: for the customer's answer to a person's question. */
export type ReviewState = "open" | "waiting" | "decided" | "expired" | "withdrawn";

export interface ReviewTables {
  reviews: {
    tenant_id: TenantId;
    id: ReviewId;
    customer_id: CustomerId;
    conversation_id: ConversationId;
    kind: ReviewKind;
    state: ReviewState;
    version: Generated<number>;
    reason: string;
    action_id: ActionId | null;
    args_hash: string | null;
    packet: Json;
    decision: NullableJson;
    created_at_ms: number;
    updated_at_ms: number;
    expires_at_ms: number | null;
    priority: Generated<number>;
    due_at_ms: Generated<number>;
    sla_left_ms: Generated<number | null>;
    language: Generated<string | null>;
    order_number: Generated<string | null>;
    amount_minor: Generated<number | null>;
    currency: Generated<string | null>;
    claimed_by: Generated<string | null>;
    claimed_until_ms: Generated<number | null>;
    first_approval: ColumnType<unknown, string | null | undefined, string | null>;
    asked: ColumnType<unknown, string | null | undefined, string | null>;
    effective_at_ms: Generated<number | null>;
    changes: ColumnType<unknown, string | undefined, string>;
  };
  review_decisions: {
    tenant_id: TenantId;
    id: string;
    review_id: ReviewId;
    decision: string;
    operator: string;
    version: number;
    args_hash: string | null;
    note: string | null;
    amount_minor: number | null;
    request_hash: string;
    at_ms: number;
    effective_at_ms: number | null;
    undone_at_ms: number | null;
    undone_by: string | null;
  };
  conversation_desk: {
    tenant_id: TenantId;
    conversation_id: ConversationId;
    assignee: string | null;
    assigned_at_ms: number | null;
  };
  conversation_tags: {
    tenant_id: TenantId;
    conversation_id: ConversationId;
    tag: string;
    tagged_by: string;
    at_ms: number;
  };
  conversation_notes: {
    tenant_id: TenantId;
    id: string;
    conversation_id: ConversationId;
    author: string;
    text: string;
    at_ms: number;
    /** Null: from before clients chose one. */
    client_note_id: string | null;
  };
  drafts: {
    tenant_id: TenantId;
    conversation_id: ConversationId;
    operator: string;
    text: string;
    version: number;
    updated_at_ms: number;
  };
  canned_replies: {
    tenant_id: TenantId;
    id: string;
    shortcut: string;
    title: string;
    text: string;
    language: string | null;
    version: number;
    updated_by: string;
    updated_at_ms: number;
  };
}
