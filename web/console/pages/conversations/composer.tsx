/** Where the team writes: to the customer, or a note that the customer never sees. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Problem } from "../../api/client.ts";
import {
  addNote,
  type CannedReply,
  type Conversation,
  cannedReplies,
  fillReply,
  sendMessage,
} from "../../api/conversations.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Button } from "../../parts/base.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { CannedList, fitting, wantedReply, withReply } from "./canned.tsx";
import { OtherDraft } from "./other-draft.tsx";
import { useDraft } from "./use-draft.ts";

const STATES = {
  kept: "",
  saving: "Saving …",
  unsaved: "Not saved yet",
  changed: "Not kept: it was changed in another window",
};

/** Characters, as the server takes them. */
const LONGEST = { note: 2_000, reply: 8_000 } as const;

/** Notes that were begun, by conversation: they are the window's alone, and are there when one comes back. */
const begunNotes = new Map<string, string>();

export function Composer({ conversation }: { conversation: Conversation }) {
  const { conversation_id: id } = conversation;
  const { me } = useSession();
  const queries = useQueryClient();
  const [mode, setMode] = useState<"reply" | "note">("reply");
  const place = `${me.tenant} ${id}`;
  const [note, showNote] = useState(() => begunNotes.get(place) ?? "");
  const setNote = (next: string) => {
    showNote(next);
    if (next === "") begunNotes.delete(place);
    else begunNotes.set(place, next);
  };
  const [isBusy, setBusy] = useState(false);
  const [at, setAt] = useState(0);
  const [isClosed, setClosed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(id, conversation.draft);
  /** The same message or note pressed twice, or sent again after a lost answer, is one. */
  const wish = useRef<{ mode: string; text: string; id: string } | null>(null);
  const wishFor = (words: string): string => {
    if (wish.current?.text !== words || wish.current.mode !== mode) {
      wish.current = { mode, text: words, id: crypto.randomUUID() };
    }
    return wish.current.id;
  };
  const inHand = useRef(false);
  const isNote = mode === "note";
  const text = isNote ? note : draft.text;
  const longest = isNote ? LONGEST.note : LONGEST.reply;
  const isTorn = draft.state === "changed";
  const canSend = isNote || (conversation.status === "with_person" && !isTorn);
  const hasGap = !isNote && /\{\{[^{}]*\}\}/.test(text);
  const wanted = isNote || isClosed ? null : wantedReply(text);
  const canned = useQuery({
    queryKey: ["canned-replies", me.tenant],
    queryFn: ({ signal }) => cannedReplies(signal),
    enabled: wanted !== null,
  });
  const found = wanted === null ? [] : fitting(canned.data?.replies ?? [], wanted);
  const focus = (next: "reply" | "note") => {
    setMode(next);
    setTimeout(() => field.current?.focus(), 0);
  };
  useCommands(
    [
      {
        id: "talk.reply",
        label: "Write a reply",
        keys: "e",
        group: "Conversation",
        run: () => focus("reply"),
      },
      { id: "talk.note", label: "Write a note", keys: "n", group: "Conversation", run: () => focus("note") },
    ],
    [],
  );
  const change = (next: string) => {
    setAt(0);
    setClosed(false);
    if (isNote) setNote(next);
    else draft.write(next);
  };
  const pick = (reply: CannedReply) =>
    void fillReply(reply.reply_id, id).then(({ text: filled, missing }) => {
      // What has been typed meanwhile stays.
      draft.write(withReply(draft.view().text, filled));
      field.current?.focus();
      if (missing.length > 0) {
        notify({
          title: "Something is not known here",
          description: `Fill in yourself: ${missing.join(", ")}`,
        });
      }
    }, notifyProblem);
  const send = async () => {
    const words = text.trim();
    if (words === "" || inHand.current || !canSend || hasGap) return;
    inHand.current = true;
    setBusy(true);
    try {
      if (isNote) {
        await addNote(id, wishFor(words), words);
        setNote("");
      } else {
        await draft.settle();
        // It may have been torn by the save that was on its way.
        if (draft.view().state === "changed") return;
        await sendMessage(id, wishFor(words), words, conversation.last_seq);
        draft.sent();
      }
      wish.current = null;
      await queries.invalidateQueries({ queryKey: ["conversation", id] });
    } catch (error) {
      notifyProblem(error);
      // What somebody else wrote is shown, before it can be answered.
      if (error instanceof Problem && error.code === "conversation_changed") {
        await queries.invalidateQueries({ queryKey: ["conversation", id] });
      }
    } finally {
      inHand.current = false;
      setBusy(false);
    }
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const isList = wanted !== null;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
    else if (event.key === "Escape" && isList) setClosed(true);
    else if (event.key === "Escape") field.current?.blur();
    else if (isList && event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
    else if (isList && event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (isList && event.key === "Enter" && found[at] !== undefined) pick(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <div
      className={`flex flex-col gap-2 border-t p-3 ${isNote ? "border-warn/60 bg-warn/10" : "border-line bg-surface"}`}
    >
      <div className="flex items-center gap-1">
        <Button
          look="bare"
          aria-pressed={!isNote}
          keys="e"
          className={isNote ? "" : "bg-raised"}
          onClick={() => focus("reply")}
        >
          Reply
        </Button>
        <Button
          look="bare"
          aria-pressed={isNote}
          keys="n"
          className={isNote ? "bg-raised" : ""}
          onClick={() => focus("note")}
        >
          Note
        </Button>
        <span
          role="status"
          className={`ml-auto text-xs ${draft.state === "changed" ? "text-warn" : "text-dim"}`}
        >
          {isNote ? "Only the team sees it" : STATES[draft.state]}
        </span>
      </div>
      {!isNote && isTorn && <OtherDraft other={draft.other} keep={draft.keepMine} take={draft.takeOther} />}
      {wanted !== null && !canned.isPending && <CannedList found={found} at={at} pick={pick} />}
      <textarea
        ref={field}
        dir="auto"
        rows={3}
        readOnly={isBusy}
        value={text}
        maxLength={longest}
        aria-label={isNote ? "Internal note" : "Reply to the customer"}
        placeholder={isNote ? "A note for the team …" : "Write to the customer; ; or / for canned replies"}
        className="w-full resize-y rounded-lg border border-line bg-ground px-3 py-2 text-sm"
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex items-center justify-end gap-3">
        <span className="text-xs text-dim">
          {isTorn && !isNote
            ? "Choose one of the two texts first."
            : text.length >= longest
              ? `At most ${longest.toLocaleString("en")} characters: look whether the end of what you put in is there.`
              : !canSend
                ? "Take the conversation over to send; what you write is kept."
                : hasGap
                  ? "Fill in what stands in {{ }} first."
                  : ""}
        </span>
        <Button
          look="primary"
          keys="mod+enter"
          isBusy={isBusy}
          disabled={!canSend || hasGap || text.trim() === ""}
          onClick={() => void send()}
        >
          {isNote ? "Keep note" : "Send"}
        </Button>
      </div>
    </div>
  );
}
