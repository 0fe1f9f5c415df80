/** A PostgreSQL server that goes away and comes back, seen through a proxy that can be shut. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/ports.ts";
import type { Database } from "../../src/store/database.ts";
import { openServer } from "../../src/store/server.ts";
import { SERVER_URL } from "../kit/server-database.ts";

/** Forwards to the server while it is open; while it is shut, takes connections and breaks them at once. */
async function startProxy() {
  const real = new URL(SERVER_URL);
  const sockets = new Set<Socket>();
  const state = { isOpen: true, refused: 0 };
  const server = createServer((socket) => {
    socket.on("error", () => {});
    if (!state.isOpen) {
      state.refused += 1;
      socket.destroy();
      return;
    }
    const there = connect(Number(real.port), real.hostname);
    for (const each of [socket, there]) {
      sockets.add(each);
      each.on("error", () => {});
      each.on("close", () => {
        sockets.delete(each);
        socket.destroy();
        there.destroy();
      });
    }
    socket.pipe(there).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(SERVER_URL);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    state,
    shut() {
      state.isOpen = false;
      for (const socket of sockets) socket.destroy();
    },
    open() {
      state.isOpen = true;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

let proxy: Awaited<ReturnType<typeof startProxy>>;
let database: Database;
beforeAll(async () => {
  proxy = await startProxy();
  database = openServer(proxy.url, systemClock, 2);
});
afterAll(async () => {
  await database.close();
  await proxy.stop();
});

test("a connection that breaks while it is in use fails its statement, and nothing else", async () => {
  const session = await database.acquire();
  await session.script("begin");
  const running = session.query("select pg_sleep(20)");
  const failed = expect(running).rejects.toThrow();
  proxy.shut();
  await failed;
  session.release(true);
  // One that is held and idle breaks without anybody who waits for it.
  proxy.open();
  const idle = await database.acquire();
  await idle.script("begin");
  proxy.shut();
  await expect(database.acquire()).rejects.toMatchObject({ code: "database_unavailable" });
  proxy.open();
  await expect(idle.query("select 1")).rejects.toThrow();
  idle.release(true);
  const again = await database.acquire();
  expect((await again.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  again.release();
});

test("who listens comes back once a second and with one connection, however long the server was away", async () => {
  const heard: string[] = [];
  let gaps = 0;
  const stop = await database.listen(
    "restarts_test",
    (payload) => void heard.push(payload),
    () => {
      gaps += 1;
    },
  );
  const before = proxy.state.refused;
  proxy.shut();
  const seconds = 6;
  await systemClock.sleep(seconds * 1_000);
  const tried = proxy.state.refused - before;
  expect(tried).toBeGreaterThan(1);
  expect(tried).toBeLessThanOrEqual(seconds + 1);
  proxy.open();
  await expect.poll(() => gaps, { timeout: 10_000 }).toBe(1);
  const session = await database.acquire();
  const { rows } = await session.query(
    "select count(*)::int as n from pg_stat_activity where application_name = 'recourse-listen' and query = 'listen restarts_test'",
  );
  expect(rows).toEqual([{ n: 1 }]);
  await session.query("select pg_notify('restarts_test', 'back')");
  session.release();
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual(["back"]);
  await stop();
});
