/**
 * A conversation that has ended, as a mail to its own customer: what they saw of it, and nothing else. It goes to the
 * address that the shop has for the customer who signed in, never to one that somebody typed. The same end is one mail,
 * however often it is asked for; it is sent by `mailer.ts`, as every mail is.
 */
import type { Orders } from "../../commerce/orders.ts";
import { lockConversation } from "../../conversations/events.ts";
import { appendAudit } from "../../evidence/audit.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { ConversationId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import { type CustomerScope, tenantScope } from "../../kernel/scope.ts";
import { isVisitor } from "../../kernel/visitor.ts";
import { readable } from "../../safety/masking.ts";
import type { Store, Tx } from "../../store/store.ts";
import { type MailTenant, normalAddress } from "./addresses.ts";
import { renderTranscript } from "./rendering-transcript.ts";
import { isSuppressed } from "./suppressions.ts";

export interface Transcripts {
  /** Whether the customer's conversations can be mailed at all: mail is set up, and they have signed in. */
  isThere(scope: CustomerScope): boolean;
  /**
   * Answers with the address as far as its owner recognises it. It may be sent a little later.
   * @throws ProblemError `not_found`, `conversation_not_ended`, `transcript_unavailable`, `rate_limited`, `shop_unavailable`
   */
  request(scope: CustomerScope, conversationId: string): Promise<{ readonly address: string }>;
}

const DAY_MS = 86_400_000;
const MARK = "<transcript.";

export function createTranscripts(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly tenants: readonly MailTenant[];
  readonly customer: Orders["customer"];
  readonly timeZoneOf: (tenantId: TenantId) => string;
}): Transcripts {
  const { store, clock, tenants } = parts;
  const tenantOf = (scope: CustomerScope) => tenants.find(({ id }) => id === scope.tenantId);
  const self: Transcripts = {
    isThere: (scope) => tenantOf(scope) !== undefined && !isVisitor(scope.customerId),

    async request(scope, conversationId) {
      const tenant = tenantOf(scope);
      if (tenant === undefined || !self.isThere(scope)) throw new ProblemError("transcript_unavailable");
      // Asked before, so that no connection is held meanwhile.
      const address = normalAddress((await parts.customer(scope))?.email ?? "");
      const isAddress = /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+$/.test(address);
      if (!isAddress) throw new ProblemError("transcript_unavailable");
      // Mail is the product's own: a customer's scope sees none of its tables. Whose it is, is looked at here.
      await store.transact(tenantScope(scope.tenantId), async (tx) => {
        const conversation = await lockConversation(tx, conversationId as ConversationId);
        if (conversation?.customer_id !== scope.customerId) throw new ProblemError("not_found");
        if (conversation.status !== "resolved") throw new ProblemError("conversation_not_ended");
        // What came by mail is in the mailbox already.
        if (conversation.channel !== "chat" || (await isSuppressed(tx, address))) {
          throw new ProblemError("transcript_unavailable");
        }
        const nowMs = clock.now();
        const messages = await seen(tx, conversation.id);
        const mail = renderTranscript({
          tenant,
          to: address,
          messageId: `${MARK}${conversation.id}.${conversation.next_seq - 1}@${tenant.address.split("@")[1] ?? ""}`,
          conversationId: conversation.id,
          language: conversation.language,
          timeZone: parts.timeZoneOf(scope.tenantId),
          messages,
        });
        await refuseTooMany(tx, scope, mail.messageId, address, nowMs);
        const kept = await tx
          .insertInto("mail_outbox")
          .values({
            tenant_id: scope.tenantId,
            id: mail.messageId,
            conversation_id: conversation.id,
            seq_to: conversation.next_seq - 1,
            address,
            mail: JSON.stringify(mail),
            state: "queued",
            next_at_ms: nowMs,
            lease_until_ms: null,
            last_error: null,
            created_at_ms: nowMs,
            sent_at_ms: null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .executeTakeFirst();
        if (kept === undefined) return;
        await appendAudit(tx, nowMs, [
          {
            kind: "mail.transcript",
            subject: conversation.id,
            customerId: scope.customerId,
            body: { mail: mail.messageId, messages: messages.length },
          },
        ]);
      });
      return { address: recognised(address) };
    },
  };
  return self;
}

/** The latest messages, as the customer had them: `internal` is not even read. */
async function seen(tx: Tx, id: ConversationId) {
  const rows = await tx
    .selectFrom("events")
    .select(["at_ms", "author", "payload"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", id)
    .where("type", "=", "message")
    .orderBy("seq", "desc")
    .limit(LIMITS.transcriptMessages)
    .execute();
  return rows.toReversed().map(({ at_ms, author, payload }) => ({
    atMs: at_ms,
    author: author ?? "system",
    text: readable(String(payload.text ?? "")),
  }));
}

/** The same one again is none more. @throws ProblemError `rate_limited` */
async function refuseTooMany(
  tx: Tx,
  scope: CustomerScope,
  messageId: string,
  address: string,
  nowMs: number,
): Promise<void> {
  // Conversations of one customer that end at one moment are counted one after the other.
  await tx
    .selectFrom("customers")
    .select("customer_id")
    .where("tenant_id", "=", scope.tenantId)
    .where("customer_id", "=", scope.customerId)
    .forUpdate()
    .execute();
  const sent = await tx
    .selectFrom("mail_outbox")
    .select(["id", "created_at_ms"])
    .where("tenant_id", "=", scope.tenantId)
    .where("address", "=", address)
    .where("id", "like", `${MARK}%`)
    .where("created_at_ms", ">", nowMs - DAY_MS)
    .orderBy("created_at_ms")
    .execute();
  const oldest = sent[0];
  if (oldest === undefined || sent.length < LIMITS.transcriptsPerDay) return;
  if (sent.some(({ id }) => id === messageId)) return;
  throw new ProblemError("rate_limited", "So many conversations were sent by mail today.", {
    retryAfterMs: oldest.created_at_ms + DAY_MS - nowMs,
  });
}

/** `ada@example.com` → `a…@example.com`: whoever looks over a shoulder learns little. */
const recognised = (address: string): string => address.replace(/^(.)[^@]*@/u, "$1…@");
