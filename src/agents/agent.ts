/**
 * What an agent is: something that sees a view of one conversation and proposes one thing at a time.
 * A fixed workflow and a language model are both agents; neither can do anything but propose (G9).
 *
 * Within a run the orchestrator calls `next` again after each call's outcome, with the outcome added
 * to `steps`, until the agent says something final, escalates, or code ends the run (an offer was
 * made, an action was recorded).
 */
import type { RunId, TenantId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import type { Currency } from "../kernel/money.ts";
import type { ModelUse } from "../models/use.ts";
import type { ActionSummary, OrderView } from "../tools/views.ts";

export interface Agent {
  readonly name: string;
  /** `run` is what the run offers besides the view; agents that cost nothing need none of it. */
  next(view: RunView, signal: AbortSignal, run?: RunContext): Promise<Proposal>;
}

/** Which run asks, for budgets and records. None of it is ever shown to a model. */
export interface RunContext {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  /** What models were asked in this run so far. */
  readonly modelUses: readonly ModelUse[];
  /** Told of every answer of a model, usable or not, as soon as it is there. */
  readonly onModelUse: (use: ModelUse) => void;
  /**
   * Told of an answer while it is being written: its whole sentences so far, again with each new one. It is
   * not a proposal: the answer may still become another one. Empty: what was told of before is taken back.
   */
  readonly onDraft?: (text: string) => void;
}

export type Proposal = Say | Call | Escalate;

/** Text for the customer. It ends the answer to the message in focus. It must not claim any effect. */
export interface Say {
  readonly type: "say";
  readonly text: string;
  readonly cards?: readonly Card[];
  readonly quickReplies?: readonly string[];
  readonly citations?: readonly Citation[];
  /** The agent did not understand what is wanted and says so: another agent may do better. */
  readonly isLost?: true;
  /** What the agent wants to remember for the next message; replaces what it remembered before. */
  readonly dialogue?: DialogueState | null;
}

/** A wish to use a tool. Arguments are checked by the gateway; they are data, whoever wrote them. */
export interface Call {
  readonly type: "call";
  readonly tool: string;
  readonly args: unknown;
  /** What to remember when this call ends the run (an offer is made, an action is recorded). */
  readonly dialogue?: DialogueState | null;
}

/** Give the conversation to a person. */
export interface Escalate {
  readonly type: "escalate";
  readonly reason: EscalationReason;
  /** For the person who takes over: what the customer wants, what was found, what was tried. */
  readonly summary: string;
  /** What the agent would do, in words, with the clauses that speak for it. */
  readonly recommended?: string;
  /** What was tried beside calls, and why it failed. */
  readonly tried?: readonly string[];
}

export type EscalationReason =
  | "asked_for_person"
  | "not_understood"
  | "legal_or_safety"
  | "policy_denied_contested"
  | "complaint"
  | "no_progress"
  | "step_limit"
  | "deadline"
  | "agent_failed"
  | "outcome_uncertain"
  | "outside_scope"
  /** A model answered, but too unsurely to be told. */
  | "low_confidence"
  /** A system of the shop or the payment provider stays silent, beyond the bounded retries. */
  | "provider_unavailable"
  /** No model could be asked, and no workflow reaches that far. */
  | "model_unavailable"
  /** What the agent wrote may not leave, twice. */
  | "safety_filter"
  /** The customer is very unhappy, or more so with every message. */
  | "negative_sentiment";

export type Card =
  | { readonly type: "order"; readonly order: OrderView }
  | { readonly type: "action"; readonly action: ActionSummary };

/** What an answer rests on: a policy clause, or a passage of another document. */
export interface Citation {
  /** Of a policy clause. */
  readonly policyId?: string;
  /** Of an answer from documents: policies too are documents. */
  readonly documentId?: string;
  readonly version: string;
  /** Calendar date from which this version is in force. */
  readonly effectiveFrom?: string;
  readonly clauseId?: string;
  readonly title: string;
}

/** The agent's own memory of an open question, kept with its last message in the event log. JSON only. */
export interface DialogueState {
  readonly workflow: "order-status" | "return" | "refund" | "clarify";
  readonly slots: Readonly<Record<string, DialogueValue>>;
}
export type DialogueValue =
  | string
  | number
  | boolean
  | null
  | readonly DialogueValue[]
  | { readonly [key: string]: DialogueValue };

export interface TranscriptEntry {
  readonly seq: number;
  readonly at: number;
  readonly author: "customer" | "agent" | "operator" | "system";
  readonly text: string;
}

/** An offer that code made and the customer has not answered: exact terms, bound by hash. */
export interface PendingOffer {
  readonly seq: number;
  readonly tool: string;
  readonly args: unknown;
  readonly summary: string;
}

/** How the customer answered the pending offer, judged by code from the customer's own words. */
export type Consent = "yes" | "no" | "other";

export interface RunView {
  readonly now: number;
  readonly tenant: { readonly name: string; readonly currency: Currency; readonly timeZone: string };
  readonly customer: { readonly firstName: string | null };
  /** What the customer is answered in. */
  readonly language: Language;
  /** The message to answer now. */
  readonly focus: { readonly seq: number; readonly at: number; readonly text: string };
  /** Customer messages after `focus` that have no answer yet, oldest first. */
  readonly later: readonly string[];
  /** Everything before `focus` that the customer can see, oldest first, at most `LIMITS.transcriptEntries`. */
  readonly transcript: readonly TranscriptEntry[];
  readonly dialogue: DialogueState | null;
  readonly offer: PendingOffer | null;
  /** For the message in focus, when there is an offer. */
  readonly consent: Consent;
  /** This run's earlier proposals for the message in focus, with what came of them. */
  readonly steps: readonly StepRecord[];
  /** The customer's actions of every conversation, newest first, at most `LIMITS.actionsInView`. */
  readonly actions: readonly ActionSummary[];
  /** What the agent wanted to say to the message in focus and may not, with why: it is asked once more. */
  readonly rejected?: readonly RejectedText[];
}

/** A text that did not pass the safety filter. */
export interface RejectedText {
  readonly text: string;
  readonly findings: readonly { readonly kind: string; readonly about: string }[];
}

export interface StepRecord {
  readonly call: Call;
  readonly outcome: CallOutcome;
}

/** What came of a call that did not end the run. */
export type CallOutcome =
  | { readonly kind: "result"; readonly value: unknown }
  /** Policy or a hard rule said no. `explanation` is the customer's text; `clauses` are what decided. */
  | {
      readonly kind: "denied";
      readonly code: string;
      readonly explanation: string;
      /** For people of the shop: the same as the policy has it, where the customer reads another language. */
      readonly asWritten?: string;
      readonly clauses: readonly Citation[];
    }
  /** The arguments were not usable, or the thing does not exist for this customer. */
  | { readonly kind: "invalid"; readonly code: string; readonly message: string }
  /** Another action has these units already; `action` says what may be told of it. */
  | {
      readonly kind: "conflict";
      readonly code: string;
      readonly message: string;
      readonly action: ActionSummary | null;
    }
  /** A system could not be reached within the bounded retries. */
  | { readonly kind: "unavailable"; readonly code: string; readonly message: string };
