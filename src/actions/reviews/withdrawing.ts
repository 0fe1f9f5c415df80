/** Ends the open review of an action that settled without it: nobody is asked for what has been decided otherwise. */
import { sql } from "kysely";
import type { Hub } from "../../conversations/hub.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import type { Tx } from "../../store/store.ts";
import type { ActionState } from "../../tools/views.ts";
import type { ActionRow } from "../ledger.ts";
import { leaveToAgent } from "./answers.ts";

/** `from`: the state that the review was about; `action` is as it is now. */
export async function withdrawReviewOf(
  tx: Tx,
  hub: Hub,
  action: ActionRow,
  from: ActionState,
  nowMs: number,
  state: "withdrawn" | "expired" = "withdrawn",
): Promise<void> {
  const fields = [{ field: "action.state", seen: from, now: action.state }];
  await tx
    .updateTable("reviews")
    .set((eb) => ({
      state,
      version: eb("version", "+", 1),
      // The list is added to without being read.
      changes: sql<string>`changes || jsonb_build_array(jsonb_build_object('version', version + 1, 'at', ${isoInstant(nowMs)}::text, 'what', ${state}::text, 'by', 'system', 'fields', ${JSON.stringify(fields)}::jsonb))`,
      claimed_by: null,
      claimed_until_ms: null,
      updated_at_ms: nowMs,
    }))
    .where("tenant_id", "=", action.tenant_id)
    .where("action_id", "=", action.id)
    .where("state", "in", ["open", "waiting"])
    .execute();
  await leaveToAgent(tx, hub, action.conversation_id, nowMs);
}
