/**
 * What customers of email are told goes out from here. The event log says what was said; a cursor a conversation says
 * how much of it has become mail. A mail is rendered once, stored with its Message-ID, and sent until the server has
 * taken it. One that the server had whole before it broke off is not sent again by itself; one whose sender died is,
 * recognisably the same.
 */

import type { Citation } from "../../agents/agent.ts";
import type { Hub } from "../../conversations/hub.ts";
import { appendAudit } from "../../evidence/audit.ts";
import type { ConversationId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import { tenantScope } from "../../kernel/scope.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { MailTenant } from "./addresses.ts";
import { newLink } from "./identity-links.ts";
import { type RenderedMail, renderMail } from "./rendering.ts";
import { isSuppressed, suppress } from "./suppressions.ts";

/**
 * Hands a mail to a server; answers with the Message-ID that it gave it instead of ours, or null. Rejects with a {@link MailRefused} when the server will never take it, and with a
 * {@link MailUncertain} when it broke off after it had all of it.
 */
export type SendMail = (mail: RenderedMail) => Promise<string | null>;

export class MailRefused extends Error {
  override readonly name = "MailRefused";
  /** The address itself is what was refused. */
  readonly isAddress: boolean;
  constructor(message: string, isAddress: boolean) {
    super(message);
    this.isAddress = isAddress;
  }
}

export class MailUncertain extends Error {
  override readonly name = "MailUncertain";
}

export interface MailerParts {
  readonly store: Store;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly tenants: readonly MailTenant[];
  readonly secret: string;
  readonly send: SendMail;
  /** The page that a one-time link opens. */
  readonly confirmUrl: (token: string) => string;
  readonly onError: (error: unknown, about: string) => void;
}

export interface Mailer {
  /** Makes mail of what was said and sends what is due, once; answers with how many were sent. */
  sweep(): Promise<number>;
  start(): void;
  /** Waits for what is being sent. */
  stop(): Promise<void>;
}

export function createMailer(parts: MailerParts): Mailer {
  const { store, hub, clock, tenants, onError } = parts;

  /** Makes one mail of what was said in a conversation since the last one; false when there was nothing to look at. */
  const collect = (tenant: MailTenant, conversationId: ConversationId): Promise<boolean> =>
    store.transact(tenantScope(tenant.id), async (tx) => {
      const thread = await tx
        .selectFrom("mail_threads as t")
        .innerJoin("conversations as c", (join) =>
          join.onRef("c.tenant_id", "=", "t.tenant_id").onRef("c.id", "=", "t.conversation_id"),
        )
        .select(["t.address", "t.subject", "t.reply_ref", "t.message_ids", "t.mailed_seq", "c.language"])
        .where("t.tenant_id", "=", tenant.id)
        .where("t.conversation_id", "=", conversationId)
        .forUpdate("t")
        .executeTakeFirst();
      if (thread === undefined) return false;
      const events = await tx
        .selectFrom("events")
        .select(["seq", "type", "author", "payload"])
        .where("tenant_id", "=", tenant.id)
        .where("conversation_id", "=", conversationId)
        .where("seq", ">", thread.mailed_seq)
        .orderBy("seq")
        .limit(LIMITS.eventsPerPage)
        .execute();
      const last = events.at(-1)?.seq;
      if (last === undefined) return false;
      await tx
        .updateTable("mail_threads")
        .set({ mailed_seq: last })
        .where("tenant_id", "=", tenant.id)
        .where("conversation_id", "=", conversationId)
        .execute();
      const said = events.filter(
        ({ type, author }) => type === "message" && (author === "agent" || author === "operator"),
      );
      const seq = said.at(-1)?.seq;
      if (seq === undefined) return true;
      const nowMs = clock.now();
      const { address } = thread;
      const asksWho = said.some(({ payload }) => payload.identity_needed === true);
      const mail = renderMail({
        secret: parts.secret,
        tenant,
        conversationId,
        seq,
        language: thread.language,
        thread: {
          address,
          subject: thread.subject,
          replyRef: thread.reply_ref,
          messageIds: thread.message_ids,
        },
        messages: said.map(({ author, payload }) => ({
          author: author === "operator" ? "operator" : "agent",
          text: String(payload.text ?? ""),
          citations: (payload.citations ?? []) as readonly Citation[],
        })),
        confirmUrl: asksWho
          ? parts.confirmUrl(await newLink(tx, parts, { conversationId, address }, nowMs))
          : null,
      });
      await tx
        .insertInto("mail_outbox")
        .values({
          tenant_id: tenant.id,
          id: mail.messageId,
          conversation_id: conversationId,
          seq_to: seq,
          address,
          mail: JSON.stringify(mail),
          state: (await isSuppressed(tx, address)) ? "suppressed" : "queued",
          next_at_ms: nowMs,
          lease_until_ms: null,
          last_error: null,
          created_at_ms: nowMs,
          sent_at_ms: null,
        })
        .execute();
      return true;
    });

  /** One mail that is due, taken by this process alone; null when there is none. */
  const take = (tenantId: TenantId) =>
    store.transact(tenantScope(tenantId), async (tx) => {
      const nowMs = clock.now();
      const due = await tx
        .selectFrom("mail_outbox")
        .select("id")
        .where("tenant_id", "=", tenantId)
        .where("state", "=", "queued")
        .where("next_at_ms", "<=", nowMs)
        .where((eb) => eb.or([eb("lease_until_ms", "is", null), eb("lease_until_ms", "<=", nowMs)]))
        .orderBy("next_at_ms")
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (due === undefined) return null;
      const row = await tx
        .updateTable("mail_outbox")
        .set((eb) => ({ lease_until_ms: nowMs + LIMITS.mailLeaseMs, attempts: eb("attempts", "+", 1) }))
        .where("tenant_id", "=", tenantId)
        .where("id", "=", due.id)
        .returning(["id", "mail", "attempts", "created_at_ms", "address", "conversation_id"])
        .executeTakeFirstOrThrow();
      return { ...row, mail: row.mail as RenderedMail };
    });

  const sendOne = async (tenantId: TenantId): Promise<boolean> => {
    const taken = await take(tenantId);
    if (taken === null) return false;
    const settle = (
      set: {
        state?: "sent" | "unknown" | "failed";
        sent_at_ms?: number;
        next_at_ms?: number;
        last_error?: string;
        sent_as?: string | null;
      },
      also?: (tx: Tx) => Promise<void>,
    ) =>
      store.transact(tenantScope(tenantId), async (tx) => {
        await tx
          .updateTable("mail_outbox")
          .set({ ...set, lease_until_ms: null })
          .where("tenant_id", "=", tenantId)
          .where("id", "=", taken.id)
          // Another process took it up after this one's lease, and is done.
          .where("state", "=", "queued")
          .execute();
        await also?.(tx);
      });
    let sent_as: string | null;
    try {
      sent_as = await parts.send(taken.mail);
    } catch (error) {
      const nowMs = clock.now();
      const last_error = (error as Error).message.slice(0, 500);
      const isRefused = error instanceof MailRefused;
      const isUncertain = error instanceof MailUncertain;
      if (!isRefused && !isUncertain && nowMs - taken.created_at_ms < LIMITS.mailGiveUpMs) {
        const pauseMs = Math.min(LIMITS.mailRetryBaseMs * 2 ** (taken.attempts - 1), 3_600_000);
        await settle({ next_at_ms: nowMs + pauseMs, last_error });
        return true;
      }
      onError(error, `mail ${taken.id}`);
      // It may have arrived: a second copy is worse than a person who looks.
      await settle({ state: isUncertain ? "unknown" : "failed", last_error }, async (tx) => {
        if (isRefused && error.isAddress) await suppress(tx, taken.address, "refused", nowMs);
        await appendAudit(tx, nowMs, [
          {
            kind: isUncertain ? "mail.unknown" : "mail.failed",
            subject: taken.conversation_id,
            customerId: "*",
            body: { mail: taken.id },
          },
        ]);
      });
      return true;
    }
    await settle({ state: "sent", sent_at_ms: clock.now(), sent_as });
    return true;
  };

  const behind = (tenantId: TenantId) =>
    store.transact(tenantScope(tenantId), (tx) =>
      tx
        .selectFrom("mail_threads as t")
        .innerJoin("conversations as c", (join) =>
          join.onRef("c.tenant_id", "=", "t.tenant_id").onRef("c.id", "=", "t.conversation_id"),
        )
        .select("t.conversation_id")
        .where("t.tenant_id", "=", tenantId)
        .whereRef("t.mailed_seq", "<", (eb) => eb("c.next_seq", "-", 1))
        .limit(LIMITS.mailsPerTurn)
        .execute(),
    );

  /** A few of a tenant's mails: whoever has thousands to send keeps nobody else's waiting. */
  const turnOf = async (tenant: MailTenant): Promise<{ sent: number; hasMore: boolean }> => {
    const waiting = await behind(tenant.id);
    let collected = 0;
    for (const { conversation_id } of waiting) if (await collect(tenant, conversation_id)) collected += 1;
    let sent = 0;
    while (sent < LIMITS.mailsPerTurn && (await sendOne(tenant.id))) sent += 1;
    return { sent, hasMore: collected === LIMITS.mailsPerTurn || sent === LIMITS.mailsPerTurn };
  };
  /** Told to end in the middle of thousands: what is left is for the next one who starts. */
  let isEnding = false;
  const sweep = async (): Promise<number> => {
    let sent = 0;
    for (let turn: readonly MailTenant[] = tenants; turn.length > 0; ) {
      const again: MailTenant[] = [];
      for (const tenant of turn) {
        const done = await turnOf(tenant);
        sent += done.sent;
        if (done.hasMore && !isEnding) again.push(tenant);
      }
      turn = again;
    }
    return sent;
  };

  let stopped = true;
  let working: Promise<unknown> = Promise.resolve();
  let isWoken = false;
  let cancel = () => {};
  let unsubscribe = () => {};
  /** One sweep at a time; what is heard of meanwhile is one more. */
  const wake = (): void => {
    if (isWoken || stopped) return;
    isWoken = true;
    working = working
      .then(() => {
        isWoken = false;
        return stopped ? 0 : sweep();
      })
      .catch((error: unknown) => onError(error, "mail"));
  };
  const tick = (): void => {
    cancel = clock.after(LIMITS.mailSweepMs, () => {
      wake();
      tick();
    });
  };
  return {
    sweep,
    start() {
      stopped = false;
      // A chat has nothing to mail, and is not to wait for a look.
      unsubscribe = hub.subscribeAll((_tenantId, _conversationId, channel) => {
        if (channel === "email") wake();
      });
      wake();
      tick();
    },
    async stop() {
      stopped = true;
      isEnding = true;
      unsubscribe();
      cancel();
      await working;
    },
  };
}
