/** A customer of the demo: says something, and gets what the shop said to it. */
import { type Api, demoCredentials } from "../api.ts";
import {
  type Conversation,
  followConversation,
  newClientMessageId,
  openConversation,
} from "../chat/conversation.ts";
import { answerTo, type ChatEvent, openQuickReplies } from "../chat/events.ts";
import { CliError, type CommandIo } from "../command.ts";
import { saidIn, toldStates } from "./judge.ts";
import type { Narrator } from "./narrator.ts";

const ANSWER_MS = 15_000;
/** A killed server is back, and looks up what it left behind, well within this. */
const OUTCOME_MS = 30_000;
const MAX_PAUSE_MS = 500;

export interface DemoCustomer {
  readonly name: string;
  readonly conversation: Conversation;
  /** What was shown of answers while they were being written, in order. */
  readonly drafts: readonly string[];
  /** Sends a message and resolves with what the shop said to it. */
  say(text: string): Promise<readonly ChatEvent[]>;
  /** Sends one message `times` times at once, under one client_message_id. */
  sayAtOnce(text: string, times: number): Promise<{ clientMessageId: string; heard: readonly ChatEvent[] }>;
  /** Says yes to the offer just made. @throws CliError when there is none */
  agree(times?: number): Promise<readonly ChatEvent[]>;
  /** Sends a message whose answer may be long in coming: resolves once it is accepted. */
  send(text: string): Promise<number>;
  /** Resolves once a message has told of an action in this state. */
  told(state: string): Promise<void>;
  leave(): Promise<void>;
}

export async function enter(
  parts: { readonly api: Api; readonly io: CommandIo; readonly narrator: Narrator },
  name: string,
): Promise<DemoCustomer> {
  const { io, narrator } = parts;
  const api = parts.api.as(demoCredentials(parts.api, name));
  const id = await openConversation(api, io.interrupted);
  const conversation = followConversation(
    { api, clock: io.clock, random: io.random, maxPauseMs: MAX_PAUSE_MS, signal: io.interrupted },
    id,
  );
  const drafts: string[] = [];
  const unwatch = conversation.watch((change) => {
    if (change.kind === "event") narrator.event(name, change.event);
    else if (change.kind === "draft") {
      drafts.push(change.draft.text);
      narrator.draft(change.draft.text);
    }
  });

  const answered = (seq: number) =>
    conversation.until((events) => answerTo(events, seq), ANSWER_MS, `The answer to ${name}`);

  const customer: DemoCustomer = {
    name,
    conversation,
    drafts,
    send: (text) => conversation.send(text),
    say: async (text) => answered(await conversation.send(text)),
    async sayAtOnce(text, times) {
      const clientMessageId = newClientMessageId(io.random);
      const path = `/v1/conversations/${encodeURIComponent(id)}/messages`;
      const body = { client_message_id: clientMessageId, text };
      const [first] = await Promise.all(
        Array.from({ length: times }, () => api.call<{ seq: number }>("POST", path, body, io.interrupted)),
      );
      return { clientMessageId, heard: await answered(first?.seq ?? 0) };
    },
    async agree(times = 1) {
      const yes = openQuickReplies(conversation.events).find((reply) => /^yes\b/i.test(reply));
      if (yes === undefined) {
        throw new CliError(`No offer was made to ${name}: "${saidIn(conversation.events.slice(-4))}"`, "");
      }
      return times === 1 ? customer.say(yes) : (await customer.sayAtOnce(yes, times)).heard;
    },
    async told(state) {
      await conversation.until(
        (events) => (toldStates(events).includes(state) ? true : undefined),
        OUTCOME_MS,
        `News for ${name} that the refund is "${state}"`,
      );
    },
    async leave() {
      unwatch();
      await conversation.close();
    },
  };
  return customer;
}
