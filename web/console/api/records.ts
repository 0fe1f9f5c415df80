/** The ledger of actions and the audit log as `/v1/operator` has them. */
import { ask } from "./client.ts";

export const ACTION_STATES = [
  "denied",
  "awaiting_approval",
  "rejected",
  "expired",
  "scheduled",
  "cancelled",
  "executing",
  "pending",
  "unknown",
  "needs_person",
  "succeeded",
  "failed",
] as const;
export type ActionState = (typeof ACTION_STATES)[number];

export interface ActionItem {
  readonly action_id: string;
  readonly kind: "refund" | "return";
  readonly state: ActionState;
  readonly customer_id: string;
  readonly conversation_id: string;
  readonly order_number: string;
  readonly amount: string;
  readonly currency: string;
  readonly items: string;
  readonly proposed_by: string;
  readonly approved_by: string | null;
  readonly provider_ref: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Verdict {
  readonly decision: "allow" | "deny" | "needs_approval";
  readonly policyId: string;
  readonly policyVersion: string;
  readonly clauses: readonly {
    readonly clauseId: string;
    readonly title: string;
    readonly customerText?: string;
  }[];
  readonly errors?: readonly string[];
}

export interface ActionStory extends ActionItem {
  readonly run_id: string;
  readonly version: number;
  readonly args: unknown;
  readonly args_hash: string;
  readonly idempotency_key: string;
  readonly attempts: number;
  readonly decision: {
    readonly verdict?: Verdict;
    readonly facts?: Readonly<Record<string, unknown>>;
  } | null;
  readonly evidence: { readonly provider?: Readonly<Record<string, unknown>> } | null;
  /** What the customer may be told of it now. */
  readonly text: string;
  readonly timeline: readonly {
    readonly at: string;
    readonly from: string;
    readonly to: string;
    readonly because: string;
    readonly by: string;
    readonly version: number;
    readonly provider_ref: string | null;
  }[];
}

export interface LedgerFilter {
  readonly state?: string;
  readonly kind?: string;
  readonly customer_id?: string;
  readonly order_number?: string;
  readonly conversation_id?: string;
}

export const ledgerPage = (filter: LedgerFilter, cursor: string | null, signal: AbortSignal) =>
  ask<{ actions: ActionItem[]; next_cursor: string | null }>("/v1/operator/actions", {
    query: { ...filter, cursor },
    signal,
  });
export const oneAction = (id: string, signal: AbortSignal) =>
  ask<ActionStory>(`/v1/operator/actions/${encodeURIComponent(id)}`, { signal });

export interface AuditEntry {
  readonly n: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly subject: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly prev_hash: string;
  readonly hash: string;
  /** What people wrote; `body.texts` has the hash of each. Without it: of a customer who was erased. */
  readonly texts?: Readonly<Record<string, { readonly text: string }>> | undefined;
}

export interface AuditFilter {
  readonly kind?: string;
  readonly subject?: string;
  readonly by?: string;
  /** Days of the viewer's calendar: `2026-03-01`. */
  readonly from?: string;
  readonly to?: string;
}

/** The start of a day of the viewer's calendar, or of the one after it; undefined for what is no date. */
function dayEdge(day: string | undefined, later: 0 | 1): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? "");
  if (parts === null) return undefined;
  return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later).toISOString();
}

export const auditPage = (
  { from, to, ...filter }: AuditFilter,
  beforeN: number | null,
  signal: AbortSignal,
) =>
  ask<{ entries: AuditEntry[]; last_n: number; more: boolean }>("/v1/operator/audit/search", {
    query: { ...filter, from: dayEdge(from, 0), to: dayEdge(to, 1), before_n: beforeN },
    signal,
  });
