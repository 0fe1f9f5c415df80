/** Words that the chat takes itself instead of sending them, the same typed and piped. */
import { type Api, ApiProblem } from "../api.ts";
import { plainLine } from "../terminal.ts";
import type { Conversation } from "./conversation.ts";
import { liveRuns } from "./events.ts";

export const CHAT_HELP = [
  "Write and press Enter. A number picks the reply with that number.",
  "A line that ends in \\ goes on in the next line; pasted lines stay together.",
  "  /orders          ask for your orders",
  "  /stop            stop the answer that is being worked on",
  "  /rate 1-5 [why]  rate this conversation, once",
  "  /id              show how to come back to this conversation",
  "  /help            this",
  "  /quit            leave; nothing that was accepted is lost",
  "A message that starts with / is sent when you write // for it.",
];

export type Typed =
  | { readonly kind: "send"; readonly text: string }
  | { readonly kind: "show"; readonly lines: readonly string[] }
  | { readonly kind: "quit" }
  | { readonly kind: "nothing" };

/** Carries out a typed line that is a command; anything else is a message to send. */
export async function readTyped(text: string, conversation: Conversation, api: Api): Promise<Typed> {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "nothing" };
  if (!trimmed.startsWith("/")) return { kind: "send", text };
  if (trimmed.startsWith("//")) return { kind: "send", text: trimmed.slice(1) };
  const [word = "", ...rest] = trimmed.split(/\s+/);
  switch (word.toLowerCase()) {
    case "/quit":
    case "/exit":
    case "/q":
      return { kind: "quit" };
    case "/help":
    case "/?":
      return { kind: "show", lines: CHAT_HELP };
    case "/orders":
      return { kind: "send", text: "Show me my orders, please." };
    case "/id":
      return { kind: "show", lines: [`Come back with: --conversation ${conversation.id}`] };
    case "/stop":
      return { kind: "show", lines: [await stopRuns(conversation, api)] };
    case "/rate":
      return { kind: "show", lines: [await rate(conversation, api, rest)] };
    default:
      return { kind: "show", lines: [`There is no ${plainLine(word, 40)}. /help lists what there is.`] };
  }
}

async function stopRuns(conversation: Conversation, api: Api): Promise<string> {
  const runs = [...liveRuns(conversation.events)];
  if (runs.length === 0) return "Nothing is being worked on.";
  try {
    for (const run of runs) await api.call("POST", `/v1/runs/${encodeURIComponent(run)}/cancel`);
    return "Asked to stop.";
  } catch (error) {
    return failure(error);
  }
}

async function rate(conversation: Conversation, api: Api, words: readonly string[]): Promise<string> {
  const [score = "", ...comment] = words;
  if (!/^[1-5]$/.test(score)) return "Write /rate and a number from 1 to 5, then what you like to add.";
  try {
    await api.call("POST", `/v1/conversations/${encodeURIComponent(conversation.id)}/csat`, {
      score: Number(score),
      comment: comment.length === 0 ? null : comment.join(" "),
    });
    return "Thank you. Your rating is stored.";
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): string {
  const next = error instanceof ApiProblem && error.next !== "" ? ` ${error.next}` : "";
  return `That did not work: ${plainLine((error as Error).message)}${next}`;
}
