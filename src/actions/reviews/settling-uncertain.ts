/**
 * A person ends an uncertain outcome. What settles the action is what the provider shows when it is asked once more,
 * never the person's word: a refund that is there has its state, and one that is not there has failed. Nobody sends it
 * again: a worker leaves an action that needs a person alone.
 */
import type { Hub } from "../../conversations/hub.ts";
import { assert } from "../../kernel/errors.ts";
import type { Tx } from "../../store/store.ts";
import { takeInExternal } from "../allocations.ts";
import type { Found } from "../finding.ts";
import { type ActionRow, type Move, moveAction } from "../ledger.ts";
import { refundMove, returnMove } from "../settling.ts";
import { openActionReview, type ReviewPorts } from "./open.ts";

/** The action as it is after that; one that has failed is a new question to a person. */
export async function settleUncertain(
  tx: Tx,
  parts: ReviewPorts & { readonly hub: Hub },
  action: ActionRow,
  found: Found,
  operator: string,
): Promise<ActionRow> {
  const nowMs = parts.clock.now();
  const move = moveFrom(action, found, operator, nowMs);
  const moved = await moveAction(tx, parts.hub, nowMs, action, move);
  if (found.kind === "nothing" && action.kind === "refund") {
    // What was paid back by hand is not there to be refunded again.
    await takeInExternal(tx, { id: action.order_id, customerId: action.customer_id }, found.others, nowMs);
  }
  return moved;
}

/** Of an action that failed: the customer has read that a colleague looks at it. */
export async function askAboutFailure(tx: Tx, parts: ReviewPorts, settled: ActionRow): Promise<void> {
  if (settled.state === "failed") await openActionReview(tx, parts, settled, "refund_failed");
}

function moveFrom(action: ActionRow, found: Found, operator: string, nowMs: number): Move {
  switch (found.kind) {
    case "refund": {
      const move = refundMove(action, found.refund, { because: "looked_up_by_person", by: operator }, nowMs);
      assert(move !== null, "whatever state a refund is in, it is news of one that needs a person");
      return move;
    }
    case "return":
      return returnMove(found.shopReturn, { because: "looked_up_by_person", by: operator });
    case "nothing": {
      const isPaidOtherwise = found.others.some(
        (refund) =>
          refund.actionId === null &&
          (refund.status === "pending" || refund.status === "succeeded") &&
          refund.createdAt >= action.created_at_ms,
      );
      return {
        to: "failed",
        because: "not_found_at_provider",
        by: operator,
        patch: {
          next_attempt_ms: null,
          evidence: {
            detail: { cause: isPaidOtherwise ? "refunded_elsewhere" : "not_found_at_provider" },
            provider: { found: null, asked_at: nowMs, refunds_seen: found.others.map(({ id }) => id) },
          },
        },
      };
    }
  }
}
