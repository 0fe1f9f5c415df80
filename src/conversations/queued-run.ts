import type { Insertable } from "kysely";
import type { ConversationId, RunId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { CustomerScope } from "../kernel/scope.ts";
import type { Tables } from "../store/schema.ts";

/** The row of a run that waits for a worker. The partial unique index refuses a second live run. */
export function queuedRun(
  conversation: { tenant_id: TenantId; id: ConversationId; customer_id: CustomerScope["customerId"] },
  runId: RunId,
  cause: "message" | "action",
  nowMs: number,
): Insertable<Tables["runs"]> {
  return {
    tenant_id: conversation.tenant_id,
    id: runId,
    conversation_id: conversation.id,
    customer_id: conversation.customer_id,
    cause,
    state: "queued",
    deadline_ms: nowMs + LIMITS.chatDeadlineMs,
    lease_owner: null,
    lease_until_ms: null,
    outcome: null,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  };
}
