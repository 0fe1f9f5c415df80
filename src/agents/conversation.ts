/** What is said around the workflows: greetings, thanks, "what would you like?", endings. */
import type { Proposal, RunView, Say } from "./agent.ts";
import { handOver } from "./handover.ts";
import { type Memory, memorable, remember } from "./memory.ts";
import type { Turn } from "./turn.ts";
import type { Courtesy } from "./understanding/courtesies.ts";
import { orderReferences } from "./understanding/order-references.ts";
import { type Speaking, talkOf } from "./wording.ts";

function startReplies(to: Speaking): readonly string[] {
  const { whereIsMyOrder, returnSomething, getRefund, person } = talkOf(to).buttons;
  return [whereIsMyOrder, returnSomething, getRefund, person];
}

const say = (text: string, quickReplies: readonly string[] = []): Say => ({
  type: "say",
  text,
  ...(quickReplies.length > 0 ? { quickReplies } : {}),
  dialogue: null,
});

export function answerCourtesy(view: RunView, courtesy: Courtesy): Say {
  const talk = talkOf(view);
  switch (courtesy) {
    case "greeting":
      return say(talk.greeting(nameOf(view)), startReplies(view));
    case "thanks":
      return say(talk.welcome);
    case "bye":
      return say(talk.bye);
    case "identity":
      return say(talk.identity(view.tenant.name), startReplies(view));
    case "help":
      return say(talk.help, startReplies(view));
    case "no":
      return say(talk.noFurther);
    case "yes":
      return say(talk.whatNext, startReplies(view));
  }
}

function nameOf({ customer }: RunView): string | null {
  const name = customer.firstName?.trim() ?? "";
  return /^[\p{L}\p{M}][\p{L}\p{M}' -]{0,30}$/u.test(name) ? name : null;
}

/** Nothing was done, nothing will be: the end of a request that is no longer wanted. */
export const leftAlone = (to: Speaking, what: "refund" | "return" | null): Say =>
  say(talkOf(to).leftAlone[what ?? "nothing"]);

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
  const talk = talkOf(view);
  const { numbers, perhaps } = orderReferences(words, new Set());
  const number = numbers[0] ?? (words.length <= 2 ? perhaps[0] : undefined);
  const about: Partial<Memory> = { asked: "wish", misses: 1, said: memorable(view.focus.text) };
  if (number !== undefined) {
    return {
      type: "say",
      isLost: true,
      text: talk.whatAboutOrder(`#${number}`),
      quickReplies: [talk.buttons.whereIsIt, ...startReplies(view).slice(1)],
      dialogue: remember("clarify", about),
    };
  }
  return {
    type: "say",
    isLost: true,
    text: talk.notUnderstood,
    quickReplies: startReplies(view),
    dialogue: remember("clarify", { ...about, said: null }),
  };
}

/** Something is wrong with an item: ask what would help, and remember what was said of it. */
export function askWhatHelps({ view }: Turn): Say {
  const { buttons, whatHelps } = talkOf(view);
  return {
    type: "say",
    text: whatHelps,
    quickReplies: [buttons.sendItBack, buttons.getRefund, buttons.person],
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
    text: talkOf(view).complaint,
    quickReplies: startReplies(view),
    dialogue: remember("clarify", { asked: "wish", misses: 1, said: memorable(view.focus.text) }),
  };
}

/** Whether a system was silent the last time that this request was worked on. */
export const wasSilent = ({ retry, silences }: Memory): boolean => retry !== null || silences > 0;

export const stillSilent = (view: RunView, system: string): Proposal =>
  handOver(view, "provider_unavailable", `${system} could not be reached, twice in a row; nothing was done.`);

/** A system is silent: say so, keep the request, and bring in a person when it stays silent. */
export function systemSilent(view: RunView, memory: Memory): Proposal {
  if (wasSilent(memory)) return stillSilent(view, "Our order system");
  const { buttons, ordersUnreachable } = talkOf(view);
  return {
    type: "say",
    text: ordersUnreachable,
    quickReplies: [buttons.tryAgain, buttons.person],
    dialogue: remember(memory.workflow ?? "clarify", { ...memory, retry: memorable(view.focus.text) }),
  };
}
