/**
 * A decision as the operator makes it: bound to what is on the screen, sent once however often it is pressed,
 * taken back while that is possible. Nothing is shown as done before the server has said so.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { Problem } from "../../api/client.ts";
import { type Decision, type DecisionKind, decide, type Review, undo } from "../../api/reviews.ts";
import { notify, notifyProblem, withdraw } from "../../parts/toast.tsx";
import { decisionText } from "../../words.ts";

export interface Conflict {
  readonly message: string;
  readonly next: string | null;
  readonly changes: readonly { readonly field: string; readonly seen: unknown; readonly now: unknown }[];
}

export interface Deciding {
  readonly isBusy: boolean;
  readonly conflict: Conflict | null;
  decide(kind: DecisionKind, more?: { note?: string; amount?: string }): Promise<boolean>;
  forget(): void;
}

export function useDecide(review: Review | undefined, decided: () => void): Deciding {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  /** The same wish sent again (a double click, a lost answer) is the same decision. */
  const wish = useRef<{ key: string; id: string } | null>(null);

  const announce = useCallback(
    (after: Review, decisionId: string) => {
      const title = `${decisionText(after.decision?.decision ?? "")}${after.order_number === null ? "" : ` · #${after.order_number}`}`;
      if (after.state === "open" && after.first_approval !== null) {
        notify({ title: "First approval recorded", description: "A second person has to approve it too." });
        return;
      }
      if (after.undo_until === null) {
        notify({ title });
        return;
      }
      const leftMs = Math.max(0, new Date(after.undo_until).getTime() - Date.now());
      const toast = notify({
        title,
        description: "It takes effect in a moment.",
        lastsMs: leftMs,
        action: {
          label: "Undo (Z)",
          run: () => {
            withdraw(toast);
            undo(after.review_id, decisionId).then(() => {
              notify({ title: "Taken back", description: "The review is open again; nothing has happened." });
              void queries.invalidateQueries({ queryKey: ["reviews"] });
            }, notifyProblem);
          },
        },
      });
    },
    [queries],
  );

  const send = useCallback(
    async (kind: DecisionKind, more: { note?: string; amount?: string } = {}): Promise<boolean> => {
      if (review === undefined || isBusy) return false;
      const key = JSON.stringify([review.review_id, review.version, kind, more]);
      if (wish.current?.key !== key) wish.current = { key, id: crypto.randomUUID() };
      const decision: Decision = {
        decision_id: wish.current.id,
        decision: kind,
        args_hash: review.args_hash,
        version: review.version,
        ...more,
      };
      setBusy(true);
      setConflict(null);
      try {
        const after = await decide(review.review_id, decision);
        queries.setQueryData(["reviews", review.review_id], after);
        void queries.invalidateQueries({ queryKey: ["reviews"] });
        announce(after, decision.decision_id);
        decided();
        return true;
      } catch (error) {
        void queries.invalidateQueries({ queryKey: ["reviews"] });
        if (error instanceof Problem && error.status === 409) {
          const { changed } = error.details as { changed?: Conflict["changes"] };
          setConflict({
            message: error.message,
            next: error.next,
            changes: Array.isArray(changed) ? changed : [],
          });
        } else notifyProblem(error);
        return false;
      } finally {
        setBusy(false);
      }
    },
    [review, isBusy, queries, decided, announce],
  );

  return { isBusy, conflict, decide: send, forget: () => setConflict(null) };
}
