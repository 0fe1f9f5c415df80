/** A review's row: read, and turned into what people see. */
import type { Selectable } from "kysely";
import { isoInstant } from "../../kernel/calendar.ts";
import type { ReviewId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { formatDecimal } from "../../kernel/money.ts";
import { isOpenAt, openTimeBetween } from "../../kernel/opening-time.ts";
import type { Tables } from "../../store/schema.ts";
import type { Tx } from "../../store/store.ts";
import { priorityAt } from "./priority.ts";
import type { FieldChange, ReviewChange, ReviewDecisionRecord, ReviewItem, ReviewView } from "./reviews.ts";
import { needsTwoPeople, type ReviewSettings } from "./settings.ts";

export type ReviewRow = Selectable<Tables["reviews"]>;

/** As the columns keep them. */
export interface FirstApproval {
  readonly by: string;
  readonly at: string;
  readonly version: number;
  readonly args_hash: string;
  /** Decimal text of a changed amount; null: as it was asked for. */
  readonly amount: string | null;
}
export interface Asked {
  readonly question: string;
  readonly by: string;
  readonly at: string;
  /** Of the question in the conversation. */
  readonly seq: number;
  /** The conversation's before the question. */
  readonly status: "open" | "with_agent" | "with_person" | "resolved";
  readonly answer: string | null;
  readonly answered_at: string | null;
}

export async function readReview(tx: Tx, reviewId: string, lock = false): Promise<ReviewRow | undefined> {
  const query = tx
    .selectFrom("reviews")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", reviewId as ReviewId);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Columns of the queue: without the packet, whose transcript may be long. */
export const ITEM_COLUMNS = [
  "id",
  "kind",
  "state",
  "version",
  "reason",
  "priority",
  "conversation_id",
  "customer_id",
  "language",
  "action_id",
  "args_hash",
  "order_number",
  "amount_minor",
  "currency",
  "due_at_ms",
  "sla_left_ms",
  "claimed_by",
  "claimed_until_ms",
  "first_approval",
  "asked",
  "decision",
  "effective_at_ms",
  "created_at_ms",
  "expires_at_ms",
] as const satisfies readonly (keyof ReviewRow)[];
export type ItemRow = Pick<ReviewRow, (typeof ITEM_COLUMNS)[number]>;

export function reviewItem(row: ItemRow, settings: ReviewSettings, nowMs: number): ReviewItem {
  const amount =
    row.amount_minor === null || row.currency === null
      ? null
      : { amountMinor: row.amount_minor, currency: row.currency };
  const first = firstApprovalOf(row);
  const asked = row.asked as Asked | null;
  const isClaimed = heldBy(row, nowMs) !== null;
  return {
    review_id: row.id,
    kind: row.kind,
    state: row.state,
    version: row.version,
    reason: row.reason,
    priority: priorityAt(row.priority),
    conversation_id: row.conversation_id,
    customer_id: row.customer_id,
    language: row.language,
    action_id: row.action_id,
    args_hash: row.args_hash,
    order_number: row.order_number,
    amount: amount === null ? null : formatDecimal(amount),
    currency: amount?.currency ?? null,
    sla: slaOf(row, settings, nowMs),
    claim: isClaimed
      ? { by: row.claimed_by as string, until: isoInstant(row.claimed_until_ms as number) }
      : null,
    // A small amount needs two as well once others count with it: then its first approval is kept.
    approvals_needed:
      row.kind === "approval" && amount !== null && (first !== null || needsTwoPeople(settings, amount))
        ? 2
        : 1,
    first_approval: first === null ? null : { by: first.by, at: first.at, amount: first.amount },
    asked:
      asked === null
        ? null
        : {
            question: asked.question,
            by: asked.by,
            at: asked.at,
            answer: asked.answer,
            answered_at: asked.answered_at,
          },
    decision: row.decision === null ? null : decisionRecord(row.decision as Partial<ReviewDecisionRecord>),
    undo_until:
      row.state === "decided" && row.effective_at_ms !== null && nowMs < row.effective_at_ms
        ? isoInstant(row.effective_at_ms)
        : null,
    created_at: isoInstant(row.created_at_ms),
    expires_at: row.expires_at_ms === null ? null : isoInstant(row.expires_at_ms),
  };
}

/** A review with its packet; what explains the action beside it is read by whoever shows one (`showing.ts`). */
export type BareReview = Omit<ReviewView, "rules" | "signals" | "draft_reply" | "tenant_currency">;

export function reviewView(row: ReviewRow, settings: ReviewSettings, nowMs: number): BareReview {
  return {
    ...reviewItem(row, settings, nowMs),
    packet: row.packet,
    changes: changesOf(row),
  };
}

/** Who holds the claim now; null when nobody does, or it is over. */
export function heldBy(
  row: Pick<ReviewRow, "claimed_by" | "claimed_until_ms" | "state">,
  nowMs: number,
): string | null {
  const isActive = row.state === "open" || row.state === "waiting";
  return isActive && row.claimed_until_ms !== null && nowMs < row.claimed_until_ms ? row.claimed_by : null;
}

/** The first of two approvals, if it is of the version that counts now. */
export function firstApprovalOf(
  row: Pick<ReviewRow, "first_approval" | "version" | "args_hash" | "state">,
): FirstApproval | null {
  const first = row.first_approval as FirstApproval | null;
  if (first === null || row.state !== "open") return null;
  return first.version === row.version && first.args_hash === row.args_hash ? first : null;
}

export const changesOf = (row: Pick<ReviewRow, "changes">): readonly ReviewChange[] =>
  row.changes as readonly ReviewChange[];

/** The list with one change more, as the column takes it. */
export function withChange(
  row: Pick<ReviewRow, "changes" | "version">,
  change: Pick<ReviewChange, "what" | "by"> & { fields?: readonly FieldChange[] },
  nowMs: number,
): string {
  const added: ReviewChange = {
    version: row.version + 1,
    at: isoInstant(nowMs),
    what: change.what,
    by: change.by,
    fields: change.fields ?? [],
  };
  return JSON.stringify([...changesOf(row), added].slice(-LIMITS.changesPerReview));
}

/** Rows of earlier versions of this product have fewer members. */
const decisionRecord = (stored: Partial<ReviewDecisionRecord>): ReviewDecisionRecord => ({
  decision_id: stored.decision_id ?? "",
  decision: stored.decision ?? "resolve",
  decided_by: stored.decided_by ?? "",
  at: stored.at ?? "",
  note: stored.note ?? null,
  amount: stored.amount ?? null,
});

function slaOf(
  row: Pick<ReviewRow, "state" | "due_at_ms" | "sla_left_ms">,
  settings: ReviewSettings,
  nowMs: number,
): ReviewItem["sla"] {
  if (row.state === "waiting") {
    return { due_at: null, left_ms: row.sla_left_ms ?? 0, running: false, overdue: false };
  }
  const { openingHours, timeZone } = settings;
  const isActive = row.state === "open";
  return {
    due_at: isoInstant(row.due_at_ms),
    left_ms: isActive ? openTimeBetween(openingHours, timeZone, nowMs, row.due_at_ms) : 0,
    running: isActive && isOpenAt(openingHours, timeZone, nowMs),
    overdue: isActive && nowMs > row.due_at_ms,
  };
}
