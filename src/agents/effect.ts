/**
 * Proposing an effect and telling what came of the proposal. An offer or a recorded action ends the run
 * in code, so what comes back here is always that nothing was done, and why.
 */
import { unreachable } from "../kernel/errors.ts";
import type { Call, CallOutcome, DialogueState, Proposal, RunView } from "./agent.ts";
import { stillSilent, wasSilent } from "./conversation.ts";
import type { Flow } from "./flow.ts";
import { handOver } from "./handover.ts";
import { readMemory, remember } from "./memory.ts";
import { type Speaking, talkOf } from "./wording.ts";

export function* proposeEffect(view: RunView, call: Call): Flow<Proposal> {
  return afterEffect(view, call, yield call);
}

const wordFor = (tool: string): "refund" | "return" => (tool === "initiate_return" ? "return" : "refund");

function afterEffect(view: RunView, call: Call, outcome: CallOutcome): Proposal {
  const what = wordFor(call.tool);
  const order = orderOf(call);
  const talk = talkOf(view);
  const { buttons } = talk;
  switch (outcome.kind) {
    case "result":
      // Nothing is claimed: the outcome is told by code when it is confirmed.
      return { type: "say", text: talk.toldWhenConfirmed, dialogue: null };
    case "denied":
      return {
        type: "say",
        text: `${outcome.explanation}\n\n${talk.contestHint}`,
        citations: outcome.clauses,
        quickReplies: [buttons.askColleague, buttons.thatIsFine],
        dialogue: remember(what, { asked: "contest", order, reason: outcome.code }),
      };
    case "conflict":
      return {
        type: "say",
        text: outcome.action?.text ?? alreadyTaken(view, outcome.code, what),
        ...(outcome.action === null ? {} : { cards: [{ type: "action", action: outcome.action }] }),
        dialogue: order === null ? null : remember("order-status", { order }),
      };
    case "unavailable":
      if (wasSilent(readMemory(view.dialogue)))
        return stillSilent(view, "A system that refunds and returns need");
      return {
        type: "say",
        text: talk.systemUnreachable[what],
        quickReplies: [buttons.tryAgain, buttons.person],
        dialogue: silentOnce(call.dialogue ?? view.dialogue, what),
      };
    case "invalid":
      return afterInvalid(view, what, outcome.code);
    default:
      return unreachable(outcome);
  }
}

/** As it was, so that "try again" goes on from here; and that a system was silent. */
const silentOnce = (dialogue: DialogueState | null, what: "refund" | "return"): DialogueState => ({
  workflow: dialogue?.workflow ?? what,
  slots: { ...dialogue?.slots, silences: 1 },
});

function alreadyTaken(to: Speaking, code: string, what: "refund" | "return"): string {
  const { orderBusy, alreadyRequested } = talkOf(to);
  return code === "order_busy" ? orderBusy : alreadyRequested[what];
}

function afterInvalid(view: RunView, what: "refund" | "return", code: string): Proposal {
  const draft = readMemory(view.dialogue);
  const talk = talkOf(view);
  if (code === "order_not_found") {
    return {
      type: "say",
      text: talk.orderGone,
      dialogue: null,
    };
  }
  const changed =
    code === "amount_exceeds_refundable" || code === "amount_mismatch" || code === "units_unavailable";
  if (changed && draft.misses === 0) {
    return {
      type: "say",
      text: talk.orderChanged[what],
      quickReplies: [talk.buttons.yesPlease, talk.buttons.noThanks],
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
