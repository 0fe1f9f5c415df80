/**
 * Room `privacy`: what customers may ask of their data: a copy of it, and that it goes. May import `kernel`, `store`,
 * `evidence`, `conversations` and `actions`.
 * Promises: after an erasure no words of the customer are in the database; what money moved stays, with who decided and
 * by which clause; every link of the audit log holds; a token from before opens nothing; a restored backup can be erased
 * again from the list of erasures.
 *
 * This file: takes the words away, in one transaction of the role that may do nothing else. Done twice, it changes nothing
 * more, so that it is simply done again while something of the customer is still open.
 */
import { hash } from "node:crypto";
import { sql } from "kysely";
import type { CustomerId, TenantId } from "../kernel/ids.ts";
import type { TenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";

/** How many rows an erasure took away or emptied, by what they were. */
export type ErasedCounts = Readonly<Record<(typeof KINDS)[number], number>>;

const KINDS = [
  "events",
  "steps",
  "runs",
  "reviews",
  "decisions",
  "notes",
  "tags",
  "drafts",
  "pictures",
  "mails_received",
  "mails_sent",
  "mail_threads",
  "mail_links",
  "ratings",
  "audit_texts",
] as const;

const GONE = "[erased]";

/** Who somebody was, for the list of erasures: not the ID, but enough to find it in a restored backup. */
export const customerHash = (tenantId: TenantId, customerId: string): string =>
  hash("sha256", `recourse-erasure\n${tenantId}\n${customerId}`, "hex");

export async function takeAway(
  store: Store,
  scope: TenantScope,
  customerId: CustomerId,
  nowMs: number,
): Promise<ErasedCounts> {
  return store.erase(scope, async (tx) => {
    const { tenantId } = scope;
    const own = sql`tenant_id = ${tenantId} and customer_id = ${customerId}`;
    const theirs = sql`(select id from conversations where ${own})`;
    const ofTheirs = sql`tenant_id = ${tenantId} and conversation_id in ${theirs}`;
    const addresses = await addressesOf(tx, tenantId, customerId);
    const ofAddress = sql`tenant_id = ${tenantId} and address = any(${addresses})`;
    await change(
      tx,
      sql`update conversations set erased_at_ms = ${nowMs} where ${own} and erased_at_ms is null`,
    );
    await forgetRejectionNotes(tx, tenantId, customerId);
    return {
      events: await change(
        tx,
        sql`update events set
              payload = case type
                when 'message' then ${JSON.stringify({ text: GONE, erased: true })}::jsonb
                when 'action' then (payload - 'items') || ${JSON.stringify({ text: GONE })}::jsonb
                else payload end,
              -- by this our own messages are not told twice; it says nothing
              internal = case when internal ? 'actionId'
                then jsonb_build_object('actionId', internal -> 'actionId', 'actionState', internal -> 'actionState') end,
              client_message_id = null
            where ${own} and (type <> 'message' or payload ->> 'text' is distinct from ${GONE} or client_message_id is not null)
              and type in ('message', 'action')`,
      ),
      steps: await change(
        tx,
        sql`update steps set
              proposal = jsonb_build_object('type', 'erased', 'tool', proposal -> 'tool'),
              outcome = jsonb_build_object('type', 'erased', 'kind', outcome -> 'kind', 'code', outcome -> 'code')
            where ${own} and proposal ->> 'type' is distinct from 'erased'`,
      ),
      runs: await change(tx, sql`update runs set outcome = null where ${own} and outcome is not null`),
      reviews: await change(
        tx,
        sql`update reviews set
              packet = ${JSON.stringify(EMPTY_PACKET)}::jsonb
                || jsonb_build_object('order_number', packet -> 'order_number', 'amount', packet -> 'amount',
                     'clauses', coalesce(packet -> 'clauses', '[]'::jsonb), 'facts', packet -> 'facts'),
              decision = case when decision ? 'note' then jsonb_set(decision, '{note}', 'null') else decision end,
              first_approval = case when first_approval ? 'note' then jsonb_set(first_approval, '{note}', 'null') else first_approval end,
              asked = null
            where ${own} and packet ->> 'issue' is distinct from ${GONE}`,
      ),
      decisions: await change(
        tx,
        sql`update review_decisions set note = null
              where tenant_id = ${tenantId} and note is not null and review_id in (select id from reviews where ${own})`,
      ),
      notes: await change(tx, sql`delete from conversation_notes where ${ofTheirs}`),
      tags: await change(tx, sql`delete from conversation_tags where ${ofTheirs}`),
      drafts: await change(tx, sql`delete from drafts where ${ofTheirs}`),
      pictures: await deletePictures(tx, tenantId, customerId),
      mails_received: await change(
        tx,
        sql`delete from mail_received where (${ofTheirs}) or (${ofAddress} and conversation_id is null)`,
      ),
      mails_sent: await change(tx, sql`delete from mail_outbox where ${ofTheirs}`),
      mail_threads: await change(tx, sql`delete from mail_threads where ${ofTheirs}`),
      mail_links:
        (await change(tx, sql`delete from identity_links where (${ofTheirs}) or (${ofAddress})`)) +
        (await change(tx, sql`delete from mail_suppressions where ${ofAddress}`)),
      ratings: await change(tx, sql`update csat set comment = null where ${own} and comment is not null`),
      audit_texts: await change(tx, sql`delete from audit_texts where ${own}`),
    };
  });
}

const EMPTY_PACKET = {
  customer: GONE,
  issue: GONE,
  tried: [],
  recommended: "",
  clauses: [],
  facts: null,
  amount: null,
  order_number: null,
  transcript: [],
} as const;

async function change(tx: Tx, statement: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await statement.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Where they wrote from: threads and mails of their conversations. */
async function addressesOf(tx: Tx, tenantId: TenantId, customerId: CustomerId): Promise<readonly string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from mail_threads where tenant_id = ${tenantId} and conversation_id in
      (select id from conversations where tenant_id = ${tenantId} and customer_id = ${customerId})
    union
    select address from mail_received where tenant_id = ${tenantId} and conversation_id in
      (select id from conversations where tenant_id = ${tenantId} and customer_id = ${customerId})`.execute(
    tx,
  );
  return rows.map(({ address }) => address);
}

/** A picture that another customer sent too stays theirs. */
async function deletePictures(tx: Tx, tenantId: TenantId, customerId: CustomerId): Promise<number> {
  const rows = await tx
    .deleteFrom("attachments")
    .where("tenant_id", "=", tenantId)
    .where("customer_id", "=", customerId)
    .returning("hash")
    .execute();
  if (rows.length > 0) {
    await sql`delete from attachment_contents c where c.tenant_id = ${tenantId} and c.hash = any(${rows.map(({ hash: each }) => each)})
      and not exists (select 1 from attachments a where a.tenant_id = c.tenant_id and a.hash = c.hash)`.execute(
      tx,
    );
  }
  return rows.length;
}

/** The reason that a person gave a customer for a refusal is kept with the action too. */
async function forgetRejectionNotes(tx: Tx, tenantId: TenantId, customerId: CustomerId): Promise<void> {
  await sql`update actions set evidence = evidence #- '{detail,note}'
    where tenant_id = ${tenantId} and customer_id = ${customerId} and evidence #> '{detail,note}' is not null`.execute(
    tx,
  );
}
