/**
 * One run's work: the unanswered messages in order, each answered by turns of agent and gateway, until
 * `decide` has an end for it. Nothing is written before that end (`closing.ts`), so a crash anywhere in
 * between leaves the run as it was.
 */
import type { Agent, Escalate, RejectedText, RunView, StepRecord } from "../agents/agent.ts";
import { DEFAULT_THRESHOLDS, type EscalationThresholds, insistsOn, triggerIn } from "../agents/escalation.ts";
import { handOver as escalateWith } from "../agents/handover.ts";
import type { Hub } from "../conversations/hub.ts";
import type { Gateway, GatewayContext } from "../gateway/gateway.ts";
import { unreachable } from "../kernel/errors.ts";
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Boundary, Clock } from "../kernel/ports.ts";
import { knownCards } from "../safety/cards.ts";
import { orderNumbersIn } from "../safety/own.ts";
import type { TenantFacts } from "../tools/tool.ts";
import { wordsOf } from "../wording/words.ts";
import { identityAnswer, offerAnswer, saidAnswer, stoppedAnswer } from "./answers.ts";
import { aborted, createAsking } from "./asking.ts";
import type { ClaimedRun } from "./claiming.ts";
import type { Closing, Draft } from "./closing.ts";
import { decide, NO_PROGRESS, type RunEvent, type RunProgress } from "./decide.ts";
import { createDrafting, type Drafting } from "./drafting.ts";
import { disclosureBefore } from "./handoff-words.ts";
import { type Known, type ReadPolicyNumbers, trimmed, type Withheld, withheld } from "./leaving.ts";
import { denialOf, factsOf, isIdentityNeeded, isOutcome, type Step, toldDenial } from "./steps.ts";
import {
  type Answer,
  actionsIn,
  type ConversationState,
  consentOf,
  type LoggedMessage,
  nextFocus,
  runView,
  standingOffer,
  unanswered,
  withAnswers,
} from "./view.ts";

export interface AnsweringParts {
  readonly agent: Agent;
  readonly gateway: Gateway;
  readonly closing: Closing;
  readonly hub: Pick<Hub, "draft">;
  readonly clock: Clock;
  readonly boundary: Boundary;
  readonly tenantFacts: (tenantId: TenantId) => TenantFacts;
  readonly readPolicyNumbers: ReadPolicyNumbers;
  readonly onError: (error: unknown, about: string) => void;
}

/** Answers the unanswered messages in order, then commits; or hands the conversation over. */
export type Answering = (run: ClaimedRun, first: ConversationState, signal: AbortSignal) => Promise<void>;

