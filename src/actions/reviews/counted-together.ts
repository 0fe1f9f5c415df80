/**
 * The second limit is for what goes out, not for one click: approvals that one person gave alone count together. Of the
 * same order whoever gave them and whenever; of the same customer, what this person approved within a day. So nobody gets
 * past a second pair of eyes by parts.
 *
 * Read under the customer's lock, so that two approvals at the same moment see each other.
 */
import { LIMITS } from "../../kernel/limits.ts";
import { executeIn, type Tx } from "../../store/store.ts";
import type { ActionRow } from "../ledger.ts";
import type { ReviewRow } from "./rows.ts";

/** In minor units of the action's currency, this action's own amount left out. */
export async function approvedAlone(
  tx: Tx,
  review: ReviewRow,
  action: ActionRow,
  operator: string,
  nowMs: number,
): Promise<number> {
  const { rows } = await executeIn(tx, APPROVED_ALONE, [
    action.tenant_id,
    action.customer_id,
    action.currency,
    review.id,
    action.order_id,
    operator,
    nowMs - LIMITS.secondLimitWindowMs,
  ]);
  return Number(rows[0]?.sum ?? 0);
}

/** A changed amount left the old action behind as cancelled: there the decision says what was approved. */
const APPROVED_ALONE = `
  select coalesce(sum(case d.decision when 'approve' then a.amount_minor else d.amount_minor end), 0) as sum
    from actions a
    join reviews v on v.tenant_id = a.tenant_id and v.action_id = a.id
    join review_decisions d on d.tenant_id = v.tenant_id and d.review_id = v.id
   where a.tenant_id = $1 and a.customer_id = $2 and a.kind = 'refund' and a.currency = $3
     and v.id <> $4 and v.kind = 'approval' and v.state = 'decided'
     and (v.first_approval is null
          or coalesce(v.first_approval->>'amount', '') <> coalesce(v.decision->>'amount', ''))
     and d.id = v.decision->>'decision_id' and d.undone_at_ms is null
     and (d.decision = 'approve_changed'
          or (d.decision = 'approve' and a.state not in ('denied', 'rejected', 'expired', 'cancelled', 'failed')))
     and (a.order_id = $5 or (d.operator = $6 and d.at_ms > $7))`;
