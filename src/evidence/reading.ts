/** Reads the audit log of the scope's tenant: in order for whoever checks it, filtered for people. */
import { sql } from "kysely";
import type { Tx } from "../store/store.ts";
import type { AuditRow } from "./chain.ts";

/** What of the log an export holds; without any, all of it. */
export interface AuditPart {
  readonly fromMs?: number | null;
  /** Not included. */
  readonly toMs?: number | null;
  readonly customerId?: string | null;
  /** Entries about its refunds and returns, and about their reviews. */
  readonly orderNumber?: string | null;
}

export interface AuditFilter {
  /** The whole kind, or its beginning when it ends in a full stop. */
  readonly kind: string | null;
  readonly subject: string | null;
  /** Who did it, where the entry says so. */
  readonly by: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly beforeN: number | null;
  readonly limit: number;
}

/** An entry with the customer that it concerns, which the chain does not cover. `*`: none. */
export type AuditRowOf = AuditRow & { readonly customer_id: string };

const entries = (tx: Tx) =>
  tx
    .selectFrom("audit")
    .select(["n", "at_ms", "kind", "subject", "customer_id", "body", "prev_hash", "hash"])
    .select(
      sql<NonNullable<AuditRow["texts"]> | null>`(
        select jsonb_object_agg(t.name, jsonb_build_object('salt', t.salt, 'text', t.text))
          from audit_texts t where t.tenant_id = audit.tenant_id and t.n = audit.n)`.as("texts"),
    )
    .where("tenant_id", "=", tx.scope.tenantId);

/** Entries after number `afterN`, in order, as they are exported. */
export async function auditAfter(
  tx: Tx,
  afterN: number,
  limit: number,
  part: AuditPart = {},
): Promise<readonly AuditRowOf[]> {
  const { fromMs = null, toMs = null, customerId = null, orderNumber = null } = part;
  const rows = await entries(tx)
    .where("n", ">", afterN)
    .$if(fromMs !== null, (query) => query.where("at_ms", ">=", fromMs ?? 0))
    .$if(toMs !== null, (query) => query.where("at_ms", "<", toMs ?? 0))
    .$if(customerId !== null, (query) => query.where("customer_id", "=", customerId ?? ""))
    .$if(orderNumber !== null, (query) =>
      query.where(
        sql<boolean>`subject in (
          select id from actions where tenant_id = ${tx.scope.tenantId} and order_number = ${orderNumber}
          union all
          select id from reviews where tenant_id = ${tx.scope.tenantId} and order_number = ${orderNumber})`,
      ),
    )
    .orderBy("n")
    .limit(limit)
    .execute();
  return rows.map(withoutEmptyTexts);
}

/** Entries that fit, the latest first. */
export async function auditMatching(tx: Tx, filter: AuditFilter): Promise<readonly AuditRowOf[]> {
  const { kind, subject, by, fromMs, toMs, beforeN } = filter;
  const rows = await entries(tx)
    .$if(kind !== null, (query) =>
      kind?.endsWith(".") === true
        ? query.where(sql<boolean>`starts_with(kind, ${kind})`)
        : query.where("kind", "=", kind ?? ""),
    )
    .$if(subject !== null, (query) => query.where("subject", "=", subject ?? ""))
    .$if(by !== null, (query) => query.where(sql<boolean>`body ->> 'by' = ${by}`))
    .$if(fromMs !== null, (query) => query.where("at_ms", ">=", fromMs ?? 0))
    .$if(toMs !== null, (query) => query.where("at_ms", "<", toMs ?? 0))
    .$if(beforeN !== null, (query) => query.where("n", "<", beforeN ?? 0))
    .orderBy("n", "desc")
    .limit(filter.limit)
    .execute();
  return rows.map(withoutEmptyTexts);
}

/** Most entries have no texts: their line does not speak of them. */
function withoutEmptyTexts({ texts, ...row }: AuditRowOf): AuditRowOf {
  return texts === null || texts === undefined ? row : { ...row, texts };
}
