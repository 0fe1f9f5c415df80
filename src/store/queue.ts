/**
 * Waking workers: pg-boss on the same database. A job is inserted in the transaction of what it
 * announces and carries IDs only. Truth is the run or action row, so a job that is lost, doubled or
 * late is harmless: the worker finds nothing to do, or the sweep finds what nobody woke.
 *
 * A wake-up also goes straight to this process's worker after the commit, which saves the queue's
 * round trip; pg-boss reaches the workers of other processes (LISTEN/NOTIFY, then polling). An embedded
 * database has no other process and needs no jobs: `local-queue.ts`.
 */
import { PgBoss } from "pg-boss";
import type { Database, Session } from "./database.ts";
import type { DueItem, Tx } from "./store.ts";
import { APP_ROLE, executeIn } from "./store.ts";

/** What a job says: this run or action may have work to do. */
export type WakeUp = DueItem;

export interface Queue {
  /** Announces within the transaction; wakes this process's worker after its commit. */
  wake(tx: Tx, item: WakeUp): Promise<void>;
  /** Starts to hand wake-ups to `handle`, which must not throw and may be called twice for one item. */
  work(handle: (item: WakeUp) => Promise<void>): Promise<void>;
  /** Stops taking wake-ups and waits for those in hand. */
  stop(): Promise<void>;
}

const QUEUE = "wake";
const SCHEMA = "pgboss";
/** Remembered wake-ups; forgetting them only costs a look that finds nothing to do. */
const WOKEN_HERE_MAX = 20_000;
/** Wake-ups that one process takes at once: few, so that processes share a burst. */
const BATCH = 16;

/** Starts pg-boss (creating or migrating its own schema) and lets the application's role insert jobs. */
export async function startQueue(database: Database, onError: (error: Error) => void): Promise<Queue> {
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        const session = await database.acquire();
        let broken = false;
        try {
          const answer =
            values === undefined || values.length === 0
              ? await session.script(text)
              : await session.query(text, values);
          return { rows: answer.rows };
        } catch (error) {
          await session.script("rollback").catch(() => {
            broken = true;
          });
          throw error;
        } finally {
          session.release(broken);
        }
      },
      async listen(channel, onNotification, onReconnect) {
        const close = await database.listen(channel, onNotification);
        onReconnect();
        return { close };
      },
    },
    schema: SCHEMA,
    schedule: false,
    // Where nothing is heard, it looks each two seconds instead of each thirty.
    useListenNotify: await database.hears(),
  });
  boss.on("error", onError);
  await boss.start();
  await boss.createQueue(QUEUE, {
    notify: true,
    // The job is only a wake-up: retrying it would wake for nothing, the sweep does that better.
    retryLimit: 0,
    expireInSeconds: 120,
    deleteAfterSeconds: 60,
    retentionSeconds: 3_600,
  });
  await grantIfOwned(database);

  let handler: ((item: WakeUp) => Promise<void>) | undefined;
  const inHand = new Set<Promise<void>>();
  /** Woken here after their commit: their job has nothing left to say to this process. */
  const wokenHere = new Set<string>();
  const keyOf = (item: WakeUp): string => `${item.kind}/${item.tenantId}/${item.id}`;
  const run = (item: WakeUp): Promise<void> => {
    const work = handler?.(item) ?? Promise.resolve();
    inHand.add(work);
    return work.finally(() => inHand.delete(work));
  };
  return {
    async wake(tx, item) {
      await boss.send(QUEUE, item, { db: { executeSql: (text, values) => executeIn(tx, text, values) } });
      tx.afterCommit(() => {
        if (handler === undefined) return;
        if (wokenHere.size >= WOKEN_HERE_MAX) wokenHere.clear();
        wokenHere.add(keyOf(item));
        void run(item);
      });
    },
    async work(handle) {
      handler = handle;
      await boss.work<WakeUp>(
        QUEUE,
        { batchSize: BATCH, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 30 },
        async (jobs) => {
          await Promise.all(jobs.map(({ data }) => (wokenHere.delete(keyOf(data)) ? undefined : run(data))));
        },
      );
    },
    async stop() {
      handler = undefined;
      await boss.stop({ graceful: true, timeout: 5_000 }).catch(onError);
      await Promise.allSettled(inHand);
    },
  };
}

/**
 * Makes the queue's schema, or brings it to this version, and lets another login role work with it. Run as the owner:
 * processes with that login role then find everything there.
 */
export async function prepareQueue(database: Database, login: string | null): Promise<void> {
  const failures: Error[] = [];
  const queue = await startQueue(database, (error) => failures.push(error));
  await queue.stop();
  if (failures[0] !== undefined) throw failures[0];
  if (login === null) return;
  await inSession(database, async (session) => {
    const { rows } = await session.query(
      `select format('grant usage on schema ${SCHEMA} to %1$I; grant select, insert, update, delete on all tables in schema ${SCHEMA} to %1$I; grant usage on all sequences in schema ${SCHEMA} to %1$I; grant execute on all functions in schema ${SCHEMA} to %1$I', $1::text) as grants`,
      [login],
    );
    await session.script(String(rows[0]?.grants));
  });
}

/** Lets the application's role insert jobs. Who does not own the schema finds that done by who does. */
async function grantIfOwned(database: Database): Promise<void> {
  await inSession(database, async (session) => {
    await session.script(
      `do $$ begin
         if pg_has_role(current_user, (select nspowner from pg_namespace where nspname = '${SCHEMA}'), 'usage') then
           grant usage on schema ${SCHEMA} to ${APP_ROLE};
           grant select on all tables in schema ${SCHEMA} to ${APP_ROLE};
           grant insert on ${SCHEMA}.job, ${SCHEMA}.job_common to ${APP_ROLE};
           grant execute on all functions in schema ${SCHEMA} to ${APP_ROLE};
         end if;
       end $$`,
    );
  });
}

async function inSession(database: Database, use: (session: Session) => Promise<void>): Promise<void> {
  const session = await database.acquire();
  try {
    await use(session);
  } finally {
    session.release();
  }
}
