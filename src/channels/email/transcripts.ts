/**
 * A conversation that has ended, as a mail: what its customer saw of it, and nothing else. For who signed in it goes to the
 * address that the shop has for them. A visitor names one, and it is asked first, by a mail that has nothing of theirs in
 * it: only whoever reads that mailbox has the copy sent there. The same end is one mail to an address, however often it
 * is asked for; it is sent by `mailer.ts`, as every mail is.
 */
import { createHash } from "node:crypto";
import type { Orders } from "../../commerce/orders.ts";
import { type LockedConversation, lockConversation } from "../../conversations/events.ts";
import { appendAudit } from "../../evidence/audit.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { ConversationId, TenantId } from "../../kernel/ids.ts";
import type { Language } from "../../kernel/language.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import { type CustomerScope, tenantScope } from "../../kernel/scope.ts";
import { isVisitor } from "../../kernel/visitor.ts";
import { readable } from "../../safety/masking.ts";
import type { Store, Tx } from "../../store/store.ts";
import { isPlainAddress, type MailTenant, normalAddress, recipientOf } from "./addresses.ts";
import type { RenderedMail } from "./rendering.ts";
import { renderTranscript, renderTranscriptAsk } from "./rendering-transcript.ts";
import { isSuppressed } from "./suppressions.ts";
import { createTranscriptLinks } from "./transcript-links.ts";

export interface Transcripts {
  /** Whether it can be sent to an address that the shop has: mail is set up, and they have signed in. */
  isThere(scope: CustomerScope): boolean;
  /** Whether it can be sent to an address that they name: mail is set up, and they are a visitor. */
  needsAddress(scope: CustomerScope): boolean;
  /**
   * Answers with the address as far as its owner recognises it. It may be sent a little later.
   * @throws ProblemError `not_found`, `conversation_not_ended`, `transcript_unavailable`, `rate_limited`, `shop_unavailable`
   */
  request(scope: CustomerScope, conversationId: string): Promise<{ readonly address: string }>;
  /**
   * For a visitor: asks the address whether the copy is to be sent there.
   * @throws ProblemError `not_found`, `conversation_not_ended`, `transcript_unavailable`, `address_invalid`, `rate_limited`
   */
  ask(scope: CustomerScope, conversationId: string, address: string): Promise<{ readonly address: string }>;
  /** What a link of such a mail is about; nothing is sent. @throws ProblemError `transcript_link_invalid` */
  look(token: string): Promise<AskedTranscript>;
  /** Sends it, once. @throws ProblemError `transcript_link_invalid`, `rate_limited` */
  confirm(token: string): Promise<AskedTranscript>;
}

