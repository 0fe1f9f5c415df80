/**
 * A chat typed at a terminal: the transcript scrolls; under it a live area shows what is so now (state
 * of refunds, typing, reconnecting, quick replies), and under that is the line being typed. The live
 * area and the input are erased and drawn again around everything that is added to the transcript.
 */
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import type { Api } from "../api.ts";
import { ApiProblem } from "../api.ts";
import { type CommandIo, EXIT } from "../command.ts";
import { columnsOf, displayWidth, wrap } from "../terminal.ts";
import { readTyped } from "./commands.ts";
import { type Conversation, newClientMessageId } from "./conversation.ts";
import { isFromCustomer, openQuickReplies } from "./events.ts";
import { PASTE_OFF, PASTE_ON, PasteFilter, withLineEnds } from "./paste.ts";
import {
  actionLine,
  eventLines,
  historyLines,
  isResting,
  type Look,
  liveLines,
  ownLines,
  withQuickReply,
} from "./view.ts";

/** Shown before what is typed. */
const PROMPT = "› ";

/** Answers with the exit code once the customer leaves. @throws ApiProblem when the chat cannot go on */
export async function typedChat(
  io: CommandIo,
  api: Api,
  conversation: Conversation,
  look: Look,
): Promise<number> {
  const input = new PasteFilter(io.input as { setRawMode?: (mode: boolean) => unknown });
  io.input.pipe(input);
  const editor = createInterface({
    input,
    output: io.output,
    terminal: true,
    prompt: look.paint("blue", PROMPT),
    historySize: 100,
    escapeCodeTimeout: 100,
  });
  const screen = new Screen(
    editor,
    io.output,
    () => liveLines(factsOf(conversation), lookNow()),
    () => columnsOf(io.output),
  );
  const lookNow = (): Look => ({ ...look, width: columnsOf(io.output) });
  const sent = new Set<string>();
  let partial = "";

  const unwatch = conversation.watch((change) => {
    if (change.kind !== "event") return screen.draw([]);
    const { event } = change;
    if (isFromCustomer(event) && sent.has(String(event.client_message_id))) return screen.draw([]);
    if (event.type === "action") {
      return screen.draw(isResting(event) ? [`       ${actionLine(event, lookNow())}`] : []);
    }
    screen.draw(eventLines(event, lookNow()));
  });

  const send = (text: string) => {
    const clientMessageId = newClientMessageId(io.random);
    sent.add(clientMessageId);
    screen.draw(ownLines(text, lookNow()));
    conversation.send(text, clientMessageId).catch((error: unknown) => {
      if (!(error instanceof ApiProblem)) return;
      screen.draw(indented(`✗ Not sent: ${error.message} ${error.next}`, lookNow()));
    });
    screen.draw([]);
  };

  const onLine = async (line: string): Promise<void> => {
    screen.lineWasEntered(line);
    if (line.endsWith("\\")) {
      partial += `${line.slice(0, -1)}\n`;
      return screen.draw(
        partial
          .split("\n")
          .slice(-2, -1)
          .map((part) => look.paint("dim", `       ${part} …`)),
      );
    }
    const text = withLineEnds(partial + line).trimEnd();
    partial = "";
    const typed = await readTyped(
      withQuickReply(text, openQuickReplies(conversation.events)),
      conversation,
      api,
    );
    if (typed.kind === "quit") editor.close();
    else if (typed.kind === "send") send(typed.text);
    else screen.draw(typed.kind === "show" ? typed.lines.flatMap((shown) => indented(shown, lookNow())) : []);
  };

  try {
    io.output.write(PASTE_ON);
    screen.draw(historyLines(conversation.events, lookNow()));
    const left = new Promise<number>((resolve) => {
      let asked = false;
      editor.on("line", (line) => {
        asked = false;
        void onLine(line);
      });
      editor.on("close", () => resolve(io.interrupted.aborted ? EXIT.interrupted : EXIT.ok));
      editor.on("SIGINT", () => {
        // As in a shell: Ctrl-C drops the line; on an empty one, twice, it leaves.
        if (editor.line === "" && asked) return editor.close();
        asked = editor.line === "";
        screen.dropLine();
        screen.draw(asked ? [look.paint("dim", "       Ctrl-C again, or /quit, leaves.")] : []);
      });
      io.interrupted.addEventListener("abort", () => editor.close(), { once: true });
    });
    const code = await Promise.race([left, conversation.followed.then(() => EXIT.ok)]);
    return code;
  } finally {
    unwatch();
    editor.close();
    io.input.unpipe(input);
    screen.leave();
    io.output.write(PASTE_OFF);
  }
}

function factsOf(conversation: Conversation) {
  const { events, state, unsent, draft } = conversation;
  return { events, unsent, draft, reconnecting: state.kind === "live" ? null : state };
}

const indented = (text: string, look: Look): string[] => {
  const fits = displayWidth(text) <= look.width - 7;
  return (fits ? [text] : wrap(text, look.width - 7)).map((line) => `       ${line}`);
};

/** The part of the terminal that is drawn again: live lines and the input line. */
class Screen {
  readonly #editor: Interface;
  readonly #output: NodeJS.WritableStream;
  readonly #live: () => readonly string[];
  readonly #columns: () => number;
  /** Rows of the live area on the screen, and rows between its end and the cursor. */
  #liveRows = 0;
  #entered = 0;
  #left = false;

  constructor(
    editor: Interface,
    output: NodeJS.WritableStream,
    live: () => readonly string[],
    columns: () => number,
  ) {
    this.#editor = editor;
    this.#output = output;
    this.#live = live;
    this.#columns = columns;
  }

  /** Adds lines to the transcript and draws everything below it again. */
  draw(lines: readonly string[]): void {
    if (this.#left) return;
    this.#erase();
    for (const line of lines) this.#output.write(`${line}\n`);
    const live = this.#live();
    for (const line of live) this.#output.write(`${line}\n`);
    this.#liveRows = live.reduce((rows, line) => rows + this.#rowsOf(line), 0);
    this.#editor.prompt(true);
  }

  /** The editor has ended its line: the cursor is at the start of the row under it. */
  lineWasEntered(line: string): void {
    const { editor } = { editor: this.#editor as { line: string; cursor: number } };
    const before = { line: editor.line, cursor: editor.cursor };
    Object.assign(editor, { line, cursor: line.length });
    this.#entered = this.#editor.getCursorPos().rows + 1;
    Object.assign(editor, before);
  }

  /** Empties the line being typed. */
  dropLine(): void {
    this.#erase();
    Object.assign(this.#editor, { line: "", cursor: 0 });
  }

  /** Takes the live area and the input away: what stays is the transcript. */
  leave(): void {
    if (this.#left) return;
    this.#erase();
    this.#left = true;
  }

  #erase(): void {
    const up = this.#liveRows + (this.#entered > 0 ? this.#entered : this.#editor.getCursorPos().rows);
    cursorTo(this.#output, 0);
    if (up > 0) moveCursor(this.#output, 0, -up);
    clearScreenDown(this.#output);
    this.#entered = 0;
    this.#liveRows = 0;
    // The editor remembers how far above the cursor its prompt starts; that row has just been erased.
    Object.assign(this.#editor, { prevRows: 0 });
  }

  #rowsOf(line: string): number {
    const { columns } = this.#output as { columns?: number };
    return Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns ?? this.#columns())));
  }
}
