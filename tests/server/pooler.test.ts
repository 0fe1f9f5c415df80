/** The product behind PgBouncer in transaction mode: with a direct URL for notices beside it, and without one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  agentTexts,
  Customer,
  freePort,
  type Running,
  refundsAt,
  start,
  startSandbox,
  stop,
} from "../../bench/processes.ts";
import { createHub } from "../../src/conversations/hub.ts";
import type { CustomerId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { customerScope, tenantScope } from "../../src/kernel/scope.ts";
import type { Database } from "../../src/store/database.ts";
import { checkRole, migrate } from "../../src/store/migrate.ts";
import { startQueue, type WakeUp } from "../../src/store/queue.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore, executeIn } from "../../src/store/store.ts";
import { run } from "../cli/io.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { type Pooler, startPooler } from "../kit/pooler.ts";
import { emptyServer, SERVER_URL, twoOfEachTenant } from "../kit/server-database.ts";

let pooler: Pooler;
const opened: Database[] = [];
const open = (directUrl: string | null = null): Database => {
  const database = openServer(pooler.url, systemClock, 10, directUrl);
  opened.push(database);
  return database;
};

beforeAll(async () => {
  pooler = await startPooler(SERVER_URL);
});
afterAll(() => pooler.stop());
beforeEach(async () => {
  const database = openServer(SERVER_URL, systemClock);
  await migrate(database);
  await emptyServer(database);
  await database.close();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

describe("behind a pooler that gives each transaction any connection", () => {
  test("two that migrate at once through it do so once, and the lock is nobody's afterwards", async () => {
    const [one, other] = [open(), open()];
    const ran = await Promise.all([migrate(one), migrate(other)]);
    expect(ran).toEqual([[], []]);
    await checkRole(one);
    const session = await one.acquire();
    const { rows } = await session.query("select count(*) as n from pg_locks where locktype = 'advisory'");
    session.release();
    expect(rows).toEqual([{ n: 0 }]);
  });

  test("scope does not leak over shared connections of two processes, 300 transactions at once; each is bounded in time", async () => {
    const stores = [createStore(open()), createStore(open(SERVER_URL))];
    const [store] = stores as [(typeof stores)[number]];
    await twoOfEachTenant(store);
    await Promise.all(
      Array.from({ length: 300 }, async (_, n) => {
        const tenantId = n % 2 === 0 ? NORTHWIND : KESTREL;
        const scope = n % 3 === 0 ? tenantScope(tenantId) : customerScope(tenantId, "ada" as CustomerId);
        const seen: { tenant_id: string; customer_id: string }[] = [];
        await stores[n % 2]
          ?.transact(scope, async (tx) => {
            seen.push(...(await tx.selectFrom("customers").select(["tenant_id", "customer_id"]).execute()));
            const { rows } = await executeIn(tx, "select current_setting('statement_timeout') as bound");
            expect(rows).toEqual([{ bound: "15s" }]);
            if (n % 7 === 0) throw new Error("handler failed");
          })
          .catch((error: Error) => expect(error.message).toBe("handler failed"));
        expect(seen.map((row) => row.tenant_id)).toEqual(Array(n % 3 === 0 ? 2 : 1).fill(tenantId));
      }),
    );
  });

  test("a direct URL hears notices; without one it is known that none come, and streams and pages look instead", async () => {
    const [deaf, hearing] = [open(), open(SERVER_URL)];
    expect([await hearing.hears(), await deaf.hears()]).toEqual([true, false]);
    const store = createStore(deaf);
    const hub = await createHub(store);
    const woken = new Promise<number>((resolve) => {
      const startMs = performance.now();
      hub.subscribe(customerScope(NORTHWIND, "ada" as CustomerId), "conv_x", () =>
        resolve(performance.now() - startMs),
      );
    });
    expect(await woken).toBeLessThan(2 * LIMITS.askInsteadMs);
    await hub.stop();
  });

  test("`recourse doctor` says whether notices come through, and what to do where they do not", async () => {
    const folder = mkdtempSync(join(tmpdir(), "recourse-doctor-"));
    const noticesOf = async (env: Record<string, string>) => {
      const { out } = await run(["doctor", "--json"], "", {
        DATABASE_URL: pooler.url,
        RECOURSE_DATA_DIR: folder,
        ...env,
      });
      const { findings } = JSON.parse(out) as { findings: { check: string; status: string; next: string }[] };
      return findings.find(({ check }) => check === "Notices");
    };
    expect(await noticesOf({})).toMatchObject({
      status: "warn",
      next: expect.stringContaining("RECOURSE_DIRECT_DATABASE_URL"),
    });
    expect(await noticesOf({ RECOURSE_DIRECT_DATABASE_URL: SERVER_URL })).toMatchObject({ status: "ok" });
    rmSync(folder, { recursive: true, force: true });
  });

  test("a wake-up reaches another process's worker where no notice comes through", async () => {
    const [here, there] = [open(), open()];
    const errors: Error[] = [];
    const store = createStore(here);
    await store.transact(tenantScope(NORTHWIND), (tx) =>
      tx
        .insertInto("tenants")
        .values({ tenant_id: NORTHWIND, name: "n", currency: "USD", time_zone: "UTC" })
        .execute(),
    );
    const announcing = await startQueue(here, (error) => errors.push(error));
    const working = await startQueue(there, (error) => errors.push(error));
    try {
      const heard = new Promise<WakeUp>((resolve) => void working.work(async (item) => resolve(item)));
      const item = { kind: "run", tenantId: NORTHWIND, id: "run_x" } as const;
      await store.transact(tenantScope(NORTHWIND), (tx) => announcing.wake(tx, item));
      expect(await heard).toEqual(item);
    } finally {
      await working.stop();
      await announcing.stop();
    }
    expect(errors).toEqual([]);
  });
});

describe("a server and a worker behind it", () => {
  const running: Running[] = [];
  const folder = mkdtempSync(join(tmpdir(), "recourse-pooled-"));
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => stop(each)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ["with a direct URL", true],
    ["without one", false],
  ])("%s: one refund, and the stream of the server shows what the worker did", async (_, hasDirect) => {
    const [sandboxPort, port] = [await freePort(), await freePort()];
    const [sandboxUrl, url] = [`http://127.0.0.1:${sandboxPort}`, `http://127.0.0.1:${port}`];
    running.push(await startSandbox(join(folder, String(hasDirect)), sandboxPort));
    for (const [role, at] of [
      ["serve", port],
      ["work", 0],
    ] as const) {
      running.push(
        await start(
          "src/main.ts",
          {
            PORT: String(at),
            DATABASE_URL: pooler.url,
            ...(hasDirect ? { RECOURSE_DIRECT_DATABASE_URL: SERVER_URL } : {}),
            RECOURSE_ROLE: role,
            RECOURSE_DATA_DIR: folder,
            RECOURSE_SANDBOX: sandboxUrl,
            RECOURSE_PUBLIC_URL: url,
            RECOURSE_LOG_LEVEL: "warn",
          },
          /^Ready\./m,
        ),
      );
    }
    const ben = await Customer.enter(url, "ben");
    const conversation = await ben.open();
    const stream = await ben.stream(conversation);
    await ben.send(conversation, "I want a refund for order 1044", "m1");
    await ben.until(conversation, (events) =>
      agentTexts(events).some((said) => said.includes("Shall I go ahead?")),
    );
    await ben.send(conversation, "yes", "m2");
    await stream.until(
      (event) => event.type === "message" && String(event.text).includes("has confirmed your refund"),
    );
    stream.close();
    expect(await refundsAt(sandboxUrl, "ch_nw_1044")).toMatchObject([{ amount: 6400, status: "succeeded" }]);
    const told = running.slice(1).map((each) => each.output().includes("lets no notices through"));
    expect(told).toEqual([!hasDirect, !hasDirect]);
    for (const each of running) expect(each.output()).not.toMatch(/"level":[56]0/);
  });
});
