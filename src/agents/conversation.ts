/** What is said around the workflows: greetings, thanks, "what would you like?", endings. */
import type { Proposal, RunView, Say } from "./agent.ts";
import { handOver } from "./handover.ts";
import { type Memory, memorable, remember } from "./memory.ts";
import type { Turn } from "./turn.ts";
import type { Courtesy } from "./understanding/intents.ts";
import { orderReferences } from "./understanding/order-references.ts";

const START_REPLIES = ["Where is my order?", "Return something", "Get a refund", "Talk to a person"];
const ABILITIES = "I can tell you where an order is, set up a return, or help with a refund";

const say = (text: string, quickReplies: readonly string[] = []): Say => ({
  type: "say",
  text,
  ...(quickReplies.length > 0 ? { quickReplies } : {}),
  dialogue: null,
});

export function answerCourtesy(view: RunView, courtesy: Courtesy): Say {
  const name = nameOf(view);
  switch (courtesy) {
    case "greeting":
      return say(`Hi${name === null ? "" : ` ${name}`}, how can I help?`, START_REPLIES);
    case "thanks":
      return say("You're welcome. Is there anything else I can do for you?");
    case "bye":
      return say("Take care, and write any time.");
    case "identity":
      return say(
        `I'm the automated assistant of ${view.tenant.name}. ${ABILITIES}, and I can bring in a person.`,
        START_REPLIES,
      );
    case "help":
      return say(`Of course. ${ABILITIES}. What would you like?`, START_REPLIES);
    case "no":
      return say("Alright. I'm here if you need anything.");
    case "yes":
      return say(`Good. ${ABILITIES}. What would you like to do?`, START_REPLIES);
  }
}

function nameOf({ customer }: RunView): string | null {
  const name = customer.firstName?.trim() ?? "";
  return /^[\p{L}\p{M}][\p{L}\p{M}' -]{0,30}$/u.test(name) ? name : null;
}

/** Nothing was done, nothing will be: the end of a request that is no longer wanted. */
export const leftAlone = (what: "refund" | "return" | null): Say =>
  say(
    what === null
      ? "Alright, I've stopped there. Nothing has been changed."
      : `Alright, I'll leave the ${what}. Nothing has been changed.`,
  );

/** Asks once what the customer would like, then gives the conversation to a person. */
export function clarify({ view, words, memory }: Turn): Proposal {
  const askedBefore = memory.workflow === "clarify" && memory.asked === "wish";
  if (askedBefore && memory.misses > 0) {
    return handOver(
      view,
      "not_understood",
      "The assistant asked what the customer would like and did not understand the answer.",
    );
  }
  const { numbers, perhaps } = orderReferences(words, new Set());
  const number = numbers[0] ?? (words.length <= 2 ? perhaps[0] : undefined);
  const about: Partial<Memory> = { asked: "wish", misses: 1, said: memorable(view.focus.text) };
  if (number !== undefined) {
    return {
      type: "say",
      isLost: true,
      text: `What would you like to do about order #${number}?`,
      quickReplies: ["Where is it?", "Return something", "Get a refund", "Talk to a person"],
      dialogue: remember("clarify", about),
    };
  }
  return {
    type: "say",
    isLost: true,
    text: `I'm not sure I understood that. ${ABILITIES}. What would you like?`,
    quickReplies: START_REPLIES,
    dialogue: remember("clarify", { ...about, said: null }),
  };
}

/** Something is wrong with an item: ask what would help, and remember what was said of it. */
export function askWhatHelps({ view }: Turn): Say {
  return {
    type: "say",
    text: "I'm sorry about that. Would you like to send it back, or would you rather have a refund? A colleague can also look into it.",
    quickReplies: ["Send it back", "Get a refund", "Talk to a person"],
    dialogue: remember("clarify", { asked: "wish", misses: 1, said: memorable(view.focus.text) }),
  };
}

/** A complaint that asks for nothing: listen once, then a person. */
export function hearComplaint({ view, memory }: Turn): Proposal {
  if (memory.workflow === "clarify" && memory.misses > 0) {
    return handOver(view, "complaint", "The customer is unhappy and has not said what would help.");
  }
  return {
    type: "say",
    text: "I'm sorry, that isn't the experience you should have. What would help you most right now?",
    quickReplies: START_REPLIES,
    dialogue: remember("clarify", { asked: "wish", misses: 1, said: memorable(view.focus.text) }),
  };
}

/** A system is silent: say so, keep the request, and bring in a person when it stays silent. */
export function systemSilent(view: RunView, memory: Memory): Proposal {
  if (memory.retry !== null) {
    return handOver(view, "no_progress", "Our order system could not be reached twice; nothing was done.");
  }
  return {
    type: "say",
    text: "I can't reach our order system right now. Nothing has been changed. Please try again in a few minutes, or I can pass this to a colleague.",
    quickReplies: ["Try again", "Talk to a person"],
    dialogue: remember(memory.workflow ?? "clarify", { ...memory, retry: memorable(view.focus.text) }),
  };
}
