/** The panel as the loader mounts it: one for a page, its chat changing with the person. */
import { render } from "preact";
import { type Chat, createChat } from "./chat.ts";
import {
  bringAlong,
  customerSession,
  hasVisited,
  type Identity,
  type Session,
  visitorSession,
} from "./identity.ts";
import { Panel } from "./panel.tsx";
import type { ChatState } from "./state.ts";
import { storage } from "./storage.ts";
import { STYLE } from "./style.ts";
import { wordsIn } from "./words/words-in.ts";

export interface WidgetOptions {
  readonly root: ShadowRoot;
  readonly base: string;
  readonly tenant: string;
  readonly language: string;
  readonly side: "left" | "right";
  readonly identity: Identity | null;
  readonly launcher: HTMLButtonElement;
  readonly badge: HTMLElement;
}

export interface Mounted {
  open(): void;
  close(): void;
  toggle(): void;
  identify(identity: Identity | null): Promise<void>;
}

export async function mount(options: WidgetOptions): Promise<Mounted> {
  const { root, base, tenant, side, launcher, badge } = options;
  const { words, language } = wordsIn(options.language);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const box = document.createElement("div");
  box.lang = language;
  box.dir = getComputedStyle(document.documentElement).direction;
  root.prepend(box);

  let chat: Chat | null = null;
  let isOpen = false;
  let seenSeq = 0;
  let turn = new AbortController();
  let shownFor = "";

  const draw = () => {
    if (chat === null) return;
    const { state } = chat;
    if (isOpen) seenSeq = state.lastSeq;
    const unread = unreadIn(state, seenSeq);
    badge.textContent = unread === 0 ? "" : String(Math.min(unread, 99));
    launcher.setAttribute("aria-expanded", String(isOpen));
    launcher.setAttribute(
      "aria-label",
      unread === 0 ? words.title : `${words.title}. ${words.unread(unread)}`,
    );
    render(
      <Panel
        chat={chat}
        state={state}
        words={words}
        language={language}
        side={side}
        isOpen={isOpen}
        close={close}
      />,
      box,
    );
  };
  const show = (open: boolean) => {
    if (isOpen === open) return;
    isOpen = open;
    draw();
    if (!open) launcher.focus();
  };
  const close = () => show(false);

  /** Shows this person's chat. */
  const use = (session: Session): void => {
    chat?.stop();
    chat = createChat({ ...session, canAttach: !session.isVisitor });
    shownFor = session.keyPrefix;
    // What was there before the page came is not new, but what came while nobody looked is.
    seenSeq = Number.POSITIVE_INFINITY;
    const leave = chat.subscribe(() => {
      if (seenSeq === Number.POSITIVE_INFINITY && chat !== null && !chat.state.isLoading)
        seenSeq = chat.state.lastSeq;
    });
    setTimeout(leave, 5_000);
    chat.subscribe(draw);
    draw();
  };

  const identify = async (identity: Identity | null): Promise<void> => {
    turn.abort();
    turn = new AbortController();
    const { signal } = turn;
    if (identity === null) storage.forget();
    const visitor = visitorSession(base, tenant);
    const customer = identity === null ? null : await customerSession(base, tenant, identity);
    // A later call has overtaken this one.
    if (signal.aborted) return;
    if (customer === null || !hasVisited(tenant)) return use(customer ?? visitor);
    // Until the server has said whose it is, the visitor goes on where they are.
    if (shownFor !== visitor.keyPrefix) use(visitor);
    const brought = () => {
      if (!signal.aborted) use(customer);
    };
    // What fails is the host page's own way to a token: the visitor's things stay for the next time.
    void bringAlong(tenant, customer, signal).then(brought, brought);
  };

  await identify(options.identity);
  return { open: () => show(true), close, toggle: () => show(!isOpen), identify };
}

/** Messages of others since the panel was last open. */
function unreadIn({ messages, lastSeq }: ChatState, seenSeq: number): number {
  if (lastSeq <= seenSeq) return 0;
  return messages.filter(({ key, author }) => author !== "customer" && Number(key.slice(1)) > seenSeq).length;
}
