/**
 * What has changed, for pages that show it: one small entry a change, naming the thing and never what is in it. The
 * database tells of reviews, of what stands beside a conversation and of the other pages (triggers), the hub of what was appended to one.
 *
 * Entries are kept in memory for a while. Whoever comes back with a place that is still there gets what came since;
 * with any other place (another process, a restart, too long ago, a gap in what the database told) they are told to
 * read everything anew. So nothing is missed, and nothing has to be written for it.
 */
import type { Hub } from "../conversations/hub.ts";
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Random } from "../kernel/ports.ts";
import type { Store } from "../store/store.ts";

export interface Change {
  /** `conversation`: its log, runs, actions, notes, tags or assignment. */
  readonly kind:
    | "review"
    | "conversation"
    | "canned_replies"
    | "settings"
    | "policies"
    | "knowledge"
    | "team";
  /** Of `team` there is one: who works here, invitations and keys. */
  readonly id: string;
  readonly conversation_id: string | null;
}

export interface FeedEntry {
  /** Where to go on from. */
  readonly place: string;
  /** Null: read everything anew. */
  readonly change: Change | null;
}

export interface Feed {
  /**
   * Calls back with what came after `place` and then with each change of the tenant, until the answer is called.
   * Without a place the first entry says to read anew: what a page has read before may be old by now.
   */
  follow(tenantId: TenantId, place: string | null, tell: (entry: FeedEntry) => void): () => void;
  /**
   * Calls back when what somebody may see has changed: their role, their state, a session or a key that ended. Null:
   * something may have been missed, so it may be anybody's.
   */
  followAccess(tell: (whose: AccessChange | null) => void): () => void;
  stop(): Promise<void>;
}

export interface AccessChange {
  /** `*`: of every tenant that the person works for. */
  readonly tenantId: string;
  /** A person's ID, or who a key's decisions are recorded for. */
  readonly id: string;
}

const CHANNEL = "recourse_changes";

interface Kept {
  readonly n: number;
  readonly tenantId: string;
  readonly change: Change;
}

export async function createFeed(parts: { store: Store; hub: Hub; random: Random }): Promise<Feed> {
  const { store, hub, random } = parts;
  const followers = new Map<string, Set<(entry: FeedEntry) => void>>();
  const accessFollowers = new Set<(whose: AccessChange | null) => void>();
  let epoch = newEpoch(random);
  let kept: Kept[] = [];
  let n = 0;

  const note = (tenantId: string, change: Change): void => {
    n += 1;
    kept.push({ n, tenantId, change });
    // Cut now and then, not at each one.
    if (kept.length > 2 * LIMITS.feedChanges) kept = kept.slice(-LIMITS.feedChanges);
    for (const tell of followers.get(tenantId) ?? []) tell({ place: placeOf(n), change });
  };
  const placeOf = (at: number): string => `${epoch}-${at}`;

  /** Something may have been missed: everybody reads anew. */
  const startOver = (): void => {
    epoch = newEpoch(random);
    kept = [];
    for (const tell of [...followers.values()].flatMap((set) => [...set])) {
      tell({ place: placeOf(n), change: null });
    }
    for (const tell of accessFollowers) tell(null);
  };

  const onPayload = (payload: string): void => {
    const told = JSON.parse(payload) as (Change | { kind: "access"; id: string }) & { tenant: string };
    if (told.kind !== "access") {
      const { tenant, kind, id, conversation_id } = told;
      note(tenant, { kind, id, conversation_id });
    } else {
      // Nobody's news but the server's own.
      for (const tell of accessFollowers) tell({ tenantId: told.tenant, id: told.id });
    }
  };
  // The embedded database has one connection: nobody's transaction may be open on it.
  const session = store.database.kind === "embedded" ? await store.database.acquire() : null;
  let unlisten: () => Promise<void>;
  try {
    unlisten = await store.database.listen(CHANNEL, onPayload, startOver);
  } finally {
    session?.release();
  }
  const unsubscribe = hub.subscribeAll((tenantId, conversationId) => {
    note(tenantId, { kind: "conversation", id: conversationId, conversation_id: conversationId });
  });

  return {
    follow(tenantId, place, tell) {
      const set = followers.get(tenantId) ?? new Set();
      followers.set(tenantId, set.add(tell));
      const [from, after] = readPlace(place);
      const oldest = kept[0]?.n ?? n + 1;
      if (from !== epoch || after > n || after < oldest - 1) tell({ place: placeOf(n), change: null });
      else {
        for (const entry of kept) {
          if (entry.n > after && entry.tenantId === tenantId) {
            tell({ place: placeOf(entry.n), change: entry.change });
          }
        }
      }
      return () => {
        set.delete(tell);
        if (set.size === 0) followers.delete(tenantId);
      };
    },
    followAccess(tell) {
      accessFollowers.add(tell);
      return () => void accessFollowers.delete(tell);
    },
    async stop() {
      unsubscribe();
      await unlisten();
    },
  };
}

/** Names one stretch of entries without a gap in one process. */
const newEpoch = (random: Random): string => Buffer.from(random.bytes(6)).toString("hex");

function readPlace(place: string | null): readonly [string, number] {
  const match = /^([0-9a-f]{12})-(\d{1,15})$/.exec(place ?? "");
  return match === null ? ["", 0] : [match[1] as string, Number(match[2])];
}
