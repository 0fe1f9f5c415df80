/**
 * Who works on a review: a lease, taken and renewed in one statement. It frees itself; whoever comes second is
 * told who has it and until when. A claim changes nothing that a decision is bound to, so the version stays.
 */
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { ReviewId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/store.ts";
import { refuseSettled } from "./checks.ts";
import { heldBy, type ReviewRow, readReview, reviewView } from "./rows.ts";
import type { ReviewSettings } from "./settings.ts";

export async function claimReview(
  tx: Tx,
  reviewId: string,
  operator: string,
  settings: ReviewSettings,
  nowMs: number,
): Promise<ReviewRow> {
  const claimed = await tx
    .updateTable("reviews")
    .set({ claimed_by: operator, claimed_until_ms: nowMs + settings.claimMs })
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", reviewId as ReviewId)
    .where("state", "in", ["open", "waiting"])
    .where((eb) =>
      eb.or([
        eb("claimed_by", "is", null),
        eb("claimed_by", "=", operator),
        eb("claimed_until_ms", "<=", nowMs),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  if (claimed !== undefined) return claimed;
  const row = await readReview(tx, reviewId);
  if (row === undefined) throw new ProblemError("not_found");
  refuseSettled(reviewView(row, settings, nowMs), null);
  refuseOthersClaim(row, operator, nowMs);
  throw new ProblemError("review_claimed");
}

/** Gives up the own claim; true when there was one. */
export async function releaseReview(tx: Tx, reviewId: string, operator: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("reviews")
    .set({ claimed_by: null, claimed_until_ms: null })
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", reviewId as ReviewId)
    .where("claimed_by", "=", operator)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** @throws ProblemError `review_claimed` */
export function refuseOthersClaim(row: ReviewRow, operator: string, nowMs: number): void {
  const holder = heldBy(row, nowMs);
  if (holder === null || holder === operator) return;
  const until = isoInstant(row.claimed_until_ms as number);
  throw new ProblemError("review_claimed", `${holder} works on this until ${until}.`, {
    details: { claim: { by: holder, until } },
  });
}
