/** What can be done with the conversation as a whole: a button that shows a few others below it. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Chat } from "./chat.ts";
import type { ChatState } from "./state.ts";
import { transcriptOf } from "./transcript.ts";
import type { Words } from "./words/words.ts";

export function Menu(props: { chat: Chat; state: ChatState; words: Words; language: string }) {
  const { chat, state, words, language } = props;
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const [canMail, setCanMail] = useState(false);
  useEffect(() => {
    if (isOpen) void chat.canMail().then(setCanMail);
  }, [isOpen, chat]);
  useEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLButtonElement>("ul button")?.focus();
  }, [isOpen]);
  const isEmpty = state.messages.length === 0;
  const choices: readonly (readonly [label: string, isThere: boolean, act: () => void])[] = [
    [words.toPerson, !/with_person|resolved/.test(state.status), () => chat.send(words.wantPerson)],
    [words.save, !isEmpty, () => save(transcriptOf(state, words, language))],
    [words.newChat, !isEmpty, () => chat.startOver()],
    [
      words.end,
      !isEmpty && state.status !== "resolved",
      () => chat.end().catch((error: Error) => setProblem(error.message)),
    ],
    [
      words.endByMail,
      !isEmpty && canMail,
      () => chat.endByMail().then(setMailedTo, (error: Error) => setProblem(error.message)),
    ],
  ];
  const there = choices.filter(([, isThere]) => isThere);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what its buttons hear bubbles here
    <div
      class="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        // The panel stays open: one key closes one thing.
        event.stopPropagation();
        setOpen(false);
        opener.current?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (box.current?.contains(relatedTarget as Node | null)) return;
        setOpen(false);
        // It lies over the messages: read, and gone with the next step.
        setMailedTo(null);
      }}
    >
      <button
        type="button"
        class="icon"
        ref={opener}
        aria-label={words.menu}
        aria-expanded={isOpen}
        aria-controls="recourse-menu"
        disabled={there.length === 0}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      <ul id="recourse-menu" hidden={!isOpen}>
        {there.map(([label, , act]) => (
          <li key={label}>
            <button
              type="button"
              onClick={() => {
                setOpen(false);
                setProblem(null);
                setMailedTo(null);
                opener.current?.focus();
                act();
              }}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
      {mailedTo !== null && (
        <p class="notice" role="status">
          {words.mailed(mailedTo)}
        </p>
      )}
      {problem !== null && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `conversation-${new Date().toISOString().slice(0, 10)}.txt`;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
