/**
 * Whose run it is: a claim takes lease and version in one statement, a heartbeat keeps the lease, and
 * whoever lost it writes nothing more (`ending.ts` compares the version).
 */
import type { LockedConversation } from "../conversations/events.ts";
import type { RunId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Boundary, Clock } from "../kernel/ports.ts";
import { type CustomerScope, customerScope, tenantScope } from "../kernel/scope.ts";
import type { ModelUse } from "../models/use.ts";
import { compiled } from "../store/compiled.ts";
import type { Store } from "../store/store.ts";
import { type ConversationState, readConversation } from "./view.ts";

/** The run's row was taken over by another worker: this one writes nothing more. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** Somebody asked the run to stop while it worked, and this worker has not heard of it by itself. */
export class CancelRequested extends Error {
  override readonly name = "CancelRequested";
}

export interface ClaimedRun {
  readonly id: RunId;
  readonly scope: CustomerScope;
  readonly conversationId: LockedConversation["id"];
  readonly assurance: LockedConversation["assurance"];
  readonly channel: LockedConversation["channel"];
  readonly attempts: number;
  readonly deadlineMs: number;
  readonly version: number;
  /** When it was claimed, and when what it is to answer had been read. Epoch milliseconds. */
  readonly claimedMs: number;
  readonly readMs: number;
  /** What models were asked so far, in order: added to while the run lasts, kept when it ends. */
  readonly modelUses: ModelUse[];
}

export interface Claims {
  /**
   * Takes a queued run, or one whose worker is gone, with what it is to answer; null when another has it. Without an
   * ID: the one of the tenant's that is most urgent and that nobody takes at this moment; null when none waits.
   */
  claim(
    tenantId: TenantId,
    runId: RunId | null,
  ): Promise<{ run: ClaimedRun; cancelled: boolean; state: ConversationState } | null>;
  /** Extends the lease until the answer is called; a lost lease or a cancellation elsewhere aborts the run. */
  keepLease(run: ClaimedRun, abort: AbortController): () => void;
}

export function createClaims(parts: {
  store: Store;
  clock: Clock;
  boundary: Boundary;
  workerId: string;
}): Claims {
  const { store, clock, boundary, workerId } = parts;

  // An embedded database has one process, which counts for itself.
  const take = store.database.kind === "server" ? takenWithinLimit : taken;

  const claim: Claims["claim"] = async (tenantId, wanted) => {
    const claimed = await store.transact(tenantScope(tenantId), async (tx) => {
      const nowMs = clock.now();
      const runId = wanted ?? (await mostUrgent(tx, { tenantId }))[0]?.id;
      if (runId === undefined) return null;
      const [row] = await take(tx, {
        tenantId,
        runId,
        workerId,
        nowMs,
        leaseUntilMs: nowMs + LIMITS.leaseMs,
        // A run that waited out an outage gets its full time: its customer still waits for an answer.
        deadlineMs: nowMs + LIMITS.chatDeadlineMs,
      });
      if (row === undefined) return null;
      const state = await readConversation(tx, row);
      const run: ClaimedRun = {
        id: runId,
        scope: customerScope(tenantId, row.customer_id),
        conversationId: row.id,
        assurance: (row.verified_until_ms ?? nowMs + 1) > nowMs ? row.assurance : "claimed",
        channel: row.channel,
        attempts: row.attempts,
        deadlineMs: row.deadline_ms,
        version: row.version,
        claimedMs: nowMs,
        readMs: clock.now(),
        modelUses: [],
      };
      await boundary("run.before-claim-commit");
      return { run, cancelled: row.cancel_requested, state };
    });
    if (claimed !== null) await boundary("run.after-claim-commit");
    return claimed;
  };

  /** Extends the lease while the run lasts; a lost lease or a cancellation elsewhere aborts it. */
  const keepLease: Claims["keepLease"] = (run, abort) => {
    let cancel = () => {};
    const beat = () => {
      cancel = clock.after(LIMITS.heartbeatMs, () => {
        store
          .transact(run.scope, (tx) =>
            tx
              .updateTable("runs")
              .set({ lease_until_ms: clock.now() + LIMITS.leaseMs })
              .where("tenant_id", "=", run.scope.tenantId)
              .where("id", "=", run.id)
              .where("version", "=", run.version)
              .where("lease_owner", "=", workerId)
              .returning("cancel_requested")
              .executeTakeFirst(),
          )
          .then((row) => {
            if (row === undefined) abort.abort("lease_lost");
            else if (row.cancel_requested) abort.abort("cancelled");
            else beat();
          })
          // The database is away: the lease runs out by itself, and the fenced commit would fail.
          .catch(() => beat());
      });
    };
    beat();
    return () => cancel();
  };

  return { claim, keepLease };
}

/** Locked, so that workers who ask at once get one each. */
const mostUrgent = compiled((db, it: { tenantId: TenantId }) =>
  db
    .selectFrom("runs")
    .select("id")
    .where("tenant_id", "=", it.tenantId)
    .where("state", "=", "queued")
    .orderBy("urgent_at_ms")
    .limit(1)
    .forUpdate()
    .skipLocked(),
);

interface Taking {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly workerId: string;
  readonly nowMs: number;
  readonly leaseUntilMs: number;
  readonly deadlineMs: number;
}

/** Compare and set: a run that is queued, or whose worker is gone, with its conversation; no row when another has it. */
const taking = (isLimited: boolean) =>
  compiled((db, it: Taking) =>
    db
      .with("taken", (inner) =>
        inner
          .updateTable("runs")
          .set((eb) => ({
            state: "running",
            version: eb("version", "+", 1),
            attempts: eb("attempts", "+", 1),
            lease_owner: it.workerId,
            lease_until_ms: it.leaseUntilMs,
            deadline_ms: it.deadlineMs,
            updated_at_ms: it.nowMs,
          }))
          .where("tenant_id", "=", it.tenantId)
          .where("id", "=", it.runId)
          .where((eb) =>
            eb.or([
              eb("state", "=", "queued"),
              eb.and([eb("state", "=", "running"), eb("lease_until_ms", "<", it.nowMs)]),
            ]),
          )
          .$if(isLimited, (query) =>
            query.where(
              (eb) =>
                eb
                  .selectFrom("runs as others")
                  .select((e) => e.fn.countAll<number>().as("count"))
                  .where("others.tenant_id", "=", it.tenantId)
                  .where("others.state", "=", "running")
                  .where("others.lease_until_ms", ">=", it.nowMs),
              "<",
              LIMITS.runsPerTenant,
            ),
          )
          .returning([
            "tenant_id",
            "conversation_id",
            "version",
            "attempts",
            "deadline_ms",
            "cancel_requested",
          ]),
      )
      .selectFrom("taken")
      .innerJoin("conversations as c", (join) =>
        join.onRef("c.tenant_id", "=", "taken.tenant_id").onRef("c.id", "=", "taken.conversation_id"),
      )
      .select([
        "c.tenant_id",
        "c.id",
        "c.customer_id",
        "c.assurance",
        "c.verified_until_ms",
        "c.channel",
        "c.answered_seq",
        "c.next_seq",
      ])
      .select(["c.language", "c.language_shown"])
      .select(["taken.version", "taken.attempts", "taken.deadline_ms", "taken.cancel_requested"]),
  );
const taken = taking(false);
/** Also no row while the tenant has as many runs under way as it may have, in all processes. */
const takenWithinLimit = taking(true);
