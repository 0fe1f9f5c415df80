/**
 * Tells open streams that a conversation has new events. Within a process the events come along, which
 * saves each stream a read; between processes only the key does. Either way a wake-up that is lost,
 * doubled or late is harmless: who is woken knows its own seq, reads the log over a gap, and also polls.
 */
import type { Tx } from "../store/store.ts";
import { executeIn, type Store } from "../store/store.ts";
import type { PublicEvent } from "./events.ts";

/** `events`: what was appended, in order; absent when it was another process. */
export type Wake = (events?: readonly PublicEvent[]) => void;

export interface Hub {
  /** Call inside the transaction that appends; subscribers hear after its commit, in every process. */
  announce(tx: Tx, key: string, events: readonly PublicEvent[]): Promise<void>;
  subscribe(key: string, wake: Wake): () => void;
  stop(): Promise<void>;
}

const CHANNEL = "recourse_events";

export async function createHub(store: Store): Promise<Hub> {
  const subscribers = new Map<string, Set<Wake>>();
  const wakeAll = (key: string, events?: readonly PublicEvent[]) => {
    for (const wake of subscribers.get(key) ?? []) wake(events);
  };
  const manyProcesses = store.database.kind === "server";
  const unlisten = manyProcesses
    ? await store.database.listen(CHANNEL, (key) => wakeAll(key))
    : async () => {};
  return {
    async announce(tx, key, events) {
      if (manyProcesses) await executeIn(tx, "select pg_notify($1, $2)", [CHANNEL, key]);
      else tx.afterCommit(() => wakeAll(key, events));
    },
    subscribe(key, wake) {
      const set = subscribers.get(key) ?? new Set();
      subscribers.set(key, set.add(wake));
      return () => {
        set.delete(wake);
        if (set.size === 0) subscribers.delete(key);
      };
    },
    stop: unlisten,
  };
}
