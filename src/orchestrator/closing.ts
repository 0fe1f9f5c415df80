/**
 * The three ways in which a run ends, each one commit with everything that it leaves behind: answers, a
 * recorded action, or a conversation that a person has now. All of them say first, where nobody has, that
 * an AI writes.
 */
import type { Executor } from "../actions/execution.ts";
import { recordAction } from "../actions/record.ts";
import { openHandoff, type ReviewPorts } from "../actions/reviews/open.ts";
import type { CallOutcome, Escalate } from "../agents/agent.ts";
import { FIRST_STEPS } from "../agents/escalation.ts";
import type { LockedConversation } from "../conversations/events.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Boundary, Clock, Random } from "../kernel/ports.ts";
import type { CustomerScope } from "../kernel/scope.ts";
import { withoutClaims } from "../safety/claims.ts";
import type { RunState } from "../store/schema.ts";
import type { Store, Tx } from "../store/store.ts";
import type { TenantFacts } from "../tools/tool.ts";
import { wordsOf } from "../wording/words.ts";
import { plainAnswer, recordedAnswer } from "./answers.ts";
import type { ClaimedRun } from "./claiming.ts";
import type { RunEffect } from "./decide.ts";
import type { Ending } from "./ending.ts";
import { disclosed, hoursText } from "./handoff-words.ts";
import { clausesIn, describeStep, orderIn, type Step, type StepTimes } from "./steps.ts";
import {
  type Answer,
  actionsIn,
  type ConversationState,
  readConversation,
  spokenAt,
  unanswered,
  withAnswers,
} from "./view.ts";

const NOTHING_TRIED = "Nothing was looked up or done before this.";
const orElse = <T>(list: readonly T[], otherwise: readonly T[]): readonly T[] =>
  list.length > 0 ? list : otherwise;

/** What a run would write if it ended now. */
export interface Draft {
  readonly run: ClaimedRun;
  /** What it answers. */
  readonly state: ConversationState;
  readonly answers: readonly Answer[];
  readonly steps: readonly Step[];
  /** When the agent was asked last, and when it had proposed. */
  readonly asked: Omit<StepTimes, "endedMs">;
}

export type Recorded =
  | "done"
  /** The customer wrote meanwhile: nothing was recorded. */
  | { readonly kind: "stale"; readonly state: ConversationState }
  /** The ledger said no: nothing was recorded. */
  | { readonly kind: "stopped"; readonly outcome: CallOutcome };

export interface Closing {
  /** Answers, or the end of a run that was stopped. */
  commit(draft: Draft, state: RunState): Promise<void>;
  /** `how`: whether the agent, or code that read the messages, wanted it, or the run got no further by itself. */
  handOver(draft: Draft, escalate: Escalate, how: "handoff" | "give_up", signal: AbortSignal): Promise<void>;
  /** Records the action and ends the run in one commit; then it is carried out. */
  record(draft: Draft, focusSeq: number, effect: Extract<RunEffect, { type: "record" }>): Promise<Recorded>;
}

export interface ClosingParts {
  readonly store: Store;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly random: Random;
  readonly boundary: Boundary;
  readonly workerId: string;
  readonly agentName: string;
  readonly ending: Ending;
  readonly tenantFacts: (tenantId: TenantId) => TenantFacts;
  readonly settingsOf: ReviewPorts["settingsOf"];
  readonly describeCustomer: (scope: CustomerScope, signal: AbortSignal) => Promise<string | null>;
}