export function createAnswering(parts: AnsweringParts): Answering {
  const { closing, clock, boundary } = parts;
  const ask = createAsking(parts);

  return async (run, first, signal) => {
    const tenant = parts.tenantFacts(run.scope.tenantId);
    const thresholds = { ...DEFAULT_THRESHOLDS, ...tenant.escalation };
    let state = first;
    const answers: Answer[] = [];
    const steps: Step[] = [];
    let asked = { askedMs: clock.now(), proposedMs: clock.now() };
    /** What cards may show besides the ledger's actions: what tools of this run answered with. */
    const seen: unknown[] = [];
    let progress: RunProgress = NO_PROGRESS;
    let records: StepRecord[] = [];
    let rejected: RejectedText[] = [];
    let focus = nextFocus(state, answers);
    let event: RunEvent = { type: "started" };
    let drafting: Drafting | null = null;

    const draft = (): Draft => ({ run, state, answers, steps, asked });
    const keep = (proposal: unknown, outcome: unknown): void =>
      void steps.push({ proposal, outcome, times: { ...asked, endedMs: clock.now() } });
    const known = (author: Known["author"], to: LoggedMessage, about: readonly unknown[] = []): Known => {
      const actions = actionsIn(state, to.spoken.language);
      return {
        author,
        scope: run.scope,
        tenant,
        state,
        actions,
        records,
        facts: [...actions, ...seen, ...about],
        readPolicyNumbers: parts.readPolicyNumbers,
      };
    };
    /** The agent is told, and what it wanted is on the run's record. */
    const hold = (proposal: unknown, held: Withheld): RunEvent => {
      rejected = [...rejected, held];
      keep(proposal, { kind: "withheld", findings: held.findings, text: held.text });
      return { type: "withheld", kinds: held.findings.map(({ kind }) => kind) };
    };
    const viewOf = (message: LoggedMessage): RunView =>
      runView(withAnswers(state, answers, clock.now()), message, {
        tenant,
        firstName: null,
        nowMs: clock.now(),
        steps: records,
        rejected,
      });
    const draftingOf = (message: LoggedMessage): Drafting => {
      const { anotherTry } = wordsOf(message.spoken.language).frame;
      return createDrafting({
        runId: run.id,
        prefix: disclosureBefore(state, tenant, message.seq),
        behind: rejected.length > 0 ? anotherTry : "",
        instead: rejected.length < LIMITS.withheldTextsPerMessage ? anotherTry : "",
        mayLeave: async (text) => (await withheld(text, known("agent", message))) === null,
        show: (live) => parts.hub.draft(run.scope, run.conversationId, live),
        onError: parts.onError,
      });
    };
    const contextOf = (message: LoggedMessage): GatewayContext => {
      const answered = withAnswers(state, answers, clock.now());
      return {
        scope: run.scope,
        assurance: run.assurance,
        tenant,
        language: message.spoken.language,
        conversationId: run.conversationId,
        runId: run.id,
        signal,
        offer: standingOffer(answered),
        consent: consentOf(answered, message),
      };
    };

    /** A long queue, or slow answers: the next run goes on with the rest, in order and with its own time. */
    const isFull = (): boolean =>
      clock.now() > run.deadlineMs - LIMITS.chatDeadlineMs / 2 || answers.length >= LIMITS.messagesPerRun;
    const nextMessage = (): void => {
      focus = nextFocus(state, answers);
      records = [];
      rejected = [];
      progress = NO_PROGRESS;
      event = { type: "started" };
    };

    while (focus !== null) {
      if (signal.aborted) event = aborted(signal);
      else if (run.attempts > LIMITS.runAttempts) event = { type: "agent_failed" };
      const next = decide(progress, event, thresholds);
      progress = next.run;
      const { effect } = next;
      switch (effect.type) {
        case "ask_agent": {
          asked = { askedMs: clock.now(), proposedMs: clock.now() };
          const view = viewOf(focus);
          const isFirst = records.length + rejected.length === 0;
          const escalate = isFirst ? escalationIn(view, thresholds) : null;
          if (escalate !== null) {
            event = { type: "escalated", escalate };
            break;
          }
          await boundary("run.before-agent");
          // Only the first answer of a run is shown while it is written: the others are said together with it.
          drafting = answers.length > 0 ? null : draftingOf(focus);
          event = await ask.agent(run, view, signal, drafting?.write);
          asked = { ...asked, proposedMs: clock.now() };
          const isSaid = event.type === "proposed" && event.proposal.type === "say";
          await (isSaid ? drafting?.finish() : drafting?.discard());
          break;
        }
        case "ask_gateway": {
          const answer = await ask.gateway(contextOf(focus), effect.call, signal);
          if (answer === null) break;
          if (isOutcome(answer)) {
            records = [...records, { call: effect.call, outcome: answer }];
            seen.push(...factsOf(answer));
            keep(effect.call, answer);
          }
          const denial = denialOf({ call: effect.call, outcome: answer });
          const before = state.messages.findLast(({ author }) => author !== "customer")?.denial ?? null;
          if (denial !== null && insistsOn(before, denial)) {
            const wish = "The customer does not accept that policy does not allow it, and asks again.";
            const escalate = escalateWith(viewOf(focus), "policy_denied_contested", wish);
            event = { type: "escalated", escalate };
            break;
          }
          event = { type: "answered", call: effect.call, answer };
          break;
        }
        case "say": {
          const may = known("agent", focus);
          const held = await withheld(effect.say.text, may);
          if (held !== null) {
            await drafting?.withhold();
            event = hold({ type: "say" }, held);
            break;
          }
          keep(effect.say, { kind: "said" });
          answers.push(
            saidAnswer(run.id, focus.seq, effect.say, {
              cards: knownCards(effect.say.cards ?? [], may.facts),
              ...trimmed(effect.say, may),
              denial: toldDenial(records),
            }),
          );
          if (isFull()) return closing.commit(draft(), "completed");
          nextMessage();
          break;
        }
        case "offer": {
          // Code words an offer, but the items in it have the names that the shop gave them.
          const about = { orderNumber: orderNumbersIn(effect.answer.offer.summary).at(-1) };
          const held = await withheld(effect.answer.text, known("code", focus, [about]));
          if (held !== null) {
            await drafting?.withhold();
            event = hold(effect.call, held);
            break;
          }
          const { offer, decision } = effect.answer;
          keep(effect.call, { kind: "offered", offer, decision });
          answers.push(offerAnswer(run.id, focus.seq, effect.call, effect.answer, focus.spoken.language));
          // What follows an offer is its answer: it is read together with the offer, in the next run.
          return closing.commit(draft(), "completed");
        }
        case "ask_identity": {
          keep(effect.call, { kind: "identity_needed" });
          // Asked once, however much of what they wrote needs it.
          const isAsked = steps.filter(({ outcome }) => isIdentityNeeded(outcome)).length > 1;
          answers.push(
            isAsked
              ? { focusSeq: focus.seq, events: [] }
              : identityAnswer(run.id, focus, effect.call, run.channel),
          );
          if (isFull()) return closing.commit(draft(), "completed");
          nextMessage();
          break;
        }
        case "record": {
          const recorded = await closing.record(draft(), focus.seq, effect);
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
          return closing.handOver(draft(), effect.escalate, effect.type, signal);
        case "give_up": {
          const { reason, why } = effect;
          // A wish of the customer's that the agent passes on is no attempt that failed.
          const more = reason === "asked_for_person" ? {} : { tried: [why] };
          return closing.handOver(
            draft(),
            escalateWith(viewOf(focus), reason, why, more),
            effect.type,
            signal,
          );
        }
        case "stop":
          answers.push(stoppedAnswer(run.id, unanswered(state).at(-1) ?? focus));
          return closing.commit(draft(), effect.state);
        default:
          return unreachable(effect);
      }
    }
    // Nothing is left to answer: a run that was asked to stop has stopped (a person answered meanwhile).
    const isStopped = signal.aborted && signal.reason === "cancelled";
    return closing.commit(draft(), isStopped ? "cancelled" : "completed");
  };
}

/** What the customer's own messages call a person for, before any agent is asked. */
function escalationIn(view: RunView, thresholds: EscalationThresholds): Escalate | null {
  const earlier = view.transcript.filter(({ author }) => author === "customer").map(({ text }) => text);
  const trigger = triggerIn(view.focus.text, earlier, thresholds);
  return trigger === null ? null : escalateWith(view, trigger.reason, trigger.wish);
}
