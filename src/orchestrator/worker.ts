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
import type {
  Agent,
  Call,
  CallOutcome,
  Escalate,
  RejectedText,
  RunContext,
  RunView,
  StepRecord,
} from "../agents/agent.ts";
import { DEFAULT_THRESHOLDS, FIRST_STEPS, hear, insistsOn, triggerIn } from "../agents/escalation.ts";
import { handOver as escalateWith } from "../agents/handover.ts";
import type { NewEvent } from "../conversations/events.ts";
import type { Hub } from "../conversations/hub.ts";
import type { Gateway, GatewayContext } from "../gateway/gateway.ts";
import { ProblemError, unreachable } from "../kernel/errors.ts";
import type { RunId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Boundary, type Clock, type Random, SimulatedCrash } from "../kernel/ports.ts";
import type { CustomerScope } from "../kernel/scope.ts";
import { knownCards } from "../safety/cards.ts";
import { withoutClaims } from "../safety/claims.ts";
import { orderNumbersIn } from "../safety/may-leave.ts";
import type { Queue, WakeUp } from "../store/queue.ts";
import type { RunState } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { TenantFacts } from "../tools/tool.ts";
import { CancelRequested, type ClaimedRun, createClaims, LeaseLost } from "./claiming.ts";
import { decide, NO_PROGRESS, type RunEffect, type RunEvent, type RunProgress } from "./decide.ts";
import { createEnding } from "./ending.ts";
import { disclosed, hoursText } from "./handoff-words.ts";
import { type ReadPolicyNumbers, trimmed, type Withheld, withheld } from "./leaving.ts";
import { readProposal } from "./proposal.ts";
import { clausesIn, denialOf, describeStep, factsOf, isOutcome, orderIn, type Step } from "./steps.ts";
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
  readonly readPolicyNumbers: ReadPolicyNumbers;
  /** For a packet: the customer's name and lifetime spend in words; null when the shop does not answer. */
  readonly describeCustomer: (scope: CustomerScope, signal: AbortSignal) => Promise<string | null>;
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

