/**
 * A mail comes in: whose it is, whether a person wrote it, and which conversation it goes on with. It is kept before
 * the delivering server hears that we have it, whatever it is; the same mail delivered again changes nothing.
 *
 * A conversation is only ever gone on with from its participant's address. That address is a claim: it opens nothing
 * of a customer's until the mailbox is confirmed (`identity-links.ts`), and answers go to it and to nobody else.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Attachments } from "../../conversations/attachments/attachments.ts";
import type { Conversations } from "../../conversations/conversations.ts";
import { type OpeningParts, openConversation } from "../../conversations/opening.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { ConversationId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { type CustomerScope, customerScope, tenantScope } from "../../kernel/scope.ts";
import { redacted } from "../../safety/masking.ts";
import type { MailTables } from "../../store/mail-tables.ts";
import type { Store, Tx } from "../../store/store.ts";
import {
  isPlainAddress,
  type MailTenant,
  normalAddress,
  REPLY_REF_BYTES,
  recipientOf,
  strangerAt,
} from "./addresses.ts";
import { dmarcOf } from "./authentic.ts";
import { originOf } from "./automatic.ts";
import type { Envelope, MailAttachment, ReceivedMail } from "./mail.ts";
import type { Parsed } from "./parsing.ts";
import { letters } from "./signing.ts";
import { suppress } from "./suppressions.ts";

export interface ReceivingParts extends OpeningParts {
  readonly store: Store;
  readonly conversations: Pick<Conversations, "accept">;
  readonly attachments: Pick<Attachments, "add">;
  readonly tenants: readonly MailTenant[];
  readonly secret: string;
  /** The `authserv-id` whose verdicts count; null: nobody's do. */
  readonly trustedServer: string | null;
  readonly parse: (bytes: Uint8Array) => Promise<Parsed>;
}

export interface Receipt {
  readonly verdict: MailTables["mail_received"]["verdict"];
  readonly conversationId: ConversationId | null;
}

/**
 * Whom the mail is for decides the tenant: one receipt each. Of one that is too large, or `isCut` already, the head is kept.
 */
export type Receive = (
  envelope: Envelope,
  bytes: Uint8Array,
  how?: { readonly isCut: boolean },
) => Promise<readonly Receipt[]>;

/** Why a mail was accepted: it is the first of its conversation, so that its subject is a part of it. */
const BEGINS = "it begins";

interface Destination {
  readonly tenant: MailTenant;
  readonly replyRef: string | null;
}

