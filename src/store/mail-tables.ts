/** The tables of email, as parts of {@link Tables}; `migrations/0023_email.sql` is the truth. */
import type { ColumnType, Generated } from "kysely";
import type { ConversationId, TenantId } from "../kernel/ids.ts";

type Json<T> = ColumnType<T, string, string>;

export interface MailTables {
  mail_threads: {
    tenant_id: TenantId;
    conversation_id: ConversationId;
    address: string;
    subject: string;
    reply_ref: string;
    message_ids: Json<readonly string[]>;
    mailed_seq: Generated<number>;
    created_at_ms: number;
  };
  mail_received: {
    tenant_id: TenantId;
    id: string;
    conversation_id: ConversationId | null;
    verdict:
      | "accepted"
      | "automatic"
      | "bounce"
      | "own"
      | "unauthentic"
      | "too_many"
      | "unreadable"
      | "too_large";
    why: string;
    address: string;
    subject: string;
    message_id: string;
    refs: Json<readonly string[]>;
    full_text: string;
    attachments: Json<readonly unknown[]>;
    bytes: number;
    at_ms: number;
    handled_at_ms: ColumnType<number | null, never, number>;
    handled_by: ColumnType<string | null, never, string>;
  };
  mail_outbox: {
    tenant_id: TenantId;
    id: string;
    conversation_id: ConversationId;
    seq_to: number;
    address: string;
    // biome-ignore lint/suspicious/noExplicitAny: the room that writes it narrows it
    mail: Json<any>;
    /** `unknown`: the server broke off when it had the mail; it is not sent again. */
    state: "queued" | "sent" | "unknown" | "bounced" | "failed" | "suppressed";
    attempts: Generated<number>;
    next_at_ms: number;
    lease_until_ms: number | null;
    last_error: string | null;
    created_at_ms: number;
    sent_at_ms: number | null;
    /** The Message-ID that a provider gave it instead of ours. */
    sent_as: ColumnType<string | null, never, string | null>;
  };
  mail_deliveries: { tenant_id: TenantId; token: string; digest: string; at_ms: number };
  mail_suppressions: {
    tenant_id: TenantId;
    address: string;
    reason: "bounced" | "refused" | "complained";
    at_ms: number;
  };
  identity_links: {
    tenant_id: TenantId;
    id: string;
    conversation_id: ConversationId;
    address: string;
    expires_at_ms: number;
    used_at_ms: number | null;
  };
}
