/**
 * The queue: approvals, handoffs and uncertain outcomes in one list, soonest due first. One index serves it
 * (`reviews_queue`); a page goes on after the last review of the one before, so nothing is shown twice whatever
 * is decided in between.
 */
import { sql } from "kysely";
import { LIMITS } from "../../kernel/limits.ts";
import { cursorOf, readCursor } from "../../kernel/page-cursor.ts";
import type { ReviewKind } from "../../store/review-tables.ts";
import type { Tx } from "../../store/store.ts";
import { PRIORITIES, type Priority, priorityAt, priorityRank } from "./priority.ts";
import type { QueueCounts, QueuePage, QueueQuery } from "./reviews.ts";
import { ITEM_COLUMNS, reviewItem } from "./rows.ts";
import type { ReviewSettings } from "./settings.ts";

const REASONS_COUNTED = 50;

/** @throws ProblemError `cursor_unknown` */
export async function readQueue(
  tx: Tx,
  query: QueueQuery,
  operator: string,
  settings: ReviewSettings,
  nowMs: number,
): Promise<QueuePage> {
  const limit = Math.min(query.limit, LIMITS.reviewsPerPage);
  let select = tx.selectFrom("reviews").select(ITEM_COLUMNS).where("tenant_id", "=", tx.scope.tenantId);
  if (query.state === "active") select = select.where("state", "in", ["open", "waiting"]);
  else if (query.state !== "all") select = select.where("state", "=", query.state);
  if (query.kind !== undefined) select = select.where("kind", "=", query.kind);
  if (query.priority !== undefined) select = select.where("priority", "=", priorityRank(query.priority));
  if (query.reason !== undefined) select = select.where("reason", "=", query.reason);
  if (query.language !== undefined) select = select.where("language", "=", query.language);
  if (query.customerId !== undefined) select = select.where("customer_id", "=", query.customerId as never);
  if (query.orderNumber !== undefined) select = select.where("order_number", "=", query.orderNumber);
  if (query.conversationId !== undefined) {
    select = select.where("conversation_id", "=", query.conversationId as never);
  }
  if (query.overdue === true) select = select.where("state", "=", "open").where("due_at_ms", "<", nowMs);
  if (query.claim === "mine") {
    select = select.where("claimed_by", "=", operator).where("claimed_until_ms", ">", nowMs);
  } else if (query.claim === "others") {
    select = select.where("claimed_by", "!=", operator).where("claimed_until_ms", ">", nowMs);
  } else if (query.claim === "free") {
    select = select.where((eb) =>
      eb.or([eb("claimed_until_ms", "is", null), eb("claimed_until_ms", "<=", nowMs)]),
    );
  }
  if (query.cursor !== undefined) {
    const { atMs, id } = readCursor(query.cursor);
    select = select.where(sql<boolean>`(due_at_ms, id) > (${atMs}, ${id})`);
  }
  const rows = await select
    .orderBy("due_at_ms")
    .orderBy("id")
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    reviews: shown.map((row) => reviewItem(row, settings, nowMs)),
    next_cursor: rows.length > limit && last !== undefined ? cursorOf(last.due_at_ms, last.id) : null,
  };
}

export async function countQueue(tx: Tx, operator: string, nowMs: number): Promise<QueueCounts> {
  const active = tx
    .selectFrom("reviews")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("state", "in", ["open", "waiting"]);
  const groups = await active
    .select(["kind", "priority", "state"])
    .select((eb) => [
      eb.fn.countAll<number>().as("n"),
      sql<number>`count(*) filter (where state = 'open' and due_at_ms < ${nowMs})`.as("overdue"),
      sql<number>`count(*) filter (where state = 'open' and coalesce(claimed_until_ms, 0) <= ${nowMs})`.as(
        "unclaimed",
      ),
      sql<number>`count(*) filter (where claimed_by = ${operator} and claimed_until_ms > ${nowMs})`.as(
        "mine",
      ),
    ])
    .groupBy(["kind", "priority", "state"])
    .execute();
  const reasons = await active
    .select(["reason", (eb) => eb.fn.countAll<number>().as("n")])
    .groupBy("reason")
    .orderBy("n", "desc")
    .orderBy("reason")
    .limit(REASONS_COUNTED)
    .execute();
  const kinds: Record<ReviewKind, number> = { approval: 0, handoff: 0, uncertain: 0 };
  const priorities = Object.fromEntries(PRIORITIES.map((priority) => [priority, 0])) as Record<
    Priority,
    number
  >;
  const sum = { open: 0, waiting: 0, overdue: 0, unclaimed: 0, mine: 0 };
  for (const group of groups) {
    kinds[group.kind] += group.n;
    priorities[priorityAt(group.priority)] += group.n;
    sum[group.state === "waiting" ? "waiting" : "open"] += group.n;
    sum.overdue += group.overdue;
    sum.unclaimed += group.unclaimed;
    sum.mine += group.mine;
  }
  return {
    ...sum,
    by_kind: kinds,
    by_priority: priorities,
    by_reason: Object.fromEntries(reasons.map(({ reason, n }) => [reason, n])),
  };
}
