/**
 * What models cost a tenant today, and whether another answer is covered. Truth is `model_calls`; a
 * process adds its own calls at once and hears of other processes' at most `modelSpendRefreshMs` later,
 * so that a day's budget is exceeded by what the others spend in that time at most. Calls are written
 * together, `modelSpendWriteMs` after the first of them: a process that dies takes no more than these along.
 */
import type { Insertable } from "kysely";
import type { RunId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import { tenantScope } from "../kernel/scope.ts";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { ModelUse } from "./use.ts";

export interface Spending {
  /** Sets `micros` aside for a question; null when today's budget does not cover it. */
  reserve(tenantId: TenantId, micros: number, dayBudgetMicros: number): Promise<{ release(): void } | null>;
  /** Keeps what an answer cost. It is written soon, in the background; a failure is told to `onError`. */
  record(tenantId: TenantId, runId: string, use: ModelUse): void;
  /** What is known of today, in micro-units. */
  today(tenantId: TenantId): Promise<number>;
  /** Writes what waits, and resolves when it is written. */
  settled(): Promise<void>;
}

interface Day {
  readonly startMs: number;
  readAtMs: number;
  /** In the database when it was read. */
  readMicros: number;
  /** Ours, on the way to the database or written since it was read. */
  ownMicros: number;
  reservedMicros: number;
}

const DAY_MS = 86_400_000;

export function createSpending(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown, about: string) => void;
}): Spending {
  const { store, clock, random } = parts;
  const days = new Map<TenantId, Day>();
  let writing: Promise<void> = Promise.resolve();
  let waiting: (Insertable<Tables["model_calls"]> & { tenant_id: TenantId })[] = [];
  let cancelTimer: (() => void) | null = null;

  /** Writes what waits, after what is being written; one statement a tenant. */
  const flush = (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = null;
    const rows = waiting;
    waiting = [];
    for (const [tenantId, own] of Map.groupBy(rows, ({ tenant_id }) => tenant_id)) {
      writing = writing
        .then(() =>
          store.transact(tenantScope(tenantId), (tx) => tx.insertInto("model_calls").values(own).execute()),
        )
        .then(
          () => {},
          (error: unknown) => parts.onError(error, `what ${own.length} answers of models cost (${tenantId})`),
        );
    }
    return writing;
  };

  const readDay = async (tenantId: TenantId): Promise<Day> => {
    const nowMs = clock.now();
    const startMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
    let day = days.get(tenantId);
    if (day?.startMs === startMs && nowMs - day.readAtMs < LIMITS.modelSpendRefreshMs) return day;
    // What is on its way is in the sum after this, and not counted twice.
    await flush();
    const ownBefore = days.get(tenantId)?.ownMicros ?? 0;
    const row = await store.transact(tenantScope(tenantId), (tx) =>
      tx
        .selectFrom("model_calls")
        .select((eb) => eb.fn.sum<string | number | null>("cost_micros").as("micros"))
        .where("tenant_id", "=", tenantId)
        .where("at_ms", ">=", startMs)
        .executeTakeFirst(),
    );
    day = days.get(tenantId);
    const kept = day?.startMs === startMs ? day : undefined;
    const read: Day = {
      startMs,
      readAtMs: nowMs,
      readMicros: Number(row?.micros ?? 0),
      // Calls recorded while the sum was read stay counted beside it.
      ownMicros: kept === undefined ? 0 : Math.max(0, kept.ownMicros - ownBefore),
      reservedMicros: kept?.reservedMicros ?? 0,
    };
    days.set(tenantId, read);
    return read;
  };

  const known = ({ readMicros, ownMicros }: Day): number => readMicros + ownMicros;

  return {
    async reserve(tenantId, micros, dayBudgetMicros) {
      const day = await readDay(tenantId);
      if (known(day) + day.reservedMicros + micros > dayBudgetMicros) return null;
      day.reservedMicros += micros;
      let held = true;
      return {
        release() {
          const current = days.get(tenantId);
          if (held && current?.startMs === day.startMs) current.reservedMicros -= micros;
          held = false;
        },
      };
    },
    record(tenantId, runId, use) {
      const atMs = clock.now();
      const day = days.get(tenantId);
      if (day !== undefined) day.ownMicros += use.costMicros;
      waiting.push({
        tenant_id: tenantId,
        id: Buffer.from(random.bytes(16)).toString("hex"),
        run_id: runId as RunId,
        at_ms: atMs,
        tier: use.tier,
        model: use.model,
        prompt_version: use.promptVersion,
        input_tokens: use.inputTokens,
        cached_tokens: use.cachedTokens,
        output_tokens: use.outputTokens,
        cost_micros: use.costMicros,
        outcome: use.outcome,
        took_ms: use.tookMs,
      });
      cancelTimer ??= clock.after(LIMITS.modelSpendWriteMs, flush);
    },
    async today(tenantId) {
      return known(await readDay(tenantId));
    },
    settled: flush,
  };
}