export interface AskedTranscript {
  readonly tenantId: TenantId;
  readonly language: Language;
  readonly address: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** What Message-IDs begin with: of a copy, and of a mail that asks. */
const MARKS = { copy: "<transcript.", ask: "<transcript-ask." } as const;

export function createTranscripts(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly secret: string;
  readonly tenants: readonly MailTenant[];
  readonly customer: Orders["customer"];
  readonly timeZoneOf: (tenantId: TenantId) => string;
  /** The page that a visitor's link opens. */
  readonly transcriptUrl: (token: string) => string;
}): Transcripts {
  const { store, clock, tenants } = parts;
  const links = createTranscriptLinks(parts);
  const tenantOf = ({ tenantId }: { readonly tenantId: TenantId }) =>
    tenants.find(({ id }) => id === tenantId);
  const idOf = (mark: string, { id }: LockedConversation, seqTo: number, tenant: MailTenant, more = "") =>
    `${mark}${id}.${seqTo}${more}@${tenant.address.split("@")[1] ?? ""}`;

  const copyOf = async (
    tx: Tx,
    tenant: MailTenant,
    conversation: LockedConversation,
    seqTo: number,
    address: string,
  ): Promise<RenderedMail> =>
    renderTranscript({
      tenant,
      to: address,
      // One that a visitor named is a part of it: two mailboxes are two mails.
      messageId: idOf(
        MARKS.copy,
        conversation,
        seqTo,
        tenant,
        isVisitor(conversation.customer_id) ? digestOf(address) : "",
      ),
      conversationId: conversation.id,
      language: conversation.language,
      timeZone: parts.timeZoneOf(tenant.id),
      messages: await seen(tx, conversation.id, seqTo),
    });

  /** The conversation that a link is about, while it is still that visitor's. @throws ProblemError */
  const opened = async (
    tx: Tx,
    { conversationId, visitor }: { conversationId: ConversationId; visitor: string },
  ) => {
    const conversation = await lockConversation(tx, conversationId);
    if (conversation?.customer_id !== visitor) throw new ProblemError("transcript_link_invalid");
    return conversation;
  };
  const read = async (token: string) => {
    const link = await links.read(token);
    const tenant = link === null ? undefined : tenantOf(link);
    if (link === null || tenant === undefined) throw new ProblemError("transcript_link_invalid");
    return { ...link, tenant };
  };

  const self: Transcripts = {
    isThere: (scope) => tenantOf(scope) !== undefined && !isVisitor(scope.customerId),
    needsAddress: (scope) => tenantOf(scope) !== undefined && isVisitor(scope.customerId),

    async request(scope, conversationId) {
      const tenant = tenantOf(scope);
      if (tenant === undefined || !self.isThere(scope)) throw new ProblemError("transcript_unavailable");
      // Asked before, so that no connection is held meanwhile.
      const address = normalAddress((await parts.customer(scope))?.email ?? "");
      if (!isPlainAddress(address)) throw new ProblemError("transcript_unavailable");
      // Mail is the product's own: a customer's scope sees none of its tables. Whose it is, is looked at here.
      await store.transact(tenantScope(scope.tenantId), async (tx) => {
        const { conversation, seqTo } = await endedChat(tx, scope, conversationId);
        if (await isSuppressed(tx, address)) throw new ProblemError("transcript_unavailable");
        await keep(
          tx,
          MARKS.copy,
          conversation,
          seqTo,
          await copyOf(tx, tenant, conversation, seqTo, address),
        );
      });
      return { address: recognised(address) };
    },

    async ask(scope, conversationId, written) {
      const tenant = tenantOf(scope);
      if (tenant === undefined || !self.needsAddress(scope)) throw new ProblemError("transcript_unavailable");
      const address = normalAddress(written);
      // A mail to one of ours would come in as a question.
      if (!isPlainAddress(address) || recipientOf(parts.secret, tenants, address).kind === "own") {
        throw new ProblemError("address_invalid");
      }
      await store.transact(tenantScope(scope.tenantId), async (tx) => {
        const { conversation, seqTo } = await endedChat(tx, scope, conversationId);
        // One that takes no mail is asked nothing; who asks does not learn of it.
        if (await isSuppressed(tx, address)) return;
        const token = await links.mint({
          tenantId: tenant.id,
          conversationId: conversation.id,
          visitor: scope.customerId,
          seqTo,
          address,
        });
        const mail = renderTranscriptAsk({
          tenant,
          to: address,
          messageId: idOf(MARKS.ask, conversation, seqTo, tenant, digestOf(address)),
          conversationId: conversation.id,
          language: conversation.language,
          url: parts.transcriptUrl(token),
        });
        await keep(tx, MARKS.ask, conversation, seqTo, mail);
      });
      return { address: recognised(address) };
    },

    async look(token) {
      const link = await read(token);
      const { tenantId, address } = link;
      const { language } = await store.transact(tenantScope(tenantId), (tx) => opened(tx, link));
      return { tenantId, language, address };
    },

    async confirm(token) {
      const link = await read(token);
      const { tenant, tenantId, address, seqTo } = link;
      return store.transact(tenantScope(tenantId), async (tx) => {
        const conversation = await opened(tx, link);
        if (await isSuppressed(tx, address)) throw new ProblemError("transcript_link_invalid");
        await keep(
          tx,
          MARKS.copy,
          conversation,
          seqTo,
          await copyOf(tx, tenant, conversation, seqTo, address),
        );
        return { tenantId, language: conversation.language, address };
      });
    },
  };
  return self;

  /** @throws ProblemError `not_found`, `conversation_not_ended`, `transcript_unavailable` */
  async function endedChat(tx: Tx, scope: CustomerScope, conversationId: string) {
    const conversation = await lockConversation(tx, conversationId as ConversationId);
    if (conversation?.customer_id !== scope.customerId) throw new ProblemError("not_found");
    if (conversation.status !== "resolved") throw new ProblemError("conversation_not_ended");
    // What came by mail is in the mailbox already.
    if (conversation.channel !== "chat") throw new ProblemError("transcript_unavailable");
    return { conversation, seqTo: conversation.next_seq - 1 };
  }

  /** Into the outbox and the audit log; the same one again is no other. @throws ProblemError `rate_limited` */
  async function keep(
    tx: Tx,
    mark: (typeof MARKS)[keyof typeof MARKS],
    conversation: LockedConversation,
    seqTo: number,
    mail: RenderedMail,
  ): Promise<void> {
    const nowMs = clock.now();
    await refuseTooMany(tx, mark, mail, nowMs);
    const kept = await tx
      .insertInto("mail_outbox")
      .values({
        tenant_id: tx.scope.tenantId,
        id: mail.messageId,
        conversation_id: conversation.id,
        seq_to: seqTo,
        address: mail.to,
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
        kind: mark === MARKS.ask ? "mail.transcript_asked" : "mail.transcript",
        subject: conversation.id,
        customerId: conversation.customer_id,
        body: { mail: mail.messageId },
      },
    ]);
  }
}

