/** Latency of a turn beside the database time of its own commits, commits of a refund, policy evaluation. In one process. */
import { fileURLToPath } from "node:url";
import { createWorkflowAgent } from "../src/agents/router.ts";
import { compilePolicy, evaluate } from "../src/gateway/policy/evaluate.ts";
import { loadPolicyFiles } from "../src/gateway/policy/versions.ts";
import type { ConversationId } from "../src/kernel/ids.ts";
import type { CustomerScope } from "../src/kernel/scope.ts";
import type { Database } from "../src/store/database.ts";
import type { Figure } from "./main.ts";
import { startProduct } from "./product.ts";
import { ms, percentile, times } from "./statistics.ts";

const POLICIES = fileURLToPath(new URL("../policies/", import.meta.url));
const TURNS = 600;
const WARM_UP = 400;
const SIGNED = ["Thanks,", "Regards,", "Best,", "Cheers,", "Thank you!", "Greetings,", "Yours,"];
const WRITES = /^\s*(insert|update|with)\b/i;

/**
 * The database with a stop-watch on statements of the product's own transactions, and a count of their
 * commits that made something durable (a transaction that only read commits nothing).
 */
function watched(database: Database): { database: Database; read(): { busyMs: number; commits: number } } {
  let busyMs = 0;
  let commits = 0;
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const answer = await work();
    busyMs += performance.now() - from;
    return answer;
  };
  return {
    read: () => ({ busyMs, commits }),
    database: {
      ...database,
      async acquire() {
        const session = await database.acquire();
        let wrote = false;
        return {
          ...session,
          query: (sql, parameters) => {
            wrote ||= WRITES.test(sql);
            return timed(() => session.query(sql, parameters));
          },
          batch: (statements) => {
            wrote ||= statements.some(({ sql }) => WRITES.test(sql));
            if (statements[0]?.sql === "commit" && wrote) commits += 1;
            return timed(() => session.batch(statements));
          },
          script: (sql) => timed(() => session.script(sql)),
        };
      },
    },
  };
}

/** A stop-watch on what the sandbox's shop and provider need for their answers: in life, other people's machines. */
function stopWatch(): { fetch: (real: typeof fetch) => typeof fetch; read(): number } {
  let busyMs = 0;
  return {
    read: () => busyMs,
    fetch: (real) => async (input, init) => {
      const from = performance.now();
      const response = await real(input, init);
      busyMs += performance.now() - from;
      return response;
    },
  };
}

