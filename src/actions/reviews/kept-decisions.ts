/** A decision as it came in and as it is kept: once per ID, and each review closed by one. */
import { appendAudit } from "../../evidence/audit.ts";
import { hashOf } from "../../kernel/canonical.ts";
import { assert, ProblemError } from "../../kernel/errors.ts";
import { parseAmount } from "../../kernel/money.ts";
import { storableText } from "../../kernel/text.ts";
import type { Tx } from "../../store/store.ts";
import type { Decision, FieldChange, ReviewDecisionRecord } from "./reviews.ts";
import { type ReviewRow, withChange } from "./rows.ts";

/** Closes a locked review with its decision. */
export async function closeReview(
  tx: Tx,
  review: ReviewRow,
  record: ReviewDecisionRecord,
  effectiveAtMs: number | null,
  nowMs: number,
  /** What it changed at once, beside the review. */
  fields: readonly FieldChange[] = [],
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("reviews")
    .set({
      state: "decided",
      version: review.version + 1,
      decision: JSON.stringify(record),
      effective_at_ms: effectiveAtMs,
      claimed_by: null,
      claimed_until_ms: null,
      changes: withChange(
        review,
        {
          what: "decided",
          by: record.decided_by,
          fields: [{ field: "decision", seen: null, now: record.decision }, ...fields],
        },
        nowMs,
      ),
      updated_at_ms: nowMs,
    })
    .where("tenant_id", "=", review.tenant_id)
    .where("id", "=", review.id)
    .where("version", "=", review.version)
    .where("state", "in", ["open", "waiting"])
    .executeTakeFirstOrThrow();
  assert(numUpdatedRows === 1n, "a locked open review takes one decision");
}

/** A decision as it came in, with the hash that tells a repeated one from another under the same ID. */
export type Sent = Decision & {
  readonly decisionId: string;
  readonly requestHash: string;
  readonly mayDecideLarge: boolean;
  readonly isPerson: boolean;
};

export function sent(reviewId: string, wanted: Decision, ownId: string): Sent {
  const note = wanted.note === null ? null : storableText(wanted.note);
  const { decision, version, argsHash, operator, amount = null } = wanted;
  return {
    ...wanted,
    note,
    amount,
    mayDecideLarge: wanted.mayDecideLarge ?? true,
    isPerson: wanted.isPerson ?? true,
    decisionId: wanted.decisionId ?? ownId,
    requestHash: hashOf({ reviewId, decision, version, argsHash, operator, amount, note }),
  };
}

/** @throws ProblemError `decision_id_reused` */
export async function isRepeated(tx: Tx, decision: Sent): Promise<boolean> {
  const known = await tx
    .selectFrom("review_decisions")
    .select("request_hash")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", decision.decisionId)
    .executeTakeFirst();
  if (known === undefined) return false;
  if (known.request_hash !== decision.requestHash) throw new ProblemError("decision_id_reused");
  return true;
}

export async function keepDecision(
  tx: Tx,
  review: ReviewRow,
  decision: Sent,
  effectiveAtMs: number | null,
  nowMs: number,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("review_decisions")
    .values({
      tenant_id: review.tenant_id,
      id: decision.decisionId,
      review_id: review.id,
      decision: decision.decision,
      operator: decision.operator,
      version: decision.version,
      args_hash: decision.argsHash,
      note: decision.note,
      amount_minor:
        decision.decision === "approve_changed" && review.currency !== null
          ? parseAmount(decision.amount ?? "", review.currency)
          : null,
      request_hash: decision.requestHash,
      at_ms: nowMs,
      effective_at_ms: effectiveAtMs,
      undone_at_ms: null,
      undone_by: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  // The same ID came in for another review at this moment.
  if ((numInsertedOrUpdatedRows ?? 0n) === 0n) throw new ProblemError("decision_id_reused");
}

export const auditDecision = (
  tx: Tx,
  review: ReviewRow,
  record: ReviewDecisionRecord & { readonly first_of_two?: boolean },
  kind: string,
  nowMs: number,
) => {
  const { note, ...facts } = record;
  return appendAudit(tx, nowMs, [
    {
      kind: `review.${kind}`,
      subject: review.id,
      customerId: review.customer_id,
      body: {
        ...facts,
        action_id: review.action_id,
        args_hash: review.args_hash,
        version: review.version,
      },
      texts: { note },
    },
  ]);
};
