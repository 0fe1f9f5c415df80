/** The tables as Kysely sees them; `migrations/*.sql` is the truth. Column meanings are commented there. */
import type { ColumnType, Generated } from "kysely";
import type { ActionId, AttachmentId, ConversationId, CustomerId, RunId, TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import type { Assurance } from "../kernel/scope.ts";
import type { KnowledgeTables } from "./knowledge-tables.ts";
import type { MailTables } from "./mail-tables.ts";
import type { OperatorTables } from "./operator-tables.ts";
import type { ReviewTables } from "./review-tables.ts";

// biome-ignore lint/suspicious/noExplicitAny: each room narrows its own JSON columns when it reads them
type Json<T = any> = ColumnType<T, string, string>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type NullableJson<T = any> = ColumnType<T | null, string | null, string | null>;

export interface Tables extends KnowledgeTables, MailTables, OperatorTables, ReviewTables {
  tenants: { tenant_id: TenantId; name: string; currency: string; time_zone: string };
  customers: { tenant_id: TenantId; customer_id: CustomerId; created_at_ms: number };
  conversations: {
    tenant_id: TenantId;
    id: ConversationId;
    customer_id: CustomerId;
    channel: "chat" | "email";
    assurance: Assurance;
    status: ConversationStatus;
    next_seq: Generated<number>;
    answered_seq: Generated<number>;
    language: Generated<Language>;
    language_shown: Generated<boolean>;
    verified_until_ms: Generated<number | null>;
    erased_at_ms: Generated<number | null>;
    created_at_ms: number;
    updated_at_ms: number;
  };
  events: {
    tenant_id: TenantId;
    conversation_id: ConversationId;
    seq: number;
    customer_id: CustomerId;
    at_ms: number;
    type: EventType;
    author: Author | null;
    payload: Json;
    internal: NullableJson;
    client_message_id: string | null;
  };
  runs: {
    tenant_id: TenantId;
    id: RunId;
    conversation_id: ConversationId;
    customer_id: CustomerId;
    cause: "message" | "action";
    state: RunState;
    version: Generated<number>;
    attempts: Generated<number>;
    lease_owner: string | null;
    lease_until_ms: number | null;
    deadline_ms: number;
    cancel_requested: Generated<boolean>;
    /** From when it counts as waiting: mail lets chats go before it for a while. */
    urgent_at_ms: Generated<number>;
    outcome: NullableJson;
    tier: Generated<Tier | null>;
    model: Generated<string | null>;
    prompt_version: Generated<string | null>;
    model_calls: Generated<number | null>;
    input_tokens: Generated<number | null>;
    output_tokens: Generated<number | null>;
    cost_micros: Generated<number | null>;
    created_at_ms: number;
    updated_at_ms: number;
  };
  model_calls: {
    tenant_id: TenantId;
    id: string;
    run_id: RunId;
    at_ms: number;
    tier: Tier;
    model: string;
    prompt_version: string;
    input_tokens: number;
    cached_tokens: number;
    output_tokens: number;
    cost_micros: number;
    outcome: string;
    took_ms: number;
  };
  steps: {
    tenant_id: TenantId;
    run_id: RunId;
    n: number;
    customer_id: CustomerId;
    at_ms: number;
    proposal: Json;
    outcome: Json;
  };
  actions: {
    tenant_id: TenantId;
    id: ActionId;
    customer_id: CustomerId;
    conversation_id: ConversationId;
    run_id: RunId;
    kind: "refund" | "return";
    state: StoredActionState;
    version: Generated<number>;
    order_id: string;
    order_number: string;
    charge_id: string | null;
    amount_minor: number;
    currency: string;
    args: Json;
    args_hash: string;
    items_text: string;
    idempotency_key: string;
    decision: Json;
    proposed_by: string;
    approved_by: string | null;
    attempts: Generated<number>;
    first_attempt_ms: number | null;
    next_attempt_ms: number | null;
    lease_owner: string | null;
    lease_until_ms: number | null;
    provider_ref: string | null;
    evidence: NullableJson;
    told_state: string | null;
    created_at_ms: number;
    updated_at_ms: number;
  };
  denials: {
    tenant_id: TenantId;
    id: string;
    customer_id: CustomerId;
    conversation_id: ConversationId;
    run_id: RunId;
    kind: "refund" | "return";
    order_number: string;
    amount_minor: number;
    currency: string;
    decision: Json;
    at_ms: number;
  };
  allocations: {
    tenant_id: TenantId;
    order_id: string;
    line_item_id: string;
    unit_index: number;
    kind: "refund" | "return";
    action_id: ActionId;
    customer_id: CustomerId;
    amount_minor: number;
    state: "held" | "captured" | "released";
  };
  order_balances: {
    tenant_id: TenantId;
    order_id: string;
    customer_id: CustomerId;
    charge_id: string;
    currency: string;
    captured_minor: number;
    held_minor: Generated<number>;
    refunded_minor: Generated<number>;
    external_minor: Generated<number>;
  };
  external_refunds: {
    tenant_id: TenantId;
    provider_ref: string;
    order_id: string;
    customer_id: CustomerId;
    amount_minor: number;
    status: string;
    seen_at_ms: number;
  };
  audit: {
    tenant_id: TenantId;
    n: number;
    at_ms: number;
    kind: string;
    subject: string;
    customer_id: string;
    body: Json;
    prev_hash: string;
    hash: string;
  };
  /** Words beside the chain: see `evidence/audit.ts`. */
  audit_texts: {
    tenant_id: TenantId;
    n: number;
    name: string;
    customer_id: string;
    salt: string;
    text: string;
  };
  erasures: {
    tenant_id: TenantId;
    id: string;
    customer_hash: string;
    asked_by: string;
    asked_at_ms: number;
    erased_at_ms: number | null;
    report: ColumnType<unknown, string | undefined, string>;
  };
  /** `*`: of all tenants. */
  kill_switches: {
    tenant_id: TenantId;
    is_on: boolean;
    changed_by: string;
    changed_at_ms: number;
    reason: string;
  };
  audit_heads: { tenant_id: TenantId; n: number; hash: string };
  policy_versions: {
    tenant_id: TenantId;
    policy_id: string;
    version: string;
    effective_from: string;
    hash: string;
    source: string;
    published_at_ms: number;
    published_by: string;
  };
  webhook_deliveries: {
    source: string;
    delivery_id: string;
    type: string;
    at_ms: number;
    outcome: string;
  };
  attachments: {
    tenant_id: TenantId;
    id: AttachmentId;
    conversation_id: ConversationId;
    customer_id: CustomerId;
    hash: string;
    created_at_ms: number;
  };
  attachment_contents: {
    tenant_id: TenantId;
    hash: string;
    type: "image/jpeg" | "image/png" | "image/webp";
    width: number;
    height: number;
    /** Read and written as base64: see `conversations/attachments/attachments.ts`. */
    bytes: string;
    created_at_ms: number;
  };
  csat: {
    tenant_id: TenantId;
    conversation_id: ConversationId;
    /** The event of the ending before the one that is rated; 0: there was none. */
    since_seq: number;
    customer_id: CustomerId;
    score: number;
    comment: string | null;
    solved_by: "agent" | "person";
    given_by: "chat" | "link";
    at_ms: number;
  };
}

/** Which of the configured models was asked. */
type Tier = "small" | "large";

export type ConversationStatus = "open" | "with_agent" | "with_person" | "resolved";
export type EventType = "message" | "action" | "run" | "status";
export type Author = "customer" | "agent" | "operator" | "system";
export type RunState = "queued" | "running" | "completed" | "handed_off" | "cancelled" | "expired" | "failed";
export type StoredActionState =
  | "denied"
  | "awaiting_approval"
  | "rejected"
  | "expired"
  | "scheduled"
  | "cancelled"
  | "executing"
  | "pending"
  | "unknown"
  | "needs_person"
  | "succeeded"
  | "failed";
