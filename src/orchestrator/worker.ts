/**
 * Room `orchestrator`: runs. May import every room but `channels`, `cli` and `main`.
 * Promises: at most one live run a conversation; a run ends, and the customer hears (G5); a worker that
 * lost its lease writes nothing (fencing); no connection is held while an agent, a shop or a provider is
 * asked.
 *
 * One run, with what a crash at each point leaves behind:
 *   1. claim: lease, version, view, in one transaction     → after the lease the sweep claims it again
 *   2. agent and gateway, in turns                         → nothing was written: as before
 *   3. one commit: answer, steps, state, and the recorded action → all of it or nothing
 *   4. the action is carried out (room `actions`)          → its own row says what is to be done
 */

import type { Executor } from "../actions/execution.ts";
import { type ActionRow, actionEvent, summary } from "../actions/ledger.ts";
import { recordAction } from "../actions/record.ts";
import { openHandoff } from "../actions/reviews/open.ts";
import type { Agent, Call, CallOutcome, Escalate, RunView, StepRecord } from "../agents/agent.ts";
import { queueRun } from "../conversations/conversations.ts";
import {
  appendEvents,
  conversationKey,
  type LockedConversation,
  lockConversation,
  type NewEvent,
} from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import type { Gateway, GatewayContext } from "../gateway/gateway.ts";
import { ProblemError, unreachable } from "../kernel/errors.ts";
import { newId, type RunId, type TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Boundary, type Clock, type Random, SimulatedCrash } from "../kernel/ports.ts";
import { type CustomerScope, customerScope, tenantScope } from "../kernel/scope.ts";
import { knownCards } from "../safety/cards.ts";
import { unconfirmedClaim, withoutClaims } from "../safety/claims.ts";
import type { Queue, WakeUp } from "../store/queue.ts";
import type { RunState } from "../store/schema.ts";
import type { Store, Tx } from "../store/store.ts";
import type { TenantFacts } from "../tools/tool.ts";
import { decide, NO_PROGRESS, type RunEffect, type RunEvent, type RunProgress } from "./decide.ts";
import { readProposal } from "./proposal.ts";
import { describeStep, factsOf, isOutcome } from "./steps.ts";
import {
  type Answer,
  type ConversationState,
  consentOf,
  type LoggedMessage,
  nextFocus,
  readConversation,
  runView,
  standingOffer,
  unanswered,
  withAnswers,
} from "./view.ts";
import { HANDOFF_TEXT, STOPPED_TEXT } from "./wording.ts";

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
  readonly onError: (error: unknown, about: string) => void;
}

export interface Worker {
  /** Does what a wake-up asks for, if it is still to be done. Never throws. */
  handle(item: WakeUp): Promise<void>;
  /** Reaches a run of this process at once. */
  cancel(runId: RunId): void;
  /** Waits for runs in hand, at most `graceMs`; those that are left keep their lease until it ends. */
  stop(graceMs: number): Promise<void>;
}

/** The run's row was taken over by another worker: this one writes nothing more. */
class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** Somebody asked the run to stop while it worked, and this worker has not heard of it by itself. */
class CancelRequested extends Error {
  override readonly name = "CancelRequested";
}

interface ClaimedRun {
  readonly id: RunId;
  readonly scope: CustomerScope;
  readonly conversationId: LockedConversation["id"];
  readonly assurance: LockedConversation["assurance"];
  readonly attempts: number;
  readonly deadlineMs: number;
  version: number;
}

