/**
 * What an agent wants to say, held to the safety filter with everything that is known of the conversation.
 * Pure but for the policy, which is read only for a text that states a limit.
 */
import type { Citation, Say, StepRecord } from "../agents/agent.ts";
import type { CustomerScope } from "../kernel/scope.ts";
import { readable } from "../safety/masking.ts";
import { type LeaveContext, mayLeave, statesLimit } from "../safety/may-leave.ts";
import type { PolicyNumbers } from "../safety/policy-numbers.ts";
import type { TenantFacts } from "../tools/tool.ts";
import type { ActionSummary } from "../tools/views.ts";
import type { ConversationState } from "./view.ts";

export type ReadPolicyNumbers = (scope: CustomerScope) => Promise<PolicyNumbers>;

export interface Withheld {
  readonly findings: readonly { readonly kind: string; readonly about: string }[];
  /** The text without what nobody may read. */
  readonly text: string;
}

/** What is known of a conversation when a text is judged. */
export interface Known {
  readonly author: LeaveContext["author"];
  readonly scope: CustomerScope;
  readonly tenant: TenantFacts;
  readonly state: ConversationState;
  /** The ledger's, in the language of the text. */
  readonly actions: readonly ActionSummary[];
  readonly records: readonly StepRecord[];
  /** What the ledger and the tools of this run showed. */
  readonly facts: readonly unknown[];
  readonly readPolicyNumbers: ReadPolicyNumbers;
}

/** Null when all of it may leave. */
export async function withheld(text: string, known: Known): Promise<Withheld | null> {
  const context = leaveContext(known);
  const policy = statesLimit(text) ? await known.readPolicyNumbers(known.scope) : null;
  const leave = mayLeave(text, { ...context, policy });
  return leave.ok ? null : { findings: leave.findings, text: readable(text) };
}

/** Buttons and the titles of citations are read too: what may not leave is left out. */
export function trimmed(
  say: Say,
  known: Known,
): { quickReplies: readonly string[]; citations: readonly Citation[] } {
  const context = leaveContext(known);
  const fits = (text: string) => mayLeave(text, context).ok;
  return {
    quickReplies: (say.quickReplies ?? []).filter(fits),
    citations: (say.citations ?? []).filter(({ title }) => fits(title)),
  };
}

function leaveContext({ author, tenant, state, actions, records, facts }: Known): LeaveContext {
  const by = (isCustomer: boolean) =>
    state.messages.filter(({ author }) => (author === "customer") === isCustomer).map(({ text }) => text);
  return {
    author,
    actions,
    ownTexts: records.flatMap(ownWords),
    customerTexts: by(true),
    shownTexts: by(false),
    facts,
    policy: null,
    linkHosts: tenant.linkHosts ?? [],
    // An address or a phone number in a document that the merchant published is published.
    contacts: [...(tenant.contacts ?? []), ...records.flatMap(passagesIn)],
  };
}

/** The passages of the merchant's documents that answered. Not {@link ownWords}: their limits are still compared. */
function passagesIn({ call, outcome }: StepRecord): readonly string[] {
  if (outcome.kind !== "result" || call.tool !== "search_knowledge") return [];
  const { passages = [] } = (outcome.value ?? {}) as { passages?: readonly { text?: unknown }[] };
  return passages.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

/** The merchant's own words, as code read them: a denial's explanation, the policy's clauses. */
function ownWords({ call, outcome }: StepRecord): readonly string[] {
  if (outcome.kind === "denied") return [outcome.explanation];
  if (outcome.kind !== "result" || call.tool !== "get_policy") return [];
  const { clauses = [] } = (outcome.value ?? {}) as { clauses?: readonly { text?: unknown }[] };
  return clauses.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}
