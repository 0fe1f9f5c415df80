/** `recourse chat`: a conversation as a customer, typed at a terminal or piped in. */
import { type Api, ApiProblem, createApi, demoCredentials, fixedToken, serverUrl } from "../api.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments, wholeNumber } from "../command.ts";
import { columnsOf, isTerminal, paintFor } from "../terminal.ts";
import { type Conversation, followConversation, openConversation } from "./conversation.ts";
import { pipedChat } from "./piped.ts";
import { typedChat } from "./typed.ts";
import type { Look } from "./view.ts";

const CATCH_UP_MS = 30_000;

export const chat: Command = {
  name: "chat",
  summary: "Talk to the shop as a customer",
  help: `Usage: recourse chat --as NAME [options]
       recourse chat --token TOKEN [options]
       printf 'where is #1043?\\n' | recourse chat --as ben

  --as NAME            a customer of the demo: ada, ben, cleo, dev, eve …
  --tenant NAME        needed only for a name that several tenants have
  --token TOKEN        a customer's token of your own shop (or RECOURSE_TOKEN)
  --conversation ID    go on in a conversation instead of opening one
  --url URL            the server (RECOURSE_URL, or http://127.0.0.1:3000)
  --plain              no live area, as if it were piped
  --timeout SECONDS    piped: longest wait for one answer (60)
  --wait SECONDS       piped: at the end, wait for refunds under way (15)

Piped lines are sent one by one, each after the answer to the one before.
Inside the chat, /help lists what can be typed.
Exit codes: 0 left, 1 refused or no answer in time, 2 arguments, 3 no server.`,

  async run(args, io) {
    const { values } = readArguments("chat", args, {
      as: { type: "string" },
      tenant: { type: "string" },
      token: { type: "string" },
      conversation: { type: "string" },
      url: { type: "string" },
      plain: { type: "boolean" },
      timeout: { type: "string", default: "60" },
      wait: { type: "string", default: "15" },
    });
    const times = {
      answerMs: wholeNumber("timeout", values.timeout, 1, 3_600) * 1_000,
      settleMs: wholeNumber("wait", values.wait, 0, 3_600) * 1_000,
    };
    const token = values.token ?? io.env.RECOURSE_TOKEN;
    const customer = values.as;
    if ((customer === undefined) === (token === undefined)) {
      throw new CliError(
        customer === undefined
          ? "Who are you? Neither --as nor --token was given."
          : "--as and a token exclude each other.",
        "In the demo, try `npm run recourse -- chat --as ada`.",
        EXIT.usage,
      );
    }
    const open = createApi({ url: serverUrl(values.url, io.env), clock: io.clock });
    const api = open.as(
      token === undefined ? demoCredentials(open, customer as string, values.tenant) : fixedToken(token),
    );
    const id = values.conversation ?? (await opened(api, io));
    const conversation = followConversation({ api, clock: io.clock, random: io.random }, id);
    const typed = isTerminal(io.input) && isTerminal(io.output) && values.plain !== true;
    const look: Look = {
      you: "you",
      width: columnsOf(io.output),
      paint: paintFor(io.output, io.env),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    try {
      if (values.conversation !== undefined) await caughtUp(api, conversation);
      if (!typed) return await pipedChat(io, api, conversation, look, times);
      io.output.write(
        `${look.paint("dim", `${customer ?? "Customer"} at ${open.url}. Write, then Enter; /help for more, /quit to leave.`)}\n`,
      );
      const code = await typedChat(io, api, conversation, look);
      io.output.write(`${look.paint("dim", `Come back with --conversation ${id}`)}\n`);
      return code;
    } catch (error) {
      throw helpful(error, values.conversation);
    } finally {
      await conversation.close();
    }
  },
};

/** Everything that was said before is there. @throws ApiProblem `not_found` */
async function caughtUp(api: Api, conversation: Conversation): Promise<void> {
  const { last_seq: last } = await api.call<{ last_seq: number }>(
    "GET",
    `/v1/conversations/${encodeURIComponent(conversation.id)}`,
  );
  await conversation.until(
    (events) => (events.length >= last ? true : undefined),
    CATCH_UP_MS,
    "What was said before",
  );
}

async function opened(api: Api, io: CommandIo): Promise<string> {
  try {
    return await openConversation(api, io.interrupted);
  } catch (error) {
    throw helpful(error, undefined);
  }
}

/** The error with what to do next, where that depends on what was being done. */
function helpful(error: unknown, conversationId: string | undefined): unknown {
  if (error instanceof ApiProblem) {
    if (error.code === "path_unknown") {
      return new CliError(
        "This server gives no demo tokens: it is not in demo mode, or this is not a Recourse server.",
        "Use --token with a customer's token signed by your shop.",
      );
    }
    if (error.code === "not_found" && conversationId !== undefined) {
      return new CliError(
        `There is no conversation ${conversationId.slice(0, 60)} for this customer.`,
        "Check the ID and --as; without --conversation a new one is opened.",
      );
    }
  }
  return error;
}
