/** What can be done with the conversation as a whole: a button that shows a few others below it. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Chat, MailTo } from "./chat.ts";
import type { ChatState } from "./state.ts";
import { transcriptOf } from "./transcript.ts";
import type { Words } from "./words/words.ts";

export function Menu(props: { chat: Chat; state: ChatState; words: Words; language: string }) {
  const { chat, state, words, language } = props;
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** What became of the copy that was asked for. */
  const [told, setTold] = useState<string | null>(null);
  const [canMail, setCanMail] = useState<MailTo | null>(null);
  const [isNaming, setNaming] = useState(false);
  useEffect(() => {
    if (isOpen) void chat.canMail().then(setCanMail);
  }, [isOpen, chat]);
  useEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLButtonElement>("ul button")?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (isNaming) box.current?.querySelector<HTMLInputElement>(".naming input")?.focus();
  }, [isNaming]);
  const mail = (address: string | null) =>
    chat.endByMail(address).then(
      (to) => setTold((address === null ? words.mailed : words.asked)(to)),
      (error: Error) => setProblem(error.message),
    );
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
      !isEmpty && canMail !== null,
      () => (canMail === "named" ? setNaming(true) : mail(null)),
    ],
  ];
  const there = choices.filter(([, isThere]) => isThere);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what its buttons hear bubbles here
    <div
      class="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !(isOpen || isNaming)) return;
        // The panel stays open: one key closes one thing.
        event.stopPropagation();
        setOpen(false);
        setNaming(false);
        opener.current?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (box.current?.contains(relatedTarget as Node | null)) return;
        setOpen(false);
        // It lies over the messages: read, and gone with the next step.
        setTold(null);
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
                setTold(null);
                setNaming(false);
                opener.current?.focus();
                act();
              }}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
      {isNaming && (
        <form
          class="naming"
          onSubmit={(event) => {
            event.preventDefault();
            setNaming(false);
            opener.current?.focus();
            mail(String(new FormData(event.currentTarget).get("address")));
          }}
        >
          <label>
            {words.address}
            <input type="email" name="address" required maxLength={254} autocomplete="email" />
          </label>
          <div class="row">
            <button type="submit" class="primary">
              {words.send}
            </button>
            <button
              type="button"
              onClick={() => {
                setNaming(false);
                opener.current?.focus();
              }}
            >
              {words.cancel}
            </button>
          </div>
        </form>
      )}
      {told !== null && (
        <p class="notice" role="status">
          {told}
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
