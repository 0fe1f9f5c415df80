/** The open panel: what was said, what may be said next, and what stands in the way. */
import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Order, Sources, Tracker } from "./cards.tsx";
import type { Chat } from "./chat.ts";
import { Menu } from "./menu.tsx";
import { Attach, ChosenPictures, NOTHING_CHOSEN, Picture } from "./pictures.tsx";
import { Rating } from "./rating.tsx";
import type { ChatState, Shown } from "./state.ts";
import { whoIs } from "./transcript.ts";
import type { Words } from "./words/words.ts";

/** The server's own limit; tests/house/pages.test.ts holds both to the same number. */
const LONGEST_MESSAGE = 8_000;
/** From here on the end of a list counts as seen. */
const NEAR_END_PX = 60;

export interface PanelProps {
  readonly chat: Chat;
  readonly state: ChatState;
  readonly words: Words;
  readonly language: string;
  readonly side: "left" | "right";
  readonly isOpen: boolean;
  close(): void;
}

export function Panel({ chat, state, words, language, side, isOpen, close }: PanelProps) {
  const log = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState("");
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  const [isAtEnd, setAtEnd] = useState(true);
  /** The customer writes on in a conversation that has ended. */
  const [goesOn, setGoesOn] = useState(false);
  const count = state.messages.length + state.pending.length;

  useEffect(() => {
    if (isOpen) input.current?.focus();
  }, [isOpen]);
  const isEmpty = count === 0;
  // Pictures belong to the conversation that they were given to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the conversation is another
  useEffect(() => setChosen(NOTHING_CHOSEN), [chat, isEmpty]);
  // Whatever comes, goes or takes room from it: who reads the end goes on reading the end. At once, for a smooth way
  // there would count as reading further up meanwhile.
  useLayoutEffect(() => {
    const box = log.current;
    if (box !== null && isAtEnd) box.scrollTop = box.scrollHeight;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the conversation ends or opens again
  useEffect(() => setGoesOn(false), [state.status]);

  const isTooLong = [...draft].length > LONGEST_MESSAGE;
  const submit = (text: string) => {
    const said = text.trim() === "" && chosen.pictures.length > 0 ? words.picture : text;
    if (said.trim() === "" || isTooLong || chosen.isBusy) return;
    chat.send(said, chosen.pictures);
    setDraft("");
    setChosen(NOTHING_CHOSEN);
    setAtEnd(true);
    input.current?.focus();
  };
  const toEnd = () => {
    setAtEnd(true);
    log.current?.scrollTo({ top: log.current.scrollHeight });
  };

  return (
    <div
      class={`panel ${side}`}
      hidden={!isOpen}
      role="dialog"
      aria-modal="false"
      aria-labelledby="recourse-title"
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <header>
        <h2 id="recourse-title">{words.title}</h2>
        <Menu chat={chat} state={state} words={words} language={language} />
        <button type="button" class="icon" aria-label={words.close} onClick={close}>
          ×
        </button>
      </header>
      <Notices state={state} words={words} />
      <div
        class="log"
        ref={log}
        role="log"
        aria-label={words.log}
        aria-live={isOpen ? "polite" : "off"}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        tabIndex={0}
        onScroll={({ currentTarget: box }) =>
          setAtEnd(box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX)
        }
      >
        {state.isLoading ? (
          <Fragment>
            <span class="sr">{words.loading}</span>
            <div class="skeleton" />
            <div class="skeleton" />
          </Fragment>
        ) : (
          count === 0 && <p class="intro">{words.intro}</p>
        )}
        {state.messages.map((message) => (
          <Message key={message.key} message={message} chat={chat} words={words} language={language} />
        ))}
        {state.actions.map((action) => (
          <Tracker key={action.latest.action_id} action={action} words={words} language={language} />
        ))}
        {state.pending.map(({ id, text, refused }) => (
          <div class="message mine waiting" key={id}>
            <div class="bubble">{text}</div>
            <div class={`under ${refused === undefined ? "" : "bad"}`}>
              {refused === undefined ? (
                words.sending
              ) : (
                <Fragment>
                  <span>
                    {words.notSent} {refused}
                  </span>
                  <button type="button" onClick={() => chat.retry(id)}>
                    {words.retry}
                  </button>
                  <button type="button" onClick={() => chat.drop(id)}>
                    {words.remove}
                  </button>
                </Fragment>
              )}
            </div>
          </div>
        ))}
        {state.draft !== null && (
          // Not read out while it is written: the message that replaces it is, once.
          <div class="message agent draft" aria-hidden="true">
            <div class="who">{words.agent}</div>
            <div class="bubble">{state.draft.text}</div>
          </div>
        )}
        {state.isTyping && (
          <div class="dots" role="img" aria-label={words.typing}>
            <i />
            <i />
            <i />
          </div>
        )}
      </div>
      {!isAtEnd && (
        <button type="button" class="newest" onClick={toEnd}>
          ↓ {words.newest}
        </button>
      )}
      {state.quickReplies.length > 0 && !state.isTyping && (
        <div class="replies">
          {state.quickReplies.map((reply) => (
            <button type="button" key={reply} onClick={() => submit(reply)}>
              {reply}
            </button>
          ))}
        </div>
      )}
      {state.status === "resolved" && !goesOn ? (
        <Rating chat={chat} state={state} words={words} goOn={() => setGoesOn(true)} />
      ) : (
        <Fragment>
          <ChosenPictures chat={chat} words={words} chosen={chosen} choose={setChosen} />
          <form
            onSubmit={(event) => {
              event.preventDefault();
              submit(draft);
            }}
          >
            {chat.canAttach && <Attach chat={chat} words={words} chosen={chosen} choose={setChosen} />}
            <textarea
              ref={input}
              rows={1}
              value={draft}
              placeholder={words.placeholder}
              aria-label={words.placeholder}
              aria-invalid={isTooLong}
              aria-describedby={isTooLong ? "recourse-too-long" : undefined}
              enterkeyhint="send"
              onInput={({ currentTarget }) => setDraft(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
                event.preventDefault();
                submit(draft);
              }}
            />
            <button
              type="submit"
              class="primary"
              disabled={(draft.trim() === "" && chosen.pictures.length === 0) || isTooLong}
            >
              {words.send}
            </button>
          </form>
        </Fragment>
      )}
      {isTooLong && (
        <p class="notice bad" id="recourse-too-long" role="alert">
          {words.tooLong(LONGEST_MESSAGE)}
        </p>
      )}
    </div>
  );
}

function Notices({ state, words }: { state: ChatState; words: Words }) {
  const seconds = useCountdown(state.waitUntilMs);
  return (
    <div aria-live="polite">
      {!state.isOnline && <p class="notice">{words.offline}</p>}
      {state.failure !== null && state.isOnline && (
        <p class="notice bad">
          {words.failed} {state.failure}
        </p>
      )}
      {seconds > 0 && <p class="notice">{words.slow(seconds)}</p>}
      {state.status === "with_person" && <p class="notice">{words.joined}</p>}
    </div>
  );
}

function useCountdown(untilMs: number | null): number {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    if (untilMs === null) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  return untilMs === null ? 0 : Math.max(0, Math.ceil((untilMs - nowMs) / 1_000));
}

function Message({
  message,
  chat,
  words,
  language,
}: {
  message: Shown;
  chat: Chat;
  words: Words;
  language: string;
}) {
  const isMine = message.author === "customer";
  const who = whoIs(message, words);
  const time = new Date(message.at);
  return (
    <div class={`message ${isMine ? "mine" : message.author}`}>
      <div class="who">
        {who}{" "}
        <time dateTime={message.at} title={time.toLocaleString(language)}>
          {time.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" })}
        </time>
      </div>
      <div class="bubble">{message.text}</div>
      {message.pictures.map((picture) => (
        <Picture key={picture.attachment_id} chat={chat} picture={picture} words={words} />
      ))}
      {message.cards.map((card) =>
        card.type === "order" ? (
          <Order key={card.order.number} order={card.order} words={words} language={language} />
        ) : null,
      )}
      <Sources citations={message.citations} words={words} language={language} />
    </div>
  );
}
