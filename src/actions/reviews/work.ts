/** Reviews as one part: the queue, claims, decisions and their undoing, each in a transaction of its tenant. */
import { ProblemError } from "../../kernel/errors.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import type { Tx } from "../../store/store.ts";
import { claimReview, releaseReview } from "./claims.ts";
import { createDeciding, type DecidingParts } from "./decide.ts";
import { countQueue, readQueue } from "./queue.ts";
import type { Reviews, ReviewView } from "./reviews.ts";
import { type ReviewRow, readReview } from "./rows.ts";
import { showReview } from "./showing.ts";
import { giveBack, takeOver } from "./taking-over.ts";
import { undoDecision } from "./undo.ts";

export function createReviews(parts: DecidingParts): Reviews {
  const { store, clock, hub, settingsOf } = parts;
  const decide = createDeciding(parts);

  const view = (scope: TenantScope, reviewId: string) =>
    store.transact(scope, async (tx) => {
      const row = await readReview(tx, reviewId);
      if (row === undefined) throw new ProblemError("not_found");
      return shown(tx, row);
    });
  const shown = (tx: Tx, row: ReviewRow) =>
    showReview(tx, row, parts, settingsOf(row.tenant_id), clock.now());

  return {
    view,
    list: (scope, filter) =>
      store.transact(scope, async (tx) => {
        let query = tx.selectFrom("reviews").selectAll().where("tenant_id", "=", scope.tenantId);
        if (filter.state !== "all") query = query.where("state", "=", filter.state);
        const rows = await query.orderBy("created_at_ms").orderBy("id").limit(filter.limit).execute();
        const views: ReviewView[] = [];
        for (const row of rows) views.push(await shown(tx, row));
        return views;
      }),
    queue: (scope, query, operator) =>
      store.transact(scope, (tx) => readQueue(tx, query, operator, settingsOf(scope.tenantId), clock.now())),
    counts: (scope, operator) => store.transact(scope, (tx) => countQueue(tx, operator, clock.now())),
    claim: (scope, reviewId, operator) =>
      store.transact(scope, async (tx) => {
        const row = await claimReview(tx, reviewId, operator, settingsOf(scope.tenantId), clock.now());
        return shown(tx, row);
      }),
    async release(scope, reviewId, operator) {
      await store.transact(scope, (tx) => releaseReview(tx, reviewId, operator));
      return view(scope, reviewId);
    },
    async decide(scope, reviewId, decision) {
      await decide(scope, reviewId, decision);
      return view(scope, reviewId);
    },
    async takeOver(scope, conversationId, operator) {
      return view(scope, await takeOver(parts, scope, conversationId, operator));
    },
    giveBack: (scope, conversationId, operator) => giveBack(parts, scope, conversationId, operator),
    async undo(scope, reviewId, undo) {
      await store.transact(scope, (tx) => undoDecision(tx, { hub, clock }, reviewId, undo));
      return view(scope, reviewId);
    },
  };
}
