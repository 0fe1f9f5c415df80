/** Several processes on one PostgreSQL server share their places fairly, and one limit a tenant holds in all of them. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { createDispatch } from "../../src/orchestrator/dispatch.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { flood, runsIn } from "../kit/flood.ts";
import { emptyServer, SERVER_URL } from "../kit/server-database.ts";
import { createTestSystem } from "../kit/system.ts";

let database: Database;
let store: Store;
beforeAll(async () => {
  database = openServer(SERVER_URL, systemClock);
  await migrate(database);
  store = createStore(database);
});
afterAll(() => database.close());
beforeEach(() => emptyServer(database));

test("5000 runs of one tenant wait in front of two processes: the one message of another is answered among the first", async () => {
  const world = await createTestSystem({ store });
  await flood(world, NORTHWIND, "many", 5_000);
  await flood(world, KESTREL, "one", 1);
  const places = 4;
  // They share the connections of one process here.
  const limits = { ...LIMITS, runsPerProcess: places, runsPerTenantAndProcess: 3 };
  const processes = [world.system, world.another()].map(({ worker }) => ({
    worker,
    dispatch: createDispatch({
      store,
      worker,
      limits,
      clock: world.clock,
      onError: (error, about) => void world.errors.push({ error, about }),
    }),
  }));
  for (let n = 1; n <= 100; n += 1) {
    const item = { kind: "run", tenantId: NORTHWIND, id: `run_many${n}` } as const;
    void processes[n % 2]?.dispatch.handle(item);
  }
  await expect.poll(() => runsIn(store, KESTREL, "completed"), { timeout: 30_000, interval: 20 }).toBe(1);
  // Those that had a place before it, and what was done until this test has heard of it.
  expect(await runsIn(store, NORTHWIND, "completed")).toBeLessThanOrEqual(100);
  for (const { worker } of processes) await worker.stop(10_000);
  for (const { dispatch } of processes) await dispatch.idle();
  expect(world.errors).toEqual([]);
  await world.close();
});

test("a tenant with as many runs under way as it may have, in whatever process, gets no other one; what waits is not lost", async () => {
  const world = await createTestSystem({ store });
  await flood(world, NORTHWIND, "busy", LIMITS.runsPerTenant + 1);
  const isBusy = (count: number) =>
    store.transact(tenantScope(NORTHWIND), (tx) =>
      tx
        .updateTable("runs")
        .set({ state: "running", lease_owner: "elsewhere", lease_until_ms: world.clock.now() + 60_000 })
        .where("id", "in", (eb) =>
          eb.selectFrom("runs").select("id").where("state", "=", "queued").orderBy("id").limit(count),
        )
        .execute(),
    );
  await isBusy(LIMITS.runsPerTenant);
  const [waiting] = await store.transact(tenantScope(NORTHWIND), (tx) =>
    tx.selectFrom("runs").select("id").where("state", "=", "queued").execute(),
  );
  const id = waiting?.id as RunId;
  await world.system.dispatch.handle({ kind: "run", tenantId: NORTHWIND, id });
  expect(await runsIn(store, NORTHWIND, "queued")).toBe(1);
  await store.transact(tenantScope(NORTHWIND), (tx) =>
    tx
      .updateTable("runs")
      .set({ state: "completed" })
      .where("id", "=", "run_busy1" as RunId)
      .execute(),
  );
  await world.clock.advance(1);
  await world.system.recovery.sweep();
  expect(await runsIn(store, NORTHWIND, "queued")).toBe(0);
  await world.close();
});
