/**
 * Room `orchestrator`: runs. May import every room but `channels`, `cli` and `main`.
 * Promises: at most one live run a conversation; a run ends, and the customer hears (G5); a worker that
 * lost its lease writes nothing (fencing); no connection is held while an agent, a shop or a provider is
 * asked.
 *
 * One run, with what a crash at each point leaves behind:
 *   1. claim: lease, version, view, in one transaction     → after the lease the sweep claims it again
 *   2. agent and gateway, in turns (`answering.ts`)        → nothing was written: as before
 *   3. one commit (`closing.ts`): answer, steps, state, and the recorded action → all of it or nothing
 *   4. the action is carried out (room `actions`)          → its own row says what is to be done
 */

import type { Executor } from "../actions/execution.ts";
import type { ReviewPorts } from "../actions/reviews/open.ts";
import type { Agent } from "../agents/agent.ts";
import type { Hub } from "../conversations/hub.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { RunId, TenantId } from "../kernel/ids.ts";
import { type Boundary, type Clock, type Random, SimulatedCrash } from "../kernel/ports.ts";
import type { CustomerScope } from "../kernel/scope.ts";
import type { Queue, WakeUp } from "../store/queue.ts";
import type { Store } from "../store/store.ts";
import type { TenantFacts } from "../tools/tool.ts";
import { createAnswering } from "./answering.ts";
import { CancelRequested, createClaims, LeaseLost } from "./claiming.ts";
import { createClosing } from "./closing.ts";
import { createEnding } from "./ending.ts";
import type { ReadPolicyNumbers } from "./leaving.ts";

export interface WorkerParts {
  readonly store: Store;
  readonly queue: Queue;
  readonly hub: Hub;
  readonly gateway: Gateway;
  readonly agent: Agent;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly random: Random;
  readonly boundary: Boundary;
  readonly workerId: string;
  readonly tenantFacts: (tenantId: TenantId) => TenantFacts;
  readonly settingsOf: ReviewPorts["settingsOf"];
  readonly readPolicyNumbers: ReadPolicyNumbers;
  /** For a packet: the customer's name and lifetime spend in words; null when the shop does not answer. */
  readonly describeCustomer: (scope: CustomerScope, signal: AbortSignal) => Promise<string | null>;
  readonly onError: (error: unknown, about: string) => void;
}

export interface Worker {
  /** Does what a wake-up asks for, if it is still to be done. Never throws. */
  handle(item: WakeUp): Promise<void>;
  /**
   * The same for a run, for whoever must know how it went: `error` is what kept it from its end (it is noted), null
   * when the database has its outcome, another worker has it, or nothing was left to do. Never throws.
   */
  attempt(tenantId: TenantId, runId: RunId): Promise<{ readonly error: unknown } | null>;
  /**
   * Takes the tenant's most urgent run that waits. False when there was none to take, it failed, or the worker stops:
   * asking again at once would be no different. Never throws.
   */
  next(tenantId: TenantId): Promise<boolean>;
  /** Reaches a run of this process at once. */
  cancel(runId: RunId): void;
  /** Waits for runs in hand, at most `graceMs`; those that are left keep their lease until it ends. */
  stop(graceMs: number): Promise<void>;
}

export function createWorker(parts: WorkerParts): Worker {
  const { store, executor, clock, boundary, workerId } = parts;
  const live = new Map<RunId, AbortController>();
  const inHand = new Set<Promise<unknown>>();
  let stopping = false;
  const claims = createClaims({ store, clock, boundary, workerId });
  const closing = createClosing({ ...parts, agentName: parts.agent.name, ending: createEnding(parts) });
  const answer = createAnswering({ ...parts, closing });

  /** Answers with whether there was a run to take. */
  const process = async (tenantId: TenantId, runId: RunId | null): Promise<boolean> => {
    const claimed = await claims.claim(tenantId, runId);
    if (claimed === null) return false;
    const { run } = claimed;
    const abort = new AbortController();
    live.set(run.id, abort);
    const cancelDeadline = clock.after(run.deadlineMs - clock.now(), () => abort.abort("deadline"));
    const cancelHeartbeat = claims.keepLease(run, abort);
    if (claimed.cancelled) abort.abort("cancelled");
    try {
      await answer(run, claimed.state, abort.signal).catch((error: unknown) => {
        if (!(error instanceof CancelRequested)) throw error;
        // Nothing was written: the run ends as cancelled instead.
        abort.abort("cancelled");
        return answer(run, claimed.state, abort.signal);
      });
    } finally {
      cancelDeadline();
      cancelHeartbeat();
      live.delete(run.id);
    }
    return true;
  };

  const track = (about: string, job: () => Promise<unknown>): Promise<{ error: unknown } | null> => {
    const running = job()
      .then(
        () => null,
        (error: unknown) => {
          if (error instanceof LeaseLost) return null;
          if (!(error instanceof SimulatedCrash)) parts.onError(error, about);
          return { error };
        },
      )
      .finally(() => inHand.delete(running));
    inHand.add(running);
    return running;
  };

  return {
    async handle(item) {
      if (stopping) return;
      if (item.kind === "run") await track(`run ${item.id}`, () => process(item.tenantId, item.id as RunId));
      else await executor.attend(item.tenantId, item.id);
    },
    async attempt(tenantId, runId) {
      if (stopping) return { error: new Error("the worker stops") };
      return track(`run ${runId}`, () => process(tenantId, runId));
    },
    async next(tenantId) {
      if (stopping) return false;
      let took = false;
      const failed = await track(`a run of ${tenantId}`, async () => {
        took = await process(tenantId, null);
      });
      return took && failed === null;
    },
    cancel(runId) {
      live.get(runId)?.abort("cancelled");
    },
    async stop(graceMs) {
      stopping = true;
      const grace = new AbortController();
      await Promise.race([
        Promise.allSettled([...inHand]).then(() => executor.idle()),
        clock.sleep(graceMs, grace.signal),
      ]);
      grace.abort();
    },
  };
}
