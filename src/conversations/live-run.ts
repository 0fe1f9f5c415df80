/** The run that works on a conversation, or is about to: there is one at most. */
import { ProblemError } from "../kernel/errors.ts";
import type { RunId } from "../kernel/ids.ts";
import type { Tx } from "../store/store.ts";
import type { LockedConversation } from "./events.ts";

const BUSY_MS = 500;

export async function liveRunOf(tx: Tx, conversation: LockedConversation): Promise<RunId | null> {
  const run = await tx
    .selectFrom("runs")
    .select("id")
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("state", "in", ["queued", "running"])
    .executeTakeFirst();
  return run?.id ?? null;
}

/** @throws ProblemError `conversation_busy` while a run works on it */
export async function refuseWhileBusy(tx: Tx, conversation: LockedConversation): Promise<void> {
  if ((await liveRunOf(tx, conversation)) === null) return;
  throw new ProblemError("conversation_busy", undefined, { retryAfterMs: BUSY_MS });
}