export async function measureTurns(folder: string): Promise<Figure[]> {
  let watch: ReturnType<typeof watched> | undefined;
  const others = stopWatch();
  const product = await startProduct({
    folder,
    knowledge: false,
    agent: () => createWorkflowAgent(),
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    watch: {
      database(real) {
        watch = watched(real);
        return watch.database;
      },
      fetch: others.fetch,
    },
  });
  const { system } = product;
  const inDatabase = () => watch?.read() ?? { busyMs: 0, commits: 0 };

  const answered = async (
    scope: CustomerScope,
    conversation: ConversationId,
    text: string,
    wanted: (told: string) => boolean,
  ) => {
    let from = 0;
    // As a stream does: the events come with the wake-up.
    await new Promise<void>((resolve) => {
      const stop = system.conversations.subscribe(scope, conversation, (events = []) => {
        const told = events.some(
          (event) =>
            event.seq > from &&
            event.type === "message" &&
            event.author === "agent" &&
            wanted(String(event.text)),
        );
        if (!told) return;
        stop();
        resolve();
      });
      system.conversations
        .accept(scope, conversation, { clientMessageId: `b-${performance.now()}`, text })
        .then(({ seq }) => {
          from = seq;
        });
    });
  };
  const scope = product.scope("ben");
  const open = (who = scope) => product.open(who);

  /** Milliseconds from message to answer, and how many of these the database and the other systems had it. */
  const turns = async (who: CustomerScope, ask: string, wanted: (told: string) => boolean) => {
    const [totals, elsewhere]: [number[], number[]] = [[], []];
    let asking = await open(who);
    for (let n = 0; n < TURNS + WARM_UP; n += 1) {
      if (n % 10 === 0) asking = await open(who);
      const busy = () => inDatabase().busyMs + others.read();
      // No two the same: what is kept of one message must not answer the next.
      const text = `${ask} ${SIGNED[n % SIGNED.length]} ${String.fromCharCode(65 + (n % 26), 97 + (Math.floor(n / 26) % 26), 97 + (n % 23))}`;
      const before = busy();
      const from = performance.now();
      await answered(who, asking, text, wanted);
      const total = performance.now() - from;
      if (n < WARM_UP) continue;
      totals.push(total);
      elsewhere.push(busy() - before);
    }
    return { totals, elsewhere };
  };
  const order = await turns(scope, "where is order 1043?", (told) => told.includes("#1043"));
  const greeting = await turns(product.scope("eve"), "hello", () => true);

  const conversation = await open();
  await answered(scope, conversation, "I want a refund for order 1044", (told) =>
    told.includes("Shall I go ahead?"),
  );
  const before = inDatabase().commits;
  const from = performance.now();
  await answered(scope, conversation, "yes", (told) => told.includes("has confirmed"));
  const refundMs = performance.now() - from;
  const commits = inDatabase().commits - before;

  await product.stop();
  const rows = (
    { totals, elsewhere }: typeof order,
    what: string,
    inWhat: string,
    percentiles: readonly number[],
  ): Figure[] =>
    percentiles.map((p) => ({
      what: `${what} (p${p})`,
      measured: ms(percentile(totals, p)),
      floor: `${ms(percentile(elsewhere, p))} ${inWhat}`,
      ratio: times(percentile(totals, p) / percentile(elsewhere, p)),
      budget: p === 50 ? "≤ 15 ms; ≤ 1.5 ×" : "≤ 60 ms",
    }));
  return [
    ...rows(
      order,
      "message in → answer out, about an order, no model, embedded database",
      "in the database for the same commits, the shop and the provider",
      [50, 99],
    ),
    ...rows(greeting, "the same, nothing to look up", "in the database for the same commits", [50, 99]),
    {
      what: "commits from a yes to the confirmed refund",
      measured: `${commits} (${ms(refundMs)})`,
      floor: "3: accept, record, settle",
      ratio: times(commits / 3),
      budget: "≤ 5",
    },
  ];
}

export async function measurePolicy(): Promise<Figure> {
  const version = (await loadPolicyFiles(POLICIES)).find(
    (policy) => policy.tenant === "northwind" && policy.version === "2",
  );
  if (version === undefined) throw new Error("northwind has no policy version 2");
  const policy = compilePolicy(version);
  const facts = {
    order: {
      currency: "USD",
      state: "delivered",
      daysSinceDelivery: 6,
      daysSincePlaced: 10,
      paidMinor: 11_300,
      refundableMinor: 11_300,
      gift: false,
      disputed: false,
      returnReceived: false,
    },
    request: {
      amountMinor: 2_400,
      namesItems: true,
      includesFinalSale: false,
      wholeOrder: false,
      kind: "refund",
    },
    customer: { lifetimeSpendMinor: 11_300, refundsInWindow: 0, refundedInWindowMinor: 0 },
  } as const;
  const time = (rounds: number, work: () => unknown): number => {
    const from = performance.now();
    for (let n = 0; n < rounds; n += 1) work();
    return (performance.now() - from) / rounds;
  };
  time(200, () => evaluate(policy, "refund", facts));
  const measured = time(2_000, () => evaluate(policy, "refund", facts));
  // The facts have to cross into the engine and back: serialising them is the least that costs.
  const floor = time(20_000, () => JSON.parse(JSON.stringify(facts)));
  return {
    what: "policy evaluation (two questions, 16 statements)",
    measured: ms(measured),
    floor: `${ms(floor)} to serialise the facts once`,
    ratio: times(measured / floor),
    budget: "≤ 1 ms",
  };
}
