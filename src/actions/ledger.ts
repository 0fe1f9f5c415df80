/**
 * Room `actions`: the ledger of intended effects: recorded, executed once, reconciled. May import
 * `kernel`, `wording`, `store`, `commerce`, `evidence`, `tools/views`, `gateway/policy`, `conversations/events`.
 * Promises G1 (once) and G4 (recorded before done); see `allocations.ts` for the second barrier.
 *
 * This file reads actions and moves them along their lifecycle. Every move is one transaction with a
 * compare-and-set on the version, its effect on the order's units and money, its audit entry and its
 * event; so either all of it happened or nothing.
 */
import type { Selectable } from "kysely";
import { appendEvents, lockConversation, type NewEvent } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import { appendAudit } from "../evidence/audit.ts";
import { assert, ProblemError } from "../kernel/errors.ts";
import type { ActionId, CustomerId, TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { formatDecimal } from "../kernel/money.ts";
import type { Scope } from "../kernel/scope.ts";
import { compiled } from "../store/compiled.ts";
import type { Tables } from "../store/schema.ts";
import type { Store, Tx } from "../store/store.ts";
import type { ActionState, ActionSummary } from "../tools/views.ts";
import { moveHold } from "./allocations.ts";
import { holdOf, mayFollow } from "./lifecycle.ts";
import { actionText, type StateDetail, toldAs } from "./wording.ts";

export type ActionRow = Selectable<Tables["actions"]>;

/** Somebody else moved the action since it was read: read it again. */
export class ActionConflict extends Error {
  override readonly name = "ActionConflict";
}

/** Fields that a move may set besides the state. */
export type ActionPatch = Partial<
  Pick<
    ActionRow,
    | "provider_ref"
    | "attempts"
    | "first_attempt_ms"
    | "next_attempt_ms"
    | "lease_owner"
    | "lease_until_ms"
    | "approved_by"
  >
> & { evidence?: ActionEvidence; decision?: unknown };

/** What is known beside the state; `detail` feeds the customer's words. */
export interface ActionEvidence {
  readonly detail?: StateDetail;
  readonly provider?: Readonly<Record<string, unknown>>;
}

export interface Move {
  readonly to: ActionState;
  readonly patch?: ActionPatch;
  /** Why, for the audit log: `provider_answer`, `lookup`, `webhook`, `approved`, … */
  readonly because: string;
  /** Who or what moved it. */
  readonly by: string;
  /** No message: the customer hears of it otherwise. Clients still see the state. */
  readonly isSilent?: boolean;
  /** Neither message nor event: it may still be taken back. */
  readonly isQuiet?: boolean;
}

export async function readAction(
  tx: Tx,
  id: string,
  how: { lock?: boolean } = {},
): Promise<ActionRow | null> {
  const query = tx
    .selectFrom("actions")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", id as ActionId);
  const row = await (how.lock ? query.forUpdate() : query).executeTakeFirst();
  return row ?? null;
}

/** An action with the language that its conversation is in now. */
export async function readSpokenAction(
  tx: Tx,
  id: string,
): Promise<{ row: ActionRow; language: Language } | null> {
  const found = await tx
    .selectFrom("actions as a")
    .innerJoin("conversations as c", (join) =>
      join.onRef("c.tenant_id", "=", "a.tenant_id").onRef("c.id", "=", "a.conversation_id"),
    )
    .selectAll("a")
    .select("c.language")
    .where("a.tenant_id", "=", tx.scope.tenantId)
    .where("a.id", "=", id as ActionId)
    .executeTakeFirst();
  if (found === undefined) return null;
  const { language, ...row } = found;
  return { row, language };
}

/** The customer's latest actions, newest first. */
export const actionsOfCustomer = (tx: Tx, customerId: CustomerId, limit: number): Promise<ActionRow[]> =>
  latestOf(tx, { tenantId: tx.scope.tenantId, customerId, limit });

const latestOf = compiled(
  (db, { tenantId, customerId, limit }: { tenantId: TenantId; customerId: CustomerId; limit: number }) =>
    db
      .selectFrom("actions")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("customer_id", "=", customerId)
      .where("state", "!=", "denied")
      .orderBy("created_at_ms", "desc")
      .limit(limit),
);

/** `language`: of the conversation in which it is said. */
/** An action as its customer sees it. */
export function summary(row: ActionRow, language: Language): ActionSummary {
  const spoken = {
    kind: row.kind,
    // An approval that may still be taken back is nobody's news: to the customer it is still with a person.
    state: row.state === "scheduled" && row.approved_by !== null ? ("awaiting_approval" as const) : row.state,
    orderNumber: row.order_number,
    amountMinor: row.amount_minor,
    currency: row.currency,
    items: row.items_text,
  };
  return {
    ...spoken,
    actionId: row.id,
    orderId: row.order_id,
    createdAt: row.created_at_ms,
    updatedAt: row.updated_at_ms,
    text: actionText(spoken, (row.evidence as ActionEvidence | null)?.detail ?? {}, language),
  };
}

/** The `action` event: what a client shows of an action's state. */
export function actionEvent(row: ActionRow, language: Language): NewEvent {
  const { actionId, kind, state, amountMinor, currency, orderNumber, items, text } = summary(row, language);
  return {
    type: "action",
    payload: {
      action_id: actionId,
      kind,
      state,
      amount: kind === "refund" ? formatDecimal({ amountMinor, currency }) : null,
      currency,
      order_number: orderNumber,
      items,
      text,
    },
  };
}

/** The customer's view of one action. */
export function createActionView(store: Store) {
  return (scope: Scope, actionId: string): Promise<ActionSummary> =>
    store.transact(scope, async (tx) => {
      const found = await readSpokenAction(tx, actionId);
      if (found === null || found.row.state === "denied") throw new ProblemError("not_found");
      return summary(found.row, found.language);
    });
}

/**
 * Moves an action in this transaction: state, units and money, audit, `action` event, and a message
 * when the customer has not been told this yet. Answers with the new row.
 *
 * Lock order everywhere: conversation, customer, balance, action, audit head.
 * @throws ActionConflict when the row's version is not the one that was read
 */
export async function moveAction(
  tx: Tx,
  hub: Hub,
  nowMs: number,
  row: ActionRow,
  move: Move,
): Promise<ActionRow> {
  assert(mayFollow(row.state, move.to), `${row.state} → ${move.to} is an arrow of the lifecycle`);
  const conversation = await lockConversation(tx, row.conversation_id);
  assert(conversation !== null, "an action's conversation exists");
  const { evidence, decision, ...columns } = move.patch ?? {};
  const told = toldAs(move.to);
  const isSilent = move.isSilent === true || move.isQuiet === true;
  const tells = !isSilent && tellsCustomer(move.to) && row.told_state !== told;
  const updated = await tx
    .updateTable("actions")
    .set({
      state: move.to,
      version: row.version + 1,
      updated_at_ms: nowMs,
      ...columns,
      ...(evidence === undefined
        ? {}
        : { evidence: JSON.stringify({ ...(row.evidence as object | null), ...evidence }) }),
      ...(decision === undefined ? {} : { decision: JSON.stringify(decision) }),
      ...(tells ? { told_state: told } : {}),
    })
    .where("tenant_id", "=", row.tenant_id)
    .where("id", "=", row.id)
    .where("version", "=", row.version)
    .returningAll()
    .executeTakeFirst();
  if (updated === undefined) throw new ActionConflict(`${row.id} is no longer at version ${row.version}`);
  await moveHold(tx, updated, holdOf(row.state), holdOf(move.to));
  // Hours later perhaps: in the language that the conversation is in now.
  const news = summary(updated, conversation.language);
  const message: NewEvent[] = tells
    ? [
        {
          type: "message",
          author: "agent",
          payload: { text: news.text, cards: [{ type: "action", action: news }] },
          internal: { actionId: row.id, actionState: move.to },
        },
      ]
    : [];
  const events = move.isQuiet === true ? [] : [actionEvent(updated, conversation.language), ...message];
  if (events.length > 0) await appendEvents(tx, hub, conversation, nowMs, events);
  await appendAudit(tx, nowMs, [auditOf(updated, row.state, move)]);
  return updated;
}

/** The audit entry of one arrow. */
export function auditOf(row: ActionRow, from: ActionState | "proposed", move: Pick<Move, "because" | "by">) {
  return {
    kind: `action.${row.state}`,
    subject: row.id,
    customerId: row.customer_id,
    body: {
      from,
      to: row.state,
      because: move.because,
      by: move.by,
      version: row.version,
      kind: row.kind,
      order_id: row.order_id,
      amount_minor: row.amount_minor,
      currency: row.currency,
      args_hash: row.args_hash,
      provider_ref: row.provider_ref,
      ...(from === "proposed" ? { decision: row.decision, proposed_by: row.proposed_by } : {}),
      ...(row.approved_by === null ? {} : { approved_by: row.approved_by }),
    },
  };
}

/** States whose news the customer hears as a message. Being under way is told only when it takes long. */
function tellsCustomer(state: ActionState): boolean {
  return (
    state !== "scheduled" && state !== "executing" && state !== "denied" && state !== "awaiting_approval"
  );
}
