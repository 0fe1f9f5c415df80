/** What the customer hears when a run ends without an agent's own words. */
import type { EscalationReason } from "../agents/agent.ts";

const COLLEAGUE =
  "I am passing this to a colleague, who gets the whole conversation, so you need not repeat anything. They will answer you here.";

export const HANDOFF_TEXT: Readonly<Record<EscalationReason, string>> = {
  asked_for_person: `Of course. ${COLLEAGUE}`,
  not_understood: `I am not sure that I understand this well enough to help. ${COLLEAGUE}`,
  legal_or_safety: `This needs a person's attention. ${COLLEAGUE}`,
  policy_denied_contested: `I cannot decide that myself. ${COLLEAGUE}`,
  complaint: `I am sorry about this. ${COLLEAGUE}`,
  no_progress: `I am not getting any further with this by myself. ${COLLEAGUE}`,
  step_limit: `I am not getting any further with this by myself. ${COLLEAGUE}`,
  deadline: `This takes longer than it should. ${COLLEAGUE}`,
  agent_failed: `Something went wrong on my side, and nothing was done. ${COLLEAGUE}`,
  outcome_uncertain: COLLEAGUE,
  low_confidence: `I am not sure enough of my answer to give it to you. ${COLLEAGUE}`,
  model_unavailable: `I cannot answer this by myself at the moment, and nothing was done. ${COLLEAGUE}`,
  safety_filter: `I could not find words for this that I may send to you. ${COLLEAGUE}`,
  negative_sentiment: `I am sorry that this has been so frustrating. ${COLLEAGUE}`,
  outside_scope: `This is outside what I can do. ${COLLEAGUE}`,
};

export const STOPPED_TEXT =
  "All right, I have stopped. Nothing new was done. Write here whenever you want to go on.";
