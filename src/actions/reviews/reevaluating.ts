/** What was approved is evaluated once more before the approval counts; what differs is shown, not decided. */
import { lockConversation } from "../../conversations/events.ts";
import { appendAudit } from "../../evidence/audit.ts";
import { hashOf } from "../../kernel/canonical.ts";
import { assert, ProblemError } from "../../kernel/errors.ts";
import { type Clock, SimulatedCrash } from "../../kernel/ports.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Recheck } from "../execution.ts";
import type { ActionRow } from "../ledger.ts";
import type { Sent } from "./kept-decisions.ts";
import { materialChanges } from "./reevaluation.ts";
import type { FieldChange } from "./reviews.ts";
import { type ReviewRow, readReview, withChange } from "./rows.ts";

/**
 * Evaluates an approval again. Nothing is decided when the answer differs from what the person saw: it is
 * written into the review, at a new version, and they are told.
 */
export async function reevaluate(
  parts: {
    store: Store;
    clock: Clock;
    recheck: Recheck;
    onError: (error: unknown, about: string) => void;
  },
  scope: TenantScope,
  review: ReviewRow,
  action: ActionRow,
  decision: Sent,
): Promise<void> {
  let now: Awaited<ReturnType<Recheck>>;
  try {
    now = await parts.recheck(action);
  } catch (error) {
    if (error instanceof SimulatedCrash) throw error;
    // It cannot be evaluated now: that is done again before anything is executed, in any case.
    if (!(error instanceof ProblemError)) parts.onError(error, `evaluation of ${action.id}`);
    return;
  }
  const fields = materialChanges(action.decision, now);
  if (fields.length === 0) return;
  const shown = await parts.store.transact(scope, (tx) =>
    noteReevaluation(tx, parts.clock, review, action, now, fields),
  );
  if (!now.permitted) {
    throw new ProblemError(
      "decision_not_permitted",
      `This is not permitted any more. ${String(fields.find(({ field }) => field === "explanation")?.now ?? "")}`.trim(),
      { details: { changed: fields, ...versions(decision, shown) } },
    );
  }
  throw new ProblemError("review_changed", "The policy or the case has changed since you looked.", {
    details: { changed: fields, ...versions(decision, shown) },
  });
}

/** For the answer to whoever decided on something else than what is there. */
export const versions = (decision: Sent, review: ReviewRow) => ({
  seen_version: decision.version,
  version: review.version,
  state: review.state,
});

async function noteReevaluation(
  tx: Tx,
  clock: Clock,
  seen: ReviewRow,
  action: ActionRow,
  now: { permitted: boolean; decision: unknown },
  fields: readonly FieldChange[],
): Promise<ReviewRow> {
  await lockConversation(tx, seen.conversation_id);
  const review = await readReview(tx, seen.id, true);
  assert(review !== undefined, "a review is never deleted");
  const isShown =
    hashOf(fields) === hashOf((review.changes as { fields?: unknown }[]).at(-1)?.fields ?? null);
  if (review.version !== seen.version || isShown) return review;
  const nowMs = clock.now();
  const evaluated = now.decision as {
    verdict?: { policyId: string; policyVersion: string; clauses: readonly StoredClause[] };
    facts?: unknown;
  };
  const packet =
    evaluated.verdict === undefined
      ? review.packet
      : {
          ...review.packet,
          facts: evaluated.facts ?? null,
          clauses: evaluated.verdict.clauses.map((clause) => ({
            clause_id: clause.clauseId,
            title: clause.title,
            text: clause.customerText,
            policy: evaluated.verdict?.policyId,
            version: evaluated.verdict?.policyVersion,
          })),
        };
  if (now.permitted) {
    // The action itself is bound by its arguments; what explains it is what counts now.
    await tx
      .updateTable("actions")
      .set({ decision: JSON.stringify(now.decision) })
      .where("tenant_id", "=", action.tenant_id)
      .where("id", "=", action.id)
      .where("state", "=", "awaiting_approval")
      .execute();
  }
  const updated = await tx
    .updateTable("reviews")
    .set({
      version: review.version + 1,
      packet: JSON.stringify(packet),
      changes: withChange(review, { what: "reevaluated", by: "policy", fields }, nowMs),
      updated_at_ms: nowMs,
    })
    .where("tenant_id", "=", review.tenant_id)
    .where("id", "=", review.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await appendAudit(tx, nowMs, [
    {
      kind: "review.reevaluated",
      subject: review.id,
      customerId: review.customer_id,
      body: { version: updated.version, changed: fields },
    },
  ]);
  return updated;
}

interface StoredClause {
  readonly clauseId: string;
  readonly title: string;
  readonly customerText: string;
}

export function notPermitted(stop: {
  readonly code?: string;
  readonly message?: string;
  readonly explanation?: string;
  readonly clauses?: unknown;
}): ProblemError {
  return new ProblemError("decision_not_permitted", stop.explanation ?? stop.message, {
    details: { reason: stop.code ?? null, clauses: stop.clauses ?? [] },
  });
}
