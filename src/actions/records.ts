/**
 * What operators may read of an action and of the audit log: everything that explains a decision (G7),
 * for the whole tenant of the scope and never beyond it.
 */
import { type AuditFilter, type AuditRow, auditAfter, auditMatching } from "../evidence/audit.ts";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { ActionId, ConversationId, RunId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { formatDecimal } from "../kernel/money.ts";
import type { TenantScope } from "../kernel/scope.ts";
import type { Store } from "../store/store.ts";
import type { ActionKind, ActionState } from "../tools/views.ts";
import { type ActionRow, readSpokenAction, summary } from "./ledger.ts";

export interface ActionRecord {
  readonly action_id: ActionId;
  readonly kind: ActionKind;
  readonly state: ActionState;
  readonly version: number;
  readonly customer_id: string;
  readonly conversation_id: ConversationId;
  readonly run_id: RunId;
  readonly order_id: string;
  readonly order_number: string;
  /** Decimal text in the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly items: string;
  readonly args: unknown;
  readonly args_hash: string;
  readonly idempotency_key: string;
  /** As stored with the action: `verdict` (decision, clauses, policy and version), `facts`, `evaluatedAt`. */
  readonly decision: unknown;
  readonly proposed_by: string;
  readonly approved_by: string | null;
  readonly attempts: number;
  readonly provider_ref: string | null;
  readonly evidence: unknown;
  /** What the customer may be told of it now, in their language. */
  readonly text: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Records {
  /** @throws ProblemError `not_found` */
  action(scope: TenantScope, actionId: string): Promise<ActionRecord>;
  /** Entries after number `afterN`, oldest first, at most `limit`. */
  audit(scope: TenantScope, afterN: number, limit: number): Promise<readonly AuditRow[]>;
  /** Entries that fit, the latest first. */
  searchAudit(scope: TenantScope, filter: AuditFilter): Promise<readonly AuditRow[]>;
}

export function createRecords(store: Store): Records {
  return {
    action: (scope, actionId) =>
      store.transact(scope, async (tx) => {
        const found = await readSpokenAction(tx, actionId);
        if (found === null) throw new ProblemError("not_found");
        return recordOf(found.row, found.language);
      }),
    searchAudit: (scope, filter) => store.transact(scope, (tx) => auditMatching(tx, filter)),
    audit: (scope, afterN, limit) => store.transact(scope, (tx) => auditAfter(tx, afterN, limit)),
  };
}

function recordOf(row: ActionRow, language: Language): ActionRecord {
  return {
    action_id: row.id,
    kind: row.kind,
    state: row.state,
    version: row.version,
    customer_id: row.customer_id,
    conversation_id: row.conversation_id,
    run_id: row.run_id,
    order_id: row.order_id,
    order_number: row.order_number,
    amount: formatDecimal({ amountMinor: row.amount_minor, currency: row.currency }),
    currency: row.currency,
    items: row.items_text,
    args: row.args,
    args_hash: row.args_hash,
    idempotency_key: row.idempotency_key,
    decision: row.decision,
    proposed_by: row.proposed_by,
    approved_by: row.approved_by,
    attempts: row.attempts,
    provider_ref: row.provider_ref,
    evidence: row.evidence,
    text: summary(row, language).text,
    created_at: isoInstant(row.created_at_ms),
    updated_at: isoInstant(row.updated_at_ms),
  };
}
