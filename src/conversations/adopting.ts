/** A visitor's conversation becomes the customer's who signs in: whole, once, and to nobody else. */
import { sql } from "kysely";
import { appendAudit } from "../evidence/audit.ts";
import { ProblemError } from "../kernel/errors.ts";
import { type ConversationId, type CustomerId, newId } from "../kernel/ids.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { type CustomerScope, tenantScope } from "../kernel/scope.ts";
import { isVisitor } from "../kernel/visitor.ts";
import type { Queue } from "../store/queue.ts";
import type { Store, Tx } from "../store/store.ts";
import { ensureCustomer } from "./customers.ts";
import { appendEvents, type LockedConversation, lockConversation } from "./events.ts";
import type { Hub } from "./hub.ts";
import { refuseWhileBusy } from "./live-run.ts";

const OWNED = ["events", "runs", "reviews", "csat", "attachments"] as const;

export interface AdoptingParts {
  readonly store: Store;
  readonly hub: Hub;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * `visitorId` and the scope are both verified by whoever calls. Repeated, it is answered the same. What waited
 * to be answered until it is known who asks is answered now.
 * @throws ProblemError `not_found`, `conversation_busy` while a run works on it
 */
export async function adoptConversation(
  parts: AdoptingParts,
  scope: CustomerScope,
  conversationId: string,
  visitorId: CustomerId,
): Promise<void> {
  if (!isVisitor(visitorId) || isVisitor(scope.customerId)) throw new ProblemError("not_found");
  // Both of them are seen in the tenant's scope only; the two IDs below are all that is touched.
  await parts.store.transact(tenantScope(scope.tenantId), async (tx) => {
    const conversation = await lockConversation(tx, conversationId as ConversationId);
    if (conversation?.customer_id === scope.customerId) return;
    if (conversation === null || conversation.customer_id !== visitorId) throw new ProblemError("not_found");
    // Its worker acts in the scope of who it was.
    await refuseWhileBusy(tx, conversation);
    await handOverTo(tx, parts, conversation, scope, { assurance: "authenticated", verified_until_ms: null });
  });
}

/**
 * Who writes in a locked conversation of email has shown that the mailbox is theirs. `customer`: whom the shop knows by
 * that address; null when it knows nobody. A conversation that is somebody's already stays theirs.
 * @throws ProblemError `conversation_busy` while a run works on it
 */
export async function confirmMailbox(
  tx: Tx,
  parts: AdoptingParts,
  conversation: LockedConversation,
  customer: CustomerScope | null,
  untilMs: number,
): Promise<void> {
  await refuseWhileBusy(tx, conversation);
  const known = { assurance: "email_verified", verified_until_ms: untilMs } as const;
  const isStrangers = isVisitor(conversation.customer_id);
  if (customer !== null && isStrangers) return handOverTo(tx, parts, conversation, customer, known);
  // Their account has another address by now: what this mailbox shows is not theirs to see.
  if (!isStrangers && customer?.customerId !== conversation.customer_id) throw new ProblemError("not_found");
  const nowMs = parts.clock.now();
  await setAssurance(tx, conversation, { ...known, updated_at_ms: nowMs });
  await answerWaiting(tx, parts, conversation, nowMs);
}

type Known = Pick<LockedConversation, "assurance" | "verified_until_ms">;

async function setAssurance(
  tx: Tx,
  { tenant_id, id }: LockedConversation,
  set: Known & { readonly updated_at_ms: number; readonly customer_id?: CustomerId },
): Promise<void> {
  await tx
    .updateTable("conversations")
    .set(set)
    .where("tenant_id", "=", tenant_id)
    .where("id", "=", id)
    .execute();
}

/** Every row of a visitor's conversation becomes the customer's, and what waited for that is answered. */
async function handOverTo(
  tx: Tx,
  parts: AdoptingParts,
  conversation: LockedConversation,
  scope: CustomerScope,
  known: Known,
): Promise<void> {
  const { hub, clock } = parts;
  const nowMs = clock.now();
  const { customerId: customer_id } = scope;
  await ensureCustomer(tx, scope, nowMs);
  await tx
    .updateTable("steps")
    .set({ customer_id })
    .where("tenant_id", "=", scope.tenantId)
    .where("run_id", "in", (eb) =>
      eb
        .selectFrom("runs")
        .select("id")
        .where("tenant_id", "=", scope.tenantId)
        .where("conversation_id", "=", conversation.id),
    )
    .execute();
  for (const table of OWNED) {
    await tx
      .updateTable(table)
      .set({ customer_id })
      .where("tenant_id", "=", scope.tenantId)
      .where("conversation_id", "=", conversation.id)
      .execute();
  }
  await setAssurance(tx, conversation, { ...known, customer_id, updated_at_ms: nowMs });
  await appendAudit(tx, nowMs, [
    {
      kind: "conversation.adopted",
      subject: conversation.id,
      customerId: customer_id,
      body: { visitor: conversation.customer_id, assurance: known.assurance },
    },
  ]);
  // The visitor's streams read the log, see nothing of it any more, and end.
  const adopted = { ...conversation, customer_id };
  await hub.announce(tx, adopted, []);
  await answerWaiting(tx, parts, adopted, nowMs);
}

/**
 * The last answer may have been that we have to know who asks first (`identityAnswer` in `orchestrator/`): then
 * a run answers that message again, and what came after it.
 */
async function answerWaiting(
  tx: Tx,
  { hub, queue, clock, random }: AdoptingParts,
  conversation: LockedConversation,
  nowMs: number,
): Promise<void> {
  if (conversation.status === "with_person") return;
  const waiting = await tx
    .selectFrom("events")
    .select(sql<number | null>`(internal ->> 'identityNeededFor')::integer`.as("seq"))
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("type", "=", "message")
    .where("author", "!=", "customer")
    .where("seq", ">=", (eb) =>
      // Of the last run that said something: it may have answered other messages besides.
      eb
        .selectFrom("events as last")
        .select((e) => e.fn.max("last.seq").as("seq"))
        .where("last.tenant_id", "=", conversation.tenant_id)
        .where("last.conversation_id", "=", conversation.id)
        .where("last.author", "=", "customer"),
    )
    .orderBy("seq")
    .execute();
  const seq = waiting.find((message) => message.seq !== null)?.seq;
  if (seq === undefined || seq === null) return;
  const runId = newId("run", clock, random);
  await appendEvents(
    tx,
    hub,
    conversation,
    nowMs,
    [{ type: "run", payload: { run_id: runId, state: "queued" } }],
    { status: "with_agent", answered_seq: seq - 1 },
    { id: runId, cause: "message" },
  );
  await queue.wake(tx, { kind: "run", tenantId: conversation.tenant_id, id: runId });
}
