/**
 * What the customer sees of an answer while an agent still writes it: its whole sentences so far, each time
 * held to the same filter as the message itself, with the same first words. Nothing of it is kept: the
 * message in the log replaces it, and what may not leave takes it back: a neutral sentence stands there while
 * another try is made. If the process dies, the draft is gone with it and the run's next attempt draws its own.
 */
import type { LiveDraft } from "../conversations/hub.ts";
import type { RunId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";

export interface Drafting {
  /** All sentences so far; empty takes back what was shown. Never throws. */
  write(text: string): void;
  /** Ends it, and waits for what is under way; what was shown stays until the message comes. */
  finish(): Promise<void>;
  /** Ends it; what was shown is taken back. */
  discard(): Promise<void>;
  /** Ends it: the answer may not leave. */
  withhold(): Promise<void>;
}

export function createDrafting(parts: {
  readonly runId: RunId;
  /** Said before the first words of a conversation; empty when nothing is. */
  readonly prefix: string;
  /** Shown when nothing of the answer is: empty, or the neutral sentence of the try before this one. */
  readonly behind: string;
  /** Shown once the answer may not leave: the neutral sentence, or empty when this was the last try. */
  readonly instead: string;
  readonly mayLeave: (text: string) => Promise<boolean>;
  readonly show: (draft: LiveDraft) => Promise<void>;
  readonly onError: (error: unknown, about: string) => void;
}): Drafting {
  const { runId, prefix, behind, instead, mayLeave, show } = parts;
  let shown = behind;
  let next: string | null = null;
  let drafts = 0;
  let isOver = false;
  let working: Promise<void> | null = null;

  const showText = async (text: string): Promise<void> => {
    if (text === shown) return;
    shown = text;
    await show({ runId, text: text === "" || prefix === "" ? text : `${prefix} ${text}` });
  };
  /** The newest text only: an older one that waited is part of it. */
  const work = async (): Promise<void> => {
    while (next !== null) {
      const text = next;
      next = null;
      // What is too long for a message becomes none.
      const isHeld = text.length > LIMITS.messageChars || (text !== "" && !(await mayLeave(text)));
      // The sentence that may not leave would come again with the next one.
      if (isHeld) isOver = true;
      await showText(isHeld ? instead : text === "" ? behind : text);
    }
  };
  const failed = (error: unknown): void => {
    isOver = true;
    parts.onError(error, `a draft of run ${runId}`);
  };
  const finish = async (): Promise<void> => {
    isOver = true;
    await working;
  };

  return {
    write(text) {
      // Of a flood of tiny sentences the first are shown, and then the message.
      if (isOver || (text !== "" && drafts >= LIMITS.draftsPerAnswer)) return;
      drafts += 1;
      next = text;
      working ??= work()
        .catch(failed)
        .finally(() => {
          working = null;
        });
    },
    finish,
    async discard() {
      await finish();
      await showText(behind).catch(failed);
    },
    async withhold() {
      await finish();
      await showText(instead).catch(failed);
    },
  };
}
