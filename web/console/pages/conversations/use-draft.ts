/** The unfinished answer of one conversation, kept on the server; what could not be kept waits in this window. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { type Conversation, type Draft, oneConversation, saveDraft } from "../../api/conversations.ts";
import { useSession } from "../../session.tsx";
import { createDraftKeeper, type DraftKeeper, type DraftView, type Unsaved } from "./draft-keeper.ts";

/** Of conversations that one has left: a lost connection or another window's text does not take it away. */
const waiting = new Map<string, Unsaved>();

const LOOK_MS = 10_000;

/** `draft` is the server's as it is known now. */
export function useDraft(id: string, draft: Draft | null): DraftKeeper & DraftView {
  const queries = useQueryClient();
  const { tenant } = useSession().me;
  const [{ keeper, follow }] = useState(() => {
    const place = `${tenant} ${id}`;
    const listeners = new Set<() => void>();
    const keeper = createDraftKeeper({
      initial: draft,
      unsaved: waiting.get(place) ?? null,
      async save(text, version) {
        const { draft: kept } = await saveDraft(id, text, version);
        // Who comes back here begins with this one, not with what was known before.
        queries.setQueryData<Conversation>(
          ["conversation", id, tenant, "view"],
          (known) => known && { ...known, draft: kept },
        );
        return kept;
      },
      look: async () => (await oneConversation(id, AbortSignal.timeout(LOOK_MS))).draft,
      changed() {
        const left = keeper.unsaved();
        if (left === null) waiting.delete(place);
        else waiting.set(place, left);
        for (const listener of listeners) listener();
      },
    });
    return {
      keeper,
      follow(listener: () => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
  });
  const view = useSyncExternalStore(follow, keeper.view);
  useEffect(() => {
    // What was left unsaved is tried again; what is unsaved when one leaves is saved.
    void keeper.save();
    return () => void keeper.save();
  }, [keeper]);
  useEffect(() => {
    if (draft !== null) keeper.adopt(draft);
  }, [keeper, draft]);
  return { ...keeper, ...view };
}