export function createWorker(parts: WorkerParts): Worker {
  const { store, queue, hub, gateway, agent, executor, clock, random, boundary, workerId } = parts;
  const live = new Map<RunId, AbortController>();
  const inHand = new Set<Promise<void>>();
  let stopping = false;

  const claim = async (tenantId: TenantId, runId: RunId) => {
    const claimed = await store.transact(tenantScope(tenantId), async (tx) => {
      const nowMs = clock.now();
      const row = await tx
        .updateTable("runs")
        .set((eb) => ({
          state: "running",
          version: eb("version", "+", 1),
          attempts: eb("attempts", "+", 1),
          lease_owner: workerId,
          lease_until_ms: nowMs + LIMITS.leaseMs,
          // A run that waited out an outage gets its full time: its customer still waits for an answer.
          deadline_ms: nowMs + LIMITS.chatDeadlineMs,
          updated_at_ms: nowMs,
        }))
        .where("tenant_id", "=", tenantId)
        .where("id", "=", runId)
        .where((eb) =>
          eb.or([
            eb("state", "=", "queued"),
            eb.and([eb("state", "=", "running"), eb("lease_until_ms", "<", nowMs)]),
          ]),
        )
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return null;
      const conversation = await tx
        .selectFrom("conversations")
        .selectAll()
        .where("tenant_id", "=", tenantId)
        .where("id", "=", row.conversation_id)
        .executeTakeFirstOrThrow();
      const run: ClaimedRun = {
        id: row.id,
        scope: customerScope(tenantId, row.customer_id),
        conversationId: row.conversation_id,
        assurance: conversation.assurance,
        attempts: row.attempts,
        deadlineMs: row.deadline_ms,
        version: row.version,
      };
      await boundary("run.before-claim-commit");
      return { run, cancelled: row.cancel_requested, state: await readConversation(tx, conversation) };
    });
    await boundary("run.after-claim-commit");
    return claimed;
  };

  const process = async (tenantId: TenantId, runId: RunId): Promise<void> => {
    const claimed = await claim(tenantId, runId);
    if (claimed === null) return;
    const { run } = claimed;
    const abort = new AbortController();
    live.set(run.id, abort);
    const cancelDeadline = clock.after(run.deadlineMs - clock.now(), () => abort.abort("deadline"));
    const cancelHeartbeat = heartbeat(run, abort);
    if (claimed.cancelled) abort.abort("cancelled");
    try {
      await work(run, claimed.state, abort.signal).catch((error: unknown) => {
        if (!(error instanceof CancelRequested)) throw error;
        // Nothing was written: the run ends as cancelled instead.
        abort.abort("cancelled");
        return work(run, claimed.state, abort.signal);
      });
    } finally {
      cancelDeadline();
      cancelHeartbeat();
      live.delete(run.id);
    }
  };

  /** Extends the lease while the run lasts; a lost lease or a cancellation elsewhere aborts it. */
  const heartbeat = (run: ClaimedRun, abort: AbortController): (() => void) => {
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

  /** Answers the unanswered messages in order, then commits; or hands the conversation over. */
  const work = async (run: ClaimedRun, first: ConversationState, signal: AbortSignal): Promise<void> => {
    let state = first;
    const answers: Answer[] = [];
    const steps: { proposal: unknown; outcome: unknown }[] = [];
    /** What cards may show: actions of the ledger, and what tools of this run answered with. */
    const seen: unknown[] = [...first.actions];
    let progress: RunProgress = NO_PROGRESS;
    let records: StepRecord[] = [];
    let focus = nextFocus(state, answers);
    let event: RunEvent = { type: "started" };
    while (focus !== null) {
      if (signal.aborted) event = aborted(signal);
      else if (run.attempts > LIMITS.runAttempts) event = { type: "agent_failed" };
      const { run: next, effect }: { run: RunProgress; effect: RunEffect } = decide(progress, event);
      progress = next;
      switch (effect.type) {
        case "ask_agent": {
          const view = viewOf(run, state, answers, focus, records);
          await boundary("run.before-agent");
          event = await propose(view, signal);
          break;
        }
        case "ask_gateway": {
          const context = contextOf(run, state, focus, signal);
          const answer = await unlessAborted(gateway.call(context, effect.call), signal).catch(
            (error: unknown) => toolFailed(error, effect.call, signal),
          );
          if (answer === null) break;
          if (isOutcome(answer)) {
            records = [...records, { call: effect.call, outcome: answer }];
            seen.push(...factsOf(answer));
            steps.push({ proposal: effect.call, outcome: answer });
          }
          event = { type: "answered", call: effect.call, answer };
          break;
        }
        case "say": {
          const claims = unconfirmedClaim(effect.say.text, state.actions);
          const cards = knownCards(effect.say.cards ?? [], seen);
          const text = claims === null ? effect.say.text : withoutClaims(state.actions);
          steps.push({
            proposal: effect.say,
            outcome: { kind: claims === null ? "said" : "claim_replaced", claims },
          });
          answers.push({
            focusSeq: focus.seq,
            events: [
              {
                type: "message",
                author: "agent",
                payload: {
                  text,
                  ...(cards.length > 0 ? { cards } : {}),
                  ...(effect.say.quickReplies ? { quick_replies: effect.say.quickReplies } : {}),
                  ...(effect.say.citations ? { citations: effect.say.citations } : {}),
                },
                internal: { runId: run.id, dialogue: effect.say.dialogue ?? null },
              },
            ],
          });
          focus = nextFocus(state, answers);
          // A long queue, or slow answers: the next run goes on with the rest, in order and with its own time.
          if (
            answers.length >= LIMITS.messagesPerRun ||
            clock.now() > run.deadlineMs - LIMITS.chatDeadlineMs / 2
          ) {
            return commit(run, state, answers, steps, "completed");
          }
          records = [];
          progress = NO_PROGRESS;
          event = { type: "started" };
          break;
        }
        case "offer": {
          steps.push({ proposal: effect.call, outcome: { kind: "offered", offer: effect.answer.offer } });
          answers.push({
            focusSeq: focus.seq,
            events: [
              {
                type: "message",
                author: "agent",
                payload: {
                  text: effect.answer.text,
                  quick_replies: ["Yes", "No"],
                  citations: effect.answer.citations,
                },
                internal: {
                  runId: run.id,
                  offer: effect.answer.offer,
                  dialogue: effect.call.dialogue ?? null,
                },
              },
            ],
          });
          // What follows an offer is its answer: it is read together with the offer, in the next run.
          return commit(run, state, answers, steps, "completed");
        }
        case "record": {
          const recorded = await record(run, state, answers, steps, focus, effect);
          if (recorded === "done") return;
          if (recorded.kind === "stale") {
            state = recorded.state;
            focus = nextFocus(state, answers);
            records = [];
            event = { type: "view_stale" };
          } else {
            records = [...records, { call: effect.call, outcome: recorded.outcome }];
            event = { type: "answered", call: effect.call, answer: recorded.outcome };
          }
          break;
        }
        case "handoff":
          return handOver(run, state, answers, steps, effect.escalate);
        case "stop":
          answers.push({
            focusSeq: unanswered(state).at(-1)?.seq ?? focus.seq,
            events: [
              {
                type: "message",
                author: "agent",
                payload: { text: STOPPED_TEXT },
                internal: { runId: run.id, dialogue: null },
              },
            ],
          });
          return commit(run, state, answers, steps, effect.state);
        default:
          return unreachable(effect);
      }
    }
    return commit(run, state, answers, steps, "completed");
  };

  const propose = async (view: RunView, signal: AbortSignal): Promise<RunEvent> => {
    try {
      // An agent that ignores its signal must not hold the run: its late answer is read by nobody.
      const asked = Promise.resolve().then(() => agent.next(view, signal));
      const proposal = readProposal(await unlessAborted(asked, signal));
      return proposal === null ? { type: "malformed" } : { type: "proposed", proposal };
    } catch (error) {
      if (error instanceof SimulatedCrash) throw error;
      if (signal.aborted) return aborted(signal);
      parts.onError(error, `agent ${agent.name}`);
      return { type: "agent_failed" };
    }
  };

  /** A defect in a tool or a connector: the log has it whole, the agent hears a code. Null when the run ends anyway. */
  const toolFailed = (error: unknown, call: Call, signal: AbortSignal): CallOutcome | null => {
    if (error instanceof SimulatedCrash) throw error;
    if (signal.aborted) return null;
    parts.onError(error, `tool ${call.tool}`);
    return { kind: "unavailable", code: "internal", message: new ProblemError("internal").message };
  };

  const viewOf = (
    run: ClaimedRun,
    state: ConversationState,
    answers: readonly Answer[],
    focus: LoggedMessage,
    steps: readonly StepRecord[],
  ): RunView =>
    runView(withAnswers(state, answers, clock.now()), focus, {
      tenant: parts.tenantFacts(run.scope.tenantId),
      firstName: null,
      nowMs: clock.now(),
      steps,
    });

  const contextOf = (
    run: ClaimedRun,
    state: ConversationState,
    focus: LoggedMessage,
    signal: AbortSignal,
  ): GatewayContext => ({
    scope: run.scope,
    assurance: run.assurance,
    tenant: parts.tenantFacts(run.scope.tenantId),
    conversationId: run.conversationId,
    runId: run.id,
    signal,
    offer: standingOffer(state),
    consent: consentOf(state, focus),
  });

  /** Compare-and-set on the run's version: the one write that ends a run. A wish to cancel is heard here at the latest. */
  const endRun = async (
    tx: Tx,
    run: ClaimedRun,
    state: RunState,
    outcome: unknown,
    nowMs: number,
  ): Promise<void> => {
    const { numUpdatedRows } = await tx
      .updateTable("runs")
      .set({
        state,
        version: run.version + 1,
        lease_owner: null,
        lease_until_ms: null,
        outcome: JSON.stringify(outcome),
        updated_at_ms: nowMs,
      })
      .where("tenant_id", "=", run.scope.tenantId)
      .where("id", "=", run.id)
      .where("version", "=", run.version)
      .where("lease_owner", "=", workerId)
      .where((eb) => (state === "cancelled" ? eb.lit(true) : eb("cancel_requested", "=", false)))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    const own = await tx
      .selectFrom("runs")
      .select("cancel_requested")
      .where("tenant_id", "=", run.scope.tenantId)
      .where("id", "=", run.id)
      .where("version", "=", run.version)
      .where("lease_owner", "=", workerId)
      .executeTakeFirst();
    throw own?.cancel_requested ? new CancelRequested(run.id) : new LeaseLost(run.id);
  };

  const writeSteps = async (
    tx: Tx,
    run: ClaimedRun,
    steps: readonly { proposal: unknown; outcome: unknown }[],
    nowMs: number,
  ) => {
    if (steps.length === 0) return;
    await tx
      .insertInto("steps")
      .values(
        steps.map((step, index) => ({
          tenant_id: run.scope.tenantId,
          run_id: run.id,
          n: run.attempts * 100 + index + 1,
          customer_id: run.scope.customerId,
          at_ms: nowMs,
          proposal: JSON.stringify(step.proposal),
          outcome: JSON.stringify(step.outcome),
        })),
      )
      .execute();
  };

  /** Writes answers and the end of the run; messages that came meanwhile start the next one, in order. */
  const finish = async (
    tx: Tx,
    run: ClaimedRun,
    conversation: LockedConversation,
    answers: readonly Answer[],
    steps: readonly { proposal: unknown; outcome: unknown }[],
    end: { state: RunState; events?: readonly NewEvent[]; status?: LockedConversation["status"] },
  ): Promise<void> => {
    const nowMs = clock.now();
    await endRun(tx, run, end.state, { answers: answers.length }, nowMs);
    await writeSteps(tx, run, steps, nowMs);
    const answeredSeq = Math.max(conversation.answered_seq, ...answers.map((answer) => answer.focusSeq));
    const newer =
      end.status === "with_person" ? undefined : await firstUnanswered(tx, conversation, answeredSeq);
    const nextRunId = newer === undefined ? null : newId("run", clock, random);
    await appendEvents(
      tx,
      conversation,
      nowMs,
      [
        ...answers.flatMap((answer) => answer.events),
        ...(end.events ?? []),
        { type: "run", payload: { run_id: run.id, state: end.state } },
        ...(nextRunId === null
          ? []
          : [{ type: "run" as const, payload: { run_id: nextRunId, state: "queued" } }]),
      ],
      { answered_seq: answeredSeq, ...(end.status === undefined ? {} : { status: end.status }) },
    );
    if (nextRunId !== null)
      await queueRun(tx, { queue, conversation, runId: nextRunId, cause: "message", nowMs });
    await hub.announce(tx, conversationKey(conversation.tenant_id, conversation.id));
  };

  const locked = async (tx: Tx, run: ClaimedRun): Promise<LockedConversation> => {
    const conversation = await lockConversation(tx, run.conversationId);
    if (conversation === null) throw new LeaseLost(run.id);
    return conversation;
  };

  const commit = async (
    run: ClaimedRun,
    _state: ConversationState,
    answers: readonly Answer[],
    steps: readonly { proposal: unknown; outcome: unknown }[],
    state: RunState,
  ): Promise<void> => {
    await store.transact(run.scope, async (tx) => {
      await finish(tx, run, await locked(tx, run), answers, steps, { state });
      await boundary("run.before-answer-commit");
    });
    await boundary("run.after-answer-commit");
  };

  const handOver = async (
    run: ClaimedRun,
    state: ConversationState,
    answers: readonly Answer[],
    steps: readonly { proposal: unknown; outcome: unknown }[],
    escalate: Escalate,
  ): Promise<void> => {
    const last = unanswered(state).at(-1)?.seq ?? state.answeredSeq;
    await store.transact(run.scope, async (tx) => {
      const conversation = await locked(tx, run);
      const message: NewEvent = {
        type: "message",
        author: "agent",
        payload: { text: HANDOFF_TEXT[escalate.reason] },
        internal: { runId: run.id, dialogue: null, escalation: escalate.reason },
      };
      await finish(
        tx,
        run,
        conversation,
        [...answers, { focusSeq: last, events: [message] }],
        [...steps, { proposal: escalate, outcome: { kind: "handed_off" } }],
        {
          state: "handed_off",
          status: "with_person",
        },
      );
      await openHandoff(
        tx,
        { clock, random },
        {
          customerId: run.scope.customerId,
          conversationId: run.conversationId,
          reason: escalate.reason,
          summary: escalate.summary,
          tried: steps.map(describeStep),
          recommended: escalate.recommended ?? "Read the transcript and answer the customer.",
        },
      );
      await boundary("run.before-answer-commit");
    });
    await boundary("run.after-answer-commit");
  };

  type RecordEffect = Extract<RunEffect, { type: "record" }>;

  /** Records the action and ends the run in one commit; then it is carried out. */
  const record = async (
    run: ClaimedRun,
    state: ConversationState,
    answers: readonly Answer[],
    steps: readonly { proposal: unknown; outcome: unknown }[],
    focus: LoggedMessage,
    effect: RecordEffect,
  ): Promise<
    "done" | { kind: "stale"; state: ConversationState } | { kind: "stopped"; outcome: CallOutcome }
  > => {
    const result = await store.transact(run.scope, async (tx) => {
      const conversation = await locked(tx, run);
      if (conversation.next_seq !== state.nextSeq) {
        // Something was written since the agent looked, perhaps "stop": it must see it first.
        return { kind: "stale" as const, state: await readConversation(tx, conversation) };
      }
      const recorded = await recordAction(
        tx,
        { clock, random, workerId },
        conversation,
        effect.answer.prepared,
        {
          runId: run.id,
          proposedBy: `agent:${agent.name}`,
        },
      );
      if (recorded.kind === "stopped") return { kind: "stopped" as const, outcome: recorded.stop };
      const { action } = recorded;
      const isNew = recorded.kind === "recorded";
      await finish(
        tx,
        run,
        conversation,
        // Every message since the offer was part of the yes.
        [
          ...answers,
          {
            focusSeq: unanswered(state).at(-1)?.seq ?? focus.seq,
            events: recordedEvents(run, action, isNew),
          },
        ],
        [...steps, { proposal: effect.call, outcome: { kind: recorded.kind, action_id: action.id } }],
        { state: "completed" },
      );
      await boundary("action.before-record-commit");
      return { kind: "recorded" as const, action, isNew };
    });
    if (result.kind !== "recorded") return result;
    await boundary("action.after-record-commit");
    if (result.isNew && result.action.state === "executing") await executor.carryOut(result.action);
    return "done";
  };

  const recordedEvents = (run: ClaimedRun, action: ActionRow, isNew: boolean): NewEvent[] => {
    // Under way: the client shows it from the `action` event, and its outcome follows as a message.
    const silent = isNew && action.state === "executing";
    const events: NewEvent[] = isNew ? [actionEvent(action)] : [];
    if (silent) return events;
    return [
      ...events,
      {
        type: "message",
        author: "agent",
        payload: { text: summary(action).text, cards: [{ type: "action", action: summary(action) }] },
        internal: { runId: run.id, actionId: action.id, dialogue: null },
      },
    ];
  };

  const track = (about: string, job: () => Promise<void>): Promise<void> => {
    const running = job()
      .catch((error: unknown) => {
        if (error instanceof LeaseLost || error instanceof SimulatedCrash) return;
        parts.onError(error, about);
      })
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

function aborted(signal: AbortSignal): RunEvent {
  if (signal.reason === "cancelled") return { type: "cancelled" };
  if (signal.reason === "deadline") return { type: "deadline" };
  throw new LeaseLost(String(signal.reason));
}

/** The work's answer; rejects as soon as the signal aborts, whether the work listens to it or not. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

async function firstUnanswered(tx: Tx, conversation: LockedConversation, answeredSeq: number) {
  return tx
    .selectFrom("events")
    .select("seq")
    .where("tenant_id", "=", conversation.tenant_id)
    .where("conversation_id", "=", conversation.id)
    .where("author", "=", "customer")
    .where("seq", ">", answeredSeq)
    .limit(1)
    .executeTakeFirst();
}
