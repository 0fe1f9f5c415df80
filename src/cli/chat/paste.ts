/**
 * Keyboard input with pasted text kept whole: the line ends of a paste become `⏎`, so that nothing is
 * sent before Enter is pressed, and a pasted text of several lines is one message. A paste is known by
 * the terminal's bracketed-paste marks, or, without them, by line ends in the middle of one chunk.
 */
import { Transform, type TransformCallback } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Stands for a line end in the input line. */
export const LINE_END = "⏎";
export const PASTE_ON = "\u001b[?2004h";
export const PASTE_OFF = "\u001b[?2004l";

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
const PASTE_CHARS_MAX = 100_000;

/** The text of an input line as it is sent. */
export const withLineEnds = (line: string): string => line.replaceAll(LINE_END, "\n");

/** Splits what a terminal sends into keys and pastes; keeps an unfinished mark for the next chunk. */
export class PasteReader {
  #held = "";
  #pasting = false;

  /** The input for the line editor. */
  take(chunk: string): string {
    let rest = this.#held + chunk;
    this.#held = "";
    let out = "";
    while (rest !== "") {
      const mark = this.#pasting ? PASTE_END : PASTE_START;
      const at = rest.indexOf(mark);
      if (at >= 0) {
        out += this.#pasting ? pasted(rest.slice(0, at), true) : typed(rest.slice(0, at));
        this.#pasting = !this.#pasting;
        rest = rest.slice(at + mark.length);
        continue;
      }
      // A mark may be cut in two; a lone escape at the end is the Escape key and goes through.
      const cut = markCutAt(rest, mark);
      const text = rest.slice(0, cut);
      this.#held = rest.slice(cut);
      out += this.#pasting ? pasted(text, false) : typed(text);
      break;
    }
    return out;
  }
}

function markCutAt(text: string, mark: string): number {
  for (let length = mark.length - 1; length >= 2; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return text.length - length;
  }
  return text.length;
}

/** A paste: line ends shown, one at its end dropped, everything that could be a key taken out. */
function pasted(text: string, ends: boolean): string {
  return text
    .slice(0, PASTE_CHARS_MAX)
    .replace(/\r\n?/g, "\n")
    .replace(ends ? /\n$/ : /$^/, "")
    .replaceAll("\t", " ")
    .replaceAll("\n", LINE_END)
    .replace(/\p{Cc}/gu, "");
}

/** Keys. Several lines in one chunk were not typed: they are a paste of a terminal that does not mark it. */
function typed(text: string): string {
  return /[\r\n][^\r\n]/.test(text) && !text.includes("\u001b") ? pasted(text, true) : text;
}

/** A terminal's input through a {@link PasteReader}, for `node:readline`. */
export class PasteFilter extends Transform {
  readonly #terminal: { setRawMode?: (mode: boolean) => unknown };
  readonly #reader = new PasteReader();
  readonly #decoder = new StringDecoder("utf8");
  readonly isTTY = true;

  constructor(terminal: { setRawMode?: (mode: boolean) => unknown }) {
    super();
    this.#terminal = terminal;
  }

  setRawMode(mode: boolean): this {
    this.#terminal.setRawMode?.(mode);
    return this;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, this.#reader.take(this.#decoder.write(chunk)));
  }
}
