/** What others may know of a run, and its cancellation. */
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { RunId } from "../kernel/ids.ts";
import type { Clock } from "../kernel/ports.ts";
import type { CustomerScope, Scope } from "../kernel/scope.ts";
import type { RunState } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

export interface RunView {
  readonly run_id: RunId;
  readonly conversation_id: string;
  readonly state: RunState;
  readonly cause: "message" | "action";
  /** RFC 3339. */
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Runs {
  /** @throws ProblemError `not_found` */
  view(scope: Scope, runId: string): Promise<RunView>;
  /**
   * Asks a live run to stop at its next boundary. What has been recorded as an action goes on: an
   * action is cancelled on its own.
   * @throws ProblemError `not_found`, `run_already_ended`
   */
  cancel(scope: CustomerScope, runId: string): Promise<RunView>;
}

/** `onCancel` reaches a worker of this process at once; others see the flag at their next boundary. */
export function createRuns(store: Store, clock: Clock, onCancel: (runId: RunId) => void): Runs {
  const view = (scope: Scope, runId: string) =>
    store.transact(scope, async (tx) => {
      const row = await tx
        .selectFrom("runs")
        .select(["id", "conversation_id", "state", "cause", "created_at_ms", "updated_at_ms"])
        .where("tenant_id", "=", scope.tenantId)
        .where("id", "=", runId as RunId)
        .executeTakeFirst();
      if (row === undefined) throw new ProblemError("not_found");
      return {
        run_id: row.id,
        conversation_id: row.conversation_id,
        state: row.state,
        cause: row.cause,
        created_at: isoInstant(row.created_at_ms),
        updated_at: isoInstant(row.updated_at_ms),
      };
    });
  return {
    view,
    async cancel(scope, runId) {
      await store.transact(scope, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("runs")
          .set({ cancel_requested: true, updated_at_ms: clock.now() })
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", runId as RunId)
          .where("state", "in", ["queued", "running"])
          .executeTakeFirstOrThrow();
        tx.afterCommit(() => onCancel(runId as RunId));
        if (numUpdatedRows > 0n) return;
        const exists = await tx
          .selectFrom("runs")
          .select("state")
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", runId as RunId)
          .executeTakeFirst();
        throw new ProblemError(exists === undefined ? "not_found" : "run_already_ended");
      });
      return view(scope, runId);
    },
  };
}
