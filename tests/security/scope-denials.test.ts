/**
 * A stranger's thing and a thing that never was get the same answer after the same work: the same statements and the
 * same questions to shop and provider, counted, because a clock on a busy machine would say nothing.
 */
import { afterEach, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import type { Database, Session } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { emptiedDatabase, KESTREL } from "../kit/database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** The database, with each statement written down. */
function watched(database: Database, done: string[]): Database {
  const watch = (session: Session): Session => ({
    ...session,
    query: (sql, parameters) => {
      done.push(sql);
      return session.query(sql, parameters);
    },
    batch: (statements) => {
      done.push(...statements.map(({ sql }) => sql));
      return session.batch(statements);
    },
    script: (sql) => {
      done.push(sql);
      return session.script(sql);
    },
    release: (broken) => session.release(broken),
  });
  return {
    ...database,
    acquire: async () => watch(await database.acquire()),
    close: () => database.close(),
  };
}

async function start() {
  const done: string[] = [];
  const w = await createTestSystem({
    store: createStore(watched(await emptiedDatabase(), done)),
    payments: (real) => ({
      ...real,
      charge: (...args) => {
        done.push("provider: charge");
        return real.charge(...args);
      },
      refundsOf: (...args) => {
        done.push("provider: refunds");
        return real.refundsOf(...args);
      },
    }),
  });
  world = w;
  const ada = w.scope("ada");
  const conversation = await w.open(ada);
  await w.say(ada, conversation, "refund the socks from order 1042");
  await w.say(ada, conversation, "yes");
  const [action] = await w.actions();
  const [run] = await w.store.transact(ada, (tx) => tx.selectFrom("runs").select("id").execute());
  if (action === undefined || run === undefined) throw new Error("nothing to look for");
  /** What was done until the answer, and the answer. */
  const workOf = async (ask: () => Promise<unknown>) => {
    done.length = 0;
    const answer = await ask().then(
      (value) => JSON.stringify(value),
      (error: { code?: string }) => error.code,
    );
    return { answer, work: [...done] };
  };
  const never = {
    conversation: newId("conv", w.clock, w.random),
    action: newId("act", w.clock, w.random),
    run: newId("run", w.clock, w.random),
  };
  return { w, ada, conversation, action, run, workOf, never };
}

describe("G3 what is somebody else's and what is nobody's are the same amount of work", () => {
  test("an order, asked for and refunded through the gateway", async () => {
    const { w, workOf, never } = await start();
    const grace = w.scope("grace");
    const ask = (tool: string, orderId: string, scope = grace) =>
      workOf(() =>
        w.system.gateway.call(
          {
            scope,
            assurance: "authenticated",
            tenant: { name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
            language: "en",
            conversationId: never.conversation,
            runId: never.run,
            signal: new AbortController().signal,
            offer: null,
            consent: "other",
          },
          {
            type: "call",
            tool,
            args: { order_id: orderId, ...(tool === "process_refund" ? { amount: "12.00" } : {}) },
          },
        ),
      );
    for (const tool of ["get_order_status", "process_refund"]) {
      const nobodys = await ask(tool, "9999999");
      expect(nobodys.answer).toContain("order_not_found");
      expect(await ask(tool, "1042")).toEqual(nobodys);
      expect(await ask(tool, "ord_nw_1042")).toEqual(nobodys);
      expect(await ask(tool, "1042", w.scope("grace", KESTREL))).toEqual(nobodys);
    }
  });

  test("a conversation, an action and a run, by their IDs", async () => {
    const { w, conversation, action, run, workOf, never } = await start();
    const stranger = w.scope("grace");
    const foreigner = w.scope("ada", KESTREL);
    const { system } = w;
    const asks: readonly [string, (id: string, scope: typeof stranger) => Promise<unknown>, string][] = [
      [never.conversation, (id, scope) => system.conversations.view(scope, id as never), conversation],
      [never.conversation, (id, scope) => system.conversations.events(scope, id as never, 0), conversation],
      [
        never.conversation,
        (id, scope) =>
          system.conversations.accept(scope, id as never, { clientMessageId: "m", text: "hello" }),
        conversation,
      ],
      [never.action, (id, scope) => system.actionView(scope, id), action.id],
      [never.action, (id, scope) => system.cancelAction(scope, id), action.id],
      [never.run, (id, scope) => system.runs.view(scope, id as never), run.id],
      [never.run, (id, scope) => system.runs.cancel(scope, id as never), run.id],
    ];
    for (const [nobody, ask, somebodys] of asks) {
      const nobodys = await workOf(() => ask(nobody, stranger));
      expect(nobodys.answer).toBe("not_found");
      expect(nobodys.work.length).toBeGreaterThan(0);
      expect(await workOf(() => ask(somebodys, stranger))).toEqual(nobodys);
      expect(await workOf(() => ask(somebodys, foreigner))).toEqual(nobodys);
    }
  });
});