/** The function throws only what is worth another delivery. */
export function createReceiving(parts: ReceivingParts): Receive {
  const { store, clock, secret, tenants } = parts;
  const own = tenants.map(({ address }) => address);

  const receive = async (
    { tenant, replyRef }: Destination,
    envelope: Envelope,
    bytes: Uint8Array,
    read: Parsed,
    isTooLarge: boolean,
  ): Promise<Receipt> => {
    const mail = "mail" in read ? byItsWriter(read.mail, tenant) : null;
    const parsed = mail === null ? read : { mail };
    const digest = createHash("sha256")
      .update(mail === null || mail.messageId === "" ? bytes : identityOf(mail, replyRef))
      .digest("hex");
    const id = `mail-${digest.slice(0, 40)}`;
    const kept = await store.transact(tenantScope(tenant.id), async (tx) => {
      const before = await tx
        .selectFrom("mail_received")
        .select(["verdict", "why", "conversation_id as conversationId"])
        .where("tenant_id", "=", tenant.id)
        .where("id", "=", id)
        .executeTakeFirst();
      if (before !== undefined) return before;
      const receipt = await judge(tx, { tenant, replyRef }, envelope, parsed, isTooLarge);
      await tx
        .insertInto("mail_received")
        .values({
          tenant_id: tenant.id,
          id,
          conversation_id: receipt.conversationId,
          verdict: receipt.verdict,
          why: receipt.why,
          address: mail?.from ?? normalAddress(envelope.from),
          subject: redacted(mail?.subject ?? ""),
          message_id: mail?.messageId ?? "",
          refs: JSON.stringify(mail?.references ?? []),
          full_text: redacted(mail?.fullText ?? ""),
          attachments: JSON.stringify(mail?.attachments.map(({ content: _, ...noted }) => noted) ?? []),
          bytes: bytes.byteLength,
          at_ms: clock.now(),
        })
        .execute();
      return receipt;
    });
    if (kept.verdict === "accepted" && kept.conversationId !== null && mail !== null) {
      const text = messageOf(mail, kept.why === BEGINS);
      await accept(tenant, kept.conversationId, { clientMessageId: id, text }, mail.attachments);
    }
    return { verdict: kept.verdict, conversationId: kept.conversationId };
  };

  /** Opens or finds the conversation, when there is to be one. */
  const judge = async (
    tx: Tx,
    { tenant, replyRef }: Destination,
    envelope: Envelope,
    parsed: Parsed,
    isTooLarge: boolean,
  ): Promise<Receipt & { readonly why: string }> => {
    const nothing = { conversationId: null };
    if (!("mail" in parsed))
      return { ...nothing, verdict: "unreadable", why: parsed.unreadable.slice(0, 200) };
    if (isTooLarge) return { ...nothing, verdict: "too_large", why: `more than ${LIMITS.mailBytes} bytes` };
    const { mail } = parsed;
    const origin = originOf(mail, envelope, own);
    if (origin.kind !== "person") {
      const thread = await threadOf(tx, mail, replyRef);
      if (origin.kind === "bounce" && thread !== null) {
        await markBounced(tx, thread.conversation_id);
        if (mail.isHardFailure) await suppress(tx, thread.address, "bounced", clock.now());
      }
      return { conversationId: thread?.conversation_id ?? null, verdict: origin.kind, why: origin.why };
    }
    if (!isPlainAddress(mail.from)) return { ...nothing, verdict: "unreadable", why: "no single author" };
    if (messageOf(mail, true) === "")
      return { ...nothing, verdict: "unreadable", why: "nothing is written in it" };
    const dmarc = dmarcOf(mail.authenticationResults, parts.trustedServer);
    if (dmarc === "fail") return { ...nothing, verdict: "unauthentic", why: "DMARC failed" };
    if (await hasWrittenTooMuch(tx, mail.from)) {
      return {
        ...nothing,
        verdict: "too_many",
        why: `more than ${LIMITS.mailsPerAddressPerHour} in an hour`,
      };
    }
    const found = await threadOf(tx, mail, replyRef);
    // Somebody else who answers into a thread has a conversation of their own, and sees nothing of this one.
    const thread = found?.address === mail.from ? found : null;
    if (thread !== null) {
      await tx
        .updateTable("mail_threads")
        .set({
          message_ids: JSON.stringify([...thread.message_ids, mail.messageId].slice(-LIMITS.mailReferences)),
        })
        .where("tenant_id", "=", tenant.id)
        .where("conversation_id", "=", thread.conversation_id)
        .execute();
      return { conversationId: thread.conversation_id, verdict: "accepted", why: "it goes on" };
    }
    const scope = customerScope(tenant.id, strangerAt(secret, tenant.id, mail.from));
    // Who filled in a form is what they typed: that the form is the shop's says nothing of them.
    const assurance = dmarc === "pass" && !mail.isForm ? "claimed" : "anonymous";
    const conversationId = await openConversation(tx, parts, scope, { channel: "email", assurance });
    await tx
      .insertInto("mail_threads")
      .values({
        tenant_id: tenant.id,
        conversation_id: conversationId,
        address: mail.from,
        subject: redacted(mail.subject),
        reply_ref: letters(parts.random.bytes(REPLY_REF_BYTES)),
        message_ids: JSON.stringify([mail.messageId]),
        created_at_ms: clock.now(),
      })
      .execute();
    return { conversationId, verdict: "accepted", why: BEGINS };
  };

  /** As whoever the conversation is by now. Delivered again, it is the same message. */
  const accept = async (
    tenant: MailTenant,
    conversationId: ConversationId,
    message: { clientMessageId: string; text: string },
    files: readonly MailAttachment[],
  ): Promise<void> => {
    const { customer_id } = await store.transact(tenantScope(tenant.id), (tx) =>
      tx
        .selectFrom("conversations")
        .select("customer_id")
        .where("tenant_id", "=", tenant.id)
        .where("id", "=", conversationId)
        .executeTakeFirstOrThrow(),
    );
    const scope = customerScope(tenant.id, customer_id);
    const attachments = await picturesOf(scope, conversationId, files);
    await parts.conversations.accept(scope, conversationId, { ...message, attachments }).catch((error) => {
      // It is there already, with the pictures that could be taken then: its ID is made of the mail.
      if (!(error instanceof ProblemError && error.code === "client_message_id_reused")) throw error;
    });
  };

  /** Through the same cleaning as the widget's, and as many; what is no picture in truth is left out. */
  const picturesOf = async (
    scope: CustomerScope,
    conversationId: ConversationId,
    files: readonly MailAttachment[],
  ): Promise<string[]> => {
    const ids = new Set<string>();
    for (const { content } of files) {
      if (content === null || ids.size === LIMITS.attachmentsPerMessage) continue;
      try {
        ids.add((await parts.attachments.add(scope, conversationId, Buffer.from(content))).attachment_id);
      } catch (error) {
        const isRefused =
          error instanceof ProblemError && /^attachments?_(?:invalid|exhausted)$/.test(error.code);
        if (!isRefused) throw error;
      }
    }
    return [...ids];
  };

  const hasWrittenTooMuch = async (tx: Tx, address: string): Promise<boolean> => {
    const { count } = await tx
      .selectFrom("mail_received")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("address", "=", address)
      .where("verdict", "=", "accepted")
      .where("at_ms", ">", clock.now() - 3_600_000)
      .executeTakeFirstOrThrow();
    return count >= LIMITS.mailsPerAddressPerHour;
  };

  return async (envelope, whole, how) => {
    const isTooLarge = how?.isCut === true || whole.byteLength > LIMITS.mailBytes;
    const bytes = isTooLarge ? headOf(whole) : whole;
    const destinations = new Map<string, Destination>();
    for (const written of envelope.to) {
      const recipient = recipientOf(secret, tenants, written);
      if (recipient.kind === "unknown") continue;
      const { tenant, replyRef } = recipient;
      const known = destinations.get(tenant.id);
      // To the plain address and to the one of a thread: it is one mail, and belongs to the thread.
      if (known === undefined || known.replyRef === null) destinations.set(tenant.id, { tenant, replyRef });
    }
    const parsed = await parts.parse(bytes);
    const receipts: Receipt[] = [];
    for (const destination of destinations.values()) {
      receipts.push(await receive(destination, envelope, bytes, parsed, isTooLarge));
    }
    return receipts;
  };
}

