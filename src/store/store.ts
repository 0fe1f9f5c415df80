/**
 * Scoped transactions: the only way to the tables.
 *
 * Each transaction first takes the application role and its scope with `set_config(…, true)`, in one
 * round trip with BEGIN and its first statement: both end with the transaction, so nothing leaks over a pooled connection.
 * Without a scope, row-level security shows no row.
 */
import { CompiledQuery, type Kysely } from "kysely";
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Scope, TenantScope } from "../kernel/scope.ts";
import { APP_ROLE, bind, ERASER_ROLE, enter, transaction } from "./binding.ts";
import type { Database, Statement } from "./database.ts";
import { type IdentityTx, identify } from "./identity.ts";
import { makeParts } from "./partitions.ts";
import type { Tables } from "./schema.ts";

export { APP_ROLE } from "./binding.ts";
export type { IdentityTx } from "./identity.ts";

/** A transaction: typed queries, and hooks that run only once it is durable. */
export interface Tx extends Kysely<Tables> {
  readonly scope: Scope;
  /** Runs after a successful COMMIT, in order; its failure is the caller's to handle. */
  afterCommit(fn: () => void): void;
}

/** One live run or action that may need a worker, as the sweeper sees it. */
export interface DueItem {
  readonly kind: "run" | "action";
  readonly tenantId: TenantId;
  readonly id: string;
}

/** Goes into the role that sees IDs of what is due, of all tenants, until the transaction ends. */
export const SWEEP: Statement = {
  sql: "select set_config('role', 'recourse_sweeper', true), set_config('search_path', 'recourse', true)",
};

