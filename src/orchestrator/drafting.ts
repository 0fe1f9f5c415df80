/**
 * What the customer sees of an answer while an agent still writes it: its whole sentences so far, each time
 * held to the same filter as the message itself, with the same first words. Nothing of it is kept: the
 * message in the log replaces it, and what may not leave takes it back. If the process dies, the draft is
 * gone with it and the run's next attempt draws its own.
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
}

export function createDrafting(parts: {
  readonly runId: RunId;
  /** Said before the first words of a conversation; empty when nothing is. */
  readonly prefix: string;
  readonly mayLeave: (text: string) => Promise<boolean>;
  readonly show: (draft: LiveDraft) => Promise<void>;
  readonly onError: (error: unknown, about: string) => void;
}): Drafting {
  const { runId, prefix, mayLeave, show } = parts;
  let shown = "";
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
      const isHeld = text !== "" && !(await mayLeave(text));
      // The sentence that may not leave would come again with the next one.
      if (isHeld) isOver = true;
      await showText(isHeld ? "" : text);
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
      await showText("").catch(failed);
    },
  };
}