/** A form of the shop writes from the shop's address; who filled it in is in `Reply-To`. Nobody else's counts. */
function byItsWriter(mail: ReceivedMail, { formSenders = [] }: MailTenant): ReceivedMail {
  if (!formSenders.includes(mail.from) || !isPlainAddress(mail.replyTo)) return mail;
  const kept = Object.entries(mail.headers).filter(([name]) => !SAID_BY_FORMS.has(name));
  return { ...mail, from: mail.replyTo, isForm: true, headers: Object.fromEntries(kept) };
}

/** A form is a program; a person filled it in. */
const SAID_BY_FORMS = new Set(["auto-submitted", "precedence", "x-auto-response-suppress"]);

/** A mail's header lines, and nothing of its body. */
function headOf(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, LIMITS.mailHeadBytes)).toString("latin1");
  const [head = ""] = start.split(/\r?\n\r?\n/, 1);
  // Its parts are not there: what the head says of them is taken away.
  return Buffer.from(`${head.replace(/^content-type:/im, "x-was-content-type:")}\r\n\r\n`, "latin1");
}

/** Programs give two mails one Message-ID; servers deliver one mail twice. */
const identityOf = (mail: ReceivedMail, replyRef: string | null): string =>
  JSON.stringify([mail.messageId, mail.from, mail.headers.date ?? "", mail.fullText, replyRef]);

/** What was sent last in it has not arrived. */
async function markBounced(tx: Tx, conversationId: ConversationId): Promise<void> {
  await tx
    .updateTable("mail_outbox")
    .set({ state: "bounced" })
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", (eb) =>
      eb
        .selectFrom("mail_outbox as last")
        .select("last.id")
        .where("last.tenant_id", "=", tx.scope.tenantId)
        .where("last.conversation_id", "=", conversationId)
        .where("last.state", "in", ["sent", "unknown"])
        .orderBy("last.seq_to", "desc")
        .limit(1),
    )
    .execute();
}

/**
 * The thread that a mail answers: by the address it came to, else by a mail of ours that it refers to, else by one of
 * the same writer that it shares a reference with (a colleague may have answered from their own program).
 */
async function threadOf(tx: Tx, mail: ReceivedMail, replyRef: string | null) {
  const threads = tx
    .selectFrom("mail_threads")
    .select(["conversation_id", "address", "message_ids"])
    .where("tenant_id", "=", tx.scope.tenantId);
  if (replyRef !== null) {
    const thread = await threads.where("reply_ref", "=", replyRef).executeTakeFirst();
    if (thread !== undefined) return thread;
  }
  if (mail.references.length === 0) return null;
  const sent = await tx
    .selectFrom("mail_outbox")
    .select("conversation_id")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where((eb) => eb.or([eb("id", "in", mail.references), eb("sent_as", "in", mail.references)]))
    .limit(1)
    .executeTakeFirst();
  const related =
    sent ??
    (await tx
      .selectFrom("mail_received")
      .select("conversation_id")
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("address", "=", mail.from)
      .where("verdict", "=", "accepted")
      .where((eb) =>
        eb.or([
          eb("message_id", "in", mail.references),
          sql<boolean>`refs ?| ${sql.val([...mail.references])}::text[]`,
        ]),
      )
      .orderBy("at_ms", "desc")
      .limit(1)
      .executeTakeFirst());
  const conversationId = related?.conversation_id ?? null;
  if (conversationId === null) return null;
  return (await threads.where("conversation_id", "=", conversationId).executeTakeFirst()) ?? null;
}

const FEW_WORDS = 4;

/** What the agent reads. A new conversation's subject is part of it where it says more: which order, or all there is. */
function messageOf(mail: ReceivedMail, begins: boolean): string {
  const subject = begins
    ? mail.subject.replace(/^(?:(?:re|fwd?|aw|wg|sv|rv|tr|r|i|enc|res)\s*:\s*)+/i, "")
    : "";
  const isShort = mail.text.split(/\s+/).filter((word) => word !== "").length < FEW_WORDS;
  const names = (subject.match(/\d+/g) ?? []).some((number) => !mail.text.includes(number));
  const parts = isShort || names ? [subject, mail.text] : [mail.text];
  return parts.join("\n\n").trim().slice(0, LIMITS.messageChars);
}
