/**
 * One customer's conversation on this device: what was said, what became of their money, what is still to be
 * sent. All of it is derived from the server's events but the outbox, which is kept until the server has
 * taken a message: sent as often as it takes, stored there once. Tabs share outbox and conversation.
 */
import {
  type Attached,
  backOffMs,
  type ChatEvent,
  type Client,
  type Draft,
  pause,
  Refused,
} from "./client.ts";
import { type ChatState, EMPTY, withDraft, withEvent } from "./state.ts";
import { type Pending, readOutbox, storage, type TabMessage } from "./storage.ts";

/** An answer takes seconds; what takes longer is told. */
const END_TRIES = 5;
/**
 * A tab that nobody looks at lets its stream go after this long, and reads on when it is looked at: a browser has six
 * connections to a server (HTTP/1.1), for all of its tabs.
 */
const HIDDEN_MS = 5_000;
const TOO_FAST = /^(?:rate_limited|too_many_conversations|http_429)$/;

export interface Chat {
  readonly state: ChatState;
  subscribe(changed: () => void): () => void;
  /** Whether this person may send pictures. */
  readonly canAttach: boolean;
  send(text: string, pictures?: readonly Attached[]): void;
  /** Gives a picture to the server, for a message to come. @throws Refused */
  attach(picture: Blob): Promise<Attached>;
  /** @throws Refused */
  picture(id: string): Promise<Blob>;
  retry(id: string): void;
  drop(id: string): void;
  rate(score: number, comment: string | null): Promise<void>;
  /** Ends the conversation; waits until what is being answered is. @throws Refused */
  end(): Promise<void>;
  /** Whether the server can send it by mail: to the customer's address, or to one that a visitor names. */
  canMail(): Promise<MailTo | null>;
  /** Ends it and has it sent, or the address asked; answers with that, shortened. @throws Refused */
  endByMail(address: string | null): Promise<string>;
  /** A new conversation; the old one stays on the server. */
  startOver(): void;
  stop(): void;
}

export type MailTo = "account" | "named";

export interface ChatParts {
  readonly client: Client;
  /** Where this customer's state is kept on this device. */
  readonly keyPrefix: string;
  readonly canAttach?: boolean;
}

