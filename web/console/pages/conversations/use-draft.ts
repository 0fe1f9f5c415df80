/** The unfinished answer, kept on the server a moment after the last key. One save at a time, in order. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { Problem } from "../../api/client.ts";
import { type Conversation, type Draft, oneConversation, saveDraft } from "../../api/conversations.ts";
import { useSession } from "../../session.tsx";

const PAUSE_MS = 700;

export interface DraftKeeping {
  readonly text: string;
  readonly state: "kept" | "saving" | "unsaved" | "changed";
  write(text: string): void;
  /** Nothing is saved any more from here on, and what was on its way has arrived. */
  settle(): Promise<void>;
  /** The message is sent; the server has ended the draft. */
  sent(): void;
}

export function useDraft(id: string, initial: Draft | null): DraftKeeping {
  const queries = useQueryClient();
  const { tenant } = useSession().me;
  const [text, setText] = useState(initial?.text ?? "");
  const [state, setState] = useState<DraftKeeping["state"]>("kept");
  const held = useRef({
    text: initial?.text ?? "",
    kept: initial?.text ?? "",
    version: initial?.version ?? 0,
  });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const chain = useRef<Promise<void>>(Promise.resolve());
  const save = useCallback(() => {
    clearTimeout(timer.current);
    chain.current = chain.current.then(async () => {
      const draft = held.current;
      const { text: toSave } = draft;
      if (toSave === draft.kept) return;
      setState("saving");
      try {
        const { draft: kept } = await saveDraft(id, toSave, draft.version);
        draft.version = kept?.version ?? 0;
        draft.kept = toSave;
        // Who comes back here begins with this one, not with what was known before.
        queries.setQueryData<Conversation>(
          ["conversation", id, tenant, "view"],
          (known) => known && { ...known, draft: kept },
        );
        setState(draft.text === toSave ? "kept" : "unsaved");
      } catch (error) {
        const isChanged = error instanceof Problem && error.code === "draft_changed";
        setState(isChanged ? "changed" : "unsaved");
        // The next key keeps this one, once the version of the other is known.
        if (isChanged) {
          const known = await oneConversation(id, AbortSignal.timeout(10_000)).catch(() => null);
          if (known !== null) draft.version = known.draft?.version ?? 0;
        }
      }
    });
    return chain.current;
  }, [id, queries, tenant]);
  useEffect(() => () => void save(), [save]);
  const write = useCallback(
    (next: string) => {
      held.current.text = next;
      setText(next);
      setState("unsaved");
      clearTimeout(timer.current);
      timer.current = setTimeout(save, PAUSE_MS);
    },
    [save],
  );
  const settle = useCallback(() => {
    clearTimeout(timer.current);
    return chain.current;
  }, []);
  const sent = useCallback(() => {
    held.current = { text: "", kept: "", version: 0 };
    setText("");
    setState("kept");
  }, []);
  return { text, state, write, settle, sent };
}