export function createClosing(parts: ClosingParts): Closing {
  const { store, executor, clock, boundary } = parts;
  const { finish, locked } = parts.ending;
  const endedNow = ({ asked }: Draft): StepTimes => ({ ...asked, endedMs: clock.now() });

  const end = (
    tx: Tx,
    conversation: LockedConversation,
    { run, state, answers, steps }: Pick<Draft, "run" | "state" | "answers" | "steps">,
    how: { state: RunState; status?: LockedConversation["status"] },
  ) => {
    const said = disclosed(answers, state, parts.tenantFacts(run.scope.tenantId));
    return finish(tx, run, conversation, state, said, steps, how);
  };

  /**
   * A person took the conversation over while the run worked: it ends without a word, and what it wanted stays on
   * its record. What nobody has answered is for the person.
   */
  const isAside = async (tx: Tx, conversation: LockedConversation, draft: Draft): Promise<boolean> => {
    if (conversation.status !== "with_person") return false;
    await end(tx, conversation, { ...draft, answers: [] }, { state: "cancelled", status: "with_person" });
    return true;
  };

  return {
    async commit(draft, state) {
      await store.transact(draft.run.scope, async (tx) => {
        const conversation = await locked(tx, draft.run);
        if (!(await isAside(tx, conversation, draft))) await end(tx, conversation, draft, { state });
        await boundary("run.before-answer-commit");
      });
      await boundary("run.after-answer-commit");
    },

    async handOver(draft, escalate, how, signal) {
      const { run, state, answers, steps } = draft;
      const last = unanswered(state).at(-1)?.seq ?? state.answeredSeq;
      // The shop is asked before the transaction; a packet without its answer is better than none.
      const customer = await parts.describeCustomer(run.scope, signal).catch(() => null);
      const { language } = spokenAt(state, last);
      const actions = actionsIn(state, language);
      const confirmed =
        escalate.reason === "safety_filter" && actions.length > 0 ? withoutClaims(actions, language) : "";
      const passed: string = wordsOf(language).frame.handoff[escalate.reason];
      const hours = hoursText(parts.tenantFacts(run.scope.tenantId), clock.now(), language);
      const text = [confirmed, passed, hours].filter((part) => part !== "").join(" ");
      const denial = withAnswers(state, answers, clock.now()).messages.findLast(
        ({ author }) => author !== "customer",
      )?.denial;
      const tried = [...steps.map(describeStep), ...(escalate.tried ?? [])];
      const word = plainAnswer(run.id, last, text, { escalation: escalate.reason });
      await store.transact(run.scope, async (tx) => {
        const conversation = await locked(tx, run);
        if (await isAside(tx, conversation, draft)) return;
        await end(
          tx,
          conversation,
          {
            run,
            state,
            answers: [...answers, word],
            steps: [
              ...steps,
              { proposal: escalate, outcome: { kind: "handed_off", how }, times: endedNow(draft) },
            ],
          },
          { state: "handed_off", status: "with_person" },
        );
        await openHandoff(tx, parts, {
          customerId: run.scope.customerId,
          conversationId: run.conversationId,
          reason: escalate.reason,
          summary: escalate.summary,
          tried: tried.length > 0 ? tried : [NOTHING_TRIED],
          recommended: [escalate.recommended ?? "", FIRST_STEPS[escalate.reason]]
            .filter((part) => part !== "")
            .join(" "),
          customer,
          // What was denied in the answer before is what the customer has come back about.
          clauses: orElse(clausesIn(steps), denial?.clauses ?? []),
          orderNumber: orderIn(steps) ?? denial?.orderNumber ?? null,
        });
        await boundary("run.before-answer-commit");
      });
      await boundary("run.after-answer-commit");
    },

    async record(draft, focusSeq, effect) {
      const { run, state, answers, steps } = draft;
      const result = await store.transact(run.scope, async (tx) => {
        const conversation = await locked(tx, run);
        if (await isAside(tx, conversation, draft)) return { kind: "aside" as const };
        if (conversation.next_seq !== state.nextSeq) {
          // Something was written since the agent looked, perhaps "stop": it must see it first.
          return { kind: "stale" as const, state: await readConversation(tx, conversation) };
        }
        const recorded = await recordAction(tx, parts, conversation, effect.answer.prepared, {
          runId: run.id,
          proposedBy: `agent:${parts.agentName}`,
        });
        if (recorded.kind === "stopped") return { kind: "stopped" as const, outcome: recorded.stop };
        const { action } = recorded;
        const isNew = recorded.kind === "recorded";
        // Every message since the offer was part of the yes.
        const last = unanswered(state).at(-1)?.seq ?? focusSeq;
        const outcome = { kind: recorded.kind, action_id: action.id };
        await end(
          tx,
          conversation,
          {
            run,
            state,
            answers: [
              ...answers,
              recordedAnswer(run.id, last, action, isNew, spokenAt(state, last).language),
            ],
            steps: [...steps, { proposal: effect.call, outcome, times: endedNow(draft) }],
          },
          { state: "completed" },
        );
        await boundary("action.before-record-commit");
        return { kind: "recorded" as const, action, isNew };
      });
      if (result.kind === "aside") return "done";
      if (result.kind !== "recorded") return result;
      await boundary("action.after-record-commit");
      if (result.isNew && result.action.state === "executing") await executor.carryOut(result.action);
      return "done";
    },
  };
}
