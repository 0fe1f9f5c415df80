/**
 * What operators may read of an action and of the audit log: everything that explains a decision (G7),
 * for the whole tenant of the scope and never beyond it.
 */
import {
  type AuditFilter,
  type AuditPart,
  type AuditRowOf,
  auditAfter,
  auditMatching,
} from "../evidence/reading.ts";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { ActionId, ConversationId, RunId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import { formatDecimal } from "../kernel/money.ts";
import type { TenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
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

/** One action with its life so far: each arrow, why, by whom, and what the provider called it then. */
export interface ActionStory extends ActionRecord {
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

/** What the ledger's list shows of an action. */
export type ActionItem = Pick<
  ActionRecord,
  | "action_id"
  | "kind"
  | "state"
  | "customer_id"
  | "conversation_id"
  | "order_number"
  | "amount"
  | "currency"
  | "items"
  | "proposed_by"
  | "approved_by"
  | "provider_ref"
  | "created_at"
  | "updated_at"
>;

export interface LedgerQuery {
  readonly state?: ActionState;
  readonly kind?: ActionKind;
  readonly customerId?: string;
  readonly orderNumber?: string;
  readonly conversationId?: string;
  /** An action's ID: those before it. */
  readonly before?: string;
  readonly limit: number;
}

export interface Records {
  /** Latest first. */
  actions(
    scope: TenantScope,
    query: LedgerQuery,
  ): Promise<{ readonly actions: readonly ActionItem[]; readonly next_cursor: string | null }>;
  /** @throws ProblemError `not_found` */
  action(scope: TenantScope, actionId: string): Promise<ActionStory>;
  /** Entries after number `afterN`, oldest first, at most `limit`; of the part, when one is given. */
  audit(scope: TenantScope, afterN: number, limit: number, part?: AuditPart): Promise<readonly AuditRowOf[]>;
  /** Entries that fit, the latest first. */
  searchAudit(scope: TenantScope, filter: AuditFilter): Promise<readonly AuditRowOf[]>;
}

export function createRecords(store: Store): Records {
  return {
    actions: (scope, query) => store.transact(scope, (tx) => listActions(tx, query)),
    action: (scope, actionId) =>
      store.transact(scope, async (tx) => {
        const found = await readSpokenAction(tx, actionId);
        if (found === null) throw new ProblemError("not_found");
        return { ...recordOf(found.row, found.language), timeline: await timelineOf(tx, found.row.id) };
      }),
    searchAudit: (scope, filter) => store.transact(scope, (tx) => auditMatching(tx, filter)),
    audit: (scope, afterN, limit, part) => store.transact(scope, (tx) => auditAfter(tx, afterN, limit, part)),
  };
}

/** By ID, which begins with the time. */
async function listActions(tx: Tx, query: LedgerQuery) {
  const limit = Math.min(query.limit, LIMITS.actionsPerPage);
  let select = tx.selectFrom("actions").selectAll().where("tenant_id", "=", tx.scope.tenantId);
  if (query.state !== undefined) select = select.where("state", "=", query.state);
  if (query.kind !== undefined) select = select.where("kind", "=", query.kind);
  if (query.customerId !== undefined) select = select.where("customer_id", "=", query.customerId as never);
  if (query.orderNumber !== undefined) select = select.where("order_number", "=", query.orderNumber);
  if (query.conversationId !== undefined) {
    select = select.where("conversation_id", "=", query.conversationId as ConversationId);
  }
  if (query.before !== undefined) select = select.where("id", "<", query.before as ActionId);
  const rows = await select
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  return {
    actions: shown.map(itemOf),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

function itemOf(row: ActionRow): ActionItem {
  return {
    action_id: row.id,
    kind: row.kind,
    state: row.state,
    customer_id: row.customer_id,
    conversation_id: row.conversation_id,
    order_number: row.order_number,
    amount: formatDecimal({ amountMinor: row.amount_minor, currency: row.currency }),
    currency: row.currency,
    items: row.items_text,
    proposed_by: row.proposed_by,
    approved_by: row.approved_by,
    provider_ref: row.provider_ref,
    created_at: isoInstant(row.created_at_ms),
    updated_at: isoInstant(row.updated_at_ms),
  };
}

/** From the audit log, where each arrow is an entry. */
async function timelineOf(tx: Tx, actionId: ActionId): Promise<ActionStory["timeline"]> {
  const rows = await tx
    .selectFrom("audit")
    .select(["at_ms", "body"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("subject", "=", actionId)
    .orderBy("n")
    .limit(LIMITS.timelineEntries)
    .execute();
  return rows.map(({ at_ms, body }) => {
    const { from, to, because, by, version, provider_ref } = body as ActionStory["timeline"][number];
    return { at: isoInstant(at_ms), from, to, because, by, version, provider_ref: provider_ref ?? null };
  });
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
