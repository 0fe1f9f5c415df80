/** Events of a conversation as a client reads them: loosely, since a newer server may say more. */

export interface ChatEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The event in a stream's or page's JSON; null for what is not one. */
export function readEvent(value: unknown): ChatEvent | null {
  if (value === null || typeof value !== "object") return null;
  const { seq, type } = value as { seq?: unknown; type?: unknown };
  return Number.isSafeInteger(seq) && (seq as number) > 0 && typeof type === "string"
    ? (value as ChatEvent)
    : null;
}

/** What a run is writing right now; empty when it is taken back. It is no event: it has no place in the log. */
export interface ChatDraft {
  readonly runId: string;
  readonly text: string;
}

/** The draft in a stream's JSON; null for what is not one. */
export function readDraft(value: unknown): ChatDraft | null {
  if (value === null || typeof value !== "object") return null;
  const { type, run_id: runId, text } = value as { type?: unknown; run_id?: unknown; text?: unknown };
  return type === "draft" && typeof runId === "string" && typeof text === "string" ? { runId, text } : null;
}

/** True when a draft is over with this event: something was said, or its run has ended. */
export const replacesDraft = (event: ChatEvent, draft: ChatDraft): boolean =>
  isFromShop(event) ||
  (event.type === "run" && event.run_id === draft.runId && RUN_ENDED.has(String(event.state)));

export const isMessage = (event: ChatEvent): boolean => event.type === "message";
export const isFromCustomer = (event: ChatEvent): boolean => isMessage(event) && event.author === "customer";
/** A message of the agent, an operator or the system. */
export const isFromShop = (event: ChatEvent): boolean => isMessage(event) && event.author !== "customer";

const RUN_ENDED = new Set(["completed", "handed_off", "cancelled", "expired", "failed"]);

/** Runs that have started and not ended: somebody is at work on an answer. */
export function liveRuns(events: readonly ChatEvent[]): ReadonlySet<string> {
  const live = new Set<string>();
  for (const event of events) {
    if (event.type !== "run" || typeof event.run_id !== "string") continue;
    if (RUN_ENDED.has(String(event.state))) live.delete(event.run_id);
    else live.add(event.run_id);
  }
  return live;
}

/** The last event of each action, by action ID, in order of first appearance. */
export function latestActions(events: readonly ChatEvent[]): ReadonlyMap<string, ChatEvent> {
  const actions = new Map<string, ChatEvent>();
  for (const event of events) {
    if (event.type === "action" && typeof event.action_id === "string") actions.set(event.action_id, event);
  }
  return actions;
}

const UNDER_WAY = new Set(["scheduled", "executing"]);
const UNSETTLED = new Set([...UNDER_WAY, "unknown", "pending"]);

/** No person is needed and the provider has not said the last word yet: more will be told by itself. */
export const isUnsettled = (action: ChatEvent): boolean => UNSETTLED.has(String(action.state));

/** The conversation's status after the events, such as `with_person`. */
export function statusOf(events: readonly ChatEvent[]): string {
  const last = events.findLast((event) => event.type === "status");
  return typeof last?.status === "string" ? last.status : "open";
}

/**
 * What was said to the customer's message at `seq`, once it is complete: no run is live, and something
 * was said after the message and after any action was sent off. Undefined while it is not complete;
 * empty when a person has the conversation, who answers in their own time.
 */
export function answerTo(events: readonly ChatEvent[], seq: number): readonly ChatEvent[] | undefined {
  const asked = events.findIndex((event) => event.seq === seq);
  if (asked === -1 || liveRuns(events).size > 0) return undefined;
  if (statusOf(events.slice(0, asked)) === "with_person") return [];
  const said = events.filter((event) => event.seq > seq && isFromShop(event));
  const lastSaid = said.at(-1)?.seq ?? 0;
  const untold = [...latestActions(events).values()].some(
    (action) => UNDER_WAY.has(String(action.state)) && action.seq > lastSaid,
  );
  return said.length > 0 && !untold ? said : undefined;
}

/** Quick replies of the latest message, when nobody has written since. */
export function openQuickReplies(events: readonly ChatEvent[]): readonly string[] {
  const last = events.findLast(isMessage);
  if (last === undefined || last.author === "customer" || !Array.isArray(last.quick_replies)) return [];
  return last.quick_replies.flatMap((reply: unknown) => {
    if (typeof reply === "string") return [reply];
    const { text, label, title } = (reply ?? {}) as Record<string, unknown>;
    const shown = [text, label, title].find((value) => typeof value === "string");
    return typeof shown === "string" ? [shown] : [];
  });
}
