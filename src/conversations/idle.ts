/**
 * Conversations that nobody has written in for a while end by themselves, as if their customer had ended them: resolved,
 * and the chat asks for a rating. A message afterwards opens them again. What is still under way in one keeps it: a run, a
 * refund that is not settled, a question to a person. One that a person has is ended by that person.
 *
 * Each ends in a transaction of its own, which looks again under the conversation's lock: a message that comes in the
 * same moment is either before the end, and keeps it, or after it, and opens it again. Two processes end it once.
 */
import type { ConversationId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { end } from "./ending.ts";
import { lockConversation } from "./events.ts";
import type { Hub } from "./hub.ts";

/** Ends at most `LIMITS.idleEndsPerSweep` of the tenant, longest silent first; answers with how many. */
export async function endIdleConversations(
  { store, hub, clock }: { readonly store: Store; readonly hub: Hub; readonly clock: Clock },
  tenantId: TenantId,
  idleMs: number,
): Promise<number> {
  const scope = tenantScope(tenantId);
  const silentSinceMs = clock.now() - idleMs;
  const found = await store.transact(scope, (tx) => silent(tx, silentSinceMs));
  let ended = 0;
  for (const id of found) {
    ended += await store.transact(scope, async (tx) => {
      const conversation = await lockConversation(tx, id);
      if (conversation === null || (await silent(tx, silentSinceMs, id)).length === 0) return 0;
      await end(tx, hub, conversation, clock.now(), { by: "idle", silent_since_ms: silentSinceMs });
      return 1;
    });
  }
  return ended;
}

/** Nothing was appended since, and nothing is under way. With `only`: that one, if it is so. */
async function silent(
  tx: Tx,
  sinceMs: number,
  only: ConversationId | null = null,
): Promise<readonly ConversationId[]> {
  const rows = await tx
    .selectFrom("conversations as c")
    .select("c.id")
    .where("c.tenant_id", "=", tx.scope.tenantId)
    .where("c.status", "in", ["open", "with_agent"])
    .where("c.updated_at_ms", "<=", sinceMs)
    .$if(only !== null, (query) => query.where("c.id", "=", only as ConversationId))
    .where((eb) =>
      eb.and([
        eb.not(
          eb.exists(
            eb
              .selectFrom("runs as r")
              .select("r.id")
              .whereRef("r.tenant_id", "=", "c.tenant_id")
              .whereRef("r.conversation_id", "=", "c.id")
              .where("r.state", "in", ["queued", "running"]),
          ),
        ),
        eb.not(
          eb.exists(
            eb
              .selectFrom("reviews as v")
              .select("v.id")
              .whereRef("v.tenant_id", "=", "c.tenant_id")
              .whereRef("v.conversation_id", "=", "c.id")
              .where("v.state", "in", ["open", "waiting"]),
          ),
        ),
        eb.not(
          eb.exists(
            eb
              .selectFrom("actions as a")
              .select("a.id")
              .whereRef("a.tenant_id", "=", "c.tenant_id")
              .whereRef("a.customer_id", "=", "c.customer_id")
              .whereRef("a.conversation_id", "=", "c.id")
              .where("a.state", "in", UNSETTLED),
          ),
        ),
      ]),
    )
    .orderBy("c.updated_at_ms")
    .limit(LIMITS.idleEndsPerSweep)
    .execute();
  return rows.map(({ id }) => id);
}

const UNSETTLED = [
  "awaiting_approval",
  "scheduled",
  "executing",
  "pending",
  "unknown",
  "needs_person",
] as const;
