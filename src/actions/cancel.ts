/**
 * The customer takes back what was not begun: while a person has yet to decide, or while an approval can still be
 * undone. From the moment a worker begins, only the provider's answer counts. Repeated, it is answered the same.
 */
import { lockConversation } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import { assert, ProblemError } from "../kernel/errors.ts";
import type { Clock } from "../kernel/ports.ts";
import type { CustomerScope } from "../kernel/scope.ts";
import type { Store } from "../store/store.ts";
import type { ActionSummary } from "../tools/views.ts";
import { moveAction, readAction, summary } from "./ledger.ts";
import { withdrawReviewOf } from "./reviews/withdrawing.ts";

/** @throws ProblemError `not_found`, `action_not_cancellable` */
export type CancelAction = (scope: CustomerScope, actionId: string) => Promise<ActionSummary>;

export function createCancelAction(parts: { store: Store; hub: Hub; clock: Clock }): CancelAction {
  const { store, hub, clock } = parts;
  return (scope, actionId) =>
    store.transact(scope, async (tx) => {
      const seen = await readAction(tx, actionId);
      if (seen === null || seen.state === "denied") throw new ProblemError("not_found");
      const conversation = await lockConversation(tx, seen.conversation_id);
      assert(conversation !== null, "an action's conversation exists");
      const { language } = conversation;
      const action = (await readAction(tx, actionId, { lock: true })) ?? seen;
      if (action.state === "cancelled") return summary(action, language);
      if (action.state !== "awaiting_approval" && action.state !== "scheduled") {
        throw new ProblemError("action_not_cancellable", undefined, { details: { state: action.state } });
      }
      const moved = await moveAction(tx, hub, clock.now(), action, {
        to: "cancelled",
        because: "customer_cancelled",
        by: "customer",
        patch: {
          next_attempt_ms: null,
          lease_owner: null,
          lease_until_ms: null,
          evidence: { detail: { cause: "customer_cancelled" } },
        },
      });
      await withdrawReviewOf(tx, hub, moved, action.state, clock.now());
      return summary(moved, language);
    });
}
