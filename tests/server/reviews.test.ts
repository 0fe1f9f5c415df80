/** Reviews where transactions really run at the same time: two operators, two processes, one PostgreSQL server. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { ReviewView } from "../../src/actions/reviews/reviews.ts";
import { createHub } from "../../src/conversations/hub.ts";
import type { ConversationId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { createFeed, type FeedEntry } from "../../src/operators/feed.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { codeOf, decide, kindsOf, OPERATORS, UNDO_MS, waiting } from "../actions/reviews-kit.ts";
import { until } from "../http/fixture.ts";
import { NORTHWIND } from "../kit/database.ts";
import { emptyServer, SERVER_URL } from "../kit/server-database.ts";
import type { TestSystem } from "../kit/system.ts";

let database: Database;
let store: Store;
let world: TestSystem | undefined;
beforeAll(async () => {
  database = openServer(SERVER_URL, systemClock);
  await migrate(database);
  store = createStore(database);
});
afterAll(() => database.close());
beforeEach(() => emptyServer(database));
afterEach(async () => {
  await world?.close();
  world = undefined;
});
const start = async (...[rules, options]: Parameters<typeof waiting>) => {
  const started = await waiting(rules, { ...options, store });
  world = started.w;
  return started;
};
const reviewNow = async (w: TestSystem) => (await w.reviews())[0] as ReviewView;

test("twenty decisions at once by two people: one counts, the others are told which; one refund at most", async () => {
  const { w, review } = await start();
  const other = w.another();
  const kinds = ["approve", "reject", "approve_changed", "hand_back"] as const;
  const codes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const reviews = n % 2 === 0 ? w.system.reviews : other.reviews;
      return codeOf(
        reviews.decide(OPERATORS, review.review_id, {
          decision: kinds[n % kinds.length] ?? "approve",
          argsHash: review.args_hash,
          version: review.version,
          note: "Please see our policy.",
          operator: n % 2 === 0 ? "olivia" : "oscar",
          decisionId: `d-${n}`,
          amount: "60.00",
        }),
      );
    }),
  );
  expect(codes.filter((code) => code === "ok")).toHaveLength(1);
  expect(codes.filter((code) => code !== "ok")).toEqual(Array(19).fill("already_decided"));
  await w.pass(UNDO_MS);
  await w.settle();
  expect((await w.refunds("1042")).length).toBeLessThanOrEqual(1);
  expect(await kindsOf(w, /^review\.(approve|reject|approve_changed|hand_back)$/)).toHaveLength(1);
});

test("the same decision twenty times at once is done once and answered twenty times", async () => {
  const { w, review } = await start();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => decide(w, review, { decisionId: "d-1" })),
  );
  expect(answers.every(({ decision }) => decision?.decision_id === "d-1")).toBe(true);
  await w.pass(UNDO_MS);
  expect(await w.refunds("1042")).toHaveLength(1);
});

test("claimed by ten at once: one has it", async () => {
  const { w, review } = await start();
  const codes = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      codeOf(w.system.reviews.claim(OPERATORS, review.review_id, `operator-${n}`)),
    ),
  );
  expect(codes.toSorted()).toEqual(["ok", ...Array(9).fill("review_claimed")]);
});

test("two first approvals at once are a first and a second; undone, cancelled and begun at once is one of them", async () => {
  const { w, review } = await start({ secondLimit: "100.00" });
  const codes = await Promise.all(
    ["olivia", "oscar"].map((operator) => codeOf(decide(w, review, { operator, decisionId: operator }))),
  );
  expect(codes).toEqual(["ok", "ok"]);
  const decided = await reviewNow(w);
  expect(decided.state).toBe("decided");
  const other = w.another();
  w.clock.jump(UNDO_MS);
  const [action] = await w.actions();
  const [undone, cancelled] = await Promise.all([
    codeOf(
      w.system.reviews.undo(OPERATORS, review.review_id, {
        decisionId: decided.decision?.decision_id ?? "",
        operator: "olivia",
      }),
    ),
    codeOf(w.system.cancelAction(w.scope("ada"), action?.id ?? "")),
    w.system.recovery.sweep(),
    other.recovery.sweep(),
  ]);
  await w.settle();
  expect(undone).toBe("undo_too_late");
  expect(await w.refunds("1042")).toHaveLength(cancelled === "ok" ? 0 : 1);
});

test("parts of one order, approved at the same moment in two processes, see each other: one is paid, one waits", async () => {
  const { w, scope, review } = await start({ secondLimit: "100.00" });
  await decide(w, review, { decision: "reject", note: "Which parts, please?" });
  await w.pass(UNDO_MS);
  await w.settle();
  for (const part of ["jacket", "socks"]) {
    const conversation = await w.open(scope);
    await w.say(scope, conversation, `refund the ${part} from order 1042`);
    await w.say(scope, conversation, "yes");
  }
  const parts = (await w.reviews()).filter(({ state }) => state === "open");
  expect(parts.map(({ amount }) => amount).toSorted()).toEqual(["24.00", "89.00"]);
  const other = w.another();
  const codes = await Promise.all(
    parts.map((part, n) =>
      codeOf(
        (n === 0 ? w.system : other).reviews.decide(OPERATORS, part.review_id, {
          decision: "approve",
          argsHash: part.args_hash,
          version: part.version,
          note: null,
          operator: "olivia",
        }),
      ),
    ),
  );
  expect(codes).toEqual(["ok", "ok"]);
  await w.pass(UNDO_MS);
  await w.settle();
  expect(await w.refunds("1042")).toHaveLength(1);
  const left = (await w.reviews()).filter(({ state }) => state === "open");
  expect(left).toMatchObject([{ first_approval: { by: "olivia" } }]);
});

test("silent conversations end once, with two processes that look at the same time, and none that is written in then", async () => {
  const { w, scope } = await start();
  const quiet = [await w.open(scope), await w.open(scope), await w.open(scope)];
  const other = w.another();
  w.clock.jump(LIMITS.idleMs);
  const [written] = quiet;
  const [first, second] = await Promise.all([
    w.system.recovery.endIdle(),
    other.recovery.endIdle(),
    w.say(scope, written as ConversationId, "where is order 1042?"),
  ]);
  const ended = (await w.audit())
    .filter(({ kind }) => kind === "conversation.ended")
    .map(({ subject }) => subject);
  expect(ended).toHaveLength(first + second);
  expect(new Set(ended).size).toBe(ended.length);
  // Ended before the message or not at all: it is open and answered.
  expect((await w.system.conversations.view(scope, written as ConversationId)).status).toBe("with_agent");
});

test("another amount, taken up by two processes at once, is one new action", async () => {
  const { w, review } = await start();
  await decide(w, review, { decision: "approve_changed", amount: "60.00" });
  const other = w.another();
  w.clock.jump(UNDO_MS);
  await Promise.all([w.system.recovery.sweep(), other.recovery.sweep(), other.recovery.sweep()]);
  await Promise.all([w.system.executor.idle(), other.executor.idle()]);
  await w.settle();
  expect((await w.actions()).map(({ state }) => state).toSorted()).toEqual(["cancelled", "succeeded"]);
  expect(await w.refunds("1042")).toMatchObject([{ amount: 6_000 }]);
  expect(w.errors).toEqual([]);
});

test("changes are told to the pages of every process", async () => {
  const hubs = [await createHub(store), await createHub(store)];
  const feeds = await Promise.all(hubs.map((hub) => createFeed({ store, hub, random: systemRandom })));
  const heard: FeedEntry[][] = [[], []];
  const stops = feeds.map((feed, n) => feed.follow(NORTHWIND, null, (entry) => heard[n]?.push(entry)));
  try {
    const { w, review } = await start();
    await w.system.reviews.claim(OPERATORS, review.review_id, "olivia");
    const has = (n: number, kind: string) => heard[n]?.some(({ change }) => change?.kind === kind) === true;
    await until(() => [0, 1].every((n) => has(n, "review") && has(n, "conversation")));
  } finally {
    for (const stop of stops) stop();
    await Promise.all([...feeds, ...hubs].map((part) => part.stop()));
  }
});
