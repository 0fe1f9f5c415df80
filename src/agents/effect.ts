/**
 * Proposing an effect and telling what came of the proposal. An offer or a recorded action ends the run
 * in code, so what comes back here is always that nothing was done, and why.
 */
import { unreachable } from "../kernel/errors.ts";
import type { Call, CallOutcome, Proposal, RunView } from "./agent.ts";
import type { Flow } from "./flow.ts";
import { handOver } from "./handover.ts";
import { readMemory, remember } from "./memory.ts";

export function* proposeEffect(view: RunView, call: Call): Flow<Proposal> {
  return afterEffect(view, call, yield call);
}

const wordFor = (tool: string): "refund" | "return" => (tool === "initiate_return" ? "return" : "refund");

function afterEffect(view: RunView, call: Call, outcome: CallOutcome): Proposal {
  const what = wordFor(call.tool);
  const order = orderOf(call);
  switch (outcome.kind) {
    case "result":
      // Nothing is claimed: the outcome is told by code when it is confirmed.
      return { type: "say", text: "I'll tell you here as soon as the outcome is confirmed.", dialogue: null };
    case "denied":
      return {
        type: "say",
        text: `${outcome.explanation}\n\nIf you see it differently, I can ask a colleague to look at it.`,
        citations: outcome.clauses,
        quickReplies: ["Ask a colleague", "That's fine"],
        dialogue: remember(what, { asked: "contest", order, reason: outcome.code }),
      };
    case "conflict":
      return {
        type: "say",
        text: outcome.action?.text ?? alreadyTaken(outcome.code, what),
        ...(outcome.action === null ? {} : { cards: [{ type: "action", action: outcome.action }] }),
        dialogue: order === null ? null : remember("order-status", { order }),
      };
    case "unavailable":
      return {
        type: "say",
        text: `I can't reach one of our systems right now, so nothing has been done about your ${what} yet. Please try again in a few minutes, or I can pass it to a colleague.`,
        quickReplies: ["Try again", "Talk to a person"],
        dialogue: call.dialogue ?? view.dialogue,
      };
    case "invalid":
      return afterInvalid(view, what, outcome.code);
    default:
      return unreachable(outcome);
  }
}

function alreadyTaken(code: string, what: "refund" | "return"): string {
  return code === "order_busy"
    ? "Another request for this order is being worked on right now. Please give it a moment, then write to me again."
    : `There is a request for these items already, so I can't add a second ${what} for them.`;
}

function afterInvalid(view: RunView, what: "refund" | "return", code: string): Proposal {
  const draft = readMemory(view.dialogue);
  if (code === "order_not_found") {
    return {
      type: "say",
      text: "I can't find that order in your account any more, so nothing has been done. Could you check the order number?",
      dialogue: null,
    };
  }
  const changed =
    code === "amount_exceeds_refundable" || code === "amount_mismatch" || code === "units_unavailable";
  if (changed && draft.misses === 0) {
    return {
      type: "say",
      text: `The order has changed since I looked at it, so I've left the ${what} alone. Shall I look again and tell you what is possible now?`,
      quickReplies: ["Yes, please", "No, thanks"],
      dialogue: remember(what, { asked: "start", order: draft.order, misses: 1 }),
    };
  }
  return handOver(
    view,
    "no_progress",
    `The customer wants a ${what}; the request could not be made (${code}).`,
  );
}

function orderOf({ args }: Call): string | null {
  const { order_id: order } = (args ?? {}) as { order_id?: unknown };
  return typeof order === "string" ? order : null;
}
