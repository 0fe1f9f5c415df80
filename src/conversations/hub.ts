/**
 * Tells open streams that a conversation has new events. Within a process the events come along, which
 * saves each stream a read; between processes only its name does. Either way a wake-up that is lost,
 * doubled or late is harmless: who is woken knows its own seq, reads the log over a gap, and also polls.
 *
 * Drafts go the same way, with their text: they are in no log, and one that is lost is missed by nobody.
 *
 * Whose a conversation is can change while a stream is open (a visitor signs in). What comes along is for its
 * owner of that moment only (G3); any other subscriber is told to read, and the log refuses them.
 */
import type { ConversationId, CustomerId, RunId, TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { CustomerScope } from "../kernel/scope.ts";
import type { Tx } from "../store/store.ts";
import { executeIn, type Store } from "../store/store.ts";
import type { PublicEvent } from "./events.ts";

/** `events`: what was appended, in order; absent when it was another process. */
export type Wake = (events?: readonly PublicEvent[]) => void;

/** What a run is writing, before it is said: whole sentences so far. Empty: nothing of it is shown any more. */
export interface LiveDraft {
  readonly runId: RunId;
  readonly text: string;
}

/** The part of a conversation's row that says who hears of it. */
export interface Announced {
  readonly tenant_id: TenantId;
  readonly id: ConversationId;
  readonly customer_id: CustomerId;
  readonly channel: "chat" | "email";
}

/** Told of each append to any conversation. */
export type HeardOfAll = (tenantId: string, conversationId: string, channel: string) => void;

export interface Hub {
  /** Call inside the transaction that appends; subscribers hear after its commit, in every process. */
  announce(tx: Tx, conversation: Announced, events: readonly PublicEvent[]): Promise<void>;
  subscribe(
    scope: CustomerScope,
    conversationId: string,
    wake: Wake,
    onDraft?: (draft: LiveDraft) => void,
  ): () => void;
  /** Hears of each append to any conversation, in every process. */
  subscribeAll(heard: HeardOfAll): () => void;
  /** Shows a draft to who is subscribed now, in every process. */
  draft(scope: CustomerScope, conversationId: ConversationId, draft: LiveDraft): Promise<void>;
  stop(): Promise<void>;
}

const CHANNEL = "recourse_events";

interface Subscriber {
  readonly customerId: CustomerId;
  readonly wake: Wake;
  readonly onDraft: ((draft: LiveDraft) => void) | undefined;
}

const keyOf = (tenantId: TenantId, conversationId: string): string => `${tenantId}/${conversationId}`;

interface DraftNotice {
  readonly key: string;
  readonly customerId: CustomerId;
  readonly draft: LiveDraft;
}

/** The draft in a notification; null when it tells of an append. Those begin with a tenant's name. */
function readDraft(payload: string): DraftNotice | null {
  return payload.startsWith("{") ? JSON.parse(payload) : null;
}

export async function createHub(store: Store): Promise<Hub> {
  const subscribers = new Map<string, Set<Subscriber>>();
  const listeners = new Set<HeardOfAll>();
  const wakeAll = (notice: string, owner?: CustomerId, events?: readonly PublicEvent[]) => {
    const [tenantId = "", conversationId = "", channel = ""] = notice.split("/");
    for (const heard of listeners) heard(tenantId, conversationId, channel);
    const key = keyOf(tenantId as TenantId, conversationId);
    for (const { wake, customerId } of subscribers.get(key) ?? []) {
      wake(customerId === owner ? events : undefined);
    }
  };
  const showAll = ({ key, customerId: owner, draft }: DraftNotice) => {
    for (const { onDraft, customerId } of subscribers.get(key) ?? []) {
      if (customerId === owner) onDraft?.(draft);
    }
  };
  const manyProcesses = store.database.kind === "server";
  const onPayload = (payload: string): void => {
    const drafted = readDraft(payload);
    if (drafted === null) wakeAll(payload);
    else showAll(drafted);
  };
  /** Something may have been missed: every stream reads its log. */
  const onGap = (): void => {
    for (const { wake } of [...subscribers.values()].flatMap((set) => [...set])) wake();
  };
  const unlisten = manyProcesses ? await store.database.listen(CHANNEL, onPayload, onGap) : async () => {};
  return {
    async announce(tx, { tenant_id, id, customer_id, channel }, events) {
      const notice = `${keyOf(tenant_id, id)}/${channel}`;
      if (manyProcesses) await executeIn(tx, "select pg_notify($1, $2)", [CHANNEL, notice]);
      else tx.afterCommit(() => wakeAll(notice, customer_id, events));
    },
    subscribe({ tenantId, customerId }, conversationId, wake, onDraft) {
      const key = keyOf(tenantId, conversationId);
      const subscriber: Subscriber = { customerId, wake, onDraft };
      const set = subscribers.get(key) ?? new Set();
      subscribers.set(key, set.add(subscriber));
      return () => {
        set.delete(subscriber);
        if (set.size === 0) subscribers.delete(key);
      };
    },
    subscribeAll(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    async draft(scope, conversationId, draft) {
      const { tenantId, customerId } = scope;
      const notice: DraftNotice = { key: keyOf(tenantId, conversationId), customerId, draft };
      if (!manyProcesses) return showAll(notice);
      const payload = JSON.stringify(notice);
      // A longer one is not shown: its message comes soon, whole.
      if (Buffer.byteLength(payload) > LIMITS.draftNoticeBytes) return;
      await store.transact(scope, (tx) => executeIn(tx, "select pg_notify($1, $2)", [CHANNEL, payload]));
    },
    stop: unlisten,
  };
}
