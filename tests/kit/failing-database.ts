/** A database whose statements fail when told to, as a full disk, a lost connection or a server that is away. */
import type { Database, Session } from "../../src/store/database.ts";

export interface FailingDatabase extends Database {
  /** Statements (round trips) so far. */
  readonly count: number;
  /** No connection is to be had while true. */
  down: boolean;
  /**
   * The round trip with this number fails: `disk_full` before it is done, `answer_lost` once it is done (a commit
   * is durable then, and its caller does not know).
   */
  failAt: { n: number; how: "disk_full" | "answer_lost" } | null;
  /** True when the fault was met. */
  readonly failed: boolean;
}

export function failingDatabase(real: Database): FailingDatabase {
  let count = 0;
  let failed = false;
  const meet = async <T>(work: () => Promise<T>): Promise<T> => {
    count += 1;
    const fault = self.failAt?.n === count ? self.failAt.how : null;
    if (fault !== null) failed = true;
    if (fault === "disk_full")
      throw Object.assign(new Error("could not extend file: No space left on device"), { code: "53100" });
    const answer = await work();
    if (fault === "answer_lost")
      throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "08006" });
    return answer;
  };
  const self: FailingDatabase = {
    ...real,
    get count() {
      return count;
    },
    get failed() {
      return failed;
    },
    down: false,
    failAt: null,
    async acquire(): Promise<Session> {
      if (self.down) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      const session = await real.acquire();
      return {
        ...session,
        query: (sql, parameters) => meet(() => session.query(sql, parameters)),
        batch: (statements) => meet(() => session.batch(statements)),
      };
    },
  };
  return self;
}