export function createWorker(parts: WorkerParts): Worker {
  const { store, queue, hub, gateway, agent, executor, clock, random, boundary, workerId } = parts;
  const live = new Map<RunId, AbortController>();
  const inHand = new Set<Promise<void>>();
  let stopping = false;
  const claims = createClaims({ store, clock, boundary, workerId });
  const { finish, locked } = createEnding({ queue, hub, clock, random, workerId });

  const process = async (tenantId: TenantId, runId: RunId): Promise<void> => {
    const claimed = await claims.claim(tenantId, runId);
    if (claimed === null) return;
    const { run } = claimed;
    const abort = new AbortController();
    live.set(run.id, abort);
    const cancelDeadline = clock.after(run.deadlineMs - clock.now(), () => abort.abort("deadline"));
    const cancelHeartbeat = claims.keepLease(run, abort);
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

  /** Answers the unanswered messages in order, then commits; or hands the conversation over. */
  const work = async (run: ClaimedRun, first: ConversationState, signal: AbortSignal): Promise<void> => {
    let state = first;
    const answers: Answer[] = [];
    const steps: Step[] = [];
    /** What cards may show: actions of the ledger, and what tools of this run answered with. */
    const seen: unknown[] = [...first.actions];
    let progress: RunProgress = NO_PROGRESS;
    let records: StepRecord[] = [];
    let rejected: RejectedText[] = [];
    let focus = nextFocus(state, answers);
    /** Null when it may leave; else the agent is told, and what it wanted is on the run's record. */
    const hold = async (
      author: "agent" | "code",
      text: string,
      proposal: unknown,
      about: readonly unknown[] = [],
    ): Promise<Withheld | null> => {
      const held = await withheld(text, {
        author,
        scope: run.scope,
        tenant: parts.tenantFacts(run.scope.tenantId),
        state,
        records,
        facts: [...seen, ...about],
        readPolicyNumbers: parts.readPolicyNumbers,
      });
      if (held !== null) {
        rejected = [...rejected, held];
        steps.push({ proposal, outcome: { kind: "withheld", findings: held.findings, text: held.text } });
      }
      return held;
    };
    let event: RunEvent = { type: "started" };
    while (focus !== null) {
      if (signal.aborted) event = aborted(signal);
      else if (run.attempts > LIMITS.runAttempts) event = { type: "agent_failed" };
      const { run: next, effect }: { run: RunProgress; effect: RunEffect } = decide(progress, event);
      progress = next;
      switch (effect.type) {
        case "ask_agent": {
          const view = viewOf(run, state, answers, focus, records, rejected);
          const escalate = records.length + rejected.length > 0 ? null : escalation(run, view);
          if (escalate !== null) {
            event = { type: "escalated", escalate };
            break;
          }
          await boundary("run.before-agent");
          event = await propose(run, view, signal);
          break;
        }
        case "ask_gateway": {
          const context = contextOf(run, withAnswers(state, answers, clock.now()), focus, signal);
          const answer = await askGateway(context, effect.call, signal);
          if (answer === null) break;
          if (isOutcome(answer)) {
            records = [...records, { call: effect.call, outcome: answer }];
            seen.push(...factsOf(answer));
            steps.push({ proposal: effect.call, outcome: answer });
          }
          const denial = denialOf({ call: effect.call, outcome: answer });
          const before = state.messages.findLast(({ author }) => author !== "customer")?.denial ?? null;
          if (denial !== null && insistsOn(before, denial)) {
            const wish = "The customer does not accept that policy does not allow it, and asks again.";
            const view = viewOf(run, state, answers, focus, records, rejected);
            event = { type: "escalated", escalate: escalateWith(view, "policy_denied_contested", wish) };
            break;
          }
          event = { type: "answered", call: effect.call, answer };
          break;
        }
        case "say": {
          const held = await hold("agent", effect.say.text, { type: "say" });
          if (held !== null) {
            event = { type: "withheld", kinds: held.findings.map(({ kind }) => kind) };
            break;
          }
          const { text } = effect.say;
          const cards = knownCards(effect.say.cards ?? [], seen);
          const { quickReplies, citations } = trimmed(effect.say, {
            author: "agent",
            scope: run.scope,
            tenant: parts.tenantFacts(run.scope.tenantId),
            state,
            records,
            facts: seen,
            readPolicyNumbers: parts.readPolicyNumbers,
          });
          const denial = records.map(denialOf).findLast((it) => it !== null) ?? null;
          steps.push({ proposal: effect.say, outcome: { kind: "said" } });
          answers.push({
            focusSeq: focus.seq,
            events: [
              {
                type: "message",
                author: "agent",
                payload: {
                  text,
                  ...(cards.length > 0 ? { cards } : {}),
                  ...(quickReplies.length > 0 ? { quick_replies: quickReplies } : {}),
                  ...(citations.length > 0 ? { citations } : {}),
                },
                internal: {
                  runId: run.id,
                  dialogue: effect.say.dialogue ?? null,
                  ...(denial === null ? {} : { denial }),
                },
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
          rejected = [];
          progress = NO_PROGRESS;
          event = { type: "started" };
          break;
        }
        case "offer": {
          // Code words an offer, but the items in it have the names that the shop gave them.
          const about = { orderNumber: orderNumbersIn(effect.answer.offer.summary).at(-1) };
          const held = await hold("code", effect.answer.text, effect.call, [about]);
          if (held !== null) {
            event = { type: "withheld", kinds: held.findings.map(({ kind }) => kind) };
            break;
          }
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
            rejected = [];
            event = { type: "view_stale" };
          } else {
            records = [...records, { call: effect.call, outcome: recorded.outcome }];
            event = { type: "answered", call: effect.call, answer: recorded.outcome };
          }
          break;
        }
        case "handoff":
          return handOver(run, state, answers, steps, effect.escalate, signal);
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

  const propose = async (run: ClaimedRun, view: RunView, signal: AbortSignal): Promise<RunEvent> => {
    const context: RunContext = {
      tenantId: run.scope.tenantId,
      runId: run.id,
      modelUses: run.modelUses,
      onModelUse: (use) => run.modelUses.push(use),
    };
    try {
      // An agent that ignores its signal must not hold the run: its late answer is read by nobody.
      const asked = Promise.resolve().then(() => agent.next(view, signal, context));
      const proposal = readProposal(await unlessAborted(asked, signal));
      return proposal === null ? { type: "malformed" } : { type: "proposed", proposal };
    } catch (error) {
      if (error instanceof SimulatedCrash) throw error;
      if (signal.aborted) return aborted(signal);
      parts.onError(error, `agent ${agent.name}`);
      return { type: "agent_failed" };
    }
  };

  /**
   * A connection that is lost once is no answer for a customer: what only reads is read once more. Null when
   * the run ends anyway.
   */
  const askGateway = (context: GatewayContext, call: Call, signal: AbortSignal) => {
    const ask = () => unlessAborted(gateway.call(context, call), signal);
    return ask()
      .catch((error: unknown) => {
        if (error instanceof SimulatedCrash || signal.aborted) throw error;
        parts.onError(error, `tool ${call.tool}, once more`);
        return ask();
      })
      .catch((error: unknown) => toolFailed(error, call, signal));
  };

  /** A defect in a tool or a connector: the log has it whole, the agent hears a code. */
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
    rejected: readonly RejectedText[],
  ): RunView =>
    runView(withAnswers(state, answers, clock.now()), focus, {
      tenant: parts.tenantFacts(run.scope.tenantId),
      firstName: null,
      nowMs: clock.now(),
      steps,
      rejected,
    });

  /** What the customer's own messages call a person for, before any agent is asked. */
  const escalation = (run: ClaimedRun, view: RunView): Escalate | null => {
    const thresholds = { ...DEFAULT_THRESHOLDS, ...parts.tenantFacts(run.scope.tenantId).escalation };
    const earlier = view.transcript.filter(({ author }) => author === "customer").map(({ text }) => text);
    const recent = [...earlier.slice(1 - thresholds.fallingMessages), view.focus.text];
    const trigger = triggerIn(recent.map(hear), thresholds);
    return trigger === null ? null : escalateWith(view, trigger.reason, trigger.wish);
  };

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

  const commit = async (
    run: ClaimedRun,
    viewed: ConversationState,
    answers: readonly Answer[],
    steps: readonly Step[],
    state: RunState,
  ): Promise<void> => {
    await store.transact(run.scope, async (tx) => {
      await finish(tx, run, await locked(tx, run), viewed, disclosing(run, viewed, answers), steps, {
        state,
      });
      await boundary("run.before-answer-commit");
    });
    await boundary("run.after-answer-commit");
  };

  /** The answers, the first of a conversation with the word that an AI writes. */
  const disclosing = (run: ClaimedRun, state: ConversationState, answers: readonly Answer[]) =>
    disclosed(answers, state, parts.tenantFacts(run.scope.tenantId), "en");

  const handOver = async (
    run: ClaimedRun,
    state: ConversationState,
    answers: readonly Answer[],
    steps: readonly Step[],
    escalate: Escalate,
    signal: AbortSignal,
  ): Promise<void> => {
    const last = unanswered(state).at(-1)?.seq ?? state.answeredSeq;
    const tenant = parts.tenantFacts(run.scope.tenantId);
    // The shop is asked before the transaction; a packet without its answer is better than none.
    const customer = await parts.describeCustomer(run.scope, signal).catch(() => null);
    const confirmed =
      escalate.reason === "safety_filter" && state.actions.length > 0 ? withoutClaims(state.actions) : "";
    const text = [confirmed, HANDOFF_TEXT[escalate.reason], hoursText(tenant, clock.now(), "en")]
      .filter((part) => part !== "")
      .join(" ");
    await store.transact(run.scope, async (tx) => {
      const conversation = await locked(tx, run);
      const message: NewEvent = {
        type: "message",
        author: "agent",
        payload: { text },
        internal: { runId: run.id, dialogue: null, escalation: escalate.reason },
      };
      await finish(
        tx,
        run,
        conversation,
        state,
        disclosing(run, state, [...answers, { focusSeq: last, events: [message] }]),
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
          recommended: [escalate.recommended ?? "", FIRST_STEPS[escalate.reason]]
            .filter((part) => part !== "")
            .join(" "),
          customer,
          clauses: clausesIn(steps),
          orderNumber: orderIn(steps),
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
    steps: readonly Step[],
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
        state,
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
