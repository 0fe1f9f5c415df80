/**
 * What code says around a handoff and at the start of a conversation: that an AI writes, when people are
 * there, and that somebody who waits has been heard. Pure.
 */
import { dateIn } from "../kernel/calendar.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import { openingAt } from "../kernel/opening-hours.ts";
import type { TenantFacts } from "../tools/tool.ts";
import { LOCALES, spokenDay } from "../wording/forms.ts";
import { wordsOf } from "../wording/words.ts";
import { type Answer, type ConversationState, spokenAt } from "./view.ts";

/** The first words of a conversation, or null where the merchant says it elsewhere. */
export const disclosure = (tenant: TenantFacts, language: Language): string | null =>
  tenant.aiDisclosure === false ? null : wordsOf(language).frame.disclosure(tenant.name);

/** The answers as they are kept: the first message of a conversation says first that an AI writes. */
export function disclosed(
  answers: readonly Answer[],
  state: ConversationState,
  tenant: TenantFacts,
): readonly Answer[] {
  if (hasSpoken(state) || tenant.aiDisclosure === false) return answers;
  let isSaid = false;
  return answers.map((answer) => ({
    ...answer,
    events: answer.events.map((event) => {
      if (isSaid || event.type !== "message") return event;
      isSaid = true;
      const words = disclosure(tenant, spokenAt(state, answer.focusSeq).language);
      return { ...event, payload: { ...event.payload, text: `${words} ${String(event.payload.text)}` } };
    }),
  }));
}

/** What goes before the first words of the answer to `focusSeq`; empty where it was said, or is said elsewhere. */
export const disclosureBefore = (state: ConversationState, tenant: TenantFacts, focusSeq: number): string =>
  hasSpoken(state) ? "" : (disclosure(tenant, spokenAt(state, focusSeq).language) ?? "");

const hasSpoken = ({ messages }: ConversationState): boolean =>
  messages.length >= LIMITS.transcriptEntries || messages.some(({ author }) => author === "agent");

/** When people are there, for somebody who waits for one; empty where no hours are configured. */
export function hoursText(tenant: TenantFacts, nowMs: number, language: Language): string {
  if (tenant.openingHours === undefined) return "";
  const { hours } = wordsOf(language).frame;
  const { timeZone } = tenant;
  const opening = openingAt(tenant.openingHours, timeZone, nowMs);
  const clock = (atMs: number) =>
    new Intl.DateTimeFormat(LOCALES[language], {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }).format(atMs);
  switch (opening.state) {
    case "unknown":
      return "";
    case "open": {
      const until = clock(opening.untilMs);
      return hours.open(until === "00:00" ? "24:00" : until);
    }
    case "closed": {
      const from = clock(opening.opensAtMs);
      if (dateIn(timeZone, opening.opensAtMs) === dateIn(timeZone, nowMs)) return hours.later(from);
      return hours.opens(hours.at(spokenDay(opening.opensAtMs, { now: nowMs, timeZone }, language), from));
    }
  }
}

/** For a customer who writes again while a person has the conversation. */
export function waitingText(tenant: TenantFacts, nowMs: number, language: Language): string {
  return [wordsOf(language).frame.waiting, hoursText(tenant, nowMs, language)]
    .filter((it) => it !== "")
    .join(" ");
}
