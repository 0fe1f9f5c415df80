/**
 * A chat whose lines come from a pipe or a file: each is sent after the answer to the one before is
 * complete, everything said is printed in order, and it ends when the lines do.
 */
import { createInterface } from "node:readline";
import type { Api } from "../api.ts";
import { ApiProblem } from "../api.ts";
import { CliError, type CommandIo, EXIT } from "../command.ts";
import { readTyped } from "./commands.ts";
import type { Conversation } from "./conversation.ts";
import {
  answerTo,
  isFromCustomer,
  isUnsettled,
  latestActions,
  openQuickReplies,
  statusOf,
} from "./events.ts";
import {
  actionLine,
  eventLines,
  historyLines,
  type Look,
  ownLines,
  quickReplyLine,
  withQuickReply,
} from "./view.ts";

export interface PipedTimes {
  /** Longest wait for the answer to one line. */
  readonly answerMs: number;
  /** How long to wait, at the end, for refunds that are on their way. */
  readonly settleMs: number;
}

/** Answers with the exit code. */
export async function pipedChat(
  io: CommandIo,
  api: Api,
  conversation: Conversation,
  look: Look,
  times: PipedTimes,
): Promise<number> {
  const write = (lines: readonly string[]) => {
    for (const line of lines) io.output.write(`${line}\n`);
  };
  write(historyLines(conversation.events, look));
  const sent = new Set<string>();
  let reconnecting = false;
  const unwatch = conversation.watch((change) => {
    if (change.kind === "event") {
      const { event } = change;
      if (event.type === "action") return write([`       ${actionLine(event, look)}`]);
      // Own lines are printed when they are read.
      if (isFromCustomer(event) && sent.has(String(event.client_message_id))) return;
      write(eventLines(event, look));
      const replies = quickReplyLine(openQuickReplies([event]), look);
      if (replies !== null) write([replies]);
    } else if (change.kind === "state" && change.state.kind === "reconnecting" && change.state.attempt > 0) {
      if (!reconnecting) io.error.write("reconnecting…\n");
      reconnecting = true;
    } else if (change.kind === "state" && change.state.kind === "live") reconnecting = false;
  });

  const lines = createInterface({ input: io.input, crlfDelay: Number.POSITIVE_INFINITY });
  const stop = () => lines.close();
  io.interrupted.addEventListener("abort", stop, { once: true });
  let partial = "";
  let number = 0;
  try {
    for await (const line of lines) {
      if (io.interrupted.aborted) break;
      if (line.endsWith("\\")) {
        partial += `${line.slice(0, -1)}\n`;
        continue;
      }
      const typed = await readTyped(
        withQuickReply(partial + line, openQuickReplies(conversation.events)),
        conversation,
        api,
      );
      partial = "";
      if (typed.kind === "quit") break;
      if (typed.kind === "show") write(typed.lines.map((shown) => `       ${shown}`));
      if (typed.kind !== "send") continue;
      number += 1;
      const clientMessageId = `cli-${conversation.id.slice(-12)}-${Buffer.from(io.random.bytes(8)).toString("hex")}`;
      sent.add(clientMessageId);
      write(ownLines(typed.text, look));
      try {
        const seq = await conversation.send(typed.text, clientMessageId);
        await conversation.until(
          (events) => answerTo(events, seq),
          times.answerMs,
          `The answer to line ${number}`,
        );
      } catch (error) {
        // The server refuses this one line (too long, say): the rest may still be good.
        if (!(error instanceof ApiProblem) || error.status === 401 || error.status === 404) throw error;
        throw new CliError(`Line ${number} was refused: ${error.message}`, error.next);
      }
    }
    if (io.interrupted.aborted) return EXIT.interrupted;
    await settled(conversation, times.settleMs);
    const left = [...latestActions(conversation.events).values()].filter(isUnsettled);
    if (left.length > 0 || statusOf(conversation.events) === "with_person") {
      io.error.write(`More will be written here later: --conversation ${conversation.id}\n`);
    }
    return EXIT.ok;
  } finally {
    io.interrupted.removeEventListener("abort", stop);
    lines.close();
    unwatch();
  }
}

/** Waits for what the provider still has to say; gives up quietly. */
async function settled(conversation: Conversation, withinMs: number): Promise<void> {
  const isQuiet = (events: Conversation["events"]) =>
    [...latestActions(events).values()].some(isUnsettled) ? undefined : true;
  if (withinMs > 0) await conversation.until(isQuiet, withinMs, "The outcome").catch(() => {});
}