/** The latest messages up to `seqTo`, as the customer had them: `internal` is not even read. */
async function seen(tx: Tx, id: ConversationId, seqTo: number) {
  const rows = await tx
    .selectFrom("events")
    .select(["at_ms", "author", "payload"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", id)
    .where("type", "=", "message")
    .where("seq", "<=", seqTo)
    .orderBy("seq", "desc")
    .limit(LIMITS.transcriptMessages)
    .execute();
  return rows.toReversed().map(({ at_ms, author, payload }) => ({
    atMs: at_ms,
    author: author ?? "system",
    text: readable(String(payload.text ?? "")),
  }));
}

/**
 * So many a day to one address, and, of mails to addresses that nobody has shown to be theirs, so many an hour of the whole
 * shop: visitors cost nothing. The same one again is none more. @throws ProblemError `rate_limited`
 */
async function refuseTooMany(
  tx: Tx,
  mark: string,
  { messageId, to }: RenderedMail,
  nowMs: number,
): Promise<void> {
  // What comes at one moment is counted one after the other.
  await tx
    .selectFrom("tenants")
    .select("tenant_id")
    .where("tenant_id", "=", tx.scope.tenantId)
    .forNoKeyUpdate()
    .execute();
  const since = (ms: number) =>
    tx
      .selectFrom("mail_outbox")
      .select(["id", "created_at_ms"])
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("id", "like", `${mark}%`)
      .where("created_at_ms", ">", nowMs - ms)
      .orderBy("created_at_ms");
  const sent = await since(DAY_MS).where("address", "=", to).execute();
  if (sent.some(({ id }) => id === messageId)) return;
  refuseAt(LIMITS.transcriptsPerDay, sent, DAY_MS);
  if (mark === MARKS.ask) {
    refuseAt(LIMITS.transcriptAsksPerHour, await since(HOUR_MS).execute(), HOUR_MS);
  }

  function refuseAt(most: number, mails: readonly { created_at_ms: number }[], windowMs: number): void {
    const oldest = mails[0];
    if (oldest === undefined || mails.length < most) return;
    throw new ProblemError("rate_limited", "So many conversations were sent by mail just now.", {
      retryAfterMs: oldest.created_at_ms + windowMs - nowMs,
    });
  }
}

const digestOf = (address: string): string =>
  `.${createHash("sha256").update(address).digest("hex").slice(0, 16)}`;

/** `ada@example.com` → `a…@example.com`: whoever looks over a shoulder learns little. */
const recognised = (address: string): string => address.replace(/^(.)[^@]*@/u, "$1…@");