export interface Store {
  readonly database: Database;
  /**
   * Runs `fn` in one transaction of the scope. Commits when it resolves; rolls back when it throws.
   * A serialisation failure or deadlock is thrown as it is: callers decide whether to repeat.
   * @throws ProblemError `database_unavailable` when no connection is to be had, or its disk is full
   */
  transact<T>(scope: Scope, fn: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `fn` in one transaction as the role that knows who people are, in no tenant's scope: for signing in only.
   * @throws ProblemError `database_unavailable`
   */
  identify<T>(fn: (tx: IdentityTx) => Promise<T>): Promise<T>;
  /**
   * Runs `fn` in one transaction of the scope under the role that may take words away and nothing else: for erasing only.
   * @throws ProblemError `database_unavailable`
   */
  erase<T>(scope: TenantScope, fn: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs whose lease is over, or that waited for `queuedForMs` without a worker, and actions whose next attempt is
   * due, in all tenants. IDs only; one of each tenant in turn, so that `limit` leaves no tenant out for another's many.
   */
  due(nowMs: number, limit: number, queuedForMs?: number): Promise<readonly DueItem[]>;
  /**
   * Takes away what only told repetitions apart and is past that, a batch of each kind, and makes room for the months to
   * come, where the login role may. Answers with how many rows went.
   */
  forget(nowMs: number): Promise<number>;
  /**
   * Whose turn it is: tenants with runs that wait, as often as a run of theirs may begin, at most `limit` in all. First
   * comes who has the fewest runs under way in all processes; then who has waited longest.
   */
  turns(about: TurnsAsked): Promise<readonly TenantId[]>;
  /**
   * Reclaims what updates left behind. PGlite has no autovacuum: without this, throughput fell from 100 to
   * 64 messages/s within a minute of load. A server does it by itself.
   */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

export interface TurnsAsked {
  readonly nowMs: number;
  readonly limit: number;
  /** Runs of a tenant that may be under way at once. Counted, not locked: who looks at the same moment counts the same. */
  readonly perTenant: number;
  /** Tenants that get no turn now. */
  readonly without: readonly TenantId[];
  /** A run that waits is somebody else's for so long. */
  readonly queuedForMs: number;
}

/** $1 now, $2 how many of each kind, $3 for how long a run that waits is somebody else's. */
const DUE = `
  select kind, "tenantId", id from (
    (select 'run' as kind, t.tenant_id as "tenantId", due.id, due.place from tenants t cross join lateral (
       select id, row_number() over (order by since) as place from (
         (select id, urgent_at_ms as since from runs r where r.tenant_id = t.tenant_id and state = 'queued'
             and updated_at_ms + $3::bigint < $1 order by urgent_at_ms limit $2)
         union all
         (select id, lease_until_ms from runs r where r.tenant_id = t.tenant_id and state = 'running'
             and lease_until_ms < $1 order by lease_until_ms limit $2)) as runs_due) as due
     order by due.place limit $2)
    union all
    (select 'action', t.tenant_id, due.id, due.place from tenants t cross join lateral (
       select id, row_number() over (order by next_attempt_ms) as place from (
         select id, next_attempt_ms from actions a where a.tenant_id = t.tenant_id
            and state in ('scheduled', 'executing', 'unknown', 'pending', 'awaiting_approval')
            and next_attempt_ms <= $1 and coalesce(lease_until_ms, 0) < $1 order by next_attempt_ms limit $2) as actions_due) as due
     order by due.place limit $2)) as all_due
  order by place`;

/** $1 now, $2 how many, $3 at most so many of a tenant at once, $4 tenants without a turn, $5 as $3 above. */
const TURNS = `
  select t.tenant_id as "tenantId" from tenants t
   cross join lateral (
     select count(*) as runs from runs r where r.tenant_id = t.tenant_id and state = 'running' and lease_until_ms >= $1) as busy
   cross join lateral (
     select since, row_number() over (order by since) as place from (
       select urgent_at_ms as since from runs r where r.tenant_id = t.tenant_id and state = 'queued'
          and updated_at_ms + $5::bigint <= $1 order by urgent_at_ms limit $2) as first) as waiting
   where t.tenant_id <> all ($4::text[]) and busy.runs + waiting.place <= $3
   order by busy.runs + waiting.place, waiting.since limit $2`;

export function createStore(database: Database): Store {
  const transactAs = async <T>(
    role: typeof APP_ROLE | typeof ERASER_ROLE,
    scope: Scope,
    fn: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    const hooks: (() => void)[] = [];
    const answer = await transaction(database, enter(scope, role), (session) =>
      fn(
        Object.assign(bind<Tables>(session), {
          scope,
          afterCommit: (hook: () => void) => void hooks.push(hook),
        }),
      ),
    );
    for (const hook of hooks) hook();
    return answer;
  };
  return {
    database,
    transact: (scope, fn) => transactAs(APP_ROLE, scope, fn),
    erase: (scope, fn) => transactAs(ERASER_ROLE, scope, fn),
    identify: (fn) => identify(database, fn),
    due: (nowMs, limit, queuedForMs = 0) =>
      transaction(database, SWEEP, async (session) => {
        const { rows } = await session.query(DUE, [nowMs, limit, queuedForMs]);
        return rows as unknown as DueItem[];
      }),
    async forget(nowMs) {
      await makeParts(database, nowMs);
      return transaction(database, SWEEP, async (session) => {
        const mails = await session.query(
          "delete from mail_deliveries where (tenant_id, token) in (select tenant_id, token from mail_deliveries where at_ms < $1 limit $2)",
          [nowMs - LIMITS.mailDeliveriesKeptMs, LIMITS.forgetRows],
        );
        const webhooks = await session.query(
          "delete from webhook_deliveries where (source, delivery_id) in (select source, delivery_id from webhook_deliveries where at_ms < $1 limit $2)",
          [nowMs - LIMITS.webhookDeliveriesKeptMs, LIMITS.forgetRows],
        );
        return mails.affected + webhooks.affected;
      });
    },
    turns: ({ nowMs, limit, perTenant, without, queuedForMs }) =>
      transaction(database, SWEEP, async (session) => {
        const { rows } = await session.query(TURNS, [nowMs, limit, perTenant, without, queuedForMs]);
        return rows.map((row) => row.tenantId as TenantId);
      }),
    async tidy() {
      if (database.kind === "server") return;
      const session = await database.acquire();
      try {
        await session.script("vacuum (analyze)");
      } finally {
        session.release();
      }
    },
    close: () => database.close(),
  };
}

/** Runs another library's SQL text inside a transaction. */
export async function executeIn(
  tx: Tx,
  sql: string,
  parameters?: readonly unknown[],
): Promise<{ rows: Record<string, unknown>[] }> {
  const answer = await tx.executeQuery(CompiledQuery.raw(sql, [...(parameters ?? [])]));
  return { rows: answer.rows as Record<string, unknown>[] };
}
