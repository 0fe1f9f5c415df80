/**
 * Tells open streams that a conversation has new events. It carries keys, not events: who is woken
 * reads the log after its own seq, so a lost or doubled wake-up is harmless (streams also poll).
 */
import type { Tx } from "../store/store.ts";
import { executeIn, type Store } from "../store/store.ts";

export interface Hub {
  /** Call inside the transaction that appends; subscribers hear after its commit, in every process. */
  announce(tx: Tx, key: string): Promise<void>;
  subscribe(key: string, wake: () => void): () => void;
  stop(): Promise<void>;
}

const CHANNEL = "recourse_events";

export async function createHub(store: Store): Promise<Hub> {
  const subscribers = new Map<string, Set<() => void>>();
  const wakeAll = (key: string) => {
    for (const wake of subscribers.get(key) ?? []) wake();
  };
  const manyProcesses = store.database.kind === "server";
  const unlisten = manyProcesses ? await store.database.listen(CHANNEL, wakeAll) : async () => {};
  return {
    async announce(tx, key) {
      if (manyProcesses) await executeIn(tx, "select pg_notify($1, $2)", [CHANNEL, key]);
      else tx.afterCommit(() => wakeAll(key));
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
