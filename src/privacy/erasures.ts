/**
 * Erasures: asked for by an admin, carried out at once, and again while something of the customer is still open, until
 * nothing is. What waits is found by the hash of the ID, which is also how a restored backup is erased again.
 */
import { sql } from "kysely";
import { SETTLED } from "../actions/lifecycle.ts";
import { releasePeople } from "../actions/reviews/ended-conversations.ts";
import type { ReviewSettings } from "../actions/reviews/settings.ts";
import { end } from "../conversations/ending.ts";
import { lockConversation } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import { appendAudit } from "../evidence/audit.ts";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import { type CustomerId, newId, type TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { type TenantScope, tenantScope } from "../kernel/scope.ts";
import type { Store, Tx } from "../store/store.ts";
import { customerHash, type ErasedCounts, takeAway } from "./erasing.ts";

export interface Erasure {
  readonly erasure_id: string;
  readonly customer_hash: string;
  readonly asked_by: string;
  readonly asked_at: string;
  /** Null: a refund or a run of theirs is still open; it is erased again until none is. */
  readonly erased_at: string | null;
  readonly report: ErasureReport | null;
}

export interface ErasureReport {
  readonly erased: ErasedCounts;
  /** What the law wants kept, without words: refunds and returns, and entries of the audit log. */
  readonly kept: { readonly actions: number; readonly audit_entries: number };
  /** Entries from before words stood beside the chain: they have them for good. */
  readonly audit_entries_with_words: number;
  /** Every other place that may hold something, and what is to be done there. */
  readonly elsewhere: readonly { readonly place: string; readonly what: string }[];
}

export interface Erasures {
  /** @throws ProblemError `not_found` when nothing is known of such a customer */
  erase(scope: TenantScope, customerId: string, by: string): Promise<Erasure>;
  list(scope: TenantScope): Promise<readonly Erasure[]>;
  /** After a restore: erases again whom the list names. Answers with the erasures that this made. */
  again(scope: TenantScope, customerHashes: readonly string[], by: string): Promise<readonly Erasure[]>;
  /** Carries out what waits, in all tenants. */
  sweep(): Promise<void>;
}

/** Told of after each erasure, with the tenant. */
export const ERASURES_CHANNEL = "recourse_erasures";

export function createErasures(parts: {
  readonly store: Store;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly tenants: readonly TenantId[];
  readonly settingsOf: (tenantId: TenantId) => ReviewSettings;
}): Erasures {
  const { store, clock } = parts;

  const carryOut = async (scope: TenantScope, customerId: CustomerId, id: string): Promise<Erasure> => {
    await endConversations(parts, scope, customerId);
    const erased = await takeAway(store, scope, customerId, clock.now());
    return store.transact(scope, async (tx) => {
      const nowMs = clock.now();
      const isOpen = await hasOpen(tx, customerId);
      const report: ErasureReport = { erased, ...(await leftOf(tx, customerId)), elsewhere: ELSEWHERE };
      const row = await tx
        .updateTable("erasures")
        .set({ erased_at_ms: isOpen ? null : nowMs, report: JSON.stringify(report) })
        .where("tenant_id", "=", scope.tenantId)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (!isOpen) {
        await appendAudit(tx, nowMs, [
          {
            kind: "customer.erased",
            subject: id,
            customerId: "*",
            body: { by: row.asked_by, customer_hash: row.customer_hash, erased },
          },
        ]);
      }
      await sql`select pg_notify(${ERASURES_CHANNEL}, ${scope.tenantId})`.execute(tx);
      return viewOf(row);
    });
  };

  const ask = (tx: Tx, hash: string, by: string): Promise<string> => {
    const nowMs = clock.now();
    return tx
      .insertInto("erasures")
      .values({
        tenant_id: tx.scope.tenantId,
        id: newId("ers", clock, parts.random),
        customer_hash: hash,
        asked_by: by,
        asked_at_ms: nowMs,
        erased_at_ms: null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(["tenant_id", "customer_hash"])
          .doUpdateSet({ asked_by: by, asked_at_ms: nowMs, erased_at_ms: null }),
      )
      .returning("id")
      .executeTakeFirstOrThrow()
      .then(({ id }) => id);
  };

  const sweepTenant = async (scope: TenantScope): Promise<readonly Erasure[]> => {
    const open = await store.transact(scope, async (tx) => {
      const waiting = await tx
        .selectFrom("erasures")
        .select(["id", "customer_hash"])
        .where("tenant_id", "=", scope.tenantId)
        .where("erased_at_ms", "is", null)
        .orderBy("asked_at_ms")
        .limit(LIMITS.erasuresPerSweep)
        .execute();
      if (waiting.length === 0) return [];
      const known = await tx
        .selectFrom("customers")
        .select("customer_id")
        .where("tenant_id", "=", scope.tenantId)
        .execute();
      const byHash = new Map(
        known.map(({ customer_id }) => [customerHash(scope.tenantId, customer_id), customer_id]),
      );
      return waiting.flatMap(({ id, customer_hash }) => {
        const customerId = byHash.get(customer_hash);
        return customerId === undefined ? [] : [{ id, customerId }];
      });
    });
    const done: Erasure[] = [];
    for (const { id, customerId } of open) done.push(await carryOut(scope, customerId, id));
    return done;
  };

  return {
    async erase(scope, customerId, by) {
      const id = await store.transact(scope, async (tx) => {
        const known = await tx
          .selectFrom("customers")
          .select("customer_id")
          .where("tenant_id", "=", scope.tenantId)
          .where("customer_id", "=", customerId as CustomerId)
          .executeTakeFirst();
        if (known === undefined) {
          throw new ProblemError("not_found", "Nothing is known of a customer with this ID.");
        }
        return ask(tx, customerHash(scope.tenantId, customerId), by);
      });
      return carryOut(scope, customerId as CustomerId, id);
    },
    list: (scope) =>
      store.transact(scope, async (tx) => {
        const rows = await tx
          .selectFrom("erasures")
          .selectAll()
          .where("tenant_id", "=", scope.tenantId)
          .orderBy("asked_at_ms")
          .orderBy("id")
          .execute();
        return rows.map(viewOf);
      }),
    async again(scope, customerHashes, by) {
      await store.transact(scope, async (tx) => {
        for (const hash of new Set(customerHashes)) await ask(tx, hash, by);
      });
      return sweepTenant(scope);
    },
    async sweep() {
      for (const tenantId of parts.tenants) await sweepTenant(tenantScope(tenantId));
    },
  };
}

/** Nobody has to answer any more; a run that is under way is left to end. */
async function endConversations(
  parts: Parameters<typeof createErasures>[0],
  scope: TenantScope,
  customerId: CustomerId,
): Promise<void> {
  const { store, hub, clock } = parts;
  const open = await store.transact(scope, (tx) =>
    tx
      .selectFrom("conversations")
      .select("id")
      .where("tenant_id", "=", scope.tenantId)
      .where("customer_id", "=", customerId)
      .where("status", "<>", "resolved")
      .execute(),
  );
  for (const { id } of open) {
    await store.transact(scope, async (tx) => {
      const conversation = await lockConversation(tx, id);
      if (conversation === null || conversation.status === "resolved") return;
      if (await hasLiveRun(tx, customerId)) return;
      const nowMs = clock.now();
      await releasePeople(tx, conversation, parts.settingsOf, nowMs);
      await end(tx, hub, conversation, nowMs, { by: "erasure" });
    });
  }
}

async function hasLiveRun(tx: Tx, customerId: CustomerId): Promise<boolean> {
  const run = await tx
    .selectFrom("runs")
    .select("id")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("customer_id", "=", customerId)
    .where("state", "in", ["queued", "running"])
    .limit(1)
    .executeTakeFirst();
  return run !== undefined;
}

/** Whether something of theirs can still bring words. */
async function hasOpen(tx: Tx, customerId: CustomerId): Promise<boolean> {
  const { tenantId } = tx.scope;
  const action = await tx
    .selectFrom("actions")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("customer_id", "=", customerId)
    .where("state", "not in", SETTLED)
    .limit(1)
    .executeTakeFirst();
  const conversation = await tx
    .selectFrom("conversations")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("customer_id", "=", customerId)
    .where("status", "<>", "resolved")
    .limit(1)
    .executeTakeFirst();
  return action !== undefined || conversation !== undefined || (await hasLiveRun(tx, customerId));
}

async function leftOf(tx: Tx, customerId: CustomerId) {
  const { rows } = await sql<{ actions: number; audit_entries: number; with_words: number }>`
    select (select count(*)::int from actions where tenant_id = ${tx.scope.tenantId} and customer_id = ${customerId}) as actions,
           count(*)::int as audit_entries,
           count(*) filter (where jsonb_typeof(body -> 'note') = 'string')::int as with_words
      from audit where tenant_id = ${tx.scope.tenantId} and customer_id = ${customerId}`.execute(tx);
  const [found] = rows;
  return {
    kept: { actions: found?.actions ?? 0, audit_entries: found?.audit_entries ?? 0 },
    audit_entries_with_words: found?.with_words ?? 0,
  };
}

const ELSEWHERE: ErasureReport["elsewhere"] = [
  {
    place: "language models",
    what: "nothing is stored by us: requests forbid it (`store: false`). The provider's own retention for abuse checks applies.",
  },
  { place: "search index", what: "no words of customers are in it" },
  { place: "log files", what: "no words of customers are in them" },
  {
    place: "mail provider",
    what: "what was sent and received lies there as long as you have agreed with it: erase it there",
  },
  { place: "payment provider", what: "refunds stay, as the law wants" },
  { place: "shop", what: "orders are the shop's: erase them there" },
  {
    place: "backups",
    what: "older ones have everything: after a restore, `recourse customers erase-again` with the list of erasures",
  },
];

function viewOf(row: {
  id: string;
  customer_hash: string;
  asked_by: string;
  asked_at_ms: number;
  erased_at_ms: number | null;
  report: unknown;
}): Erasure {
  const report = row.report as Partial<ErasureReport>;
  return {
    erasure_id: row.id,
    customer_hash: row.customer_hash,
    asked_by: row.asked_by,
    asked_at: isoInstant(row.asked_at_ms),
    erased_at: row.erased_at_ms === null ? null : isoInstant(row.erased_at_ms),
    report: report.erased === undefined ? null : (report as ErasureReport),
  };
}
