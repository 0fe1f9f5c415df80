/**
 * An unfinished answer on its way to the server: one save at a time, in order, a moment after the last key.
 * Where another window has saved a later one, nothing is saved any more until the operator has chosen: neither text
 * is lost by the next key. No React, no network: both come from outside.
 */
import { Problem } from "../../api/client.ts";
import type { Draft } from "../../api/conversations.ts";

export const PAUSE_MS = 700;

export interface DraftView {
  readonly text: string;
  readonly state: "kept" | "saving" | "unsaved" | "changed";
  /** In state `changed`: what the other window has kept; null when it was sent or cleared there. */
  readonly other: Draft | null;
}

/** What was written and is not on the server yet, with the version that it was written on. */
export interface Unsaved {
  readonly text: string;
  readonly version: number;
}

interface Parts {
  readonly initial: Draft | null;
  readonly unsaved: Unsaved | null;
  /** @throws Problem `draft_changed` and others */
  save(text: string, version: number): Promise<Draft | null>;
  /** What is there now, where the refusal does not say it. */
  look(): Promise<Draft | null>;
  /** After each change. */
  changed(view: DraftView): void;
}

export interface DraftKeeper {
  view(): DraftView;
  unsaved(): Unsaved | null;
  write(text: string): void;
  save(): Promise<void>;
  /** Nothing more is saved by itself, and what was on its way has arrived. */
  settle(): Promise<void>;
  /** The message is sent; the server has ended the draft. */
  sent(): void;
  /** What another window has kept since, while nothing is unsaved here. */
  adopt(draft: Draft): void;
  keepMine(): Promise<void>;
  takeOther(): void;
}

export function createDraftKeeper({ initial, unsaved, save, look, changed }: Parts): DraftKeeper {
  let text = unsaved?.text ?? initial?.text ?? "";
  let kept = initial?.text ?? "";
  let version = unsaved?.version ?? initial?.version ?? 0;
  let other = initial;
  const isBehind = unsaved !== null && version !== (initial?.version ?? 0) && text !== kept;
  let state: DraftView["state"] = isBehind ? "changed" : text === kept ? "kept" : "unsaved";
  /** Of drafts that ended here: an answer from before the end does not bring them back. */
  let ended = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let chain: Promise<void> = Promise.resolve();
  let shown: DraftView = { text, state, other };

  const become = (next: DraftView["state"]) => {
    state = next;
    shown = { text, state, other };
    changed(shown);
  };
  const isKept = (draft: Draft | null, saved: string) => {
    version = draft?.version ?? 0;
    kept = saved;
    if (state !== "changed") become(text === kept ? "kept" : "unsaved");
  };
  async function saveNow(): Promise<void> {
    const toSave = text;
    if (state === "changed" || toSave === kept) return;
    become("saving");
    try {
      isKept(await save(toSave, version), toSave);
    } catch (error) {
      if (!(error instanceof Problem && error.code === "draft_changed")) return become("unsaved");
      const said = error.details.draft as Draft | null | undefined;
      const there = said === undefined ? await look().catch(() => undefined) : said;
      if (there === undefined) return become("unsaved");
      // It was ours: the answer to a save got lost.
      if ((there?.text ?? "") === toSave) return isKept(there, toSave);
      other = there;
      become("changed");
    }
  }
  const queue = (): Promise<void> => {
    clearTimeout(timer);
    chain = chain.then(saveNow);
    return chain;
  };

  return {
    view: () => shown,
    unsaved: () => (text === kept ? null : { text, version }),
    write(next) {
      text = next;
      clearTimeout(timer);
      if (state === "changed") return become("changed");
      become("unsaved");
      timer = setTimeout(() => void queue(), PAUSE_MS);
    },
    save: queue,
    settle() {
      clearTimeout(timer);
      return chain;
    },
    sent() {
      ended = Math.max(ended, version);
      [text, kept, version, other] = ["", "", 0, null];
      become("kept");
    },
    adopt(draft) {
      if (state !== "kept" || draft.version <= Math.max(version, ended)) return;
      [text, kept, version] = [draft.text, draft.text, draft.version];
      become("kept");
    },
    keepMine() {
      if (state !== "changed") return chain;
      [kept, version] = [other?.text ?? "", other?.version ?? 0];
      become("unsaved");
      return queue();
    },
    takeOther() {
      if (state !== "changed") return;
      [text, kept, version] = [other?.text ?? "", other?.text ?? "", other?.version ?? 0];
      become("kept");
    },
  };
}
