/** A customer's copy of what is stored of them (GDPR, article 15), as one value; pictures are inside, as base64. */
import { sql } from "kysely";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { CustomerId } from "../kernel/ids.ts";
import { formatDecimal } from "../kernel/money.ts";
import type { Clock } from "../kernel/ports.ts";
import type { TenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";

/** Member names are those of the file that the customer gets. */
export interface AccessExport {
  readonly customer_id: string;
  readonly made_at: string;
  readonly known_since: string;
  readonly conversations: readonly Readonly<Record<string, unknown>>[];
  readonly refunds_and_returns: readonly Readonly<Record<string, unknown>>[];
  readonly mails_received: readonly Readonly<Record<string, unknown>>[];
  readonly mails_sent: readonly Readonly<Record<string, unknown>>[];
  /** What was decided about them, by whom, when. */
  readonly decisions: readonly Readonly<Record<string, unknown>>[];
}

export interface Access {
  /** @throws ProblemError `not_found` when nothing is known of such a customer */
  export(scope: TenantScope, customerId: string): Promise<AccessExport>;
}

export function createAccess({ store, clock }: { readonly store: Store; readonly clock: Clock }): Access {
  return {
    export: (scope, customerId) =>
      store.transact(scope, async (tx) => {
        const id = customerId as CustomerId;
        const known = await tx
          .selectFrom("customers")
          .select("created_at_ms")
          .where("tenant_id", "=", scope.tenantId)
          .where("customer_id", "=", id)
          .executeTakeFirst();
        if (known === undefined) {
          throw new ProblemError("not_found", "Nothing is known of a customer with this ID.");
        }
        const conversations = await conversationsOf(tx, id);
        const ids = conversations.map(({ id: each }) => each);
        const whole: Readonly<Record<string, unknown>>[] = [];
        for (const conversation of conversations) whole.push(await wholeConversation(tx, conversation));
        return {
          customer_id: customerId,
          made_at: isoInstant(clock.now()),
          known_since: isoInstant(known.created_at_ms),
          conversations: whole,
          refunds_and_returns: await actionsOf(tx, id),
          mails_received: await mailsReceived(tx, ids),
          mails_sent: await mailsSent(tx, ids),
          decisions: await decisionsOf(tx, id),
        };
      }),
  };
}

const conversationsOf = (tx: Tx, customerId: CustomerId) =>
  tx
    .selectFrom("conversations")
    .select(["id", "channel", "status", "language", "assurance", "created_at_ms", "erased_at_ms"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("customer_id", "=", customerId)
    .orderBy("created_at_ms")
    .orderBy("id")
    .execute();

async function wholeConversation(tx: Tx, row: Awaited<ReturnType<typeof conversationsOf>>[number]) {
  const events = await tx
    .selectFrom("events")
    .select(["seq", "at_ms", "type", "author", "payload"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", row.id)
    .orderBy("seq")
    .execute();
  const notes = await tx
    .selectFrom("conversation_notes")
    .select(["at_ms", "text"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", row.id)
    .orderBy("id")
    .execute();
  const pictures = await tx
    .selectFrom("attachments as a")
    .innerJoin("attachment_contents as c", (join) =>
      join.onRef("c.tenant_id", "=", "a.tenant_id").onRef("c.hash", "=", "a.hash"),
    )
    .select(["a.id", "a.created_at_ms", "c.type", sql<string>`encode(c.bytes, 'base64')`.as("base64")])
    .where("a.tenant_id", "=", tx.scope.tenantId)
    .where("a.conversation_id", "=", row.id)
    .orderBy("a.id")
    .execute();
  const ratings = await tx
    .selectFrom("csat")
    .select(["score", "comment", "at_ms"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", row.id)
    .orderBy("at_ms")
    .execute();
  return {
    conversation_id: row.id,
    channel: row.channel,
    status: row.status,
    language: row.language,
    identity: row.assurance,
    begun_at: isoInstant(row.created_at_ms),
    ...(row.erased_at_ms === null ? {} : { erased_at: isoInstant(row.erased_at_ms) }),
    events: events.map(({ at_ms, ...event }) => ({ ...event, at: isoInstant(at_ms) })),
    notes: notes.map(({ at_ms, text }) => ({ text, at: isoInstant(at_ms) })),
    ratings: ratings.map(({ at_ms, ...rating }) => ({ ...rating, at: isoInstant(at_ms) })),
    pictures: pictures.map(({ created_at_ms, ...picture }) => ({
      ...picture,
      at: isoInstant(created_at_ms),
    })),
  };
}

async function actionsOf(tx: Tx, customerId: CustomerId) {
  const rows = await tx
    .selectFrom("actions")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("customer_id", "=", customerId)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    action_id: row.id,
    kind: row.kind,
    state: row.state,
    order_number: row.order_number,
    items: row.items_text,
    amount: formatDecimal({ amountMinor: row.amount_minor, currency: row.currency }),
    currency: row.currency,
    // How it was decided, with the facts: automated decisions are explained (article 15, 1 h).
    decision: row.decision,
    proposed_by: row.proposed_by,
    at: isoInstant(row.created_at_ms),
  }));
}

async function mailsReceived(tx: Tx, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom("mail_received")
    .select(["address", "subject", "full_text", "at_ms"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "in", ids as never)
    .orderBy("at_ms")
    .execute();
  return rows.map(({ at_ms, full_text, ...mail }) => ({ ...mail, text: full_text, at: isoInstant(at_ms) }));
}

async function mailsSent(tx: Tx, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom("mail_outbox")
    .select(["address", "mail", "state", "created_at_ms"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "in", ids as never)
    .orderBy("created_at_ms")
    .execute();
  return rows.map(({ created_at_ms, mail, ...row }) => ({
    ...row,
    subject: mail.subject ?? null,
    text: mail.text ?? null,
    at: isoInstant(created_at_ms),
  }));
}

async function decisionsOf(tx: Tx, customerId: CustomerId) {
  const rows = await tx
    .selectFrom("audit")
    .select(["at_ms", "kind", "subject"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("customer_id", "=", customerId)
    .orderBy("n")
    .execute();
  return rows.map(({ at_ms, ...entry }) => ({ ...entry, at: isoInstant(at_ms) }));
}