export function createChat({ client, keyPrefix, canAttach = false }: ChatParts): Chat {
  const [conversationKey, outboxKey] = [`${keyPrefix}:conversation`, `${keyPrefix}:outbox`];
  /** The ending that was rated here, and how: nobody is asked about it again, in no tab. */
  const ratedKey = `${keyPrefix}:rated`;
  const subscribers = new Set<() => void>();
  const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(keyPrefix);
  const stopped = new AbortController();
  let following = new AbortController();
  let conversation = storage.read(conversationKey);
  const ratingOf = (endedSeq: number, kept = storage.read(ratedKey)): number | null => {
    const [id, seq, score] = kept?.split(" ") ?? [];
    return id !== undefined && id === conversation && Number(seq) === endedSeq ? Number(score) : null;
  };
  let state: ChatState = {
    ...EMPTY,
    pending: readOutbox(outboxKey),
    isLoading: conversation !== null,
  };
  let sending = false;

  const tell = (message: TabMessage) => tabs?.postMessage(message);
  const set = (change: Partial<ChatState>) => {
    state = { ...state, ...change };
    for (const changed of subscribers) changed();
  };
  const keep = (pending: readonly Pending[]) => {
    storage.write(outboxKey, pending.length === 0 ? null : JSON.stringify(pending));
    set({ pending });
    tell({ outbox: pending });
  };

  let resting: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    resting = setTimeout(() => following.abort(), HIDDEN_MS);
  };
  const follow = (id: string) => {
    clearTimeout(resting);
    if (document.visibilityState === "hidden") rest();
    following.abort();
    following = new AbortController();
    const signal = following.signal;
    set({ isLoading: state.lastSeq === 0 });
    const watcher = {
      take: (event: ChatEvent) => {
        const before = state.pending.length;
        const { endedSeq } = state;
        state = withEvent(state, event);
        if (state.endedSeq !== endedSeq) state = { ...state, rated: ratingOf(state.endedSeq) };
        if (state.pending.length !== before) keep(state.pending);
        set({ isLoading: false });
      },
      write: (draft: Draft | null) => {
        const next = withDraft(state, draft);
        if (next !== state) set({ draft: next.draft });
      },
      connected: (isOnline: boolean) => {
        if (isOnline !== state.isOnline || state.isLoading) set({ isOnline, isLoading: false });
      },
    };
    client.follow(id, state.lastSeq, watcher, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      const code = error instanceof Refused ? error.problem.code : "";
      // Not this customer's any more, or gone: the next message opens another.
      if (code === "not_found") {
        if (conversation === id) startOver();
      } else set({ isLoading: false, failure: (error as Error).message });
    });
  };

  /** The conversation that messages go to; opened with the first. Tabs that open at once agree on one. */
  const ensured = async (): Promise<string> => {
    const open = async () => {
      // Another tab may have opened one meanwhile.
      conversation ??= storage.read(conversationKey);
      if (conversation !== null) return conversation;
      const { conversation_id: id } = await client.request<{ conversation_id: string }>(
        "POST",
        "/v1/conversations",
        {},
      );
      storage.write(conversationKey, id);
      tell({ conversation: id });
      return id;
    };
    const before = conversation;
    const id = conversation ?? (await oneTabAtATime(conversationKey, open));
    conversation = id;
    if (before === null && !stopped.signal.aborted) follow(id);
    return id;
  };

  /** Sends what waits, oldest first, until nothing does. */
  const flush = async (): Promise<void> => {
    if (sending) return;
    sending = true;
    try {
      for (let failures = 0, reopened = 0; !stopped.signal.aborted; ) {
        const next = state.pending.find(({ refused }) => refused === undefined);
        if (next === undefined) return;
        let id: string | null = null;
        try {
          id = await ensured();
          if (stopped.signal.aborted) return;
          await client.request("POST", `/v1/conversations/${id}/messages`, {
            client_message_id: next.id,
            text: next.text,
            ...(next.attachments === undefined ? {} : { attachments: next.attachments }),
          });
          failures = 0;
          reopened = 0;
          if (stopped.signal.aborted) return;
          set({ isOnline: true, waitUntilMs: null, failure: null });
          // Shown as said once its event comes; it must not be sent again meanwhile.
          await until(() => !state.pending.some(({ id: waiting }) => waiting === next.id), 5_000);
          if (stopped.signal.aborted) return;
          keep(state.pending.filter(({ id: waiting }) => waiting !== next.id));
        } catch (error) {
          // What is kept here may be somebody else's by now.
          if (stopped.signal.aborted) return;
          if (!(error instanceof Refused)) throw error;
          const { code, message, retryAfterMs } = error.problem;
          if (code === "not_found" && id !== null && reopened < 2) {
            reopened += 1;
            if (conversation === id) startOver();
          } else if (retryAfterMs === null) {
            keep(state.pending.map((each) => (each.id === next.id ? { ...each, refused: message } : each)));
          } else {
            failures += 1;
            const waitMs = backOffMs(failures, error.problem);
            set({
              isOnline: code !== "offline",
              // Only who was too fast is told to wait; all else is nothing that a customer did.
              waitUntilMs: TOO_FAST.test(code) ? Date.now() + waitMs : null,
            });
            await pause(waitMs, stopped.signal);
          }
        }
      }
    } catch (error) {
      set({ failure: (error as Error).message });
    } finally {
      sending = false;
    }
  };

  const until = (holds: () => boolean, maxMs: number): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        leave();
        resolve();
      };
      const timer = setTimeout(end, maxMs);
      const leave = subscribe(() => holds() && end());
      if (holds()) end();
    });

  const subscribe = (changed: () => void) => {
    subscribers.add(changed);
    return () => void subscribers.delete(changed);
  };

  function startOver(): void {
    following.abort();
    storage.write(conversationKey, null);
    conversation = null;
    state = { ...EMPTY, pending: state.pending };
    tell({ conversation: null });
    set({});
  }

  if (tabs !== null) {
    tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if ("outbox" in data) set({ pending: data.outbox });
      else if ("rated" in data) set({ rated: ratingOf(state.endedSeq, data.rated) });
      else if (data.conversation !== conversation) {
        conversation = data.conversation;
        state = { ...EMPTY, pending: state.pending };
        set({});
        if (conversation !== null) follow(conversation);
        else following.abort();
      }
    };
  }
  // Timers sleep with the device: what waits goes out as soon as it wakes.
  const wake = () => void flush();
  const look = () => {
    clearTimeout(resting);
    if (document.visibilityState === "hidden") return rest();
    if (conversation !== null && following.signal.aborted) follow(conversation);
    wake();
  };
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", look);
  if (conversation !== null) follow(conversation);
  void flush();

  return {
    get state() {
      return state;
    },
    subscribe,
    canAttach,
    async attach(picture) {
      return client.request("POST", `/v1/conversations/${await ensured()}/attachments`, picture);
    },
    picture: (id) => client.blob(`/v1/conversations/${conversation}/attachments/${id}`),
    send(text, pictures = []) {
      const trimmed = text.trim();
      if (trimmed === "") return;
      set({ quickReplies: [] });
      const attachments = pictures.map(({ attachment_id }) => attachment_id);
      keep([
        ...state.pending,
        { id: crypto.randomUUID(), text: trimmed, ...(attachments.length === 0 ? {} : { attachments }) },
      ]);
      void flush();
    },
    retry(id) {
      keep(
        state.pending.map((each) => {
          if (each.id !== id) return each;
          const { refused, ...again } = each;
          return again;
        }),
      );
      void flush();
    },
    drop: (id) => keep(state.pending.filter((each) => each.id !== id)),
    async rate(score, comment) {
      if (conversation === null) return;
      const rated = `${conversation} ${state.endedSeq} ${score}`;
      try {
        await client.request("POST", `/v1/conversations/${conversation}/csat`, {
          score,
          ...(comment === null ? {} : { comment }),
        });
      } catch (error) {
        // Given from another tab or device: that one counts.
        if (!(error instanceof Refused) || error.problem.code !== "csat_already_given") throw error;
      }
      storage.write(ratedKey, rated);
      tell({ rated });
      set({ rated: ratingOf(state.endedSeq, rated) });
    },
    end,
    async canMail() {
      if (conversation === null) return null;
      const path = `/v1/conversations/${conversation}`;
      // A server that does not say so cannot.
      const view = await client
        .request<{ transcript_by_mail?: boolean; transcript_by_address?: boolean }>("GET", path)
        .catch(() => null);
      if (view?.transcript_by_mail === true) return "account";
      return view?.transcript_by_address === true ? "named" : null;
    },
    async endByMail(address) {
      const path = `/v1/conversations/${conversation}/transcript`;
      await end();
      const answer =
        address === null
          ? client.request<{ address: string }>("POST", path)
          : client.request<{ address: string }>("POST", `${path}-address`, { address });
      return (await answer).address;
    },
    startOver,
    stop() {
      stopped.abort();
      following.abort();
      tabs?.close();
      removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", look);
      clearTimeout(resting);
      subscribers.clear();
    },
  };

  async function end(): Promise<void> {
    for (let failures = 0; conversation !== null && !stopped.signal.aborted; ) {
      try {
        return void (await client.request("POST", `/v1/conversations/${conversation}/end`));
      } catch (error) {
        if (!(error instanceof Refused) || error.problem.retryAfterMs === null || failures >= END_TRIES)
          throw error;
        failures += 1;
        await pause(backOffMs(failures, error.problem), stopped.signal);
      }
    }
  }
}

/** Tabs take turns, where the browser has turns to give: a page in a sandboxed frame has none. */
async function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  let isWorking = false;
  const working = () => {
    isWorking = true;
    return work();
  };
  try {
    return await (navigator.locks === undefined ? working() : navigator.locks.request(name, working));
  } catch (error) {
    if (isWorking) throw error;
    return working();
  }
}
