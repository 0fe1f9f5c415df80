/** What customers gave, apart for what the agent solved and what a person solved. */
import type { Tx } from "../../store/store.ts";

export interface RatingsOf {
  readonly count: number;
  /** How many gave 1, 2, 3, 4 and 5. */
  readonly scores: readonly [number, number, number, number, number];
  /** Two decimals; null when nobody rated. */
  readonly average: number | null;
}

export interface Ratings {
  readonly agent: RatingsOf;
  readonly person: RatingsOf;
}

/** Of ratings given in `[fromMs, toMs)`. */
export async function readRatings(tx: Tx, fromMs: number, toMs: number): Promise<Ratings> {
  const rows = await tx
    .selectFrom("csat")
    .select(["solved_by", "score", (eb) => eb.fn.countAll<number>().as("n")])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("at_ms", ">=", fromMs)
    .where("at_ms", "<", toMs)
    .groupBy(["solved_by", "score"])
    .execute();
  const of = (who: "agent" | "person"): RatingsOf => {
    const scores: [number, number, number, number, number] = [0, 0, 0, 0, 0];
    for (const { solved_by, score, n } of rows) if (solved_by === who) scores[score - 1] = Number(n);
    const count = scores.reduce((sum, n) => sum + n, 0);
    const total = scores.reduce((sum, n, index) => sum + n * (index + 1), 0);
    return { count, scores, average: count === 0 ? null : Math.round((total / count) * 100) / 100 };
  };
  return { agent: of("agent"), person: of("person") };
}
